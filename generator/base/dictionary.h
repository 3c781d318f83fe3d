// Dictionary: from texts to whatever they stand for, in an arena. Nothing is ever taken out.
//
// Open addressing over a power of two, at most half full: a step costs about one compare. Keys are kept, not copied.
#ifndef KIN_GENERATOR_BASE_DICTIONARY_H
#define KIN_GENERATOR_BASE_DICTIONARY_H

#include "base/arena.h"

#include <stddef.h>

typedef struct dictionary_entry {
    const char *key; // NULL: free
    const void *value;
} dictionary_entry;

typedef struct dictionary {
    arena *arena;
    dictionary_entry *entries;
    size_t count, capacity;
} dictionary;

dictionary dictionary_create(arena *arena);

// One that keys can be added to `count` times before it grows.
dictionary dictionary_create_for(arena *arena, size_t count);

// Begins anew with the memory of an earlier dictionary, or a first one where all is zero. Costs about as much as
// creating one.
void dictionary_restart(dictionary *dictionary, arena *arena);

// The value of a key, NULL when it has none.
const void *dictionary_find(const dictionary *dictionary, const char *key);

// Gives the key its value, which must not be NULL. When it has one already, nothing changes and that one is returned;
// otherwise NULL.
const void *dictionary_add(dictionary *dictionary, const char *key, const void *value);

#endif
