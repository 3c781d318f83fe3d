// Simulation: the rules of the arena, as systems over its context. It prints nothing; the tally counts what happened.
//
// All numbers are small multiples of 1/64, so that every sum is exact and a seed gives the same game on every machine.
#ifndef ARENA_SIMULATION_H
#define ARENA_SIMULATION_H

#include "arena/arena.h"

enum { ARENA_SIZE = 64, ARENA_UNITS = 1000 };

// What has happened so far.
typedef struct tally {
    uint32_t deaths[2]; // by side, counted by the reactive system
    uint32_t strikes, frozen, thawed, died_frozen;
    uint64_t moves, bounces; // a move is a step into another cell
} tally;

typedef struct simulation {
    game_context *game;
    kin_systems *systems;
    kin_collector *moved; // units that entered another cell since the last step
    uint64_t random;
    uint32_t moved_last; // the number of these in the last step
    tally tally;
    game_entity standing[ARENA_SIZE][ARENA_SIZE]; // the last unit found in each cell in this step
} simulation;

// Creates an arena with its units in place. Returns NULL when out of memory.
simulation *simulation_create(uint64_t seed);
void simulation_destroy(simulation *arena);

void simulation_step(simulation *arena, double seconds);

// Returns the number of living units of a side.
uint32_t simulation_count(simulation *arena, Side side);

#endif
