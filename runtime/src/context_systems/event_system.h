// Event systems: each calls the listeners of one generated event for the entities that it has collected.
//
//   event system → collector → entities in order of collection
//                → last values    of removed components, for an event that reports removals
//                → value          a copy of the value that is passed to the listeners, valid during the call
//
// All collected entities pass the filter. Whether an entity still has the component, or still lacks it, is tested
// before each call. A listener may do anything, so it gets a copy of the value, and the value's owned block is kept
// until the listener returns.
//
// Invariants:
//   1. `last_values` is set exactly for an event that reports removals of a component with a value
//   2. the node owns the collector from the moment it is added; until then the event system owns it
//
// Cost: one call for each listener and entity, and a copy of the value for each call.
#ifndef KIN_SRC_EVENT_SYSTEM_H
#define KIN_SRC_EVENT_SYSTEM_H

#include "notify/notify.h"

typedef struct kin__event_system {
    kin__slot_extension extension; // first member: its address is that of the event system
    kin_context *context;          // NULL once it is destroyed
    kin__memory memory;
    uint32_t event;
    kin_collector *collector;             // NULL once the node owns it
    struct kin__last_values *last_values; // NULL: none
    size_t size;                          // bytes of this struct and the value
    max_align_t value[];
} kin__event_system;

// Makes an event system that collects from now on. NULL when out of memory or when the context has no room for one more
// group: `status` has the error, which is not reported.
kin__event_system *kin__event_system_create(kin_context *context, uint32_t event, kin_status *status);
void kin__event_system_destroy(kin__event_system *event_system);

// Calls the listeners for each of the entities: the `execute` of the reactive node. `self` is the event system.
void kin__event_system_execute(void *self, kin_context *context, const kin_entity *entities, uint32_t count);

#endif
