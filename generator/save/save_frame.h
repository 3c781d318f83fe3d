// Frames of a recording: what follows its first state.
//
// A recording may end anywhere, so frames end before a block that is cut off.
#ifndef KIN_GENERATOR_SAVE_FRAME_H
#define KIN_GENERATOR_SAVE_FRAME_H

#include "generator/base/base.h"
#include "play/frame_read.h"
#include "save/save_file.h"

// Reads the next frame, after the first state was read. It is valid until the next block is read. False at the end, and
// when a block is wrong: `fault` says which.
bool save_frame_next(save_file *file, kin__read_frame *frame);

// Appends the frame as a line of JSON: its number, delta and hash, what the program changed before it, and what the
// update changed.
void save_append_frame(text *out, const save_file *file, const kin__read_frame *frame);

// Appends "game.Health", "game:slots" for the slots of a context, or "systems".
void save_append_changed(text *out, const save_file *file, uint32_t context, uint32_t component);

// Reads the numbers of a part into `file->place`. False, with a fault noted, if there can be no such block.
bool save_frame_read_place(save_file *file, const kin__frame_part *part);

// Puts parts into the moment of the file. False, with a fault noted, if it gets too large.
bool save_frame_apply(save_file *file, const kin__frame_parts *parts);

// Makes the moment of the file what it is after the update of the frame. Without states, what the update changed is
// unknown then. False, with a fault noted, if the moment gets too large.
bool save_frame_update(save_file *file, const kin__read_frame *frame);

// Whether the frame has what its update changed.
bool save_frame_has_states(const kin__read_frame *frame);

#endif
