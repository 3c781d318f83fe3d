// Hand store: growing its arrays, and worlds with their handles.

#include "store.h"

void hand_store_grow(hand_store *store, uint32_t capacity)
{
    store->slots = realloc(store->slots, capacity * sizeof *store->slots);
    store->positions = realloc(store->positions, capacity * sizeof *store->positions);
    store->velocities = realloc(store->velocities, capacity * sizeof *store->velocities);
    store->healths = realloc(store->healths, capacity * sizeof *store->healths);
    store->data = realloc(store->data, capacity * sizeof *store->data);
    memset(store->slots + store->capacity, 0, (capacity - store->capacity) * sizeof *store->slots);
    store->capacity = capacity;
}

void hand_store_grow_free(hand_store *store)
{
    store->free_capacity = store->free_capacity == 0 ? 1024 : store->free_capacity * 2;
    store->free = realloc(store->free, store->free_capacity * sizeof *store->free);
}

void hand_store_release(hand_store *store)
{
    free(store->slots);
    free(store->free);
    free(store->positions);
    free(store->velocities);
    free(store->healths);
    free(store->data);
    memset(store, 0, sizeof *store);
}

void hand_set_create(hand_set *set, uint32_t capacity)
{
    set->members = calloc(capacity, sizeof *set->members);
    set->places = calloc(capacity, sizeof *set->places);
    set->count = 0;
}

void hand_set_release(hand_set *set)
{
    free(set->members);
    free(set->places);
}

// Touches the pages of the handles, so that no page fault is timed.
hand_world *hand_world_create(uint32_t count)
{
    hand_world *made = calloc(1, sizeof *made);
    made->count = count;
    made->handles = malloc(count * sizeof *made->handles);
    made->shuffled = malloc(count * sizeof *made->shuffled);
    memset(made->handles, 1, count * sizeof *made->handles);
    return made;
}

void hand_world_shuffle(hand_world *world)
{
    uint32_t *order = malloc(world->count * sizeof *order);
    workload_shuffle(order, world->count);
    for (uint32_t i = 0; i < world->count; i++)
        world->shuffled[i] = world->handles[order[i]];
    free(order);
}

void hand_world_destroy(void *user)
{
    hand_world *world = user;
    hand_store_release(&world->store);
    free(world->handles);
    free(world->shuffled);
    free(world);
}

static uint64_t sum_of_slot(const hand_store *store, uint32_t slot)
{
    uint32_t mask = store->slots[slot].mask;
    uint64_t sum = 0;
    if ((mask & HAND_POSITION) != 0)
        sum += workload_position_sum(&store->positions[slot]);
    if ((mask & HAND_VELOCITY) != 0)
        sum += workload_velocity_sum(&store->velocities[slot]);
    if ((mask & HAND_HEALTH) != 0)
        sum += (uint64_t)store->healths[slot].hp;
    if ((mask & HAND_DATA) != 0)
        sum += (uint64_t)store->data[slot].v;
    return sum;
}

uint64_t hand_sum_of_values(void *user)
{
    const hand_world *world = user;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < world->count; i++)
        if (hand_is_alive(&world->store, world->handles[i]))
            sum += sum_of_slot(&world->store, hand_slot_of(world->handles[i]));
    return sum;
}

uint64_t hand_sum_of_work(void *user)
{
    return ((hand_world *)user)->sum;
}

uint64_t hand_sum_of_living(void *user)
{
    return ((hand_world *)user)->store.alive;
}
