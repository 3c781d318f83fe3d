// Lock type: the types of leaves in a lock, as text and as structs.
//
//   flag bool int8 … double string string[31] entity entity<game> opaque
//   enum{Blue,Red=Crimson,Grey=-}     values by identity; renamed; removed
//   enum{Open:1,Shut=Locked:2}        the numbers of values, unless these are 0 to the count of values minus 1
//   enum{Low,High}-5..1000            numbers outside of 0 to the count of values minus 1
//   float[4] float[4][] float[]       elements of arrays, the outermost first; [] is a list
//   int16|int32                       types of saves of different times
#ifndef KIN_GENERATOR_LOCK_TYPE_H
#define KIN_GENERATOR_LOCK_TYPE_H

#include "generator/base/base.h"
#include "generator/schema/schema.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LOCK_FORMAT = 2 };

// An enum value, or a context of a component.
typedef struct lock_name {
    const char *identity;
    const char *name; // the current one; NULL if it is removed
    bool has_number;  // of an enum value
    int64_t number;
} lock_name;

// Sorted by identity.
typedef struct lock_names {
    lock_name *names;
    size_t count;
} lock_names;

typedef struct lock_type {
    bool is_flag;
    type_kind kind;               // of the elements, or a flag; never TYPE_STRUCT
    size_t string_size;           // TYPE_INLINE_STRING
    const char *context;          // TYPE_CONTEXT_ENTITY: its identity
    lock_names values;            // TYPE_ENUM
    int64_t minimum, maximum;     // TYPE_ENUM: of all its numbers
    const size_t *elements;       // of each dimension, the outermost first; 0 for a list
    size_t depth;                 // dimensions
    const struct lock_type *next; // another type that saves may have
} lock_type;

// Appends one type, without the next. Format 1 has no numbers of enum values.
void lock_append_type(text *text, const lock_type *type, int format);
const char *lock_type_text(arena *arena, const lock_type *type);

// Returns the types in a word of a lock; NULL if it is invalid.
const lock_type *lock_read_types(arena *arena, const char *word);

void lock_append_names(text *text, const lock_names *names, bool with_numbers);

// Returns whether the values that are not removed have the numbers from 0 on. Unknown numbers count as these.
bool lock_is_dense(const lock_names *values);

// Reads names separated by commas, up to one of the bytes in `end`. Returns the rest; NULL if they are invalid.
const char *lock_read_names(arena *arena, const char *at, const char *end, lock_names *names);

// Returns the entry of a name; NULL if the list has none.
lock_name *lock_find_name(const lock_names *names, const char *identity);

// Returns the names of both, sorted. If both have an identity, its name and number are those of `now`.
lock_names lock_join_names(arena *arena, const lock_names *before, const lock_names *now);

// Returns the types with `added` appended. Two enums become one, with the values of both.
const lock_type *lock_join_types(arena *arena, const lock_type *types, const lock_type *added);

// Returns whether both have the same notation, except for the values and numbers of enums.
bool lock_type_is_like(const lock_type *a, const lock_type *b);

#endif
