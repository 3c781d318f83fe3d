// One walk: over a declared group, walk.c; an ordered index, operations/ordered.c; or a grid, operations/grid.c.
#ifndef KIN_TESTS_FUZZ_API_WALK_H
#define KIN_TESTS_FUZZ_API_WALK_H

#include "harness.h"

typedef struct walk {
    kin_context *context; // NULL: the walk has ended
    uint32_t kind, trims; // trims of the harness when the walk last continued
    bool by_blocks;
    union {
        game_movers_iter movers;
        game_crates_iter crates;
        game_strips_iter strips;
        game_slabs_iter slabs;
        game_soles_iter soles;
        game_names_iter names;
        game_anys_iter anys;
        other_opos_iter opos;
        game_ladder_iter ladder;
        game_swarm_iter swarm;
    } as;
} walk;

#endif
