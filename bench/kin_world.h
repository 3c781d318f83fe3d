// Kin world: a context with the handles of its entities, in the order of their making and shuffled. What follows from
// here on uses the generated functions and <kin/kin.h> alone, as a game would.
#ifndef KIN_BENCH_KIN_WORLD_H
#define KIN_BENCH_KIN_WORLD_H

#include "bench/bench.h"
#include "workload.h"

#include <stdlib.h>
#include <string.h>

typedef struct kin_world {
    game_context *game;
    uint32_t count;
    game_entity *handles, *shuffled;
    uint64_t sum;
} kin_world;

// With room for `count` handles and no entity. `size` is that of a struct which begins with the world.
void *kin_world_create(uint32_t count, size_t size);
// Makes the shuffled handles from the others.
void kin_world_shuffle(kin_world *world);
// Gives the world a fresh context.
void kin_world_clear(void *world);
void kin_world_destroy(void *world);
// Adds the one of KindA to KindZ that is the entity's by its number.
void kin_world_add_kind(const kin_world *world, game_entity entity, uint32_t number);
// Sets F0 to F7 by the bits of `flags`.
void kin_world_add_flags(const kin_world *world, game_entity entity, uint32_t flags);

// Checksums to share: of the values of all handles that are alive, and what a work wrote into `sum`.
uint64_t kin_sum_of_values(void *world);
uint64_t kin_sum_of_work(void *world);
// How many are alive.
uint64_t kin_sum_of_living(void *world);

#endif
