// Save hash: the hash of a state from its blocks, in their order, as kin_snapshot_hash computes it. Slots and columns
// come first, then the other blocks; links are no part of it.
#ifndef KIN_GENERATOR_SAVE_HASH_H
#define KIN_GENERATOR_SAVE_HASH_H

#include "base/xxh64.h"
#include "generator/base/base.h"
#include "save/save_order.h"

typedef struct save_hash {
    kin__xxh64 first; // of slots and columns
    text later;       // pairs of hashes of the other blocks
} save_hash;

save_hash save_hash_begin(arena *arena);

// Adds a block: the hash of the name of what it is of, and the bytes after its numbers, or after its path.
void save_hash_add(save_hash *hash, const save_place *place, uint64_t name, const void *content, size_t size);

uint64_t save_hash_end(save_hash *hash);

// Returns the hash of the name of a context, or of a component in it; `component` may be NULL.
uint64_t save_hash_name(const char *context, const char *component);

#endif
