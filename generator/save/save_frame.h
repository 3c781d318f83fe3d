// Frames of a recording: what follows its first state.
//
// A recording may end anywhere, so frames end before a block that is cut off.
#ifndef KIN_GENERATOR_SAVE_FRAME_H
#define KIN_GENERATOR_SAVE_FRAME_H

#include "base/text.h"
#include "play/frame_read.h"
#include "save/save_file.h"

// Reads the next frame, after the first state was read. It is valid until the next block is read. False at the end, and
// when a block is wrong: `fault` says which.
bool save_frame_next(save_file *file, kin__read_frame *frame);

// Appends the frame as a line of JSON: its number, delta and hash, what the program changed before it, and what the
// update changed.
void save_append_frame(text *out, const save_file *file, const kin__read_frame *frame);

// Appends the first difference of two frames of recordings of one package, as a line. Returns whether there is one.
// NULL: the recording has ended.
bool save_append_frame_difference(text *out, const save_file *file, const kin__read_frame *before,
                                  const kin__read_frame *after);

#endif
