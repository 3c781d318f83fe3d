// Two worlds of the same schema, each at its own rate. Simulation runs in fixed steps, drawing once a frame.

#include "worlds/worlds.h"

#include <stdio.h>

static const char *name_of(const worlds_world *world)
{
    return world->user;
}

// ---- systems

void move_update(worlds_world *world, move_iter *it, const kin_tick *tick)
{
    (void)world;
    while (move_next(it))
        for (uint32_t i = 0; i < it->count; i++)
            it->position[i].x += it->velocity[i].x * (float)tick->delta;
}

void think_execute(worlds_world *world, const kin_tick *tick)
{
    printf("  %s thinks at %.1f\n", name_of(world), tick->time);
}

void render_draw(worlds_world *world)
{
    uint32_t count = 0;
    const game_entity *balls = game_movers_entities(world->contexts->game, &count);
    for (uint32_t i = 0; i < count; i++)
        printf("  %s draws the ball at %.1f\n", name_of(world), game_get_position(world->contexts->game, balls[i])->x);
}

// ---- time

// A clock that advances by a microsecond each time it is read, so that the output is the same everywhere.
static uint64_t read_clock(void *user)
{
    uint64_t *nanoseconds = user;
    return *nanoseconds += 1000;
}

static void frame(worlds_world *fast, worlds_world *slow)
{
    worlds_world_update(fast, 0.05);
    worlds_world_update(slow, 0.05 / 4);
    worlds_world_draw(fast);
    worlds_world_draw(slow);
}

// ---- running

static void play(worlds_world *fast, worlds_world *slow)
{
    kin_systems *systems = worlds_world_systems(fast);
    for (int number = 1; number <= 4; number++) {
        printf("frame %d\n", number);
        frame(fast, slow);
    }
    printf("the fast world stops moving\n");
    kin_systems_set_enabled(systems, "physics", false);
    frame(fast, slow);
    printf("after a pause of a second, five steps catch up\n");
    kin_systems_set_enabled(systems, "physics", true);
    worlds_world_update(fast, 1);
    printf("  %.2f seconds were dropped\n", kin_systems_dropped(systems, "physics"));
    printf("one step with a pushed time\n");
    worlds_world_push_time(fast, (kin_tick){.delta = 1, .time = 7.5});
    frame(fast, slow);
    worlds_world_pop_time(fast);
}

int main(void)
{
    char names[2][5] = {"fast", "slow"};
    uint64_t nanoseconds = 0;
    kin_clock clock = {read_clock, &nanoseconds};
    kin_timing timing;
    worlds_world *fast = worlds_world_create(NULL, names[0]), *slow = worlds_world_create(NULL, names[1]);
    if (fast != NULL && slow != NULL) {
        game_spawn_ball(fast->contexts->game);
        game_spawn_ball(slow->contexts->game);
        kin_systems_profile(worlds_world_systems(fast), &clock, 64);
        play(fast, slow);
        if (kin_systems_timing(worlds_world_systems(fast), "Move", KIN_ROLE_UPDATE, &timing) == KIN_OK)
            printf("moving took %u ns on average of %u turns\n", (unsigned)timing.average, (unsigned)timing.count);
    }
    worlds_world_destroy(slow);
    worlds_world_destroy(fast);
    return 0;
}
