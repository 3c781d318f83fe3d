// Kin store: a context with the handles of its entities, in the order of creation and shuffled. The workloads use only
// generated functions and <kin/kin.h>, as a game would.
#ifndef KIN_BENCH_KIN_STORE_H
#define KIN_BENCH_KIN_STORE_H

#include "bench/bench.h"
#include "workload.h"

#include <stdlib.h>
#include <string.h>

typedef struct kin_store {
    game_context *game;
    uint32_t count;
    game_entity *handles, *shuffled;
    uint64_t sum;
} kin_store;

// Creates a world with room for `count` handles and no entities, as the first member of a struct of `size` bytes.
void *kin_store_create(uint32_t count, size_t size);
// Fills the shuffled handles from the others.
void kin_store_shuffle(kin_store *world);
// Replaces the context by a new one.
void kin_store_clear(void *world);
void kin_store_destroy(void *world);
// Adds one of KindA to KindZ, chosen by the entity's number.
void kin_store_add_kind(const kin_store *world, game_entity entity, uint32_t number);
// Sets those of F0 to F7 whose bits are in `flags`.
void kin_store_add_flags(const kin_store *world, game_entity entity, uint32_t flags);

// Checksums that several works use: the values of all living handles; the sum that a work wrote into `sum`.
uint64_t kin_sum_of_values(void *world);
uint64_t kin_sum_of_work(void *world);
// The number of living entities.
uint64_t kin_sum_of_living(void *world);

#endif
