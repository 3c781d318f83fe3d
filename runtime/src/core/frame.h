// Frames: the changes whose notifications are under way, innermost first.
//
//   dispatch.frames → frame → outer frame → …      each on the stack of the call that makes the change
//
// The list has only the frames that other code must find: of an entity about to be destroyed, of an entity being
// destroyed, and of a removed component that may leave a last value. These queries walk the list, which is at most as
// long as changes nest.
//
// Invariants, checked by kin__frames_are_valid():
//   1. each frame of the list shows a change of this context, and the list has at most as many frames as changes nest
//   2. slots.about_to_be_destroyed counts the frames that are marked so, and the marked entities (ending.h)
#ifndef KIN_SRC_FRAME_H
#define KIN_SRC_FRAME_H

#include "core/core.h"

// Returns whether a listener, a system or the error handler of the context is being called: it cannot be destroyed now.
bool kin__context_is_in_use(const kin_context *context);

// Returns whether the entity, which is still alive, will be destroyed: subscribers are being notified of that, or it is
// in a cascade.
bool kin__has_will_destroy_frame(const kin_context *context, kin_entity entity);
static inline bool kin__is_about_to_be_destroyed(const kin_context *context, kin_entity entity)
{
    return context->core->slots.about_to_be_destroyed != 0 && kin__has_will_destroy_frame(context, entity);
}

// Returns whether the entity is being destroyed: it is dead, and the removal of its components is being notified.
bool kin__is_being_destroyed(const kin_context *context, kin_entity entity);

// Returns the entity of the slot that is being destroyed, also one from before a reset; 0 if there is none.
kin_entity kin__being_destroyed_in(const kin_context *context, uint32_t slot);
bool kin__is_slot_being_destroyed(const kin_context *context, uint32_t slot);

bool kin__frames_are_valid(const kin_context *context);

#endif
