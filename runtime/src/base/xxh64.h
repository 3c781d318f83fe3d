// XXH64: the hash of 64 bits of the xxHash specification, by Yann Collet. Of canonical bytes it is the same on every
// machine, whatever its word size and byte order. It does not protect from bytes that somebody forged.
//
//   lanes[4]   each takes 8 of every 32 bytes
//   tail       bytes that do not fill the lanes yet
//
// Invariant: tail_size is total % 32.
#ifndef KIN_SRC_XXH64_H
#define KIN_SRC_XXH64_H

#include <stddef.h>
#include <stdint.h>

enum { KIN__XXH64_STRIPE = 32 }; // bytes

// A hash of bytes that come in parts.
typedef struct kin__xxh64 {
    uint64_t lanes[4];
    uint64_t seed, total; // bytes so far
    size_t tail_size;
    unsigned char tail[KIN__XXH64_STRIPE];
} kin__xxh64;

kin__xxh64 kin__xxh64_begin(uint64_t seed);

// Adds `size` bytes. They may be NULL if `size` is 0.
void kin__xxh64_add(kin__xxh64 *hash, const void *bytes, size_t size);

// Returns the hash of all bytes so far. More can be added after that.
uint64_t kin__xxh64_end(const kin__xxh64 *hash);

// Returns the hash of `size` bytes at once.
uint64_t kin__xxh64_of(const void *bytes, size_t size, uint64_t seed);

#endif
