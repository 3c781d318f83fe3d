// The hash of the systems of a world's snapshot: XXH64, seed 0, over what they add to the hash of the snapshot.
#ifndef KIN_SRC_SYSTEMS_HASH_H
#define KIN_SRC_SYSTEMS_HASH_H

#include "snapshot/snapshot.h"

#define KIN__HASH_SYSTEMS UINT32_MAX // in place of the numbers of a context and a component

// False when out of memory.
bool kin__systems_hash(kin_snapshot *snapshot, uint64_t *hash);

#endif
