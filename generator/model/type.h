// Scalar types of the schema language: names, sizes, ranges and the syntax of values.
//
// Numbers follow a grammar and are never guessed: an integer is -?(0|[1-9][0-9]*), or 0x and hexadecimal digits; a
// floating point number adds a fraction and an exponent, or is .inf, -.inf or .nan, in the
// spellings of YAML.
#ifndef KIN_GENERATOR_MODEL_TYPE_H
#define KIN_GENERATOR_MODEL_TYPE_H

#include "generator/base/base.h"
#include "model/schema.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct scalar_type {
    const char *name;
    type_kind kind;
    size_t size;      // bytes in C, equal to the alignment
    int64_t minimum;  // for integers
    uint64_t maximum; // for integers; 0 for other types
} scalar_type;

// Returns NULL if no scalar type has the name. Inline strings, typed entities and types of the schema are not in the
// table.
const scalar_type *scalar_type_find(const char *name);

// The kind must be in the table.
const scalar_type *scalar_type_of(type_kind kind);

// Returns the name at an index, for suggestions; NULL after the last.
const char *scalar_type_name(size_t index);

typedef enum number_verdict { NUMBER_FITS, NUMBER_IS_NONE, NUMBER_IS_OUT_OF_RANGE } number_verdict;

typedef struct integer {
    bool is_negative;
    uint64_t magnitude;
} integer;

// Reads an integer in the range of the type.
number_verdict integer_read(const char *text, const scalar_type *type, integer *integer);

// Returns the C literal for the type.
const char *integer_literal(arena *arena, integer integer, type_kind kind);

// Checks a number of TYPE_FLOAT or TYPE_DOUBLE, which may also be .inf, -.inf or .nan. A number that would round to
// infinity, or to zero without being zero, is out of range.
number_verdict floating_read(const char *text, type_kind kind);

// Returns which of .inf, -.inf and .nan was meant by a text such as "inf", "-Infinity" or "NaN"; NULL if none.
const char *floating_meant(const char *text);

// Returns whether all digits of a valid number are zero, whatever its sign and exponent.
bool floating_is_zero(const char *text);

const char *floating_literal(arena *arena, const char *text, type_kind kind);

// Compares as numbers two C literals that integer_literal or floating_literal returned for the type: negative if `a` is
// less than `b`, 0 if they are equal or if one is not a number.
int literal_compare(arena *arena, const char *a, const char *b, type_kind kind);

// Returns whether a C literal of floating_literal is not a number.
bool literal_is_nan(const char *literal);

// Returns the number of a C literal from integer_literal or floating_literal, in the syntax of YAML, which is that of
// JSON unless the number has no digits: .inf, -.inf or .nan.
const char *literal_number(arena *arena, const char *literal);

#endif
