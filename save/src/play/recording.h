// A recording that is read, in the order of its blocks: its names, matched with those of a world, then moments and
// frames.
//
// The end may be anywhere: where the source ends within a block, the recording ends before it.
#ifndef KIN_SRC_PLAY_RECORDING_H
#define KIN_SRC_PLAY_RECORDING_H

#include "read/reading.h"
#include "snapshot/snapshot.h"
#include "world/world.h"

#define KIN__MOMENT_LIMIT ((uint64_t)1 << 30) // bytes of a moment, as of a save

typedef enum kin__recording_block {
    KIN__RECORDING_FRAME,
    KIN__RECORDING_END,
    KIN__RECORDING_FAULT // it is noted
} kin__recording_block;

// A context of the file.
typedef struct kin__recorded_context {
    kin_context *context;
    kin__shape *shape;
} kin__recorded_context;

typedef struct kin__recording {
    kin__world *world;
    kin__memory memory;
    kin_source source;
    const kin__migrations *migrations;
    kin__fault fault;
    kin__input input;
    kin__block_reader reader;
    kin__heap heap; // of the names
    kin__file_schema schema;
    kin__recorded_context *contexts; // by number of the file
    uint64_t first_frame;            // how often the world had been updated at the first moment
    bool is_open;
    bool is_of_this_version;         // all hashes can be compared
} kin__recording;

// Begins to read: the head and the names. False, with a fault noted, if it is no recording, or does not fit the world.
// Close it in any case.
bool kin__recording_open(kin__recording *recording);
void kin__recording_close(kin__recording *recording);

// Begins anew: the source begins again. False, with a fault noted, when that failed.
bool kin__recording_reopen(kin__recording *recording);

// Reads the blocks of a moment, and makes the snapshot, which is one of the world, that moment. False, with a fault
// noted, if they are wrong, and when out of memory; then the snapshot is as before. (moment.c)
bool kin__recording_read_moment(kin__recording *recording, kin_snapshot *snapshot);

// Reads the next frame, behind whole keys, and adds to `*keys` how many these are.
kin__recording_block kin__recording_next_frame(kin__recording *recording, uint64_t *keys);

// Reads up to a moment: to the first one, or to that of the next key, behind frames. False, with a fault noted, if it
// does not come.
bool kin__recording_next_key(kin__recording *recording);

// Reads the blocks of a moment, and forgets them. False, with a fault noted, if they are not all there.
bool kin__recording_skip_moment(kin__recording *recording);

// Returns a reading of one context, by its number, with the block that was read last; and takes memory for values.
kin__reading kin__recording_reading(kin__recording *recording, uint32_t number);
bool kin__recording_values(kin__reading *reading);

// Whether the values of a component in the file and now are the same bytes.
bool kin__recorded_is_same(const kin__file_component *component);

#endif
