// Columns: reads a block of values as the image of a column.
#ifndef KIN_SRC_READ_COLUMN_H
#define KIN_SRC_READ_COLUMN_H

#include "read/reading.h"

// Reads COLM, after the number of the context. False, with a fault noted, if it is invalid.
bool kin__column_read(kin__reading *reading, kin__decoder *decoder, uint32_t chunk);

#endif
