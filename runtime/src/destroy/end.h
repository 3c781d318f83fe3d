// Destroying an entity: notifies that it will be destroyed, then destroys it: silently (silent.h) if its death notifies
// nothing, else by the general case (destroy.h).
#ifndef KIN_SRC_END_H
#define KIN_SRC_END_H

#include "store/store.h"

// Destroys a living entity, or reports why not.
kin_status kin__entity_destroy(kin_context *context, kin_entity entity);

// The same after the caller has checked that the change may nest and that the entity is not about to be destroyed.
// Cannot fail.
void kin__entity_destroy_checked(kin_context *context, kin_entity entity);

#endif
