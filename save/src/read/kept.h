// Kept: values that are stashed, or that pending events still need.
#ifndef KIN_SRC_READ_KEPT_H
#define KIN_SRC_READ_KEPT_H

#include "read/reading.h"

// Reads KEEP, after the number of the context. False, with a fault noted, if it is invalid.
bool kin__kept_read(kin__reading *reading, kin__decoder *decoder, uint32_t chunk);

// Puts the values into the part once all blocks are read.
bool kin__kept_finish(kin__reading *reading);

#endif
