// LINK: the order of the holders of targets, which is not in their fields. One block for each relation and chunk in
// which a target has several holders.
//
//   LINK   context:u32, chunk:u32 of the targets, component:u32, leaf:u16, targets:u32 × target
//   target slot:u32, holders:u32 × slot:u32, in order
//
// The component and its leaf are those of the relation's field. Targets are in ascending slot. These blocks follow the
// other blocks of their context, by component, leaf and chunk.
#ifndef KIN_SRC_WRITE_LINKS_H
#define KIN_SRC_WRITE_LINKS_H

#include "frame/writer.h"
#include "write/parts.h"

// Writes the blocks of one context, which has this number in the file.
void kin__links_write(kin__block_writer *writer, const kin__written_part *part, uint32_t context);

#endif
