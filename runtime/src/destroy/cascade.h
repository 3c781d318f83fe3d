// Cascades: destroys an entity that has holders. Only end.c and relation_order.c call this.
//
//   announce the entity → destroy each holder of `destroy`, with its own cascade → remove the component of each holder
//   of `remove`, and clear the field of all others → destroy the entity itself (destroy.h)
//
// So entities are destroyed from the leaves up. The walk goes down to a holder, marks it with the slot to which it
// returns (store/store.h), and destroys it when it has no more holders. After each step it reads the lists from the
// beginning: holders that listeners add are destroyed too, and holders that they detach stay alive. It needs neither
// memory nor recursion, and the whole cascade is one level of nesting.
//
// In a circle, a holder that is marked already is not visited again. When its target is destroyed first, its field is
// cleared.
//
// Invariant: an entity is destroyed only when it has no holders.
#ifndef KIN_SRC_CASCADE_H
#define KIN_SRC_CASCADE_H

#include "lookup/lookup.h"

// Destroys a living entity that is not about to be destroyed, with its cascade. The caller must check the limit of
// nested changes. Does not check relations of `refuse`. Returns KIN_OK.
kin_status kin__cascade(kin_context *context, kin_entity entity);

// The same if relations of `refuse` allow it; else reports KIN_ERROR_REFERENCED.
kin_status kin__cascade_if_allowed(kin_context *context, kin_entity entity);

// The same in the general case. Only kin__cascade calls it.
void kin__cascade_general(kin_context *context, kin_entity entity);

// Detaches all holders of an entity that will be destroyed. False if a listener has reset the context.
bool kin__cascade_detach_all(kin_context *context, kin_entity entity);

// Returns whether relations of `refuse` allow destroying the entity with its cascade; if `relation` is not NULL, all
// holders of the entity in that relation instead. If not, reports KIN_ERROR_REFERENCED.
bool kin__cascade_is_allowed(kin_context *context, kin_entity entity, const kin__relation *relation);

#endif
