// The parts of a frame: the blocks in which two moments differ, as a count:u32 and for each
//
//   kind[4], size:u32, payload    as the block of a file; the numbers alone for a block that is no more
#ifndef KIN_SRC_FRAME_PARTS_H
#define KIN_SRC_FRAME_PARTS_H

#include "file/file.h"

// Two moments of the world that is recorded.
typedef struct kin__frame_moments {
    const kin_snapshot *before, *after;
    const kin__written_parts *parts; // the shapes of its contexts, in the order of their numbers
} kin__frame_moments;

// Appends what differs to the payload of the writer. Faults are those of the writer.
void kin__frame_parts_write(kin__block_writer *writer, const kin__frame_moments *moments);

#endif
