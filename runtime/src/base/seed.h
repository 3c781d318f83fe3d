// Seeds: what makes the hashes of a context unknown to those who choose its keys.
//
// Everything that is hashed with a factor: keys of indices (kin/index.h, key_hash.c) and owners (retain.c). Matchers
// are not (matcher.c): they come from the program, and each makes a group, which costs more than a look-up that is long.
#ifndef KIN_SRC_SEED_H
#define KIN_SRC_SEED_H

#include <stdint.h>

// A seed that is not 0: from the clock, and the addresses of the block, of a function and of the stack. Of two blocks
// that are there at once it makes two seeds.
uint64_t kin__seed_make(const void *block);

// The two odd factors of a seed.
void kin__seed_spread(uint64_t seed, uint64_t *factors);

#endif
