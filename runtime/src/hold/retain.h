// Owners: which owner retains which entity, besides the count of holds of each slot (hold.h).
//
//   core.owners   table [ entity, owner | free | entity, owner | … ]   an open hash table
//                 names [ "view"        |      | NULL          | … ]   NULL before the first name
//
// An owner is an address that is compared and never read; its name is only shown in errors. With fast_retain there is
// no table but a count for each slot. Retaining and releasing take constant time on average.
//
// Invariants, checked by kin__owners_are_valid():
//   1. a pair of entity and owner is at most once in the table
//   2. each pair is one hold of the entity, whose slot is held
//   3. at most half of the table is in use, so that searches are short; its capacity is a power of two
#ifndef KIN_SRC_RETAIN_H
#define KIN_SRC_RETAIN_H

#include "store/store.h"

// Releases the table.
void kin__owners_release(kin_context *context);

// Shrinks the table to what its pairs need.
void kin__owners_trim(kin_context *context);

// Returns the size of the pairs in the table, in bytes.
size_t kin__owners_used(const kin_context *context);

// Finds the owners of an entity, in any order: returns the first one from `*place` on, which is 0 at first, and moves
// `*place` after it. False when there is none. `*name` is NULL for an owner without a name. Cost: the size of the
// table.
bool kin__owners_next(const kin_context *context, kin_entity entity, uint32_t *place, const void **owner,
                      const char **name);

bool kin__owners_are_valid(const kin_context *context);

#endif
