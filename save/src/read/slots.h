// Slots: the entities of a file, and the next slots of each pool.
//
// Each slot is alive, fresh, or free in one pool. A slot in none of these was held by an owner, which files do not
// contain: it becomes free, after all other free slots of its pool, by slot.
#ifndef KIN_SRC_READ_SLOTS_H
#define KIN_SRC_READ_SLOTS_H

#include "read/reading.h"

// Read CTXT, and SLOT, after the number of the context. False, with a fault noted, if it is invalid.
bool kin__context_block_read(kin__reading *reading, kin__decoder *decoder);
bool kin__slots_read(kin__reading *reading, kin__decoder *decoder, uint32_t chunk);

// Links the free slots once all blocks are read, and checks that each slot occurs once.
bool kin__slots_finish(kin__reading *reading);

#endif
