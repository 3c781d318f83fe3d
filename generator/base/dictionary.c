// Hashes of bytes, and the tables that find strings by them.
#include "generator/base/base.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

// ---- XXH64

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

// ---- dictionaries

enum {
    FIRST_CAPACITY = 4, // a power of two; most mappings of a schema are small
    KEPT_CAPACITY = 32  // memory of larger dictionaries is not reused on restart, since clearing it costs more
};

static dictionary create(arena *arena, size_t capacity)
{
    return (dictionary){
        .arena = arena, .entries = arena_allocate(arena, capacity * sizeof(dictionary_entry)), .capacity = capacity};
}

dictionary dictionary_create(arena *arena)
{
    return create(arena, FIRST_CAPACITY);
}

dictionary dictionary_create_for(arena *arena, size_t count)
{
    size_t capacity = FIRST_CAPACITY;
    while (capacity < 2 * count)
        capacity *= 2;
    return create(arena, capacity);
}

void dictionary_restart(dictionary *dictionary, arena *arena)
{
    if (dictionary->capacity == 0 || dictionary->capacity > KEPT_CAPACITY)
        *dictionary = dictionary_create(arena);
    else
        memset(dictionary->entries, 0, dictionary->capacity * sizeof *dictionary->entries);
    dictionary->count = 0;
}

// FNV-1a.
static uint64_t hash(const char *key)
{
    uint64_t hash = 0xCBF29CE484222325u;
    for (; *key != '\0'; key++)
        hash = (hash ^ (unsigned char)*key) * 0x100000001B3u;
    return hash ^ hash >> 32;
}

// Returns the entry of the key, or the free entry to insert it at.
static dictionary_entry *entry_of(const dictionary *dictionary, const char *key)
{
    size_t mask = dictionary->capacity - 1;
    assert(dictionary->count < dictionary->capacity && (dictionary->capacity & mask) == 0);
    size_t index = (size_t)hash(key) & mask;
    while (dictionary->entries[index].key != NULL && strcmp(dictionary->entries[index].key, key) != 0)
        index = (index + 1) & mask;
    return &dictionary->entries[index];
}

static void grow(dictionary *dictionary)
{
    const dictionary_entry *old = dictionary->entries;
    size_t old_capacity = dictionary->capacity;
    dictionary->capacity *= 2;
    dictionary->entries = arena_allocate(dictionary->arena, dictionary->capacity * sizeof *old);
    for (size_t i = 0; i < old_capacity; i++)
        if (old[i].key != NULL)
            *entry_of(dictionary, old[i].key) = old[i];
}

const void *dictionary_find(const dictionary *dictionary, const char *key)
{
    return entry_of(dictionary, key)->value;
}

const void *dictionary_add(dictionary *dictionary, const char *key, const void *value)
{
    assert(key != NULL && value != NULL);
    dictionary_entry *entry = entry_of(dictionary, key);
    if (entry->key != NULL)
        return entry->value;
    *entry = (dictionary_entry){.key = key, .value = value};
    dictionary->count++;
    if (dictionary->count * 2 > dictionary->capacity)
        grow(dictionary);
    return NULL;
}
