// Links: the holders of each target, which are derived from the fields of relations. LINK has their order; holders that
// it does not list come last, by slot.
#ifndef KIN_SRC_READ_LINKS_H
#define KIN_SRC_READ_LINKS_H

#include "read/reading.h"

// Reads LINK, after the number of the context. False, with a fault noted, if it is invalid.
bool kin__links_read(kin__reading *reading, kin__decoder *decoder, uint32_t chunk);

// Appends the holders of a target, in the memory of the reading.
void kin__holders_append(kin__reading *reading, kin__file_holders *holders);

// Saves of a schema in which a field was no relation may name entities that are not alive. They become what they would
// be if the target was destroyed now: the holder is destroyed (`destroy`), loses the component (`remove`), or names no
// entity (`clear`, and `refuse`, as the target does not exist any more). Call it once all values are read, before free
// slots are checked. False, with a fault noted, when out of memory, or if a migration is to be asked (migrate.h).
bool kin__links_repair(kin__reading *reading);

// Makes the links of all relations, which name living entities. False, with a fault noted, if a tree has a circle.
bool kin__links_finish(kin__reading *reading);

#endif
