// Scalars: single values of fields, of any type.
#ifndef KIN_INSPECT_NUMBER_H
#define KIN_INSPECT_NUMBER_H

#include <kin/kin.h>

typedef enum kin__scalar_kind {
    KIN__SCALAR_NONE, // a struct or an opaque value
    KIN__SCALAR_BOOL,
    KIN__SCALAR_INTEGER,
    KIN__SCALAR_NATURAL,
    KIN__SCALAR_REAL,
    KIN__SCALAR_TEXT, // `text` may be NULL
    KIN__SCALAR_ENTITY,
    KIN__SCALAR_ENUM
} kin__scalar_kind;

typedef struct kin__scalar {
    kin__scalar_kind kind;
    union {
        bool boolean;
        int64_t integer; // also of an enum
        uint64_t natural;
        double real;
        const char *text;
        kin_entity entity;
    } as;
} kin__scalar;

kin__scalar_kind kin__scalar_kind_of(kin_type type);

// Reads a single value of the field, at any alignment. The text of an inline string is at `at`.
kin__scalar kin__scalar_read(const kin_field_info *field, const void *at);

// Writes an integer of the field's size; the value is in its range.
void kin__scalar_write(const kin_field_info *field, void *at, uint64_t bits);

// The bytes of an element of an array or list, or of the field.
static inline size_t kin__element_size(const kin_field_info *field)
{
    if (field->is_list)
        return field->element_size;
    return field->count > 1 ? field->size / field->count : field->size; // most fields need no division
}

#endif
