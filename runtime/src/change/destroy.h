// Destroy: the end of an entity in the general case; the fast path is in destroy_fast.c.
//
//   notify will-be-destroyed → dead: handle, keys, carriers → notify each component, ascending → values → slot
//
// All components go at once, and are notified one by one afterwards (ENT-13 to ENT-15): so this is one change and not a
// removal each. It needs no memory and reserves nothing (DSP-12).
//
// Invariant: while components are notified, no query, group or index finds the entity.
#ifndef KIN_SRC_DESTROY_H
#define KIN_SRC_DESTROY_H

#include "core/core.h"

// Destroys a living entity, or reports why not.
kin_status kin__entity_destroy(kin_context *context, kin_entity entity);

// The same if the change may nest and the entity is not about to be destroyed: this does not fail.
void kin__entity_end(kin_context *context, kin_entity entity);

// The same without notifying that it will be destroyed.
void kin__entity_die(kin_context *context, kin_entity entity);

#endif
