// A recording that is read, in the order of its blocks: its names, matched with those of a world, then moments and
// frames.
//
// The end may be anywhere: where the source ends within a block, the recording ends before it.
#ifndef KIN_SRC_PLAY_RECORDING_H
#define KIN_SRC_PLAY_RECORDING_H

#include "reading/reading.h"

#define KIN__MOMENT_LIMIT ((uint64_t)1 << 30) // bytes of a moment, as of a save

typedef enum kin__recording_block {
    KIN__RECORDING_FRAME,
    KIN__RECORDING_END,
    KIN__RECORDING_FAULT // it is noted
} kin__recording_block;

typedef struct kin__recording {
    kin__world *world;
    kin_source source;
    const kin__migrations *migrations;
    kin__fault fault;
    kin__input input;
    kin__file_reading file;  // its contexts are those of the world that are saved: they have what a reading begins with
    kin__heap heap;          // of the contexts, and `none`
    kin__file_context *none; // stand for contexts that the file does not have
    bool is_open;
    bool is_of_this_version; // all hashes can be compared
} kin__recording;

// Begins to read: the head and the names. False, with a fault noted, if it is no recording, or does not fit the world.
// Close it in any case.
bool kin__recording_open(kin__recording *recording);
void kin__recording_close(kin__recording *recording);

// Begins anew: the source begins again. False, with a fault noted, when that failed.
bool kin__recording_reopen(kin__recording *recording);

// Reads the next frame, after any whole keys, and adds the number of these to `*keys`.
kin__recording_block kin__recording_next_frame(kin__recording *recording, uint64_t *keys);

// Reads up to the moment of the next key, passing frames. False, with a fault noted, if it does not come.
bool kin__recording_next_key(kin__recording *recording);

// Reads the blocks of a moment, and forgets them. False, with a fault noted, if they are not all there.
bool kin__recording_skip_moment(kin__recording *recording);

// Returns the context of the world that is a context of the file, by its number there; NULL: it is given up.
kin__reading *kin__recorded_context(const kin__recording *recording, uint32_t number);

// Whether the values of a component in the file and now are the same bytes.
bool kin__recorded_is_same(const kin__file_component *component);

#endif
