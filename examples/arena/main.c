// Arena: plays one game and prints its progress. The same seed prints the same lines on every machine.
//
//     arena [SEED]
//
// The last lines compare what the systems counted with what the context contains: both must agree.

#include "simulation.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 240, STEPS_A_LINE = 20 };

static const double step_seconds = 0.25;

static void print_step(simulation *arena, int step)
{
    uint32_t red = simulation_count(arena, SIDE_RED), blue = simulation_count(arena, SIDE_BLUE);
    uint32_t dead = arena->tally.deaths[SIDE_RED] + arena->tally.deaths[SIDE_BLUE];
    uint32_t frozen = kin_group_count(game_frozen_group(arena->game));
    printf("step %3d  Red %3" PRIu32 "  Blue %3" PRIu32 "  dead %3" PRIu32, step, red, blue, dead);
    printf("  frozen %3" PRIu32 "  moved %3" PRIu32 "\n", frozen, arena->moved_last);
}

// Prints one comparison. Returns false if the counts differ.
static bool balances(const char *what, uint32_t counted, uint32_t held)
{
    printf("  %-58s %5" PRIu32 " = %-5" PRIu32 " %s\n", what, counted, held, counted == held ? "ok" : "WRONG");
    return counted == held;
}

static bool print_summary(simulation *arena)
{
    const tally *books = &arena->tally;
    uint32_t alive = game_entity_count(arena->game), dead = books->deaths[SIDE_RED] + books->deaths[SIDE_BLUE];
    printf("\n%" PRIu32 " strikes, %" PRIu64 " moves to another cell, %" PRIu64 " turns at a wall\n\n", books->strikes,
           books->moves, books->bounces);
    bool right = balances("units = alive + reported dead", ARENA_UNITS, alive + dead);
    right &= balances("Red = half - reported dead", simulation_count(arena, SIDE_RED),
                      ARENA_UNITS / 2 - books->deaths[SIDE_RED]);
    right &= balances("Blue = half - reported dead", simulation_count(arena, SIDE_BLUE),
                      ARENA_UNITS / 2 - books->deaths[SIDE_BLUE]);
    right &= balances("frozen now = froze - thawed - died frozen", kin_group_count(game_frozen_group(arena->game)),
                      books->frozen - books->thawed - books->died_frozen);
    right &= balances("moving = alive - frozen", kin_group_count(game_movers_group(arena->game)),
                      alive - kin_group_count(game_frozen_group(arena->game)));
    right &= balances("dead units left in the context", kin_group_count(game_dead_group(arena->game)), 0);
    return right;
}

int main(int argc, char **argv)
{
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    simulation *arena = simulation_create(seed);
    if (arena == NULL)
        return EXIT_FAILURE;
    printf("The arena, seed %" PRIu64 ": %d units on %d x %d cells\n\n", seed, ARENA_UNITS, ARENA_SIZE, ARENA_SIZE);
    for (int step = 1; step <= STEPS; step++) {
        simulation_step(arena, step_seconds);
        if (step % STEPS_A_LINE == 0)
            print_step(arena, step);
    }
    bool right = print_summary(arena);
    simulation_destroy(arena);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
