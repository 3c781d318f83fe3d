// Check: what is written can be read. The content of a block is looked over after it was encoded and before it is
// written; what the reader of the same program refuses is refused here, where the message can name the entity, the
// component and the field (FIL-07).
//
// The questions are those of the reader: kin__leaf_allows, kin__leaf_has_room, kin__clock_is_finite.
//
// Cost: nothing for leaves whose values are all valid, such as numbers; a bool or a handle is looked at once.
#ifndef KIN_SRC_WRITE_CHECK_H
#define KIN_SRC_WRITE_CHECK_H

#include "encode/block.h"
#include "file/file.h"

// Checks a block whose content begins at `begin` of the payload and ends with it. False, with a fault noted, if it
// cannot be read.
bool kin__block_check(const kin__block_writer *writer, const kin__block *block, size_t begin);

// Checks a block SYST, from its path on, which begins at `begin` of the payload and ends with it.
bool kin__system_check(const kin__block_writer *writer, const kin__written_parts *parts, size_t begin);

#endif
