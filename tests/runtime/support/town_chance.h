// Chance: operations on a town world, drawn from a number: an equal number gives equal operations.
#ifndef KIN_TESTS_RUNTIME_TOWN_CHANCE_H
#define KIN_TESTS_RUNTIME_TOWN_CHANCE_H

#include "twice_case.h"

// Operations that are only drawn if they are asked for.
enum { CHANCE_UPDATES = 1, CHANCE_RETAINS = 2, CHANCE_RESETS = 4, CHANCE_SYSTEMS = 8 };

extern uint64_t chance_number;

uint32_t chance_below(uint32_t end);

// Plays operations; one that is not asked for does nothing.
void chance_play(uint32_t count, uint32_t kinds);

#endif
