// The scalar types of the schema language: their names, sizes and ranges, and how their values are spelled.
//
// Numbers are read by grammar, never guessed: integers are -?(0|[1-9][0-9]*) or 0x and hexadecimal digits, floating
// point adds a fraction and an exponent.
#ifndef KIN_GENERATOR_MODEL_TYPE_H
#define KIN_GENERATOR_MODEL_TYPE_H

#include "base/arena.h"
#include "model/schema.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct scalar_type {
    const char *name;
    type_kind kind;
    size_t size;      // in C, which is the alignment too
    int64_t minimum;  // of integers
    uint64_t maximum; // of integers; 0: not an integer
} scalar_type;

// NULL when there is none of that name. Inline strings, entities of one context and types of the schema are none.
const scalar_type *scalar_type_find(const char *name);

// Of a kind that the table has.
const scalar_type *scalar_type_of(type_kind kind);

// The names of all of them, for did-you-mean; NULL after the last.
const char *scalar_type_name(size_t index);

typedef enum number_verdict { NUMBER_FITS, NUMBER_IS_NONE, NUMBER_IS_OUT_OF_RANGE } number_verdict;

typedef struct integer {
    bool is_negative;
    uint64_t magnitude;
} integer;

// Reads an integer of that type's range.
number_verdict integer_read(const char *text, const scalar_type *type, integer *integer);

// As C spells it for its type.
const char *integer_literal(arena *arena, integer integer, type_kind kind);

// Whether the text is a number of that type (TYPE_FLOAT, TYPE_DOUBLE); what would become infinite, or zero without
// being it, is out of range.
number_verdict floating_read(const char *text, type_kind kind);

// Whether the digits of a number that was read are all zero, whatever its sign and exponent.
bool floating_is_zero(const char *text);

const char *floating_literal(arena *arena, const char *text, type_kind kind);

// The number that a literal of integer_literal or floating_literal stands for, as JSON and YAML spell it.
const char *literal_number(arena *arena, const char *literal);

#endif
