// The same work on Kin, by the generated functions alone, as a game would write it.

#include "side.h"
#include "workload.h"

#include <stdlib.h>

typedef struct world {
    uint32_t count;
    game_context *game;
    game_entity *handles, *shuffled;
    uint64_t sum;
} world;

static inline void create_moving(world *world, uint32_t i)
{
    game_entity made = game_create_entity(world->game);
    game_add_position(world->game, made, workload_position(i));
    game_add_velocity(world->game, made, workload_velocity(i));
    world->handles[i] = made;
}

static void *create_world(uint32_t count)
{
    world *made = calloc(1, sizeof *made);
    uint32_t *order = malloc(count * sizeof *order);
    made->count = count;
    made->game = game_context_create(NULL);
    made->handles = calloc(count, sizeof *made->handles);
    made->shuffled = calloc(count, sizeof *made->shuffled);
    workload_shuffle(order, count);
    for (uint32_t i = 0; i < count; i++)
        create_moving(made, i);
    for (uint32_t i = 0; i < count; i++)
        made->shuffled[i] = made->handles[order[i]];
    free(order);
    return made;
}

static void destroy_world(void *user)
{
    world *world = user;
    game_context_destroy(world->game);
    free(world->handles);
    free(world->shuffled);
    free(world);
}

static uint64_t sum_of_work(void *user)
{
    return ((world *)user)->sum;
}

static uint64_t sum_of_values(void *user)
{
    world *world = user;
    uint64_t sum = 0;
    game_movers_iter it = game_movers_iterate(world->game);
    while (game_movers_next(&it))
        for (uint32_t i = 0; i < it.count; i++)
            sum += workload_position_sum(&it.position[i]) + workload_velocity_sum(&it.velocity[i]);
    return sum;
}

// ---- k.tag

static void *create_with_data(uint32_t count)
{
    world *made = create_world(count);
    for (uint32_t i = 0; i < count; i++)
        game_add_data(made->game, made->handles[i], (Data){1.0f});
    return made;
}

static void toggle_flags(void *user)
{
    world *world = user;
    for (uint32_t i = 0; i < world->count; i++)
        game_set_frozen(world->game, world->handles[i], true);
    __asm__ volatile("" ::: "memory");
    for (uint32_t i = 0; i < world->count; i++)
        game_set_frozen(world->game, world->handles[i], false);
}

// ---- i

static void get_at_random(void *user)
{
    world *world = user;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < world->count; i++) {
        const Position *position = game_get_position(world->game, world->shuffled[i]);
        if (position != NULL)
            sum += (uint64_t)(int)position->x;
    }
    world->sum = sum;
}

// ---- f

static void move_all(void *user)
{
    world *world = user;
    game_movers_iter it = game_movers_iterate(world->game);
    while (game_movers_next(&it))
        for (uint32_t i = 0; i < it.count; i++) {
            it.position[i].x += it.velocity[i].x * workload_step;
            it.position[i].y += it.velocity[i].y * workload_step;
            it.position[i].z += it.velocity[i].z * workload_step;
        }
}

// ---- b.warm

static void destroy_all(void *user)
{
    world *world = user;
    for (uint32_t i = 0; i < world->count; i++)
        game_destroy_entity(world->game, world->handles[i]);
}

static void create_all(void *user)
{
    world *world = user;
    for (uint32_t i = 0; i < world->count; i++)
        create_moving(world, i);
}

const side_row kin_rows[SIDE_ROWS] = {
    {"k.tag", "add and remove a flag", "pair", 20, 100, create_with_data, NULL, toggle_flags, sum_of_values,
     destroy_world},
    {"i", "get at random, checked", "get", 20, 100, create_world, NULL, get_at_random, sum_of_work, destroy_world},
    {"f", "iterate two components", "entity", 200, 100, create_world, NULL, move_all, sum_of_values, destroy_world},
    {"b.warm", "create with two, recycled", "entity", 1, 100, create_world, destroy_all, create_all, sum_of_values,
     destroy_world},
};
