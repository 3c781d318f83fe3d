// Converting: one number, handle or enum of a file to its current type. Types that match.h allows, and values that fit.
#ifndef KIN_SRC_CONVERT_H
#define KIN_SRC_CONVERT_H

#include "read/schema.h"

typedef enum kin__conversion {
    KIN__CONVERTED,
    KIN__GIVEN_UP, // an enum value that the schema has removed: nothing was written
    KIN__UNFIT,    // the current type cannot hold it
    KIN__WRONG     // not a value of its former type
} kin__conversion;

// Returns the size in bytes of one element in a file; 0 for strings and opaque values, which have a length.
size_t kin__file_width(kin_type type);

// Writes the converted element to `to`, which need not be aligned.
kin__conversion kin__convert(const kin__file_leaf *leaf, const unsigned char *from, void *to);

#endif
