// Owners: which owner retains which entity, besides the count of holds of each slot (hold.h).
//
//   core.owners   [ entity, owner | free | entity, owner | … ]   an open hash table
//
// An owner is an address that is compared and never read. With fast_retain there is no table but a count for each slot.
// Retaining and releasing take constant time on average.
//
// Invariants, checked by kin__owners_are_valid():
//   1. a pair of entity and owner is at most once in the table
//   2. each pair is one hold of the entity, whose slot is held
//   3. at most half of the table is in use, so that searches are short; its capacity is a power of two
#ifndef KIN_SRC_RETAIN_H
#define KIN_SRC_RETAIN_H

#include "core/core.h"

// Releases the table.
void kin__owners_release(kin_context *context);

// Shrinks the table to what its pairs need.
void kin__owners_trim(kin_context *context);

// Returns the bytes of the pairs in the table.
size_t kin__owners_used(const kin_context *context);

bool kin__owners_are_valid(const kin_context *context);

#endif
