// Frames: the changes whose notifications are under way, innermost first.
//
// A frame lives on the stack of the call that makes the change. Only those that other code may have to find are in this
// list: an entity about to be destroyed, one being destroyed, and a lost component that may leave a last value.
// These queries walk the list, which is as long as listeners nest.
#ifndef KIN_SRC_FRAME_H
#define KIN_SRC_FRAME_H

#include "core/core.h"

// Whether a listener, a system or the error handler of the context is being called: it cannot be destroyed now.
bool kin__context_is_in_use(const kin_context *context);

// Whether the entity is alive and its context listeners are being notified that it will be destroyed.
bool kin__finds_about_to_be_destroyed(const kin_context *context, kin_entity entity);
static inline bool kin__is_about_to_be_destroyed(const kin_context *context, kin_entity entity)
{
    return context->core->slots.about_to_be_destroyed != 0 && kin__finds_about_to_be_destroyed(context, entity);
}

// Whether the entity, or the last one of the slot, is being destroyed now: its components are being removed.
bool kin__is_being_destroyed(const kin_context *context, kin_entity entity);
kin_entity kin__being_destroyed_in(const kin_context *context, uint32_t slot); // 0: none
bool kin__is_slot_being_destroyed(const kin_context *context, uint32_t slot);

#endif
