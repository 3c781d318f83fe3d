// A town: people who trade, like each other and rent houses. Before a person or a house is destroyed, the program
// prints the effects. A rented house cannot be destroyed.

#include "goods.h"
#include "likes.h"
#include "losses.h"
#include "show.h"

#include <townsfolk/townsfolk.h>

#include <stdio.h>

static void on_error(const kin_error *error, void *user)
{
    (void)user;
    printf("  refused: %s\n", error->message);
}

// ---- what can be done in the town

static town_entity add_person(town_context *town, Name name)
{
    return town_spawn_person_with(town, (town_person_value){.name = name, .given = {.name = true}});
}

static town_entity add_house(town_context *town, Name name, town_entity owner)
{
    town_house_value value = {.name = name, .house = {owner}, .given = {.name = true, .house = true}};
    return town_spawn_house_with(town, value);
}

static void rent(town_context *town, Lease lease)
{
    town_lease_value value = {.lease = lease, .given = {.lease = true}};
    if (town_entity_is_alive(town, town_spawn_lease_with(town, value)))
        town_replace_lives_in(town, lease.tenant, (LivesIn){lease.house});
}

static void give(town_context *town, town_entity from, town_entity to, Item item)
{
    bool is_given = goods_give(town, from, to, item) == KIN_OK;
    printf("%s %s %s: %s x %u\n", name_of(town, from), is_given ? "gives" : "cannot give", name_of(town, to),
           kind_name(item.kind), (unsigned)item.count);
}

// Prints the effects, then destroys the person or the house, unless a lease forbids it.
static void destroy(town_context *town, town_entity entity)
{
    printf("\nDestroy %s?\n", name_of(town, entity));
    losses_print(town, entity);
    if (town_destroy_entity(town, entity) == KIN_OK)
        printf("  done\n");
}

// ---- the story

static void play(town_context *town)
{
    town_entity ann = add_person(town, (Name){"Ann"}), ben = add_person(town, (Name){"Ben"});
    town_entity cleo = add_person(town, (Name){"Cleo"});
    town_entity mill = add_house(town, (Name){"the mill"}, ann), inn = add_house(town, (Name){"the inn"}, ann);
    town_replace_lives_in(town, ann, (LivesIn){inn});
    town_replace_lives_in(town, cleo, (LivesIn){mill});
    rent(town, (Lease){.tenant = ben, .house = mill, .coins = 2});
    likes_set(town, ann, ben, 3);
    likes_set(town, cleo, ben, 1);
    likes_set(town, cleo, ben, 5); // the same pair
    town_push_inventory_items(town, ann, (Item){KIND_LOAF, 3});
    give(town, ann, ben, (Item){KIND_LOAF, 3});
    give(town, ben, ann, (Item){KIND_COIN, 6});
    give(town, ben, cleo, (Item){KIND_COIN, 6});
    printf("\n");
    show(town);
    destroy(town, mill);
    destroy(town, ben);
    destroy(town, mill);
    destroy(town, ann);
    printf("\n");
    show(town);
}

int main(void)
{
    town_context *town = town_context_create(&(kin_context_options){.on_error = on_error});
    if (town == NULL)
        return 1;
    play(town);
    town_context_destroy(town);
    return 0;
}
