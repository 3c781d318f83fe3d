// The list of the components of the last set that was cloned, with the sizes of their values. A clone by the fast path
// (clone_fast.c) is then one loop over the list, without a search for bits and sizes: clones of one entity, or of
// entities with the same components, follow each other in most programs.
//
// The list depends only on the set, so it is never out of date. Only contexts of at most 64 components use it.
//
// Invariants, checked by kin__clone_list_is_valid():
//   1. the parts are the components of the list's row, in ascending order, with the sizes of their values
//   2. none of them has one column for each field
#ifndef KIN_SRC_CLONE_LIST_H
#define KIN_SRC_CLONE_LIST_H

#include "store/store.h"

// Makes the list of the components of a row. False, with nothing changed, if a clone by the fast path cannot have them:
// one of them has one column for each field.
bool kin__clone_list_make(kin_context *context, uint64_t row);

bool kin__clone_list_is_valid(const kin_context *context);

#endif
