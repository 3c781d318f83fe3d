// Random: random integers, so that a seed gives the same sequence on every machine.
#ifndef MATCH_ONE_RANDOM_H
#define MATCH_ONE_RANDOM_H

#include <stdint.h>

// Returns the first state of a generator.
uint64_t random_seed(uint64_t seed);

// Returns a number from 0 to `end` - 1.
uint32_t random_below(uint64_t *random, uint32_t end);

#endif
