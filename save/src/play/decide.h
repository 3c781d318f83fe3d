// Deciding: migrations (read/migrate.h) in a frame, which has only the blocks of a context that changed.
//
// A function is called for entities that the frame creates; if the frame replaces the column of its component, for all
// entities of that chunk. The record shows the blocks of the frame. All other entities keep what the world has.
#ifndef KIN_SRC_DECIDE_H
#define KIN_SRC_DECIDE_H

#include "play/replaced.h"

// Reads the values of all chunks, and decides. The parts must be in the order of a file. False, with a fault noted, if
// a part is wrong or a function refuses.
bool kin__decide_read(kin__reading *reading, const kin__context_snapshot *present, const kin__replaced *replaced,
                      const kin__frame_parts *parts);

#endif
