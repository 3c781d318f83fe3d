// Town at random: operations on the town world of the twice case, which follow from a number.
#ifndef KIN_TESTS_RUNTIME_TOWN_RANDOM_H
#define KIN_TESTS_RUNTIME_TOWN_RANDOM_H

#include "twice_case.h"

extern uint64_t town_random_number; // which the next operation follows from
extern bool town_random_resets;     // the world and a context are reset now and then
extern bool town_random_retains;    // entities are retained now and then

extern bool town_random_updates; // the world is updated; true at first
extern bool town_random_systems; // systems are disabled now and then, and times change; true at first

uint32_t town_random_below(uint32_t end);
void town_random_go_on(uint32_t count);

#endif
