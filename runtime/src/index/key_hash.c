// Hashes the bytes of a key, 16 at a time, like wyhash (Wang Yi, 2019), with the context's factors as the secret.
//
// A step multiplies two words of the key, each combined with a secret, and folds the 128 bits of the product. A word
// that equals its secret makes the product 0, so that the other word has no effect. Without the factors the chance of
// this is 2^-64 for each word, so an attacker cannot choose such keys. The size is multiplied by a factor, since the
// last two words overlap the ones before.
#include "index/key.h"

#include "base/base.h"

#include <string.h>

static uint64_t read_eight(const unsigned char *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return word;
}

// Reads fewer than eight bytes as a word.
static uint64_t read_few(const unsigned char *at, size_t size)
{
    if (size >= sizeof(uint32_t)) {
        uint32_t first, last;
        memcpy(&first, at, sizeof first);
        memcpy(&last, at + size - sizeof last, sizeof last);
        return (uint64_t)last << 32 | first;
    }
    return size == 0 ? 0 : (uint64_t)at[0] << 16 | (uint64_t)at[size / 2] << 8 | at[size - 1];
}

uint64_t kin__key_hash(const uint64_t *factors, const void *bytes, size_t size)
{
    const unsigned char *at = bytes, *end = at + size;
    uint64_t state = factors[1] + size * factors[0];
    if (size < sizeof state)
        return kin__fold(read_few(at, size) ^ factors[0], state);
    if (size <= 2 * sizeof state)
        return kin__fold(read_eight(at) ^ factors[0], read_eight(end - 8) ^ state);
    for (; end - at > 16; at += 16)
        state = kin__fold(read_eight(at) ^ factors[0], read_eight(at + 8) ^ state);
    return kin__fold(read_eight(end - 16) ^ factors[0], read_eight(end - 8) ^ state);
}
