// Columns: reads a block of values as the image of a column.
#ifndef KIN_SRC_READ_COLUMN_H
#define KIN_SRC_READ_COLUMN_H

#include "read/reading.h"

// Reads COLM, after the number of the context. False, with a fault noted, if it is invalid.
bool kin__column_read(kin__reading *reading, kin__decoder *decoder, uint32_t chunk);

// Begins the image of a column, which is the part's. NULL, with a fault noted, when out of memory. Values are copied,
// except opaque ones, which it has from then on. Ending it gives the entities their component.
kin__image *kin__column_begin(kin__reading *reading, uint32_t chunk, kin_component_id id);
bool kin__column_store(kin__reading *reading, kin__image *image, uint32_t place, const void *value);
bool kin__column_end(kin__reading *reading, uint32_t chunk, kin__image *image);

#endif
