// Simulation: the rules of the arena, as systems over its context. It prints nothing; what happened can be asked.
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
    kin_collector *moved; // whose cell has changed since the last step
    uint64_t random;
    uint32_t moved_last; // how many that were in the last step
    tally tally;
    game_entity standing[ARENA_SIZE][ARENA_SIZE]; // who came last into each cell in this step
} simulation;

// A new arena with its units in place. NULL when out of memory.
simulation *simulation_create(uint64_t seed);
void simulation_destroy(simulation *arena);

void simulation_step(simulation *arena, double seconds);

// How many of a side are alive.
uint32_t simulation_count(simulation *arena, Side side);

#endif
