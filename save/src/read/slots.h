// Slots: which entities there are, and which slots come next in which pool.
//
// Each slot is alive, fresh, or free in one pool. A slot that is in no list was held by an owner, which files do not
// have: it is free, behind all others of its pool, by slot.
#ifndef KIN_SRC_READ_SLOTS_H
#define KIN_SRC_READ_SLOTS_H

#include "read/reading.h"

// Reads CTXT, and SLOT, behind the number of the context. False, with a fault noted, if it is wrong.
bool kin__context_block_read(kin__reading *reading, kin__decoder *decoder);
bool kin__slots_read(kin__reading *reading, kin__decoder *decoder, uint32_t chunk);

// Links the free slots once all blocks were read, and checks that each slot is there once.
bool kin__slots_finish(kin__reading *reading);

#endif
