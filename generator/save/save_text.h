// Text of saves: their values as JSON, without spaces.
//
//   handle            "12@11", null for none
//   float, double     the shortest number that reads back; "nan", "inf", "-inf"; other bits of NaN as "nan:7fc00001"
//   other numbers     beyond 2^53 as texts; an enum as its name, or as a number that has none
//   string            null for NULL; {"hex":"…"} if it is not UTF-8, and for opaque values
//   array, list       arrays
//   struct            objects; a component without fields is true
#ifndef KIN_GENERATOR_SAVE_TEXT_H
#define KIN_GENERATOR_SAVE_TEXT_H

#include "generator/base/base.h"
#include "save/save_values.h"

void save_append_quoted(text *out, const char *name);
void save_append_bytes(text *out, const unsigned char *bytes, size_t size, bool is_opaque);
void save_append_handle(text *out, uint64_t entity);
void save_append_unsigned(text *out, uint64_t number);
void save_append_double(text *out, double number);

// Appends one leaf of a value.
void save_append_leaf(text *out, const save_leaf_value *value);

// Appends one element of a leaf of numbers.
void save_append_number(text *out, const save_leaf_value *value, uint32_t element);

// Appends the value of a component whose leaves are in `next`, which it uses up.
void save_append_taken(text *out, const save_values *values);

// Appends the next value of a component.
void save_append_value(text *out, save_values *values);

#endif
