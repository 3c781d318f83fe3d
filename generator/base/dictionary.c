#include "base/dictionary.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

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
