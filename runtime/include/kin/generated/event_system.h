/// Generated events, for generated code only. Changes with the interface version.
///
/// The number of an event is its index in `events` of the context's info, which is in order of delivery. Each event has
/// its own type of listener functions. They are stored as kin_function; the event's `deliver` casts them back and calls
/// them.
#ifndef KIN_INTERNAL_EVENT_SYSTEM_H
#define KIN_INTERNAL_EVENT_SYSTEM_H

#include <kin/generated/storage.h>
#include <kin/systems.h>

KIN_BEGIN_DECLARATIONS

// Adds a listener to the entity `listener`, and removes the earliest listener with the same event, function and user.
KIN_API kin_status kin__event_listener_add(kin_context *context, kin_entity listener, uint32_t event,
                                           kin_function *function, void *user);
KIN_API kin_status kin__event_listener_remove(kin_context *context, kin_entity listener, uint32_t event,
                                              kin_function *function, void *user);

// Makes a collection with one reactive system for each event of the context's info, in the same order. NULL, already
// reported, when out of memory.
KIN_API kin_systems *kin__event_systems(kin_context *context);

KIN_END_DECLARATIONS

#endif
