// Storing: values as the image of a column, one by one.
#ifndef KIN_SRC_STORING_H
#define KIN_SRC_STORING_H

#include "read/reading.h"

// Begins the image of a column, which is the part's. NULL, with a fault noted, when out of memory. Values are copied,
// except opaque ones, which it has from then on. Ending it gives the entities their component.
kin__image *kin__column_begin(kin__reading *reading, uint32_t chunk, kin_component_id id);
bool kin__column_store(kin__reading *reading, kin__image *image, uint32_t place, const void *value);
bool kin__column_end(kin__reading *reading, uint32_t chunk, kin__image *image);

// Returns a new image with the values of some places of another one, for the caller to put into a part. NULL, with a
// fault noted, when out of memory.
kin__image *kin__column_copy(kin__reading *reading, const kin__image *image, const uint64_t has[KIN__CHUNK_WORDS]);

// Zeroes a field without ownership in the value at a place of such an image. False, with a fault noted, when out of
// memory, which only shared values need.
bool kin__column_clear(kin__reading *reading, kin__image *image, uint32_t place, const kin_field_info *field);

#endif
