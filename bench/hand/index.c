// Looking up by a key on hand-written tables: open addressing with twice as many places as entities.

#include "side.h"
#include "workload.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t no_entity = UINT32_MAX;

// The key of a place is a number or the hash of a string.
typedef struct place {
    uint32_t key, entity;
} place;

typedef struct finder {
    uint32_t count, mask, shift;
    place *places;
    uint32_t *order, *numbers;
    char (*names)[WORKLOAD_NAME_SIZE], (*wanted)[WORKLOAD_NAME_SIZE];
    uint64_t hits;
} finder;

static finder *create_finder(uint32_t count)
{
    finder *made = calloc(1, sizeof *made);
    uint32_t capacity = 1;
    made->shift = 32;
    for (; capacity < count * 2; capacity *= 2)
        made->shift--;
    made->count = count;
    made->mask = capacity - 1;
    made->places = malloc(capacity * sizeof *made->places);
    memset(made->places, 0xFF, capacity * sizeof *made->places);
    made->order = malloc(count * sizeof *made->order);
    made->numbers = malloc(count * sizeof *made->numbers);
    made->names = malloc(count * sizeof *made->names);
    made->wanted = malloc(count * sizeof *made->wanted);
    workload_shuffle(made->order, count);
    return made;
}

static void destroy_finder(void *user)
{
    finder *finder = user;
    free(finder->places);
    free(finder->order);
    free(finder->numbers);
    free(finder->names);
    free(finder->wanted);
    free(finder);
}

static uint64_t sum_of_hits(void *user)
{
    return ((finder *)user)->hits;
}

// ---- o.int

static uint32_t place_of(const finder *finder, uint32_t number)
{
    return number * 0x9E3779B1u >> finder->shift;
}

static void *create_numbered(uint32_t count)
{
    finder *made = create_finder(count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = place_of(made, workload_number(i));
        while (made->places[at].entity != no_entity)
            at = (at + 1) & made->mask;
        made->places[at] = (place){workload_number(i), i};
        made->numbers[i] = workload_number(made->order[i]);
    }
    return made;
}

static void find_numbers(void *user)
{
    finder *finder = user;
    uint64_t hits = 0;
    for (uint32_t i = 0; i < finder->count; i++) {
        uint32_t number = finder->numbers[i], at = place_of(finder, number);
        while (finder->places[at].entity != no_entity && finder->places[at].key != number)
            at = (at + 1) & finder->mask;
        hits += finder->places[at].entity == finder->order[i];
    }
    finder->hits = hits;
}

// ---- o.str

static uint64_t hash_of(const char *text, size_t size)
{
    uint64_t hash = 1469598103934665603u;
    for (; size >= 8; text += 8, size -= 8) {
        uint64_t word;
        memcpy(&word, text, 8);
        hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 29;
    }
    for (; size > 0; size--)
        hash = (hash ^ (uint8_t)*text++) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 32;
}

static void *create_named(uint32_t count)
{
    finder *made = create_finder(count);
    for (uint32_t i = 0; i < count; i++) {
        workload_name(made->names[i], i);
        workload_name(made->wanted[i], made->order[i]);
        uint64_t hash = hash_of(made->names[i], strlen(made->names[i]));
        uint32_t at = (uint32_t)hash & made->mask;
        while (made->places[at].entity != no_entity)
            at = (at + 1) & made->mask;
        made->places[at] = (place){(uint32_t)(hash >> 32) ^ (uint32_t)hash, i};
    }
    return made;
}

static bool is_named(const finder *finder, place place, uint32_t key, const char *name, size_t size)
{
    return place.key == key && memcmp(finder->names[place.entity], name, size + 1) == 0;
}

static void find_names(void *user)
{
    finder *finder = user;
    uint64_t hits = 0;
    for (uint32_t i = 0; i < finder->count; i++) {
        const char *name = finder->wanted[i];
        size_t size = strlen(name);
        uint64_t hash = hash_of(name, size);
        uint32_t key = (uint32_t)(hash >> 32) ^ (uint32_t)hash, at = (uint32_t)hash & finder->mask;
        while (finder->places[at].entity != no_entity && !is_named(finder, finder->places[at], key, name, size))
            at = (at + 1) & finder->mask;
        hits += finder->places[at].entity == finder->order[i];
    }
    finder->hits = hits;
}

const side_work hand_index_works[] = {
    {"o.int", create_numbered, NULL, find_numbers, sum_of_hits, destroy_finder},
    {"o.str", create_named, NULL, find_names, sum_of_hits, destroy_finder},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
