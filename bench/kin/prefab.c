// Spawning trees of five entities with Kin, and five entities without relations in the same order.

#include "side.h"
#include "tree.h"
#include "trees/trees.h"

#include <stdlib.h>

enum { CAR_NODES = 5 };

typedef struct garage {
    scene_context *scene;
    plain_context *plain;
    uint32_t count;
} garage;

static void *create(uint32_t count)
{
    garage *made = calloc(1, sizeof *made);
    made->count = count;
    return made;
}

static void destroy(void *user)
{
    garage *garage = user;
    scene_context_destroy(garage->scene);
    plain_context_destroy(garage->plain);
    free(garage);
}

// ---- with relations

static void begin_scene(void *user)
{
    garage *garage = user;
    scene_context_destroy(garage->scene);
    garage->scene = scene_context_create(NULL);
}

static void spawn_cars(void *user)
{
    const garage *garage = user;
    for (uint32_t i = 0; i < garage->count; i += CAR_NODES)
        scene_spawn_car(garage->scene);
}

static uint64_t count_scene(void *user)
{
    return scene_entity_count(((garage *)user)->scene);
}

// ---- without

static void begin_plain(void *user)
{
    garage *garage = user;
    plain_context_destroy(garage->plain);
    garage->plain = plain_context_create(NULL);
}

static void spawn_plain_cars(void *user)
{
    const garage *garage = user;
    for (uint32_t i = 0; i < garage->count; i += CAR_NODES) {
        plain_spawn_plain_car(garage->plain);
        for (uint32_t wheel = 1; wheel < CAR_NODES; wheel++)
            plain_spawn_plain_wheel(garage->plain);
    }
}

static uint64_t count_plain(void *user)
{
    return plain_entity_count(((garage *)user)->plain);
}

const side_work kin_prefab_works[] = {
    {"r.prefab", create, begin_scene, spawn_cars, count_scene, destroy},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
const side_work kin_plain_prefab_works[] = {
    {"r.prefab", create, begin_plain, spawn_plain_cars, count_plain, destroy},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
