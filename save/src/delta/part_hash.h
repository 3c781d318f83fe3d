// Hashes of a context by component, to say where two moments differ that should not: XXH64, seed 0, over the number of
// the chunk as u64 and the hash of the content of each block of the component, in the order of a file.
//
//   a component         its blocks COLM, then KEEP, chunk by chunk; then SHAR, row by row
//   the context itself  CTXT, as of chunk 0, then the blocks SLOT
//
// Cost: a look at each block; images keep the hashes of theirs.
#ifndef KIN_SRC_PART_HASH_H
#define KIN_SRC_PART_HASH_H

#include "snapshot/snapshot.h"

// Returns the hash of a component, by its place in the shape; of slots and the context, if that is its count.
uint64_t kin__part_hash(const kin__context_snapshot *part, const kin__shape *shape, uint32_t component);

#endif
