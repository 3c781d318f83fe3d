// Creating, destroying and copying entities on hand-written arrays.

#include "side.h"
#include "store.h"

static inline void create_moving(hand_world *world, uint32_t i)
{
    hand_entity made = hand_create(&world->store);
    hand_add_position(&world->store, made, workload_position(i));
    hand_add_velocity(&world->store, made, workload_velocity(i));
    world->handles[i] = made;
}

static void *create_world(uint32_t count)
{
    return hand_world_create(count);
}

static void clear(void *user)
{
    hand_store_release(&((hand_world *)user)->store);
}

// ---- a

static void create_empty(void *user)
{
    hand_world *world = user;
    for (uint32_t i = 0; i < world->count; i++)
        world->handles[i] = hand_create(&world->store);
}

// ---- b, b.warm

static void create_all(void *user)
{
    hand_world *world = user;
    for (uint32_t i = 0; i < world->count; i++)
        create_moving(world, i);
}

static void destroy_all(void *user)
{
    hand_world *world = user;
    for (uint32_t i = 0; i < world->count; i++)
        hand_destroy(&world->store, world->handles[i]);
}

static void *create_full(uint32_t count)
{
    hand_world *made = hand_world_create(count);
    create_all(made);
    return made;
}

// ---- c

typedef struct bulk {
    hand_world base;
    Position *positions;
    Velocity *velocities;
} bulk;

static void *create_bulk(uint32_t count)
{
    hand_world *world = hand_world_create(count);
    bulk *made = calloc(1, sizeof *made);
    made->base = *world;
    free(world);
    made->positions = malloc(count * sizeof *made->positions);
    made->velocities = malloc(count * sizeof *made->velocities);
    for (uint32_t i = 0; i < count; i++) {
        made->positions[i] = workload_position(i);
        made->velocities[i] = workload_velocity(i);
    }
    return made;
}

static void create_at_once(void *user)
{
    bulk *bulk = user;
    hand_store *store = &bulk->base.store;
    uint32_t count = bulk->base.count;
    hand_store_grow(store, count);
    store->top = store->alive = count;
    memcpy(store->positions, bulk->positions, count * sizeof *store->positions);
    memcpy(store->velocities, bulk->velocities, count * sizeof *store->velocities);
    for (uint32_t i = 0; i < count; i++) {
        store->slots[i].mask = HAND_POSITION | HAND_VELOCITY;
        bulk->base.handles[i] = i;
    }
}

static void destroy_bulk(void *user)
{
    bulk *bulk = user;
    free(bulk->positions);
    free(bulk->velocities);
    hand_world_destroy(user);
}

// ---- d

static void fill(void *user)
{
    clear(user);
    create_all(user);
}

// ---- r

static void prepare_prefab(void *user)
{
    hand_world *world = user;
    clear(user);
    hand_entity prefab = hand_create(&world->store);
    hand_add_position(&world->store, prefab, workload_position(77));
    hand_add_velocity(&world->store, prefab, workload_velocity(77));
    hand_add_health(&world->store, prefab, 7);
    hand_add_data(&world->store, prefab, 3.0f);
}

static void clone_all(void *user)
{
    hand_world *world = user;
    hand_store *store = &world->store;
    for (uint32_t i = 0; i < world->count; i++) {
        hand_entity made = hand_create(store);
        uint32_t slot = hand_slot_of(made);
        store->positions[slot] = store->positions[0];
        store->velocities[slot] = store->velocities[0];
        store->healths[slot] = store->healths[0];
        store->data[slot] = store->data[0];
        store->slots[slot].mask = store->slots[0].mask;
        world->handles[i] = made;
    }
}

const side_work hand_life_works[] = {
    {"a", create_world, clear, create_empty, hand_sum_of_living, hand_world_destroy},
    {"b", create_world, clear, create_all, hand_sum_of_values, hand_world_destroy},
    {"b.warm", create_full, destroy_all, create_all, hand_sum_of_values, hand_world_destroy},
    {"c", create_bulk, clear, create_at_once, hand_sum_of_values, destroy_bulk},
    {"d", create_world, fill, destroy_all, hand_sum_of_living, hand_world_destroy},
    {"r", create_world, prepare_prefab, clone_all, hand_sum_of_values, hand_world_destroy},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
