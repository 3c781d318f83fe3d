// Values: those of up to 512 entities, decoded leaf by leaf into structs, as a column and last values have them.
#ifndef KIN_SRC_READ_VALUES_H
#define KIN_SRC_READ_VALUES_H

#include "frame/decode.h"
#include "read/heap.h"
#include "read/schema.h"

#include <kin/save.h>

typedef struct kin__read_values {
    kin__block_reader *reader;
    kin__heap *heap; // of strings and elements, which live until the values have been stored
    const kin__file_component *component;
    const kin_entity *entities; // whose values they are, for messages
    uint32_t count;
    unsigned char *values; // structs of component->now->info->size bytes; of a dropped component NULL
    kin__decoder *decoder;
    kin_read_report *report;
} kin__read_values;

// Decodes all of them. False, with a fault noted, if one is wrong or does not fit.
bool kin__values_decode(kin__read_values *values);

#endif
