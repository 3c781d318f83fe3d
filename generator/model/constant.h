// The values that a schema gives, or leaves to their types: defaults of fields, and what blueprints say. Part of the
// model (schema.h): in its arena, and read-only like all of it.
#ifndef KIN_GENERATOR_MODEL_CONSTANT_H
#define KIN_GENERATOR_MODEL_CONSTANT_H

#include <stdbool.h>
#include <stddef.h>

typedef enum constant_kind {
    CONSTANT_BOOL,
    CONSTANT_NUMBER, // integers and floating point
    CONSTANT_STRING, // of a string of either kind
    CONSTANT_ENTITY, // always no entity
    CONSTANT_OPAQUE, // always zero
    CONSTANT_ENUMERATOR,
    CONSTANT_STRUCT, // an item for each field, in order
    CONSTANT_ARRAY   // an item for each element
} constant_kind;

// A value of a known type. Constants are shared: two items may be the same pointer.
typedef struct constant {
    constant_kind kind;
    bool is_zero;        // all bytes of it are zero: `{0}` says the same
    bool boolean;        // CONSTANT_BOOL
    const char *literal; // CONSTANT_NUMBER: as C spells it for its type, such as 7, 7u, INT64_C(7), 1.5f
    const char *bytes;   // CONSTANT_STRING: ends in a NUL that `size` does not count, and holds no other; NULL: none
    size_t size;
    const struct enumerator *enumerator; // CONSTANT_ENUMERATOR
    const struct constant *const *items; // CONSTANT_STRUCT, CONSTANT_ARRAY
    size_t count;
    bool is_uniform; // CONSTANT_ARRAY: there is one item, which stands for all of them
} constant;

// An item of a struct or array.
const constant *schema_constant_item(const constant *constant, size_t index);

#endif
