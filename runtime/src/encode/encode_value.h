// Values: encodes the values of many entities leaf by leaf, so that similar bytes are together.
//
//   number, bool, handle   n × elements × width; an enum has 4 bytes
//   string, string[31]     n × elements × length:u32, FFFFFFFF for NULL, then the letters of all
//   opaque                 the same, with the bytes that its `save` function writes
//   list                   n × elements:u32, then the elements of all lists together, as above
//
// Floats are encoded as their bits. Padding, and bytes after the NUL of a string in place, are not encoded.
#ifndef KIN_SRC_ENCODE_VALUE_H
#define KIN_SRC_ENCODE_VALUE_H

#include "encode/encoder.h"
#include "shape/leaf.h"

// Values of up to 512 places, at equal distances.
typedef struct kin__value_source {
    const unsigned char *values; // the value at place 0
    size_t stride;               // bytes from one place to the next
    size_t begin;                // the offset of their first byte in the value: of the field, for a soa component
    bool are_pointers;           // each is the address of a value
} kin__value_source;

// Appends one leaf of the values at the places whose bits are set.
void kin__encode_leaf(kin__encoder *encoder, const kin__value_leaf *leaf, const kin__value_source *source,
                      const uint64_t has[8]);

// Appends all leaves of one value, such as a message.
void kin__encode_value(kin__encoder *encoder, const kin__leaves *leaves, const void *value);

#endif
