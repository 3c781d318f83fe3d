// Cascades: destroying an entity that others name in relations. Only end.c and relation_order.c call this.
//
//   announce the entity → each holder of `destroy` in full → remove the component of each holder of `remove`, and empty
//   the field of all others → strip the entity (destroy.h)
//
// So the entities end from the leaves up. The walk goes down to a holder, marks it with the slot to which it returns
// (core/ending.h), and strips it when it has no more holders. It reads the lists from the beginning after each step:
// what listeners add is taken along too, what they detach lives on. It needs neither memory nor recursion, and all of
// it is one level of nesting.
//
// A holder that is marked already, in a circle, is not taken again. When its target is stripped first, its field is
// emptied.
//
// Invariant: an entity is stripped only when nothing names it.
#ifndef KIN_SRC_CASCADE_H
#define KIN_SRC_CASCADE_H

#include "relation/relation.h"

// Destroys a living entity that is not about to be destroyed, and what hangs on it. The caller has checked the limit
// of nested changes. Does not ask relations of `refuse`. Returns KIN_OK.
kin_status kin__cascade(kin_context *context, kin_entity entity);

// The same if relations of `refuse` allow it; otherwise reports KIN_ERROR_REFERENCED.
kin_status kin__cascade_if_allowed(kin_context *context, kin_entity entity);

// The same in the general case. Only kin__cascade calls it.
void kin__cascade_general(kin_context *context, kin_entity entity);

// Detaches all that name the entity, which will be stripped, until nothing does. False when a listener has reset the
// context.
bool kin__cascade_detach_all(kin_context *context, kin_entity entity);

// Returns whether relations of `refuse` let the entity be destroyed with all that hangs on it. If `relation` is not
// NULL: whether they let all holders be destroyed that name the entity in that relation. Otherwise reports
// KIN_ERROR_REFERENCED.
bool kin__cascade_is_allowed(kin_context *context, kin_entity entity, const kin__relation *relation);

#endif
