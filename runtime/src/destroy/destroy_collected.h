// Destroying an entity in a context with collectors or owners, where no listener is notified. Collectors and owners may
// hold the entity, and collectors may collect it because it leaves their groups. Only end.c and destroy_fast.c call
// this.
//
// Invariant: the collectors, and the entities that each has afterwards, are the same as in the general case
// (destroy.h).
#ifndef KIN_SRC_DESTROY_COLLECTED_H
#define KIN_SRC_DESTROY_COLLECTED_H

#include "store/store.h"

// Destroys a living entity; or returns false, with nothing changed, if its death may notify a subscriber other than a
// collector. `subscribers` is the number of subscribers that it notifies. The caller must make the checks of
// kin__entity_destroy.
bool kin__entity_destroy_collected(kin_context *context, kin_entity entity, uint32_t subscribers);

// Destroys a living entity without watchers (silent.h), which may be held. Returns KIN_OK.
kin_status kin__entity_destroy_unwatched(kin_context *context, kin_entity entity);

#endif
