/// Delivery: generated events, as generated code sees them. Not for users; it changes with the interface.
///
/// An event has a number: its place in `events` of the context's info, which is the order of delivery. Listeners are
/// functions of a type of the event's own, which only the event's `deliver` knows: it casts them back and calls them.
#ifndef KIN_GENERATED_EVENT_SYSTEM_H
#define KIN_GENERATED_EVENT_SYSTEM_H

#include <kin/generated/storage.h>
#include <kin/systems.h>

KIN_BEGIN_DECLARATIONS

// Hangs a function on an entity, and takes the earliest equal one off again: by event, function and user.
KIN_API kin_status kin__event_listener_add(kin_context *context, kin_entity listener, uint32_t event,
                                           kin_function *function, void *user);
KIN_API kin_status kin__event_listener_remove(kin_context *context, kin_entity listener, uint32_t event,
                                              kin_function *function, void *user);

// One reactive system for each event of the context's info, in that order. NULL without memory.
KIN_API kin_systems *kin__event_systems(kin_context *context);

KIN_END_DECLARATIONS

#endif
