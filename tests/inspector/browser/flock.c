// The flock of the examples with an inspector, on two threads.
#include "frames.h"

#include <kin/inspect.h>

int play(int count, char **arguments);
#define main play
#include "../../../examples/flock/main.c"
#undef main

int main(void)
{
    kin_executor *pool = kin_pool_create(2);
    starlings_world *world = starlings_world_create(NULL, NULL);
    starlings_world_set_executor(world, pool);
    place_birds(world->contexts->sky);
    if (kin_inspect(starlings_world_base(world), NULL) != NULL)
        while (next_frame())
            starlings_world_update(world, 1.0 / 60);
    starlings_world_destroy(world);
    kin_pool_destroy(pool);
    return 0;
}
