// Stash: values that were removed from their entities and are kept, to be added again. The stash is one of the users
// of a component's last values (store.h), until the value is restored or discarded: by adding the
// component, or with the entity.
//
// Invariants, checked by kin__last_values_are_valid():
//   1. a stashed value is kept and held; its entity is alive and lacks the component
//   2. core.stashed counts the stashed values; core.events.destroy_subscribers counts each of them too
#ifndef KIN_SRC_STASH_H
#define KIN_SRC_STASH_H

#include "store/store.h"

bool kin__stash_has(const kin_context *context, uint32_t slot, kin_component_id id);

// Makes last values for the component if it has none for the stash, so that a loss can be stashed. They stay. False
// without memory.
bool kin__stash_reserve(kin_context *context, kin_component_id id);

// Stashes the value that the slot has just lost.
void kin__stash_add(kin_context *context, uint32_t slot, kin_component_id id);

// Discards the stashed value of one component, or of all components. Does nothing where none is stashed.
void kin__stash_discard(kin_context *context, uint32_t slot, kin_component_id id);
void kin__stash_discard_all(kin_context *context, uint32_t slot);

#endif
