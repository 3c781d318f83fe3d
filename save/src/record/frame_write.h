// Frames: the blocks of a recording.
//
//   FRAM   frame:u64, delta:f64, hash of the state after the update:u64,
//          hashes:u16 × { context:u32, component:u32, hash:u64 }, parts that changed before the update,
//          and those that the update changed; empty if the recording has no states
//   KEYF   size:u64 of the blocks that follow, up to the next FRAM: the state after the frame before, from CTXT to DONE
//
// The hashes are of the components that the update changed (delta/part_hash.h), in ascending context and component. The
// count of components stands for slots. The hash of systems has context FFFFFFFF and component FFFFFFFF.
#ifndef KIN_SRC_FRAME_WRITE_H
#define KIN_SRC_FRAME_WRITE_H

#include "record/frame_parts.h"

// One update of the world that is recorded.
typedef struct kin__recorded_frame {
    uint64_t number;
    double delta;
    kin_snapshot *ended, *begun, *after; // after the update before it, before it, and after it
    bool has_states;
} kin__recorded_frame;

// Write a frame; and the state after one, as a key.
void kin__frame_write(kin__block_writer *writer, const kin__recorded_frame *frame, const kin__written_parts *parts);
void kin__key_write(kin__block_writer *writer, const kin_snapshot *snapshot, kin__written_parts *parts);

// Writes the magic bytes, the head, the names and the state of a recording. `frame`: how often the world was updated.
void kin__recording_begin(kin__block_writer *writer, const kin_snapshot *snapshot, kin__written_parts *parts,
                          uint64_t frame);

#endif
