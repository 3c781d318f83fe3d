// Constants: default values of fields and values in blueprints. Part of the model (schema.h): in its arena and
// read-only.
#ifndef KIN_GENERATOR_MODEL_CONSTANT_H
#define KIN_GENERATOR_MODEL_CONSTANT_H

#include <stdbool.h>
#include <stddef.h>

typedef enum constant_kind {
    CONSTANT_BOOL,
    CONSTANT_NUMBER, // integer or floating point
    CONSTANT_STRING, // string or inline string
    CONSTANT_ENTITY, // always the null entity
    CONSTANT_OPAQUE, // always zero
    CONSTANT_ENUMERATOR,
    CONSTANT_STRUCT, // one item per field, in order
    CONSTANT_ARRAY   // one item per element
} constant_kind;

// A value of a known type. Constants are shared: several pointers may refer to the same one.
typedef struct constant {
    constant_kind kind;
    bool is_zero;        // all its bytes are zero, so `{0}` initializes it
    bool boolean;        // CONSTANT_BOOL
    const char *literal; // CONSTANT_NUMBER: a C literal of its type, such as 7, 7u, INT64_C(7), 1.5f
    const char *bytes;   // CONSTANT_STRING: NUL-terminated, no other NUL; NULL if there is no string
    size_t size;
    const struct enumerator *enumerator; // CONSTANT_ENUMERATOR
    const struct constant *const *items; // CONSTANT_STRUCT, CONSTANT_ARRAY
    size_t count;
    bool is_uniform; // CONSTANT_ARRAY: has only one item, which all elements equal
} constant;

// Returns an item of a struct or array; `index` must be less than `count`.
const constant *schema_constant_item(const constant *constant, size_t index);

#endif
