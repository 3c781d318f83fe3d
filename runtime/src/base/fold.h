// Fold: the exclusive or of the two halves of a product of 128 bits. A fast mixing step for hashes.
#ifndef KIN_SRC_FOLD_H
#define KIN_SRC_FOLD_H

#include <stdint.h>

// The same from four products of 32 bits, for compilers without integers of 128 bits.
static inline uint64_t kin__fold_parts(uint64_t a, uint64_t b)
{
    uint64_t low = (a & UINT32_MAX) * (b & UINT32_MAX), high = (a >> 32) * (b >> 32);
    uint64_t one = (a >> 32) * (b & UINT32_MAX), other = (a & UINT32_MAX) * (b >> 32);
    uint64_t middle = (low >> 32) + (one & UINT32_MAX) + (other & UINT32_MAX);
    high += (one >> 32) + (other >> 32) + (middle >> 32);
    return high ^ (middle << 32 | (low & UINT32_MAX));
}

static inline uint64_t kin__fold(uint64_t a, uint64_t b)
{
#if defined(__SIZEOF_INT128__) && !defined(__wasm__)
    (void)kin__fold_parts; // used by other builds and by a test
    __extension__ unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)(product >> 64) ^ (uint64_t)product;
#else
    return kin__fold_parts(a, b);
#endif
}

#endif
