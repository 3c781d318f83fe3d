// Shared values with Kin. The yardsticks are Kin's too: reading boxed values, and replacing a component that has an
// index.

#include "side.h"
#include "store.h"

enum { VALUES = 100 };

typedef struct shared_store {
    kin_store base;
    uint32_t passes;
} shared_store;

static Material material_of(uint32_t number)
{
    return (Material){.mesh = number % VALUES, .tint = {(float)(number % VALUES), 0.5f, 1}};
}

static void *create(uint32_t count)
{
    shared_store *made = kin_store_create(count, sizeof *made);
    for (uint32_t i = 0; i < count; i++) {
        Material material = material_of(i);
        game_entity entity = made->base.handles[i] = game_create_entity(made->base.game);
        game_add_material(made->base.game, entity, material);
        game_add_crate(made->base.game, entity, (Crate){material.mesh, material.tint});
        game_add_number(made->base.game, entity, (Number){i});
    }
    made->passes = 0;
    return made;
}

// ---- s.get

static void get_boxed(void *user)
{
    kin_store *world = user;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < world->count; i++)
        sum += game_get_crate(world->game, world->handles[i])->mesh;
    world->sum = sum;
}

static void get_shared(void *user)
{
    kin_store *world = user;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < world->count; i++)
        sum += game_get_material(world->game, world->handles[i])->mesh;
    world->sum = sum;
}

// ---- s.replace

static void replace_numbers(void *user)
{
    shared_store *world = user;
    uint32_t first = ++world->passes % 2 * world->base.count; // keys that no entity has
    for (uint32_t i = 0; i < world->base.count; i++)
        game_replace_number(world->base.game, world->base.handles[i], (Number){first + i});
}

static void replace_shared(void *user)
{
    shared_store *world = user;
    uint32_t first = ++world->passes * 7;
    for (uint32_t i = 0; i < world->base.count; i++)
        game_replace_material(world->base.game, world->base.handles[i], material_of(first + i * 13));
}

const side_work kin_unshared_works[] = {
    {"s.get", create, NULL, get_boxed, kin_sum_of_work, kin_store_destroy},
    {"s.replace", create, NULL, replace_numbers, kin_sum_of_living, kin_store_destroy},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};

const side_work kin_shared_works[] = {
    {"s.get", create, NULL, get_shared, kin_sum_of_work, kin_store_destroy},
    {"s.replace", create, NULL, replace_shared, kin_sum_of_living, kin_store_destroy},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
