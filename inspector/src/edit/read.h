// Read: a value of a field from JSON: what show.h writes, and numbers for all integers.
//
// A value is given as bytes and a mask: bytes of fields that are not given have no bit in the mask, and stay what they
// are. Strings point into the JSON, elements of lists into the block of the capture. Types and the range of the schema
// are checked; hidden and read-only fields and opaque values are refused.
#ifndef KIN_INSPECT_READ_H
#define KIN_INSPECT_READ_H

#include "host/host.h"

typedef struct kin__reader {
    kin__task *task;
    bool is_forced;     // the ranges of the schema are not checked
    bool is_expected;   // the value is only compared: ranges and read-only fields are no mistakes
    char *bytes, *mask; // of the whole component
} kin__reader;

// Reads the fields of an object. `offset` is that of the struct in the component.
bool kin__read_struct(kin__reader *reader, const kin_field_info *fields, uint32_t count, const json_t *value,
                      size_t offset);

// Reads a field, or a single element of it, at an offset.
bool kin__read_field(kin__reader *reader, const kin_field_info *field, const json_t *value, size_t offset,
                     bool is_element);

#endif
