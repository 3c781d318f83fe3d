// Value: what a template sees. A small JSON-like tree in an arena, built by the view and read by the renderer.
#ifndef KIN_GENERATOR_VALUE_H
#define KIN_GENERATOR_VALUE_H

#include "arena.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum value_kind { VALUE_NULL, VALUE_BOOL, VALUE_TEXT, VALUE_LIST, VALUE_MAP } value_kind;

// Lists and maps keep their items in the order of appending, as a chain; a map item has a key.
typedef struct value {
    value_kind kind;
    bool boolean;
    const char *text;    // VALUE_TEXT; numbers are texts too, as they were spelled
    struct value *first; // VALUE_LIST, VALUE_MAP: the items
    struct value *last;
    const char *key;    // when it is an item of a map
    struct value *next; // the item after it in its list or map
} value;

value *value_null(arena *arena);
value *value_bool(arena *arena, bool boolean);
value *value_text(arena *arena, const char *text); // keeps the pointer
value *value_list(arena *arena);
value *value_map(arena *arena);

// An item may stand in one list or map only.
void value_append(value *list, value *item);
void value_set(value *map, const char *key, value *item); // keeps the key's pointer; a key is set once

// The item of that key, NULL when there is none or `map` is no map.
const value *value_find(const value *map, const char *key);

#endif
