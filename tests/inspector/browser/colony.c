// Colony: a game with four faults, which docs/inspector.md finds with the page: settlers jump to the corner, nothing
// drains a collector, the storm spares one settler, and the game stutters.
//
//     colony [TOKEN]
//
// It updates 60 times a second until stdin ends.
#include "colony/colony.h"

#include <kin/inspect.h>

#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { SETTLERS = 40, FRAME_MILLISECONDS = 16, SPEED = 8, STUTTER_EVERY = 100, GOAL_EVERY = 90 };

static game_entity settlers[SETTLERS];

// Arrives at the goal after some updates; then the length is 0.
void steer_update(colony_world *world, steer_iter *it, const kin_tick *tick)
{
    (void)world, (void)tick;
    while (steer_next(it))
        for (uint32_t i = 0; i < it->count; i++) {
            float x = it->goal[i].x - it->position[i].x, y = it->goal[i].y - it->position[i].y;
            float length = sqrtf(x * x + y * y);
            if (length > 0 && length < 1) { // the last step
                it->velocity[i] = (Velocity){x / (float)tick->delta, y / (float)tick->delta};
                continue;
            }
            it->velocity[i] = (Velocity){x / length * SPEED, y / length * SPEED};
        }
}

void move_update(colony_world *world, move_iter *it, const kin_tick *tick)
{
    (void)world;
    while (move_next(it))
        for (uint32_t i = 0; i < it->count; i++) {
            it->position[i].x += it->velocity[i].x * (float)tick->delta;
            it->position[i].y += it->velocity[i].y * (float)tick->delta;
        }
}

static float within(float value)
{
    return value >= 0 && value <= 100 ? value : 0;
}

void fence_update(colony_world *world, fence_iter *it, const kin_tick *tick)
{
    (void)world, (void)tick;
    while (fence_next(it))
        for (uint32_t i = 0; i < it->count; i++)
            it->position[i] = (Position){within(it->position[i].x), within(it->position[i].y)};
}

void storm_update(colony_world *world, storm_iter *it, const kin_tick *tick)
{
    game_context *game = world->contexts->game;
    uint32_t number = 0;
    while (storm_next(it))
        for (uint32_t i = 0; i < it->count; i++, number++)
            if (number == tick->frame % SETTLERS) {
                game_entity settler = storm_at(it, i);
                const Health *health = game_get_health(game, settler);
                game_replace_health(game, settler, (Health){health->points > 1 ? health->points - 1 : 100});
            }
}

static void wait_for(long milliseconds)
{
    nanosleep(&(struct timespec){0, milliseconds * 1000000}, NULL);
}

void plan_execute(colony_world *world, const kin_tick *tick)
{
    game_context *game = world->contexts->game;
    if (tick->frame % STUTTER_EVERY == 0)
        wait_for(20);
    for (uint32_t i = 0; i < SETTLERS; i++)
        if ((tick->frame + i * 7) % GOAL_EVERY == 0) {
            uint32_t seed = (uint32_t)tick->frame * 31 + i;
            game_replace_goal(game, settlers[i], (Goal){(float)(seed % 90 + 5), (float)(seed * 7 % 90 + 5)});
        }
}

// Nothing ever drains it.
static void collect_sounds(game_context *game)
{
    kin_trigger trigger = {.group = game_victims_group(game), .event = KIN_MODIFIED};
    kin_collector *sounds = kin_collector_create(&trigger, 1);
    kin_collector_set_name(sounds, "hit sounds");
}

static void settle(game_context *game)
{
    char name[32];
    for (uint32_t i = 0; i < SETTLERS; i++) {
        snprintf(name, sizeof name, "settler %u", (unsigned)i);
        settlers[i] = game_spawn_settler(game);
        game_add_name(game, settlers[i], (Name){name});
        game_replace_position(game, settlers[i], (Position){(float)(i % 8 * 12 + 5), (float)(i / 8 * 18 + 5)});
        game_replace_goal(game, settlers[i], (Goal){(float)(i * 5 % 90 + 5), (float)(i * 11 % 90 + 5)});
    }
    game_set_sheltered(game, settlers[7], true); // its shelter fell down long ago
}

int main(int count, char **arguments)
{
    struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
    char line[64];
    colony_world *world = colony_world_create(NULL, NULL);
    kin_inspector_options options = {.token = count > 1 ? arguments[1] : NULL};
    if (world == NULL)
        return EXIT_FAILURE;
    settle(world->contexts->game);
    collect_sounds(world->contexts->game);
    bool goes_on = kin_inspect(colony_world_base(world), &options) != NULL;
    while (goes_on) {
        colony_world_update(world, FRAME_MILLISECONDS / 1000.0);
        wait_for(FRAME_MILLISECONDS);
        goes_on = poll(&in, 1, 0) <= 0 || read(STDIN_FILENO, line, sizeof line) > 0;
    }
    colony_world_destroy(world);
    return EXIT_SUCCESS;
}
