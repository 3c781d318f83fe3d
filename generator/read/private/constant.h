// Constants under construction: shared by reading defaults from the schema and making them for types.
//
// A default of two letters can expand to thousands of values, so items are counted for the whole schema. The value that
// exceeds SCHEMA_CONSTANT_LIMIT is reported.
#ifndef KIN_GENERATOR_READ_CONSTANT_H
#define KIN_GENERATOR_READ_CONSTANT_H

#include "read/private/reader.h"

#include <stdbool.h>
#include <stddef.h>

// Adds `count` items to the schema's total. Returns false above the limit, and reports an error the first time.
bool constant_may_hold(reader *reader, size_t count, span place);

// A struct or array whose items are being appended. After an invalid item the list is broken and yields no constant,
// but the remaining items are still read so that all their errors are reported.
typedef struct constant_list {
    constant *constant;
    const constant **items;
    bool is_broken;
} constant_list;

// Reports an error at `place` if the list exceeds the limit.
constant_list constant_list_begin(reader *reader, constant_kind kind, size_t capacity, span place);

// Appends an item; NULL, for an invalid item, breaks the list. constant_list_end returns NULL for a broken list.
void constant_list_append(constant_list *list, const constant *item);
const constant *constant_list_end(const constant_list *list);

#endif
