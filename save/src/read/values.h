// Values: decodes the values of up to 512 entities, leaf by leaf, into structs, for columns and last values.
#ifndef KIN_SRC_READ_VALUES_H
#define KIN_SRC_READ_VALUES_H

#include "file/file.h"

#include <kin/save.h>

// An opaque value that was loaded but is not stored yet.
typedef struct kin__loaded_value {
    struct kin__loaded_value *next;
    const kin_type_info *type;
    const void *value;
    uint32_t number; // of the value that contains it
} kin__loaded_value;

typedef struct kin__read_values {
    kin__block_reader *reader;
    const struct kin__reading *reading; // of the context; NULL: values of a message
    kin__heap *heap;                    // for strings and elements, until the values have been stored
    const kin__file_component *component;
    const kin_entity *entities; // whose values they are, for errors; NULL: of a message
    uint32_t count;
    unsigned char *values; // structs of component->now->info->size bytes; NULL for a dropped component
    kin__decoder *decoder;
    kin_read_report *report;
    kin__loaded_value *loaded;
} kin__read_values;

// Decodes all of them. False, with a fault noted, if one is wrong or does not fit, or if more follows.
bool kin__values_decode(kin__read_values *values);

// The same, and more may follow.
bool kin__values_decode_leaves(kin__read_values *values);

// Drops the opaque values that were loaded, of the values from this number on: they could not be stored.
void kin__values_drop(const kin__read_values *values, uint32_t from);

#endif
