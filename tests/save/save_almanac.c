#include "past_make.h"
#include "save_others.h"

#include <almanac/almanac.h>

static void fill_almanac(almanac_context *almanac)
{
    static const uint16_t pockets[] = {1, 2, 3};
    almanac_entity parent = almanac_spawn_place(almanac), child = almanac_create_entity(almanac);
    almanac_add_name(almanac, child, (Name){.text = "Ada"});
    almanac_add_number(almanac, child, (Number){7});
    almanac_add_chest(almanac, child, (Chest){.label = "chest", .weight = 2.5});
    almanac_add_child_of(almanac, child, (ChildOf){parent});
    almanac_add_coat(almanac, parent, (Coat){.name = "coat", .pockets = {pockets, 3}});
    almanac_stash_coat(almanac, parent);
    almanac_add_kind(almanac, parent, (Kind){.size = 3, .title = "kind"});
    almanac_destroy_entity(almanac, almanac_create_entity(almanac));
}

kin_context *save_almanac_create(bool is_filled)
{
    kin_context_options options = past_case_options();
    almanac_context *almanac = almanac_context_create(&options);
    if (almanac != NULL && is_filled)
        fill_almanac(almanac);
    return almanac == NULL ? NULL : &almanac->base;
}
