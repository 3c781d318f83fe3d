#include "show.h"

#include <stdio.h>

const char *name_of(const town_context *town, town_entity entity)
{
    const Name *name = town_get_name(town, entity);
    return name == NULL ? "nobody" : name->text;
}

const char *kind_name(Kind kind)
{
    static const char *const names[] = {[KIND_COIN] = "coin", [KIND_LOAF] = "loaf", [KIND_LAMP] = "lamp"};
    return names[kind];
}

static void show_items(const town_context *town, town_entity person)
{
    const Inventory *inventory = town_get_inventory(town, person);
    for (uint32_t i = 0; i < inventory->items.count; i++) {
        const Item *item = &inventory->items.at[i];
        printf(", %s x %u", kind_name(item->kind), (unsigned)item->count);
    }
}

static void show_likes(const town_context *town, town_entity person)
{
    for (town_entity pair = town_likes_first(town, person); town_entity_is_alive(town, pair);
         pair = town_likes_next(town, pair)) {
        const Likes *likes = town_get_likes(town, pair);
        printf(", likes %s (%d)", name_of(town, likes->whom), (int)likes->amount);
    }
}

static void show_person(const town_context *town, town_entity person)
{
    const LivesIn *home = town_get_lives_in(town, person);
    printf("  %s: %s%s", name_of(town, person), home == NULL ? "no home" : "lives in ",
           home == NULL ? "" : name_of(town, home->house));
    show_items(town, person);
    show_likes(town, person);
    printf("\n");
}

static void show_house(const town_context *town, town_entity house)
{
    printf("  %s: belongs to %s", name_of(town, house), name_of(town, town_get_house(town, house)->owner));
    for (town_entity lease = town_leases_first(town, house); town_entity_is_alive(town, lease);
         lease = town_leases_next(town, lease))
        printf(", %s rents it", name_of(town, town_get_lease(town, lease)->tenant));
    printf("\n");
}

void show(town_context *town)
{
    uint32_t people, houses;
    const town_entity *person = town_people_entities(town, &people);
    for (uint32_t i = 0; i < people; i++)
        show_person(town, person[i]);
    const town_entity *house = town_houses_entities(town, &houses);
    for (uint32_t i = 0; i < houses; i++)
        show_house(town, house[i]);
}
