#include "base/seed.h"

#include "base/assertion.h"
#include "base/clock.h"

#include <time.h>

// Returns the next number of the sequence: SplitMix64 by Sebastiano Vigna, 2015, public domain. Each step is bijective.
static uint64_t next(uint64_t *state)
{
    uint64_t word = *state += UINT64_C(0x9E3779B97F4A7C15);
    word = (word ^ word >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    word = (word ^ word >> 27) * UINT64_C(0x94D049BB133111EB);
    return word ^ word >> 31;
}

static uint64_t mix(uint64_t seed, uint64_t word)
{
    seed ^= word;
    return next(&seed);
}

// The addresses are random where the system randomises the layout of processes. The address of the block is mixed in
// last, by a bijective step, so that two blocks at the same time cannot get the same seed.
uint64_t kin__seed_make(const void *block)
{
    KIN_ASSERT(block != NULL);
    uint64_t here = 0, seed = mix(0, (uint64_t)time(NULL));
    seed = mix(seed, kin__clock_read());
    seed = mix(seed, (uint64_t)(uintptr_t)&here);
    seed = mix(seed, (uint64_t)(uintptr_t)&kin__seed_make);
    seed = mix(seed, (uint64_t)(uintptr_t)block);
    return seed != 0 ? seed : 1;
}

void kin__seed_spread(uint64_t seed, uint64_t *factors)
{
    KIN_ASSERT(seed != 0);
    factors[0] = next(&seed) | 1;
    factors[1] = next(&seed) | 1;
}
