// The part of the game that is compiled again while the game runs: edit it, build the library, go on playing.

#include "reload/reload.h"

#include <stdio.h>

void roll_enter(reload_world *world, const game_entity *entities, uint32_t count)
{
    (void)world, (void)entities;
    printf("%u ball on the table\n", (unsigned)count);
}

void roll_update(reload_world *world, roll_iter *it, const kin_tick *tick)
{
    (void)world, (void)tick;
    while (roll_next(it))
        for (uint32_t i = 0; i < it->count; i++) {
            it->ball[i].x += it->ball[i].speed;
            printf("the ball is at %g\n", it->ball[i].x);
        }
}
