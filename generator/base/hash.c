#include "base/hash.h"

enum { LANES = 4, LANE = 8, STRIPE = LANES * LANE };

static const uint64_t primes[] = {0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63,
                                  0x27D4EB2F165667C5};

static uint64_t rotate(uint64_t value, int bits)
{
    return value << bits | value >> (64 - bits);
}

// Returns the first `count` bytes as a little-endian number.
static uint64_t number_of(const unsigned char *bytes, int count)
{
    uint64_t number = 0;
    for (int i = count; i-- > 0;)
        number = number << 8 | bytes[i];
    return number;
}

static uint64_t step(uint64_t lane, uint64_t number)
{
    return rotate(lane + number * primes[1], 31) * primes[0];
}

static uint64_t merge(uint64_t hash, uint64_t lane)
{
    return (hash ^ step(0, lane)) * primes[0] + primes[3];
}

// Hashes all whole stripes, each lane separately.
static uint64_t hash_stripes(const unsigned char *bytes, size_t count)
{
    uint64_t lanes[LANES] = {primes[0] + primes[1], primes[1], 0, 0 - primes[0]};
    for (; count > 0; count--, bytes += STRIPE)
        for (int i = 0; i < LANES; i++)
            lanes[i] = step(lanes[i], number_of(bytes + i * LANE, LANE));
    uint64_t hash = rotate(lanes[0], 1) + rotate(lanes[1], 7) + rotate(lanes[2], 12) + rotate(lanes[3], 18);
    for (int i = 0; i < LANES; i++)
        hash = merge(hash, lanes[i]);
    return hash;
}

static uint64_t hash_rest(uint64_t hash, const unsigned char *bytes, size_t size)
{
    for (; size >= LANE; size -= LANE, bytes += LANE)
        hash = rotate(hash ^ step(0, number_of(bytes, LANE)), 27) * primes[0] + primes[3];
    if (size >= LANE / 2) {
        hash = rotate(hash ^ number_of(bytes, LANE / 2) * primes[0], 23) * primes[1] + primes[2];
        size -= LANE / 2;
        bytes += LANE / 2;
    }
    for (; size > 0; size--, bytes++)
        hash = rotate(hash ^ *bytes * primes[4], 11) * primes[0];
    return hash;
}

static uint64_t mix(uint64_t hash)
{
    hash = (hash ^ hash >> 33) * primes[1];
    hash = (hash ^ hash >> 29) * primes[2];
    return hash ^ hash >> 32;
}

uint64_t hash_of(const char *bytes, size_t size)
{
    const unsigned char *numbers = (const unsigned char *)bytes;
    size_t stripes = size / STRIPE;
    uint64_t hash = stripes > 0 ? hash_stripes(numbers, stripes) : primes[4];
    return mix(hash_rest(hash + size, numbers + stripes * STRIPE, size % STRIPE));
}

uint64_t hash_combine(uint64_t hash, const char *bytes, size_t size)
{
    return hash_combine_number(hash, hash_of(bytes, size));
}

uint64_t hash_combine_number(uint64_t hash, uint64_t number)
{
    return mix(step(hash, number));
}
