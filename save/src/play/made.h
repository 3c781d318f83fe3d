// A moment that is made, before it is put into a snapshot: parts of contexts, and the state of systems.
//
// It begins with readings of all contexts and systems of the world. What reads files fills them: from the blocks of a
// moment, or from those of a frame and from the moment before. A snapshot is changed when all is made, or not at all.
#ifndef KIN_SRC_PLAY_MADE_H
#define KIN_SRC_PLAY_MADE_H

#include "play/recording.h"

typedef struct kin__made_moment {
    kin__recording *recording;
    kin_snapshot *snapshot; // one of the world
    kin__heap heap;
    kin__reading *contexts; // as those of the file
    uint32_t count;
    kin__systems_reading systems;
} kin__made_moment;

// Begins. False, with a fault noted, when out of memory. End it in any case.
bool kin__made_begin(kin__made_moment *made, kin__recording *recording, kin_snapshot *snapshot);
void kin__made_end(kin__made_moment *made);

// Returns the part that the snapshot has of a context.
const kin__context_snapshot *kin__made_present(const kin__made_moment *made, const kin__reading *reading);

// Takes over the state of the systems that were not read, as it is in the world. False when out of memory. (keep.c)
bool kin__made_keep_systems(kin__made_moment *made);

// Puts all into the snapshot. False, with a fault noted, when out of memory.
bool kin__made_put(kin__made_moment *made);

// Reads the blocks of a moment, and makes the snapshot that. False, with a fault noted, if they are wrong, and when out
// of memory; then the snapshot is as before.
bool kin__moment_read(kin__recording *recording, kin_snapshot *snapshot);

#endif
