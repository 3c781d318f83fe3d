// Slots: the entities of a file, and the next slots of each pool.
//
// Each slot is alive, fresh, free in one pool, or that of a dead entity that systems have collected. A slot that is
// none of these was held by an owner, which files do not have: it is free, after all others of its pool, by slot.
#ifndef KIN_SRC_READ_SLOTS_H
#define KIN_SRC_READ_SLOTS_H

#include "read/reading.h"

// Read CTXT, and SLOT, after the number of the context. False, with a fault noted, if it is invalid.
bool kin__context_block_read(kin__reading *reading, kin__decoder *decoder);
bool kin__slots_read(kin__reading *reading, kin__decoder *decoder, uint32_t chunk);

// Links the free slots once all blocks were read, and checks that each slot is there once.
bool kin__slots_check(kin__reading *reading);

// Before that: makes the slot of an entity, whose components were removed, free.
void kin__slots_destroy(kin__reading *reading, uint32_t slot);

// Then: whether a system can have collected the entity: it is alive, or its slot is in no list. False, with a fault
// noted, if not. Holds its slot, if it is dead; false, with a fault noted, if another dead entity has it.
bool kin__slots_check_entity(kin__reading *reading, kin_entity entity);
bool kin__slots_hold(kin__reading *reading, kin_entity entity);

// Then: frees the slots that are in no list, and that are not held.
bool kin__slots_finish(kin__reading *reading);

// Makes the part of a context that the file does not have: it is empty.
bool kin__slots_make_empty(kin__reading *reading);

#endif
