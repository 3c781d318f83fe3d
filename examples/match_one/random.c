#include "random.h"

// Mixes the seed, so that close seeds give different sequences. The generator's state must not be zero.
uint64_t random_seed(uint64_t seed)
{
    return seed * 0x9E3779B97F4A7C15u | 1;
}

// xorshift64*; Vigna, 2014.
uint32_t random_below(uint64_t *random, uint32_t end)
{
    *random ^= *random >> 12;
    *random ^= *random << 25;
    *random ^= *random >> 27;
    return (uint32_t)(((*random * 2685821657736338717u) >> 32) * end >> 32);
}
