// A game's frame with Kin: two declared groups, a collector of added and changed Health.

#include "side.h"
#include "store.h"

typedef struct frame {
    game_context *game;
    kin_collector *hurt;
    uint32_t count, capacity, head, next; // head: the index of the oldest in the ring
    game_entity *ring;
    uint64_t random, sum;
} frame;

static void drain(frame *frame)
{
    uint32_t count = 0;
    const kin_entity *hurt = kin_collector_entities(frame->hurt, &count);
    for (uint32_t i = 0; i < count; i++) {
        const Health *health = game_get_health(frame->game, game_entity_of(hurt[i]));
        if (health != NULL)
            frame->sum += (uint64_t)health->hp;
    }
    kin_collector_clear(frame->hurt);
}

static void spawn(frame *frame, uint32_t at)
{
    uint32_t number = frame->next++;
    game_entity entity = game_create_entity(frame->game);
    game_add_position(frame->game, entity, workload_position(number));
    game_add_velocity(frame->game, entity, workload_velocity(number));
    game_add_health(frame->game, entity, (Health){workload_health(number)});
    frame->ring[at % frame->capacity] = entity;
}

static void *create_frame(uint32_t count)
{
    frame *made = calloc(1, sizeof *made);
    made->game = game_context_create(NULL);
    kin_group *living = game_living_group(made->game);
    made->hurt = kin_collector_create((kin_trigger[]){{living, KIN_ADDED}, {living, KIN_MODIFIED}}, 2);
    made->count = count;
    made->capacity = count + workload_share(count, 1);
    made->ring = malloc(made->capacity * sizeof *made->ring);
    made->random = 42;
    for (uint32_t i = 0; i < count; i++)
        spawn(made, i);
    kin_collector_clear(made->hurt);
    return made;
}

static void destroy_frame(void *user)
{
    frame *frame = user;
    kin_collector_destroy(frame->hurt);
    game_context_destroy(frame->game);
    free(frame->ring);
    free(frame);
}

static void move_all(const frame *frame)
{
    game_movable_iter it = game_movable_iterate(frame->game);
    while (game_movable_next_block(&it))
        KIN_EACH_BIT(i, it.mask)
        {
            it.position[i].x += it.velocity[i].x * workload_step;
            it.position[i].y += it.velocity[i].y * workload_step;
            it.position[i].z += it.velocity[i].z * workload_step;
        }
}

static void destroy_oldest(const frame *frame)
{
    for (uint32_t j = 0; j < workload_share(frame->count, 1); j++)
        game_destroy_entity(frame->game, frame->ring[(frame->head + j) % frame->capacity]);
}

static void spawn_some(frame *frame)
{
    uint32_t count = workload_share(frame->count, 1);
    for (uint32_t j = 0; j < count; j++)
        spawn(frame, frame->head + frame->count + j);
    frame->head = (frame->head + count) % frame->capacity;
}

static game_entity choose(frame *frame)
{
    return frame->ring[(frame->head + workload_random_below(&frame->random, frame->count)) % frame->capacity];
}

static void freeze_some(frame *frame)
{
    for (uint32_t j = 0; j < workload_share(frame->count, 2); j++) {
        game_entity entity = choose(frame);
        game_set_frozen(frame->game, entity, !game_is_frozen(frame->game, entity));
    }
}

static void hurt_some(frame *frame)
{
    for (uint32_t j = 0; j < workload_share(frame->count, 5); j++) {
        game_entity entity = choose(frame);
        const Health *health = game_get_health(frame->game, entity);
        if (health != NULL)
            game_replace_health(frame->game, entity, (Health){health->hp - 1});
    }
}

static void play(void *user)
{
    frame *frame = user;
    move_all(frame);
    destroy_oldest(frame);
    spawn_some(frame);
    freeze_some(frame);
    hurt_some(frame);
    drain(frame);
    frame->sum +=
        kin_group_count(game_movable_group(frame->game)) * 3u + kin_group_count(game_frozen_group(frame->game)) * 7u;
}

static uint64_t sum_of_frames(void *user)
{
    const frame *frame = user;
    uint64_t sum = frame->sum;
    for (uint32_t j = 0; j < frame->count; j++)
        sum += workload_position_sum(game_get_position(frame->game, frame->ring[(frame->head + j) % frame->capacity]));
    return sum;
}

const side_work kin_frame_works[] = {
    {"q", create_frame, NULL, play, sum_of_frames, destroy_frame},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
