// Converting: one number, handle or enum of a file to its current type. Types that match.h allows, and values that fit.
#ifndef KIN_SRC_CONVERT_H
#define KIN_SRC_CONVERT_H

#include "read/schema.h"

// A number of any type, exactly.
typedef struct kin__file_number {
    bool is_floating;
    bool is_large; // `integer` is to be read as unsigned
    int64_t integer;
    double floating;
} kin__file_number;

// Only KIN__CONVERTED has written something.
typedef enum kin__conversion {
    KIN__CONVERTED,
    KIN__GIVEN_UP, // a name of an enum that the schema gives up
    KIN__UNFIT,    // the type of now has no room for it
    KIN__WRONG     // no value of the type that it had
} kin__conversion;

// Returns the size in bytes of one element in a file; 0 for strings and opaque values, which have a length.
size_t kin__file_width(kin_type type);

// Reads an element that is a number, a bool, an enum or a handle.
kin__file_number kin__file_number_read(kin_type type, const unsigned char *from);

// Writes the element of now to `to`, which need not be aligned.
kin__conversion kin__convert(const kin__file_leaf *leaf, const unsigned char *from, void *to);

#endif
