#include "throng.h"

#include "sample.h"

#include <stdio.h>

static uint32_t state = 1;
static bool is_busy = true;

void throng_set_busy(bool busy)
{
    is_busy = busy;
}

static uint32_t below(uint32_t end)
{
    state = state * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)state * end >> 32);
}

static void spawn(throng_game_context *game)
{
    throng_game_entity entity = throng_game_spawn_unit(game);
    throng_Tag tag;
    snprintf(tag.text, sizeof tag.text, "unit %u", (unsigned)below(100000));
    throng_game_replace_position(game, entity, (throng_Position){(float)below(1000), (float)below(1000)});
    throng_game_replace_team(game, entity, (throng_Team){(throng_Side)below(3)});
    throng_game_replace_tag(game, entity, tag);
    if (below(5) == 0)
        throng_game_set_frozen(game, entity, true);
}

throng_throng_world *throng_begin(uint32_t count)
{
    throng_throng_world *world = throng_throng_world_create(NULL, NULL);
    for (uint32_t i = 0; world != NULL && i < count; i++)
        spawn(world->contexts->game);
    return world;
}

static throng_game_entity any(throng_game_context *game)
{
    uint32_t count;
    const throng_game_entity *entities = throng_game_living_entities(game, &count);
    return entities[below(count)];
}

double throng_replace_health(throng_throng_world *world, uint32_t count)
{
    throng_game_context *game = world->contexts->game;
    uint32_t living;
    const throng_game_entity *entities = throng_game_living_entities(game, &living);
    double began = sample_now();
    for (uint32_t i = 0; i < count; i++)
        throng_game_replace_health(game, entities[i % living], (throng_Health){(int32_t)i});
    return (sample_now() - began) / count;
}

// ---- the systems

void throng_turnover_execute(throng_throng_world *world, const kin_tick *tick)
{
    throng_game_context *game = world->contexts->game;
    (void)tick;
    for (uint32_t left = is_busy ? throng_game_entity_count(game) / 100 : 0; left > 0; left--) {
        throng_game_destroy_entity(game, any(game));
        spawn(game);
    }
}

void throng_freeze_execute(throng_throng_world *world, const kin_tick *tick)
{
    throng_game_context *game = world->contexts->game;
    (void)tick;
    for (uint32_t left = is_busy ? throng_game_entity_count(game) / 50 : 0; left > 0; left--) {
        throng_game_entity entity = any(game);
        throng_game_set_frozen(game, entity, !throng_game_is_frozen(game, entity));
    }
}

void throng_move_update(throng_throng_world *world, throng_move_iter *it, const kin_tick *tick)
{
    (void)world;
    while (is_busy && throng_move_next(it))
        for (uint32_t i = 0; i < it->count; i++) {
            it->position[i].x += it->velocity[i].x * (float)tick->delta;
            it->position[i].y += it->velocity[i].y * (float)tick->delta;
        }
}

void throng_strike_execute(throng_throng_world *world, const kin_tick *tick)
{
    throng_game_context *game = world->contexts->game;
    (void)tick;
    for (uint32_t left = is_busy ? throng_game_entity_count(game) / 20 : 0; left > 0; left--)
        throng_game_replace_health(game, any(game), (throng_Health){(int32_t)below(100)});
}

void throng_count_execute(throng_throng_world *world, const throng_game_entity *entities, uint32_t count)
{
    (void)world, (void)entities, (void)count;
}
