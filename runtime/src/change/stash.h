// Stash: values that were taken off their entities and are kept aside, to be added again. Whoever stashes is one more of
// those who wait for the value that a component lost last (last_value.h), until it is added or the entity dies.
//
// Invariants, checked by kin__last_values_are_valid():
//   1. what is stashed is kept, waited for, and of an entity that lives without the component
//   2. core.stashed counts them; each is one of those who end with an entity (core.events.mourners)
#ifndef KIN_SRC_STASH_H
#define KIN_SRC_STASH_H

#include "storage/last_value.h"

// The value that the slot has just lost, and for which there are keepsakes, is stashed.
void kin__stash_put(kin_context *context, uint32_t slot, kin_component_id id);

// Gives up what is stashed of a component, and of all components. Nothing where nothing is.
void kin__stash_give_up(kin_context *context, uint32_t slot, kin_component_id id);
void kin__stash_end(kin_context *context, uint32_t slot);

#endif
