// Value: what a template sees. A small JSON-like tree in an arena, built by the view and read by the renderer.
#ifndef KIN_GENERATOR_TEMPLATE_VALUE_H
#define KIN_GENERATOR_TEMPLATE_VALUE_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum value_kind { VALUE_NULL, VALUE_BOOL, VALUE_TEXT, VALUE_LIST, VALUE_MAP } value_kind;

// A key together with its hash, which items are compared by. Making a key costs more than a lookup with it.
typedef struct value_key {
    const char *name;
    uint32_t hash;
} value_key;

// Items are a chain: of a list in the order of appending, of a map, where each has a key, the newest first.
typedef struct value {
    value_kind kind;
    uint32_t key_hash; // when it is an item of a map
    const char *key;
    struct value *next; // the item after it in its list or map
    union {
        bool boolean;     // VALUE_BOOL
        const char *text; // VALUE_TEXT; numbers are texts too, as they were spelled
        struct {          // VALUE_LIST, VALUE_MAP: the items, and a bit for each key that may be among them
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

// A map with the items of another: they are shared, and what either is given after that is its own.
value *value_copy(arena *arena, const value *map);

// An item may stand in one list or map only.
void value_append(value *list, value *item);
void value_set(value *map, const char *key, value *item); // keeps the key's pointer; a key is set once

// The item of that key, NULL when there is none or `map` is no map.
const value *value_find(const value *map, value_key key);

#endif
