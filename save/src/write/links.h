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

#include "file/file.h"

// The holders of the targets of one relation in one chunk. All zero before the first relation, except the part and the
// number of its context.
typedef struct kin__link_block {
    const kin__context_snapshot *part;
    uint32_t context, component, leaf, chunk;
    uint32_t image; // the number of the images of its links
    uint32_t next_leaf;
} kin__link_block;

// Moves to the next relation of the context. False after the last one.
bool kin__link_block_next(kin__link_block *links, const kin__shape *shape);

// Appends the payload; a chunk without such targets has none.
void kin__link_block_write(kin__block_writer *writer, const kin__link_block *links);

// Writes the blocks of one context, which has this number in the file.
void kin__links_write(kin__block_writer *writer, const kin__written_part *part, uint32_t context);

#endif
