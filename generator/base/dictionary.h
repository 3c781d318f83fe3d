// Dictionary: maps strings to pointers, in an arena. Entries are never removed.
//
// Open addressing over a power of two, at most half full: a lookup costs about one comparison. Keys are not copied.
#ifndef KIN_GENERATOR_BASE_DICTIONARY_H
#define KIN_GENERATOR_BASE_DICTIONARY_H

#include "base/arena.h"

#include <stddef.h>

typedef struct dictionary_entry {
    const char *key; // NULL if free
    const void *value;
} dictionary_entry;

typedef struct dictionary {
    arena *arena;
    dictionary_entry *entries;
    size_t count, capacity;
} dictionary;

dictionary dictionary_create(arena *arena);

// Returns a dictionary with space for `count` keys.
dictionary dictionary_create_for(arena *arena, size_t count);

// Empties a dictionary, reusing its memory if that is small. Creates a dictionary from a struct that is all zero. Costs
// about as much as dictionary_create.
void dictionary_restart(dictionary *dictionary, arena *arena);

// Returns the value of a key, or NULL.
const void *dictionary_find(const dictionary *dictionary, const char *key);

// Adds a key with a value, which must not be NULL, and returns NULL. If the key exists, changes nothing and returns its
// value.
const void *dictionary_add(dictionary *dictionary, const char *key, const void *value);

#endif
