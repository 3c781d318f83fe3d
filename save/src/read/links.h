// Links: the holders of each target, which are derived from the fields of relations. LINK has their order; holders that
// it does not list come last, by slot.
#ifndef KIN_SRC_READ_LINKS_H
#define KIN_SRC_READ_LINKS_H

#include "read/reading.h"

// Reads LINK, after the number of the context. False, with a fault noted, if it is invalid.
bool kin__links_read(kin__reading *reading, kin__decoder *decoder, uint32_t chunk);

// Appends the holders of a target, in the memory of the reading.
void kin__holders_append(kin__reading *reading, kin__file_holders *holders);

// Makes the links of all relations once all values are read. False, with a fault noted, if a relation names an entity
// that is not alive, or a tree has a circle.
bool kin__links_finish(kin__reading *reading);

#endif
