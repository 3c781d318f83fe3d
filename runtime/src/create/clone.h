// Functions that clones of one entity and clones of trees share.
#ifndef KIN_SRC_CLONE_H
#define KIN_SRC_CLONE_H

#include "store/store.h"

// Returns the number of components that a clone of the entity has, and sets `*size` to the total size of their values.
size_t kin__clone_count(const kin_context *context, kin_entity source, size_t *size);

// Returns whether all keys allow a clone of the entity; if not, reports the key that forbids it.
bool kin__clone_check_keys(const kin_context *context, kin_entity source);

#endif
