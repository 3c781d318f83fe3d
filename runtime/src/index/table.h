// Tables: hash tables from words to values, with open addressing and linear probing.
//
//   entries   [ . | w v | w v | . | w v | . | . | . ]      value 0: free; the place of a word is its hash
//
// Several entries may have one word: the index compares keys. To erase an entry moves later ones up, so there are no
// tombstones, and erasing needs no memory.
//
// Invariants, checked by kin__table_is_valid():
//   1. the number of places is a power of two, and at least twice the number of entries
//   2. between an entry and the place of its word no place is free
//   3. `count` is the number of entries
//
// Cost: inserting, erasing and finding are constant on average; reserving may move all entries.
#ifndef KIN_SRC_TABLE_H
#define KIN_SRC_TABLE_H

#include "base/base.h"

#include <kin/generated/index.h>

// Returns an empty table without memory. Reserve before the first lookup.
kin__table kin__table_begin(const uint64_t *factors);

// Reserves room for `least` entries; allocates even for 0. False, with nothing changed, when out of memory.
bool kin__table_reserve(kin__memory *memory, kin__table *table, uint32_t least);
void kin__table_release(kin__memory *memory, kin__table *table);

// Moves the table to memory for `least` entries, which is at least the number it has. Does nothing without memory.
void kin__table_trim(kin__memory *memory, kin__table *table, uint32_t least);

// Inserts an entry, for which room is reserved. `value` is not 0.
void kin__table_insert(kin__table *table, uint64_t word, uint64_t value);

// Erases the entry with this word and value, which exists.
void kin__table_erase(kin__table *table, uint64_t word, uint64_t value);

// Removes all entries.
void kin__table_clear(kin__table *table);

bool kin__table_is_valid(const kin__table *table);

#endif
