// The solar system of the examples with an inspector: one day a frame, with its moons.
#include "frames.h"

#include <kin/inspect.h>

int play(void);
#define main play
#include "../../../examples/solar/main.c"
#undef main

int main(void)
{
    actors actors;
    solar_world *world = solar_world_create(NULL, NULL);
    begin(world->contexts->space, &actors);
    if (kin_inspect(solar_world_base(world), NULL) != NULL)
        while (next_frame())
            solar_world_update(world, 1);
    solar_world_destroy(world);
    return 0;
}
