// The arena of the examples with an inspector: a game without a world, which makes three calls.
#include "frames.h"
#include "simulation.h"

#include <kin/inspect.h>

int main(void)
{
    double delta = 0.25;
    simulation *arena = simulation_create(1);
    kin_inspector *inspector = kin_inspector_create(NULL);
    kin_inspector_add(inspector, &arena->game->base, arena->systems);
    while (next_frame())
        if (kin_inspector_frame(inspector, &delta))
            simulation_step(arena, 0.25);
    kin_inspector_destroy(inspector);
    simulation_destroy(arena);
    return 0;
}
