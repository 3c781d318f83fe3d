// Kin store: creating and destroying it, and its checksums.

#include "store.h"

// Touches the pages of the handles, so that no page fault is timed.
void *kin_store_create(uint32_t count, size_t size)
{
    kin_store *made = calloc(1, size);
    made->count = count;
    made->game = game_context_create(NULL);
    made->handles = malloc(count * sizeof *made->handles);
    made->shuffled = malloc(count * sizeof *made->shuffled);
    memset(made->handles, 1, count * sizeof *made->handles);
    return made;
}

void kin_store_shuffle(kin_store *world)
{
    uint32_t *order = malloc(world->count * sizeof *order);
    workload_shuffle(order, world->count);
    for (uint32_t i = 0; i < world->count; i++)
        world->shuffled[i] = world->handles[order[i]];
    free(order);
}

void kin_store_clear(void *user)
{
    kin_store *world = user;
    game_context_destroy(world->game);
    world->game = game_context_create(NULL);
}

void kin_store_destroy(void *user)
{
    kin_store *world = user;
    game_context_destroy(world->game);
    free(world->handles);
    free(world->shuffled);
    free(world);
}

static uint64_t sum_of_entity(const game_context *game, game_entity entity)
{
    const Position *position = game_get_position(game, entity);
    const Velocity *velocity = game_get_velocity(game, entity);
    const Health *health = game_get_health(game, entity);
    const Data *data = game_get_data(game, entity);
    return (position == NULL ? 0 : workload_position_sum(position)) +
           (velocity == NULL ? 0 : workload_velocity_sum(velocity)) + (health == NULL ? 0 : (uint64_t)health->hp) +
           (data == NULL ? 0 : (uint64_t)data->v);
}

uint64_t kin_sum_of_values(void *user)
{
    const kin_store *world = user;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < world->count; i++)
        sum += sum_of_entity(world->game, world->handles[i]);
    return sum;
}

uint64_t kin_sum_of_work(void *user)
{
    return ((kin_store *)user)->sum;
}

uint64_t kin_sum_of_living(void *user)
{
    return game_entity_count(((kin_store *)user)->game);
}
