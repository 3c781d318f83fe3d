// Value: what templates show: a JSON-like tree in an arena, built by the view and read by the renderer.
#ifndef KIN_GENERATOR_TEMPLATE_VALUE_H
#define KIN_GENERATOR_TEMPLATE_VALUE_H

#include "generator/base/base.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum value_kind { VALUE_NULL, VALUE_BOOL, VALUE_TEXT, VALUE_LIST, VALUE_MAP } value_kind;

// A key with its hash, by which items are compared. Creating a key costs more than a lookup with it.
typedef struct value_key {
    const char *name;
    uint32_t hash;
} value_key;

// Items are linked: those of a list in order, those of a map, which have keys, newest first.
typedef struct value {
    value_kind kind;
    uint32_t key_hash; // for an item of a map
    const char *key;
    struct value *next; // next item of the list or map
    union {
        bool boolean;     // VALUE_BOOL
        const char *text; // VALUE_TEXT; numbers are texts too, in their spelling
        struct {          // VALUE_LIST, VALUE_MAP: the items, and a Bloom filter of their keys
            struct value *first;
            struct value *last; // VALUE_LIST
            uint64_t keys;
        };
    };
} value;

value_key value_key_create(const char *name); // keeps the pointer

value *value_null(arena *arena);
value *value_bool(arena *arena, bool boolean);
value *value_text(arena *arena, const char *text); // keeps the pointer
value *value_list(arena *arena);
value *value_map(arena *arena);

// Returns a map that shares the items of another. Items set later belong to one map only.
value *value_copy(arena *arena, const value *map);

// An item may be in one list or map only.
void value_append(value *list, value *item);
void value_set(value *map, const char *key, value *item); // keeps the key's pointer; a key is set once

// Returns the item with that key; NULL if there is none or `map` is not a map.
const value *value_find(const value *map, value_key key);

#endif
