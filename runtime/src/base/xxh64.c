#include "base/base.h"

#include <string.h>

// The names are those of the specification.
static const uint64_t PRIME_1 = UINT64_C(0x9E3779B185EBCA87), PRIME_2 = UINT64_C(0xC2B2AE3D27D4EB4F),
                      PRIME_3 = UINT64_C(0x165667B19E3779F9), PRIME_4 = UINT64_C(0x85EBCA77C2B2AE63),
                      PRIME_5 = UINT64_C(0x27D4EB2F165667C5);

static inline uint64_t rotate(uint64_t word, int bits)
{
    return word << bits | word >> (64 - bits);
}

static inline uint64_t round_of(uint64_t lane, uint64_t word)
{
    return rotate(lane + word * PRIME_2, 31) * PRIME_1;
}

static inline uint64_t merge_round(uint64_t hash, uint64_t lane)
{
    return (hash ^ round_of(0, lane)) * PRIME_1 + PRIME_4;
}

// Adds whole stripes. The lanes are variables of their own, which stay in registers.
static void add_stripes(uint64_t lanes[4], const unsigned char *bytes, size_t stripes)
{
    uint64_t a = lanes[0];
    uint64_t b = lanes[1];
    uint64_t c = lanes[2];
    uint64_t d = lanes[3];
    for (size_t i = 0; i < stripes; i++, bytes += KIN__XXH64_STRIPE) {
        a = round_of(a, kin__little_read_64(bytes));
        b = round_of(b, kin__little_read_64(bytes + 8));
        c = round_of(c, kin__little_read_64(bytes + 16));
        d = round_of(d, kin__little_read_64(bytes + 24));
    }
    lanes[0] = a;
    lanes[1] = b;
    lanes[2] = c;
    lanes[3] = d;
}

// Adds fewer bytes than a stripe has, and mixes all bits.
static uint64_t finish(uint64_t hash, const unsigned char *bytes, size_t size)
{
    for (; size >= 8; size -= 8, bytes += 8)
        hash = rotate(hash ^ round_of(0, kin__little_read_64(bytes)), 27) * PRIME_1 + PRIME_4;
    if (size >= 4) {
        hash = rotate(hash ^ kin__little_read_32(bytes) * PRIME_1, 23) * PRIME_2 + PRIME_3;
        size -= 4;
        bytes += 4;
    }
    for (; size > 0; size--, bytes++)
        hash = rotate(hash ^ *bytes * PRIME_5, 11) * PRIME_1;
    hash = (hash ^ hash >> 33) * PRIME_2;
    hash = (hash ^ hash >> 29) * PRIME_3;
    return hash ^ hash >> 32;
}

kin__xxh64 kin__xxh64_begin(uint64_t seed)
{
    return (kin__xxh64){.lanes = {seed + PRIME_1 + PRIME_2, seed + PRIME_2, seed, seed - PRIME_1}, .seed = seed};
}

void kin__xxh64_add(kin__xxh64 *hash, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    size_t stripes;
    KIN_ASSERT(hash->tail_size == hash->total % KIN__XXH64_STRIPE);
    hash->total += size;
    if (hash->tail_size > 0) {
        size_t room = KIN__XXH64_STRIPE - hash->tail_size;
        size_t taken = size < room ? size : room;
        if (taken > 0)
            memcpy(hash->tail + hash->tail_size, at, taken);
        hash->tail_size += taken;
        if (taken < room)
            return;
        add_stripes(hash->lanes, hash->tail, 1);
        hash->tail_size = 0;
        at += taken;
        size -= taken;
    }
    stripes = size / KIN__XXH64_STRIPE;
    add_stripes(hash->lanes, at, stripes);
    hash->tail_size = size % KIN__XXH64_STRIPE;
    if (hash->tail_size > 0)
        memcpy(hash->tail, at + stripes * KIN__XXH64_STRIPE, hash->tail_size);
}

uint64_t kin__xxh64_end(const kin__xxh64 *hash)
{
    const uint64_t *lanes = hash->lanes;
    uint64_t sum = hash->seed + PRIME_5;
    if (hash->total >= KIN__XXH64_STRIPE) {
        sum = rotate(lanes[0], 1) + rotate(lanes[1], 7) + rotate(lanes[2], 12) + rotate(lanes[3], 18);
        for (uint32_t i = 0; i < 4; i++)
            sum = merge_round(sum, lanes[i]);
    }
    return finish(sum + hash->total, hash->tail, hash->tail_size);
}

uint64_t kin__xxh64_of(const void *bytes, size_t size, uint64_t seed)
{
    if (size < KIN__XXH64_STRIPE) // as the other functions do it, without their state
        return finish(seed + PRIME_5 + size, bytes, size);
    kin__xxh64 hash = kin__xxh64_begin(seed);
    kin__xxh64_add(&hash, bytes, size);
    return kin__xxh64_end(&hash);
}
