// Iterating with Kin, by runs and by blocks.

#include "side.h"
#include "store.h"

static uint64_t sum_of_positions(void *user)
{
    const kin_store *world = user;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < world->count; i++)
        sum += workload_position_sum(game_get_position(world->game, world->handles[i]));
    return sum;
}

static uint64_t sum_of_data(void *user)
{
    const kin_store *world = user;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < world->count; i++)
        sum += (uint64_t)game_get_data(world->game, world->handles[i])->v;
    return sum;
}

// ---- e

static void create_moving(kin_store *world, uint32_t i)
{
    world->handles[i] = game_create_entity(world->game);
    game_add_position(world->game, world->handles[i], workload_position(i));
    game_add_velocity(world->game, world->handles[i], workload_velocity(i));
}

static void *create_full(uint32_t count)
{
    kin_store *made = kin_store_create(count, sizeof *made);
    for (uint32_t i = 0; i < count; i++)
        create_moving(made, i);
    return made;
}

static void shift_all(void *user)
{
    const kin_store *world = user;
    game_positions_iter it = game_positions_iterate(world->game);
    while (game_positions_next(&it))
        for (uint32_t i = 0; i < it.count; i++) {
            it.position[i].x += 1;
            it.position[i].y += 1;
            it.position[i].z += 1;
        }
}

// ---- f, g, h2

static void move_all(void *user)
{
    const kin_store *world = user;
    game_movers_iter it = game_movers_iterate(world->game);
    while (game_movers_next(&it))
        for (uint32_t i = 0; i < it.count; i++) {
            it.position[i].x += it.velocity[i].x * workload_step;
            it.position[i].y += it.velocity[i].y * workload_step;
            it.position[i].z += it.velocity[i].z * workload_step;
        }
}

// ---- g by blocks

static void *create_halves(uint32_t count)
{
    kin_store *made = kin_store_create(count, sizeof *made);
    for (uint32_t i = 0; i < count; i++) {
        made->handles[i] = game_create_entity(made->game);
        game_add_position(made->game, made->handles[i], workload_position(i));
        if (i % 2 == 0)
            game_add_velocity(made->game, made->handles[i], workload_velocity(i));
    }
    return made;
}

static void move_blocks(void *user)
{
    const kin_store *world = user;
    game_movers_iter it = game_movers_iterate(world->game);
    while (game_movers_next_block(&it))
        KIN_EACH_BIT(i, it.mask)
        {
            it.position[i].x += it.velocity[i].x * workload_step;
            it.position[i].y += it.velocity[i].y * workload_step;
            it.position[i].z += it.velocity[i].z * workload_step;
        }
}

// ---- g spawned: matching entities have chunks of their own

static void *create_spawned(uint32_t count)
{
    kin_store *made = kin_store_create(count, sizeof *made);
    for (uint32_t i = 0; i < count; i++) {
        made->handles[i] = i % 2 == 0 ? game_spawn_mover(made->game) : game_spawn_still(made->game);
        game_replace_position(made->game, made->handles[i], workload_position(i));
        if (i % 2 == 0)
            game_replace_velocity(made->game, made->handles[i], workload_velocity(i));
    }
    return made;
}

// ---- h: 26 kinds of entities

static void *create_things(uint32_t count)
{
    kin_store *made = kin_store_create(count, sizeof *made);
    for (uint32_t i = 0; i < count; i++) {
        made->handles[i] = game_create_entity(made->game);
        game_add_data(made->game, made->handles[i], (Data){(float)(i & 1023)});
        kin_store_add_kind(made, made->handles[i], i);
    }
    return made;
}

static void grow_all(void *user)
{
    const kin_store *world = user;
    game_things_iter it = game_things_iterate(world->game);
    while (game_things_next(&it))
        for (uint32_t i = 0; i < it.count; i++)
            it.data[i].v += 1.0f;
}

// ---- h2: 256 combinations of flags

static void *create_flagged(uint32_t count)
{
    kin_store *made = create_full(count);
    for (uint32_t i = 0; i < count; i++)
        kin_store_add_flags(made, made->handles[i], workload_number(i) % 256);
    return made;
}

const side_work kin_walk_works[] = {
    {"e", create_full, NULL, shift_all, sum_of_positions, kin_store_destroy},
    {"f", create_full, NULL, move_all, sum_of_positions, kin_store_destroy},
    {"g", create_halves, NULL, move_all, sum_of_positions, kin_store_destroy},
    {"g.blocks", create_halves, NULL, move_blocks, sum_of_positions, kin_store_destroy},
    {"g.spawned", create_spawned, NULL, move_all, sum_of_positions, kin_store_destroy},
    {"h", create_things, NULL, grow_all, sum_of_data, kin_store_destroy},
    {"h2", create_flagged, NULL, move_all, sum_of_positions, kin_store_destroy},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
