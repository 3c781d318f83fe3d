// Constants under construction: what reading a default and making one have in common.
//
// A default may be written in two letters and stand for a thousand fields, so the items that a schema asks for are
// counted: SCHEMA_CONSTANT_LIMIT of them are the most, and the value that goes beyond is reported.
#ifndef KIN_GENERATOR_READ_CONSTANT_H
#define KIN_GENERATOR_READ_CONSTANT_H

#include "read/private/reader.h"

#include <stdbool.h>
#include <stddef.h>

// Counts items that the schema asks for. False beyond the limit, of which the first is reported.
bool constant_may_hold(reader *reader, size_t count, span place);

// A struct or array whose items are being appended. One that turns out to be wrong is no constant, so that every fault
// in it is reported first.
typedef struct constant_list {
    constant *constant;
    const constant **items;
    bool is_broken;
} constant_list;

// `place` is where a list that goes beyond the limit is reported.
constant_list constant_list_begin(reader *reader, constant_kind kind, size_t capacity, span place);

// NULL for an item that is wrong.
void constant_list_append(constant_list *list, const constant *item);
const constant *constant_list_end(const constant_list *list);

#endif
