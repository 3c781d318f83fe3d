// Gathering: the collectors of a change collect its entity, where nobody else watches the change. They call no code of
// the user, so that nothing is kept for listeners: there is no frame, and no copy of a row or a value. The order in
// which collectors collect one entity cannot be seen.
//
// The caller has checked that only collectors watch (kin__watch.listened). The functions visit the same groups with the
// same events as those of notify_component.h and notify_entity.c.
#ifndef KIN_SRC_GATHER_H
#define KIN_SRC_GATHER_H

#include "store/store.h"

// Gathers for the groups that contain, or contained, an entity with this row, which has the component. `events` is what
// they notify.
void kin__gather_members(const kin_context *context, kin_component_id id, const uint64_t *row, uint32_t events,
                         kin_entity entity);

// Gathers for the groups that the entity enters or leaves because the component was added or removed. The row is the
// entity's, after the change; it is changed for a moment and restored.
void kin__gather_crossed(const kin_context *context, kin_component_id id, uint64_t *row, bool added, kin_entity entity);

#endif
