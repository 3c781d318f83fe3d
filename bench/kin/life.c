// Creating, destroying and copying entities with Kin.

#include "side.h"
#include "store.h"

static inline void create_moving(kin_store *world, uint32_t i)
{
    game_entity made = game_create_entity(world->game);
    game_add_position(world->game, made, workload_position(i));
    game_add_velocity(world->game, made, workload_velocity(i));
    world->handles[i] = made;
}

static void *create_world(uint32_t count)
{
    return kin_store_create(count, sizeof(kin_store));
}

// ---- a

static void create_empty(void *user)
{
    kin_store *world = user;
    for (uint32_t i = 0; i < world->count; i++)
        world->handles[i] = game_create_entity(world->game);
}

// ---- b, b.warm

static void create_all(void *user)
{
    kin_store *world = user;
    for (uint32_t i = 0; i < world->count; i++)
        create_moving(world, i);
}

static void destroy_all(void *user)
{
    kin_store *world = user;
    for (uint32_t i = 0; i < world->count; i++)
        game_destroy_entity(world->game, world->handles[i]);
}

static void *create_full(uint32_t count)
{
    kin_store *made = create_world(count);
    create_all(made);
    return made;
}

// ---- c

typedef struct bulk {
    kin_store base;
    Position *positions;
    Velocity *velocities;
} bulk;

static void *create_bulk(uint32_t count)
{
    bulk *made = kin_store_create(count, sizeof *made);
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
    game_mover_values values = {.position = bulk->positions, .velocity = bulk->velocities};
    game_spawn_many_mover_with(bulk->base.game, bulk->base.count, &values, bulk->base.handles);
}

static void destroy_bulk(void *user)
{
    bulk *bulk = user;
    free(bulk->positions);
    free(bulk->velocities);
    kin_store_destroy(user);
}

// ---- d, d.bulk

static void fill(void *user)
{
    kin_store_clear(user);
    create_all(user);
}

static void destroy_group(void *user)
{
    kin_store *world = user;
    kin_group_destroy_entities(game_movers_group(world->game));
}

// ---- clone

// Keeps the prefab as the first shuffled handle: this work does not use the shuffled handles otherwise.
static void prepare_prefab(void *user)
{
    kin_store *world = user;
    kin_store_clear(user);
    game_entity prefab = world->shuffled[0] = game_create_entity(world->game);
    game_add_position(world->game, prefab, workload_position(77));
    game_add_velocity(world->game, prefab, workload_velocity(77));
    game_add_health(world->game, prefab, (Health){7});
    game_add_data(world->game, prefab, (Data){3.0f});
}

static void clone_all(void *user)
{
    kin_store *world = user;
    for (uint32_t i = 0; i < world->count; i++)
        world->handles[i] = game_clone_entity(world->game, world->shuffled[0]);
}

// ---- r, r.bulk

static void spawn_all(void *user)
{
    kin_store *world = user;
    for (uint32_t i = 0; i < world->count; i++)
        world->handles[i] = game_spawn_prefab(world->game);
}

static void spawn_at_once(void *user)
{
    kin_store *world = user;
    game_spawn_many_prefab(world->game, world->count, world->handles);
}

const side_work kin_life_works[] = {
    {"a", create_world, kin_store_clear, create_empty, kin_sum_of_living, kin_store_destroy},
    {"b", create_world, kin_store_clear, create_all, kin_sum_of_values, kin_store_destroy},
    {"b.warm", create_full, destroy_all, create_all, kin_sum_of_values, kin_store_destroy},
    {"c", create_bulk, kin_store_clear, create_at_once, kin_sum_of_values, destroy_bulk},
    {"d", create_world, fill, destroy_all, kin_sum_of_living, kin_store_destroy},
    {"d.bulk", create_world, fill, destroy_group, kin_sum_of_living, kin_store_destroy},
    {"r", create_world, kin_store_clear, spawn_all, kin_sum_of_values, kin_store_destroy},
    {"r.bulk", create_world, kin_store_clear, spawn_at_once, kin_sum_of_values, kin_store_destroy},
    {"clone", create_world, prepare_prefab, clone_all, kin_sum_of_values, kin_store_destroy},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
