// Side: finds a work by its id in the tables of a side.

#include "side.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const side_work *const hand_tables[] = {hand_life_works,        hand_walk_works,    hand_access_works,
                                               hand_watch_works,       hand_react_works,   hand_index_works,
                                               hand_group_works,       hand_list_works,    hand_frame_works,
                                               kin_plain_works,        hand_tree_works,    kin_whole_works,
                                               kin_plain_prefab_works, kin_unshared_works, kin_copied_works,
                                               kin_unordered_works,    kin_cell_works,     NULL};
static const side_work *const kin_tables[] = {kin_life_works,
                                              kin_walk_works,
                                              kin_access_works,
                                              kin_watch_works,
                                              kin_react_works,
                                              kin_index_works,
                                              kin_group_works,
                                              kin_list_works,
                                              kin_frame_works,
                                              kin_relation_works,
                                              kin_tree_works,
                                              kin_prefab_works,
                                              kin_shared_works,
                                              kin_saved_works,
                                              kin_ordered_works,
                                              kin_grid_works,
                                              NULL};

// The last table is NULL.
static const side_work *find(const side_work *const *tables, const char *id)
{
    for (; *tables != NULL; tables++)
        for (const side_work *work = *tables; work->id != NULL; work++)
            if (strcmp(work->id, id) == 0)
                return work;
    fprintf(stderr, "no side has a work '%s'\n", id);
    exit(2);
}

const side_work *side_find_hand(const char *id)
{
    return find(hand_tables, id);
}

const side_work *side_find_kin(const char *id)
{
    return find(kin_tables, id);
}
