// Seeds: random numbers that make the hashes of a context unpredictable, so that input cannot be chosen to collide.
//
// Two hashes use the factors of the seed: keys of indices (key_hash.c) and owners (retain.c). The hash of matchers does
// not (matcher.c): matchers come from the program, and each makes a group, which costs more than a long look-up.
#ifndef KIN_SRC_SEED_H
#define KIN_SRC_SEED_H

#include <stdint.h>

// Returns a seed that is not 0, made from the clocks and the addresses of the block, of a function and of the stack.
// Blocks that exist at the same time get different seeds.
uint64_t kin__seed_make(const void *block);

// Makes the two odd factors of a seed.
void kin__seed_spread(uint64_t seed, uint64_t *factors);

#endif
