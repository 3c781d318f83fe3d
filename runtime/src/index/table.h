// Tables: open addressing with linear probing, for indices. Taking an entry out moves later ones up, so that none is
// ever marked as gone and taking out never needs memory. What a word and a value mean is the index's to know; two
// entries may have one word.
//
// Invariants:
//   1. entries are a power of two, at least twice as many as are in use
//   2. between an entry and the place of its word no entry is free
#ifndef KIN_SRC_TABLE_H
#define KIN_SRC_TABLE_H

#include "base/memory.h"

#include <kin/generated/index.h>

// An empty table without room.
kin__table kin__table_begin(const uint64_t *factors);

// Room for `least` entries; also makes the first. False, with nothing changed, without memory.
bool kin__table_reserve(kin__memory *memory, kin__table *table, uint32_t least);
void kin__table_release(kin__memory *memory, kin__table *table);

// Gives back what it has beyond room for `least` entries, which is no less than it has; it moves. It stays as it is
// without memory to move to.
void kin__table_trim(kin__memory *memory, kin__table *table, uint32_t least);

// Room was reserved; `value` is not 0.
void kin__table_insert(kin__table *table, uint64_t word, uint64_t value);

// Takes out the entry that has both, which is there.
void kin__table_erase(kin__table *table, uint64_t word, uint64_t value);

#endif
