// Random: chance in whole numbers only, so that a seed means the same on every machine.
#ifndef MATCH_ONE_RANDOM_H
#define MATCH_ONE_RANDOM_H

#include <stdint.h>

// What a generator starts with.
uint64_t random_seed(uint64_t seed);

// From 0 to `end` - 1.
uint32_t random_below(uint64_t *random, uint32_t end);

#endif
