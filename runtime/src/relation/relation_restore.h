// Restoring relations. The order of the holders of a target is state, which no field has: so the links of each chunk
// are a part of its image. The block of a chunk (kin__relation_block: nodes and counts) is all of it. It has no
// padding, no addresses, and no bytes that are not set: blocks are equal if their bytes are.
//
//   save      for each relation and chunk: the bytes of kin__relation_saved_block, or none if it is NULL
//   restore   kin__relations_restore_reserve for each chunk that has a saved block: can fail
//             kin__relations_restore_block for each relation and each chunk: cannot
//             kin__relations_restore_end once: trees that were listed are listed anew
//
// A saved block of which nobody is a holder or target may be left out: saved or not, it is the same. But a chunk in
// which an entity has the component must have one (invariant 5 of relation.h), so keep those that exist.
#ifndef KIN_SRC_RELATION_RESTORE_H
#define KIN_SRC_RELATION_RESTORE_H

#include "relation/relation.h"

// Returns the block of a chunk; NULL if it has none. Relations are numbered from 0, up to info->relation_count.
const kin__relation_block *kin__relation_saved_block(const kin_context *context, uint32_t number, uint32_t chunk);

// Reserves a block, and marks for cascades. The chunk exists. False when out of memory.
bool kin__relations_restore_reserve(kin_context *context, uint32_t number, uint32_t chunk);

// Puts a saved block in place; NULL: nobody of the chunk is in a list.
void kin__relations_restore_block(kin_context *context, uint32_t number, uint32_t chunk,
                                  const kin__relation_block *saved);

// Raises the count of moves of each relation.
void kin__relations_restore_end(kin_context *context);

#endif
