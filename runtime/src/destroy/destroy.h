// Destroys an entity in the general case, with subscribers to notify. Only end.c calls it. The steps:
//
//   mark the entity dead → erase its keys → free its unique components → notify the removal of each component, by id
//   → drop its values → free its slot
//
// All components are removed at once, then notified one by one (ENT-13 to ENT-15). So a destroy is one change, not one
// removal for each component. It needs no memory and reserves nothing (DSP-12).
//
// Invariant: while components are notified, no query, group or index finds the entity.
#ifndef KIN_SRC_DESTROY_H
#define KIN_SRC_DESTROY_H

#include "store/store.h"

// Destroys a living entity. The caller has called the listeners of KIN_ENTITY_WILL_BE_DESTROYED, if there are any, and
// has checked the limit of nested changes (DSP-13). Cannot fail.
void kin__entity_destroy_announced(kin_context *context, kin_entity entity);

#endif
