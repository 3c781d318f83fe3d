// Restoring relations. The order of the holders of a target is state that no field has, so snapshots save the links of
// each chunk. The block of a chunk (kin__relation_block: nodes and counts) contains all of them. It has no padding, no
// addresses and no uninitialized bytes, so blocks are equal if their bytes are.
//
//   save      for each relation and chunk: the bytes of kin__relation_saved_block; nothing if it returns NULL
//   restore   kin__relations_restore_reserve for each chunk that has a saved block; may fail
//             kin__relations_restore_block for each relation and each chunk; cannot fail
//             kin__relations_restore_end once, so that orders of trees are rebuilt
//
// A block without holders and targets holds no information. It is still saved, as a chunk in which an entity has the
// component must have a block (invariant 5 of relation.h).
#ifndef KIN_SRC_RELATION_RESTORE_H
#define KIN_SRC_RELATION_RESTORE_H

#include "relation/relation.h"

// Returns the block of a chunk; NULL if it has none. Relations are numbered from 0 to info->relation_count - 1.
const kin__relation_block *kin__relation_saved_block(const kin_context *context, uint32_t number, uint32_t chunk);

// Reserves a block, and marks for cascades. The chunk must exist. False when out of memory.
bool kin__relations_restore_reserve(kin_context *context, uint32_t number, uint32_t chunk);

// Restores a saved block; NULL: no entity of the chunk is in a list.
void kin__relations_restore_block(kin_context *context, uint32_t number, uint32_t chunk,
                                  const kin__relation_block *saved);

// Raises `moves` of each relation, so that everything derived from it is out of date.
void kin__relations_restore_end(kin_context *context);

#endif
