// Hand store: hand-written storage for known components. One array per component, indexed by slot; each slot has its
// generation and the bits of its components; arrays double when they are full. It lacks everything general: no errors,
// no events, no stable addresses.
#ifndef KIN_BENCH_HAND_STORE_H
#define KIN_BENCH_HAND_STORE_H

#include "workload.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    HAND_POSITION = 1,
    HAND_VELOCITY = 2,
    HAND_HEALTH = 4,
    HAND_DATA = 8,
    HAND_FROZEN = 16,
    HAND_F0 = 32 // HAND_F0 << b is the bit of flag b
};

typedef uint64_t hand_entity; // generation << 32 | slot

// Both fields are in one cache line, which is all that tests of liveness and of components read.
typedef struct hand_slot {
    uint32_t generation, mask;
} hand_slot;

typedef struct hand_store {
    uint32_t capacity, top, free_count, free_capacity, alive;
    hand_slot *slots;
    uint32_t *free;
    Position *positions;
    Velocity *velocities;
    Health *healths;
    Data *data;
} hand_store;

static inline uint32_t hand_slot_of(hand_entity entity)
{
    return (uint32_t)entity;
}

void hand_store_grow(hand_store *store, uint32_t capacity);
void hand_store_grow_free(hand_store *store);
// Frees all memory and leaves the store empty.
void hand_store_release(hand_store *store);

static inline hand_entity hand_create(hand_store *store)
{
    uint32_t slot;
    if (store->free_count > 0) {
        slot = store->free[--store->free_count];
    } else {
        if (store->top == store->capacity)
            hand_store_grow(store, store->capacity == 0 ? 1024 : store->capacity * 2);
        slot = store->top++;
    }
    store->slots[slot].mask = 0;
    store->alive++;
    return (hand_entity)store->slots[slot].generation << 32 | slot;
}

static inline bool hand_is_alive(const hand_store *store, hand_entity entity)
{
    return store->slots[hand_slot_of(entity)].generation == (uint32_t)(entity >> 32);
}

static inline void hand_destroy(hand_store *store, hand_entity entity)
{
    if (!hand_is_alive(store, entity))
        return;
    uint32_t slot = hand_slot_of(entity);
    store->slots[slot].generation++;
    store->slots[slot].mask = 0;
    store->alive--;
    if (store->free_count == store->free_capacity)
        hand_store_grow_free(store);
    store->free[store->free_count++] = slot;
}

static inline void hand_add_position(hand_store *store, hand_entity entity, Position position)
{
    store->positions[hand_slot_of(entity)] = position;
    store->slots[hand_slot_of(entity)].mask |= HAND_POSITION;
}

static inline void hand_add_velocity(hand_store *store, hand_entity entity, Velocity velocity)
{
    store->velocities[hand_slot_of(entity)] = velocity;
    store->slots[hand_slot_of(entity)].mask |= HAND_VELOCITY;
}

static inline void hand_add_health(hand_store *store, hand_entity entity, int32_t hp)
{
    store->healths[hand_slot_of(entity)].hp = hp;
    store->slots[hand_slot_of(entity)].mask |= HAND_HEALTH;
}

static inline void hand_add_data(hand_store *store, hand_entity entity, float value)
{
    store->data[hand_slot_of(entity)].v = value;
    store->slots[hand_slot_of(entity)].mask |= HAND_DATA;
}

// Slots in the order of adding; removing one moves the last into its place.
typedef struct hand_set {
    uint32_t *members, *places, count; // places: by slot, counted from 1; 0: not a member
} hand_set;

void hand_set_create(hand_set *set, uint32_t capacity);
void hand_set_release(hand_set *set);

static inline void hand_set_add(hand_set *set, uint32_t slot)
{
    if (set->places[slot] != 0)
        return;
    set->members[set->count++] = slot;
    set->places[slot] = set->count;
}

static inline void hand_set_remove(hand_set *set, uint32_t slot)
{
    uint32_t place = set->places[slot];
    if (place == 0)
        return;
    uint32_t last = set->members[--set->count];
    set->members[place - 1] = last;
    set->places[last] = place;
    set->places[slot] = 0;
}

// A store with the handles of its entities, in the order of creation and shuffled.
typedef struct hand_world {
    hand_store store;
    uint32_t count;
    hand_entity *handles, *shuffled;
    uint64_t sum;
} hand_world;

// Creates a world with room for `count` handles and no entities.
hand_world *hand_world_create(uint32_t count);
// Fills the shuffled handles from the others.
void hand_world_shuffle(hand_world *world);
void hand_world_destroy(void *world);

// Checksums that several works use: the values of all living handles; the sum that a work wrote into `sum`.
uint64_t hand_sum_of_values(void *world);
uint64_t hand_sum_of_work(void *world);
// The number of living entities.
uint64_t hand_sum_of_living(void *world);

#endif
