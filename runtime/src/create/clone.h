// What clones of one entity and clones of trees share.
#ifndef KIN_SRC_CLONE_H
#define KIN_SRC_CLONE_H

#include "core/core.h"

// Returns the number of components that a clone of the entity has; `*size` is that of all their values.
size_t kin__clone_count(const kin_context *context, kin_entity source, size_t *size);

// Reports the key that forbids a clone of the entity. Returns whether there is none.
bool kin__clone_check_keys(const kin_context *context, kin_entity source);

#endif
