#include "losses.h"

#include "show.h"

#include <stdio.h>

// ---- one line for a holder of each relation

static void print_likes(const town_context *town, town_entity holder)
{
    const Likes *likes = town_get_likes(town, holder);
    printf("  %s likes %s: that ends\n", name_of(town, likes->who), name_of(town, likes->whom));
}

static void print_lease(const town_context *town, town_entity holder)
{
    const Lease *lease = town_get_lease(town, holder);
    printf("  %s rents %s: the lease ends\n", name_of(town, lease->tenant), name_of(town, lease->house));
}

static void print_refusal(const town_context *town, town_entity holder)
{
    const Lease *lease = town_get_lease(town, holder);
    printf("  %s rents %s: the house must stay\n", name_of(town, lease->tenant), name_of(town, lease->house));
}

static void print_owned(const town_context *town, town_entity holder)
{
    printf("  %s: loses its owner\n", name_of(town, holder));
}

static void print_resident(const town_context *town, town_entity holder)
{
    printf("  %s: loses the home\n", name_of(town, holder));
}

// ---- the lists of all relations

typedef struct reverse {
    town_entity (*first)(const town_context *town, town_entity target);
    town_entity (*next)(const town_context *town, town_entity holder);
    void (*print)(const town_context *town, town_entity holder);
} reverse;

static const reverse leases = {town_leases_first, town_leases_next, print_refusal};

static const reverse others[] = {
    {town_rented_first, town_rented_next, print_lease},     {town_likes_first, town_likes_next, print_likes},
    {town_liked_by_first, town_liked_by_next, print_likes}, {town_residents_first, town_residents_next, print_resident},
    {town_owned_first, town_owned_next, print_owned},
};

static void print_holders(const town_context *town, town_entity target, const reverse *reverse)
{
    for (town_entity holder = reverse->first(town, target); town_entity_is_alive(town, holder);
         holder = reverse->next(town, holder))
        reverse->print(town, holder);
}

// No entity names a lease or a pair, so destroying these destroys nothing else.
void losses_print(const town_context *town, town_entity entity)
{
    print_holders(town, entity, &leases);
    if (town_leases_count(town, entity) > 0)
        return;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        print_holders(town, entity, &others[i]);
}
