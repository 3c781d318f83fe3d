// Components: what other modules do with them beside the calls of storage.h.
#ifndef KIN_SRC_COMPONENT_H
#define KIN_SRC_COMPONENT_H

#include "event.h"
#include "value.h"

// Gives a living entity without the component the value, and tells. Nothing can fail any more: there is a column, no
// other carrier of a unique one, the change may nest, and `room` is from kin__room_make.
void kin__component_put(kin_context *context, kin_entity entity, kin_component_id id, const kin__room *room);

// Whether anybody may have to be told of a change of the component on the entity.
static inline bool kin__is_watched(const kin_context *context, kin_entity entity, kin_component_id id)
{
    return context->core->watches[id].count > 0 || kin__is_observed(context, kin_entity_slot(entity));
}

// The operations of storage.h for every component, with all that one may need; those have a shorter way for most.
kin_status kin__component_add_any(kin_context *context, kin_entity entity, kin_component_id id, const void *value);
kin_status kin__component_replace_any(kin_context *context, kin_entity entity, kin_component_id id, const void *value);
kin_status kin__component_remove_any(kin_context *context, kin_entity entity, kin_component_id id);

#endif
