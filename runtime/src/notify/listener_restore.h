// Restoring listeners: subscriptions to an entity, and its listeners of generated events, stay where it is alive before
// and after a restore. All others end, and nobody is told.
//
// Cost: nothing for chunks without subscribers and listeners; else one visit to each slot that has them.
#ifndef KIN_SRC_LISTENER_RESTORE_H
#define KIN_SRC_LISTENER_RESTORE_H

#include "notify/listener.h"

// Ends them in a chunk, whose head is still that of before. `ids` and `alive` are those of after; NULL: the chunk will
// have no entities. To be called for every chunk, also for those whose heads stay: dead entities that are held may have
// subscribers. No change and no delivery may be under way.
void kin__listeners_restore(kin_context *context, uint32_t chunk, const kin_entity *ids, const uint64_t *alive);

#endif
