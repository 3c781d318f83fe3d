// Storing: values as the image of a column, one by one.
#ifndef KIN_SRC_STORING_H
#define KIN_SRC_STORING_H

#include "read/reading.h"

// Begins the image of a column, which is the part's. NULL, with a fault noted, when out of memory. Values are copied,
// except opaque ones, which it has from then on. Ending it gives the entities their component.
kin__image *kin__column_begin(kin__reading *reading, uint32_t chunk, kin_component_id id);
bool kin__column_store(kin__reading *reading, kin__image *image, uint32_t place, const void *value);
bool kin__column_end(kin__reading *reading, uint32_t chunk, kin__image *image);

#endif
