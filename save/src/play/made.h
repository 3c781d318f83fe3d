// A moment that is made, before it is put into a snapshot: parts of contexts, and the state of systems.
//
// A snapshot is changed when all is made, or not at all.
#ifndef KIN_SRC_PLAY_MADE_H
#define KIN_SRC_PLAY_MADE_H

#include "play/nodes.h"

typedef struct kin__made_moment {
    kin__recording *recording;
    kin_snapshot *snapshot; // of the moment before
    kin__heap heap;
    kin__made_nodes nodes;
    kin__context_snapshot **made; // one for each context of the file, in any order
    uint32_t count;
} kin__made_moment;

static inline kin__made_moment kin__made_moment_of(kin__recording *recording, kin_snapshot *snapshot)
{
    return (kin__made_moment){.recording = recording,
                              .snapshot = snapshot,
                              .heap = {.memory = &recording->memory, .fault = &recording->fault}};
}

// Makes the state of systems, of the blocks SYST among the parts. False, with a fault noted, if they are wrong, and when
// out of memory.
bool kin__made_begin(kin__made_moment *made, const kin__frame_parts *parts);

// Completes a context of which all blocks were read, and takes its part from the reading. False, with a fault noted, if
// the blocks do not fit together, and when out of memory.
bool kin__made_add(kin__made_moment *made, kin__reading *reading);

// Returns the part that the snapshot has of the context of a reading.
const kin__context_snapshot *kin__made_present(const kin__made_moment *made, const kin__reading *reading);

// Puts all into the snapshot. False, with a fault noted, when out of memory.
bool kin__made_put(kin__made_moment *made);

// Releases what was not put.
void kin__made_release(kin__made_moment *made);

#endif
