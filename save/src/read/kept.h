// Kept: values that are stashed, or that pending events still need.
#ifndef KIN_SRC_READ_KEPT_H
#define KIN_SRC_READ_KEPT_H

#include "read/reading.h"
#include "store/store.h"

// Reads KEEP, after the number of the context. False, with a fault noted, if it is invalid.
bool kin__kept_read(kin__reading *reading, kin__decoder *decoder, uint32_t chunk);

// Takes a value over from another part of the context, which stays until the part is complete.
bool kin__kept_share(kin__reading *reading, kin__keepsake *keepsake);

// Sets the bits of the slots whose last value of a component was read.
void kin__kept_mark(const kin__reading *reading, kin_component_id id, uint64_t *bits);

// Puts them into the part once all blocks were read.
bool kin__kept_finish(kin__reading *reading);

// Forgets the values that an entity has stashed: it is destroyed.
void kin__kept_forget(kin__reading *reading, uint32_t slot);

// Drops the opaque values of which no part has become the owner. Always called.
void kin__kept_end(kin__reading *reading);

#endif
