// The arena as a page: page.html draws the units and has the buttons. The same seed plays the same game as in the
// terminal.
//
// Its argument is the seed.

#include "../simulation.h"

#include <emscripten.h>
#include <stdlib.h>

// What the page draws of a unit: its place in cells, its side and whether it is frozen.
typedef struct picture {
    float x, y;
    int32_t side, frozen;
} picture;

static const double step_seconds = 0.25;

static simulation *arena;
static int steps;
static picture pictures[ARENA_UNITS];

// ---- what the page does

EM_JS(void, page_draw, (const picture *units, int count, int size), {
    page.draw(new Float32Array(HEAPU8.buffer, units, 4 * count), new Int32Array(HEAPU8.buffer, units, 4 * count), size);
})

EM_JS(void, page_show, (int steps, int red, int blue, int dead, int frozen),
      { page.show(steps, red, blue, dead, frozen); })

// ---- what the page calls

static void show(void)
{
    int red = (int)simulation_count(arena, SIDE_RED), blue = (int)simulation_count(arena, SIDE_BLUE);
    page_show(steps, red, blue, ARENA_UNITS - red - blue, (int)kin_group_count(game_frozen_group(arena->game)));
}

// Plays a step.
EMSCRIPTEN_KEEPALIVE void arena_step(void)
{
    simulation_step(arena, step_seconds);
    steps++;
    show();
}

// Draws the units where they will be in `ahead` of the next step.
EMSCRIPTEN_KEEPALIVE void arena_draw(double ahead)
{
    game_context *game = arena->game;
    float seconds = (float)(ahead * step_seconds);
    uint32_t count = 0;
    const game_entity *units = game_entities(game, &count);
    for (uint32_t i = 0; i < count; i++) {
        const Vec2 *at = &game_get_position(game, units[i])->at, *by = &game_get_velocity(game, units[i])->by;
        bool frozen = game_is_frozen(game, units[i]);
        float wait = frozen ? 0 : seconds;
        pictures[i] =
            (picture){at->x + wait * by->x, at->y + wait * by->y, (int32_t)game_get_team(game, units[i])->side, frozen};
    }
    page_draw(pictures, (int)count, ARENA_SIZE);
}

// Begins another game. Returns false when out of memory.
EMSCRIPTEN_KEEPALIVE bool arena_begin(uint32_t seed)
{
    simulation_destroy(arena);
    steps = 0;
    arena = simulation_create(seed);
    if (arena != NULL)
        show();
    return arena != NULL;
}

int main(int argc, char **argv)
{
    uint32_t seed = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 1;
    return arena_begin(seed) ? EXIT_SUCCESS : EXIT_FAILURE;
}
