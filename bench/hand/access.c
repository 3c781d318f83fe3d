// Reading, testing, adding and removing components by handle on hand-written arrays.

#include "side.h"
#include "store.h"

static void *create_world(uint32_t count)
{
    hand_world *made = hand_world_create(count);
    for (uint32_t i = 0; i < count; i++) {
        made->handles[i] = hand_create(&made->store);
        hand_add_position(&made->store, made->handles[i], workload_position(i));
        hand_add_velocity(&made->store, made->handles[i], workload_velocity(i));
    }
    hand_world_shuffle(made);
    return made;
}

// ---- i

static void get_at_random(void *user)
{
    hand_world *world = user;
    const hand_store *store = &world->store;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < world->count; i++) {
        hand_entity entity = world->shuffled[i];
        if (hand_is_alive(store, entity) && (store->slots[hand_slot_of(entity)].mask & HAND_POSITION) != 0)
            sum += (uint64_t)(int)store->positions[hand_slot_of(entity)].x;
    }
    world->sum = sum;
}

// ---- j

static void *create_halves(uint32_t count)
{
    hand_world *made = hand_world_create(count);
    for (uint32_t i = 0; i < count; i++) {
        made->handles[i] = hand_create(&made->store);
        hand_add_position(&made->store, made->handles[i], workload_position(i));
        if (i % 2 == 0)
            hand_add_velocity(&made->store, made->handles[i], workload_velocity(i));
    }
    hand_world_shuffle(made);
    return made;
}

static void has_at_random(void *user)
{
    hand_world *world = user;
    const hand_store *store = &world->store;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < world->count; i++) {
        hand_entity entity = world->shuffled[i];
        sum += hand_is_alive(store, entity) && (store->slots[hand_slot_of(entity)].mask & HAND_VELOCITY) != 0;
    }
    world->sum = sum;
}

// ---- k, k.tag

static void *create_with_data(uint32_t count)
{
    hand_world *made = create_world(count);
    for (uint32_t i = 0; i < count; i++)
        hand_add_data(&made->store, made->handles[i], 1.0f);
    return made;
}

static void remove_from_all(hand_world *world, uint32_t bit)
{
    hand_store *store = &world->store;
    for (uint32_t i = 0; i < world->count; i++)
        if (hand_is_alive(store, world->handles[i]))
            store->slots[hand_slot_of(world->handles[i])].mask &= ~bit;
}

static void toggle_health(void *user)
{
    hand_world *world = user;
    for (uint32_t i = 0; i < world->count; i++)
        if (hand_is_alive(&world->store, world->handles[i]))
            hand_add_health(&world->store, world->handles[i], workload_health(i));
    WORKLOAD_BARRIER();
    remove_from_all(world, HAND_HEALTH);
}

static void toggle_flag(void *user)
{
    hand_world *world = user;
    hand_store *store = &world->store;
    for (uint32_t i = 0; i < world->count; i++)
        if (hand_is_alive(store, world->handles[i]))
            store->slots[hand_slot_of(world->handles[i])].mask |= HAND_FROZEN;
    WORKLOAD_BARRIER();
    remove_from_all(world, HAND_FROZEN);
}

const side_work hand_access_works[] = {
    {"i", create_world, NULL, get_at_random, hand_sum_of_work, hand_world_destroy},
    {"j", create_halves, NULL, has_at_random, hand_sum_of_work, hand_world_destroy},
    {"k", create_with_data, NULL, toggle_health, hand_sum_of_values, hand_world_destroy},
    {"k.tag", create_with_data, NULL, toggle_flag, hand_sum_of_values, hand_world_destroy},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
