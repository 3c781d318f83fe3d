// Reading, testing, adding and removing components by handle with Kin.

#include "side.h"
#include "store.h"

static void *create_world(uint32_t count)
{
    kin_store *made = kin_store_create(count, sizeof *made);
    for (uint32_t i = 0; i < count; i++) {
        made->handles[i] = game_create_entity(made->game);
        game_add_position(made->game, made->handles[i], workload_position(i));
        game_add_velocity(made->game, made->handles[i], workload_velocity(i));
    }
    kin_store_shuffle(made);
    return made;
}

// ---- i

static void get_at_random(void *user)
{
    kin_store *world = user;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < world->count; i++) {
        const Position *position = game_get_position(world->game, world->shuffled[i]);
        if (position != NULL)
            sum += (uint64_t)(int)position->x;
    }
    world->sum = sum;
}

static void get_unchecked(void *user)
{
    kin_store *world = user;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < world->count; i++)
        sum += (uint64_t)(int)game_get_position_unchecked(world->game, world->shuffled[i])->x;
    world->sum = sum;
}

// ---- j

static void *create_halves(uint32_t count)
{
    kin_store *made = kin_store_create(count, sizeof *made);
    for (uint32_t i = 0; i < count; i++) {
        made->handles[i] = game_create_entity(made->game);
        game_add_position(made->game, made->handles[i], workload_position(i));
        if (i % 2 == 0)
            game_add_velocity(made->game, made->handles[i], workload_velocity(i));
    }
    kin_store_shuffle(made);
    return made;
}

static void has_at_random(void *user)
{
    kin_store *world = user;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < world->count; i++)
        sum += game_has_velocity(world->game, world->shuffled[i]);
    world->sum = sum;
}

// ---- k, k.tag

static void *create_with_data(uint32_t count)
{
    kin_store *made = create_world(count);
    for (uint32_t i = 0; i < count; i++)
        game_add_data(made->game, made->handles[i], (Data){1.0f});
    return made;
}

static void toggle_health(void *user)
{
    const kin_store *world = user;
    for (uint32_t i = 0; i < world->count; i++)
        game_add_health(world->game, world->handles[i], (Health){workload_health(i)});
    WORKLOAD_BARRIER();
    for (uint32_t i = 0; i < world->count; i++)
        game_remove_health(world->game, world->handles[i]);
}

static void toggle_flag(void *user)
{
    const kin_store *world = user;
    for (uint32_t i = 0; i < world->count; i++)
        game_set_frozen(world->game, world->handles[i], true);
    WORKLOAD_BARRIER();
    for (uint32_t i = 0; i < world->count; i++)
        game_set_frozen(world->game, world->handles[i], false);
}

const side_work kin_access_works[] = {
    {"i", create_world, NULL, get_at_random, kin_sum_of_work, kin_store_destroy},
    {"i.unchecked", create_world, NULL, get_unchecked, kin_sum_of_work, kin_store_destroy},
    {"j", create_halves, NULL, has_at_random, kin_sum_of_work, kin_store_destroy},
    {"k", create_with_data, NULL, toggle_health, kin_sum_of_values, kin_store_destroy},
    {"k.tag", create_with_data, NULL, toggle_flag, kin_sum_of_values, kin_store_destroy},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
