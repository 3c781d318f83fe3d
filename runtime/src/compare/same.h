// Equality of values, field by field: comparing whole values would also compare padding and the addresses of strings.
//
//   number, handle, enum, bool   by their bits: NaN is equal to itself, and 0 differs from -0
//   string, string[31]           by content; NULL differs from an empty string
//   list                         by its elements
//   opaque                       by its bytes
//
// Fields with `save: false` are skipped.
#ifndef KIN_SRC_SAME_H
#define KIN_SRC_SAME_H

#include <kin/info.h>

// Returns whether the field at the two addresses is equal.
bool kin__field_is_same(const kin_field_info *field, const void *one, const void *other);

// The same for all fields of a struct or component.
bool kin__fields_are_same(const kin_field_info *fields, uint32_t count, const void *one, const void *other);

// The same for one element of an array or list, or for a field that is neither. `size` is in bytes.
bool kin__element_is_same(const kin_field_info *field, size_t size, const void *one, const void *other);

// Returns the size in bytes of one element of a field.
static inline size_t kin__element_size(const kin_field_info *field)
{
    return field->is_list ? field->element_size : field->count > 0 ? field->size / field->count : field->size;
}

#endif
