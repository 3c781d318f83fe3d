// Hashes of snapshots and their blocks, for other rooms.
#ifndef KIN_SRC_HASH_H
#define KIN_SRC_HASH_H

#include "encode/block.h"
#include "snapshot/snapshot.h"

// Returns the hash of the content of a block, which its image keeps.
uint64_t kin__block_hash(const kin__block *block);

// The same as kin_snapshot_hash, without a report. `systems` gets the XXH64, seed 0, of what systems add to the hash;
// NULL: not needed. False when out of memory.
bool kin__snapshot_hash(kin_snapshot *snapshot, uint64_t *hash, uint64_t *systems);

#endif
