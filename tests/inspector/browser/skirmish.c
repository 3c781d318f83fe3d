// Skirmish: the game that the tests of the inspector's page look at.
//
//     skirmish [ENTITIES [TOKEN [WAIT]]]
//
// It updates 60 times a second until stdin ends, and prints its frame, and how many updates the last second had, once a
// second. With WAIT each line on stdin stops updates for that many milliseconds. With KIN_PAGE_BARE in the environment
// the inspector knows the context and the systems, and not the world.
#include "skirmish/skirmish.h"

#include <kin/inspect.h>

#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { FRAME_MILLISECONDS = 16, FROZEN_EVERY = 7, HIT_EVERY = 97, REFUSED_EVERY = 20 };

typedef struct state {
    uint32_t frame;
    game_entity *units;
    uint32_t count;
} state;

static game_entity make_unit(skirmish_world *world, uint32_t number)
{
    game_context *game = world->contexts->game;
    game_entity unit = game_create_entity(game);
    char name[32];
    snprintf(name, sizeof name, number % 10 == 3 ? "<b>unit %" PRIu32 "</b>" : "unit %" PRIu32, number);
    game_add_position(game, unit, (Position){{(float)(number % 100), (float)(number / 100 % 100)}});
    game_add_velocity(game, unit, (Velocity){(float)(number % 5) - 2.0f, 1.5f});
    game_add_health(game, unit, (Health){100 - (int32_t)(number % 60), 1.5});
    game_add_team(game, unit, (Team){(Side)(number % 3)});
    game_add_name(game, unit, (Name){name});
    if (number % 4 == 0)
        game_add_kit(game, unit,
                     (Kit){.ammunition = {12, 30, 6},
                           .tag = "ranger",
                           .is_loaded = true,
                           .serial = INT64_C(9007199254740993),
                           .made = (int32_t)number});
    if (number % 3 == 0)
        game_set_frozen(game, unit, true);
    return unit;
}

void freeze_execute(skirmish_world *world, const kin_tick *tick)
{
    state *state = world->user;
    game_context *game = world->contexts->game;
    (void)tick;
    game_entity unit = state->units[state->frame * FROZEN_EVERY % state->count];
    if (game_entity_is_alive(game, state->units[0]) && game_has_kit(game, state->units[0]))
        game_edit_kit(game, state->units[0])->secret++;
    if (state->frame % FROZEN_EVERY != 0 || !game_entity_is_alive(game, unit))
        return;
    game_set_frozen(game, unit, !game_is_frozen(game, unit));
    if (game_has_velocity(game, unit)) // in place, which its schema does not say
        game_edit_velocity(game, unit)->y = 2.75f - game_get_velocity(game, unit)->y;
}

void move_update(skirmish_world *world, move_iter *it, const kin_tick *tick)
{
    (void)world;
    while (move_next(it))
        for (uint32_t i = 0; i < it->count; i++) {
            it->position[i].at.x += it->velocity[i].x * (float)tick->delta;
            it->position[i].at.y += it->velocity[i].y * (float)tick->delta;
        }
}

void strike_execute(skirmish_world *world, const kin_tick *tick)
{
    state *state = world->user;
    game_context *game = world->contexts->game;
    (void)tick;
    game_entity unit = state->units[state->frame * HIT_EVERY % state->count];
    if (state->count < 50 || !game_has_health(game, unit))
        return;
    const Health *health = game_get_health(game, unit);
    game_replace_health(game, unit, (Health){health->points > 1 ? health->points - 1 : 100, health->armour});
    skirmish_publish_hit(world, (Hit){unit, 1});
    if (state->frame % REFUSED_EVERY == 0)
        game_add_health(game, state->units[0], (Health){1, 1});
}

void count_execute(skirmish_world *world, const game_entity *entities, uint32_t count)
{
    (void)entities;
    int64_t score = game_get_unique_score(world->contexts->game)->value;
    game_replace_unique_score(world->contexts->game, (Score){score + count});
}

void count_on_hit(skirmish_world *world, const Hit *hit)
{
    (void)world, (void)hit;
}

// Returns false when stdin has ended. A line stops the game for `wait` milliseconds.
static bool listen(uint32_t wait)
{
    struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
    char line[64];
    if (poll(&in, 1, 0) <= 0)
        return true;
    if (read(STDIN_FILENO, line, sizeof line) <= 0)
        return false;
    poll(NULL, 0, (int)wait);
    return true;
}

// Makes an inspector; `*bare` is one that knows no world.
static kin_inspector *inspect(skirmish_world *world, const kin_inspector_options *options, kin_inspector **bare)
{
    *bare = NULL;
    if (getenv("KIN_PAGE_BARE") == NULL)
        return kin_inspect(skirmish_world_base(world), options);
    *bare = kin_inspector_create(options);
    kin_inspector_add(*bare, &world->contexts->game->base, skirmish_world_systems(world));
    return *bare;
}

static void play(skirmish_world *world, kin_inspector *bare, uint32_t wait)
{
    state *state = world->user;
    struct timespec pause = {0, FRAME_MILLISECONDS * 1000000L};
    while (listen(wait)) {
        double delta = FRAME_MILLISECONDS / 1000.0;
        if (kin_inspector_frame(bare, &delta))
            skirmish_world_update(world, delta);
        state->frame = (uint32_t)kin_world_tick(skirmish_world_base(world)).frame;
        printf("frame %" PRIu32 "\n", state->frame);
        fflush(stdout);
        nanosleep(&pause, NULL);
    }
}

int main(int count, char **arguments)
{
    state state = {.count = count > 1 ? (uint32_t)atoi(arguments[1]) : 1000};
    skirmish_world *world = skirmish_world_create(NULL, &state);
    state.units = calloc(state.count, sizeof *state.units);
    if (world == NULL || state.units == NULL)
        return EXIT_FAILURE;
    game_set_unique_score(world->contexts->game, (Score){0});
    for (uint32_t i = 0; i < state.count; i++)
        state.units[i] = make_unit(world, i);
    for (uint32_t i = 0; i < state.count; i += 9)
        game_add_target(world->contexts->game, state.units[i], (Target){state.units[(i + 1) % state.count]});
    kin_inspector_options options = {.token = count > 2 ? arguments[2] : NULL};
    kin_inspector *bare;
    if (inspect(world, &options, &bare) != NULL)
        play(world, bare, count > 3 ? (uint32_t)atoi(arguments[3]) : 0);
    kin_inspector_destroy(bare);
    skirmish_world_destroy(world);
    free(state.units);
    return EXIT_SUCCESS;
}
