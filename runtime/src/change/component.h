// Components: what other modules do with them beside the calls of storage.h.
#ifndef KIN_SRC_COMPONENT_H
#define KIN_SRC_COMPONENT_H

#include "index/index.h"
#include "notify/event.h"
#include "storage/value.h"

// Whether a component can be added to a living entity that has none, with all that this needs; `*room` is then for
// kin__component_put. KIN_OK, or why not, with nothing changed.
kin_status kin__component_reserve(kin_context *context, const kin__step *step, kin__room *room);

// Whether the step, a removal, can be made: KIN_OK, or why not. Nothing can fail afterwards.
kin_status kin__component_check_removal(kin_context *context, const kin__step *step);

// Takes the component away, as that has allowed, and tells; `stashing`: its value stays aside.
void kin__component_lose(kin_context *context, const kin__step *step, bool stashing);

// Tells why a step cannot be made, and returns the status.
kin_status kin__component_refuse(const kin_context *context, kin_status status, const char *verb,
                                 const kin__step *step);

// Gives a living entity without the component the value, and tells. Nothing can fail any more: there is a column, no
// other carrier of a unique one, the change may nest, and `room` is from kin__room_make.
void kin__component_put(kin_context *context, kin_entity entity, kin_component_id id, const kin__room *room);

// Writes over the value of a component that is there, and tells both. Nothing can fail any more: the indices allow it,
// the change may nest, and the step's value is in the parcel, where it owns anything.
void kin__component_overwrite(kin_context *context, const kin__step *step, kin__owned_block *owned_block);

// Whether a step of making an entity, which was checked before, can still be made: KIN_OK, or why a listener has made it
// impossible. `life` is the count of resets when the entity was made.
kin_status kin__component_check_put(kin_context *context, const kin__step *step, uint64_t epoch);

// Whether anybody may have to be told of a change of the component on the entity.
static inline bool kin__is_watched(const kin_context *context, kin_entity entity, kin_component_id id)
{
    return context->core->watches[id].count > 0 || kin__has_entity_subscribers(context, kin_entity_slot(entity));
}

// The operations of storage.h for every component, with all that one may need; those have a shorter way for most.
kin_status kin__component_add(kin_context *context, kin_entity entity, kin_component_id id, const void *value);
kin_status kin__component_replace(kin_context *context, kin_entity entity, kin_component_id id, const void *value);
kin_status kin__component_remove(kin_context *context, kin_entity entity, kin_component_id id);

// Replaces or adds like kin__component_replace without a report; sets the kind of the step, which describes a
// refusal.
kin_status kin__component_try_replace(kin_context *context, kin__step *step);

#endif
