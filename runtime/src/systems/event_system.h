// Delivery: the systems of generated events. Each is a reactive system that tells the listeners of one event of what
// it has collected.
//
//   deliverer → collector → entities in order of collection     whose loss it tells: keepsakes have the last values
//             → value                                           a copy of what is shown, good while it is shown
//
// All pass the filter: whether the entity still has the component, or still lacks it, is asked before each call. A
// listener may do anything, so what it is shown is a copy, and what the value owns is kept until it returns.
#ifndef KIN_SRC_EVENT_SYSTEM_H
#define KIN_SRC_EVENT_SYSTEM_H

#include "collect/collector.h"

typedef struct kin__event_system {
    kin__slot_extension extension; // the first member, so that one is the other
    kin_context *context;          // NULL once it has ended
    kin__memory memory;
    uint32_t event;
    kin_collector *collector;
    struct kin__last_values *last_values; // NULL: of an event that tells of no loss, or of a flag's
    size_t size;                          // of all of it
    max_align_t value[];
} kin__event_system;

// Collects from now on. NULL without memory or room for one more group: `status` says which, and nobody is told.
kin__event_system *kin__event_system_create(kin_context *context, uint32_t event, kin_status *status);
void kin__event_system_destroy(kin__event_system *event_system);

// What its reactive system does; `self` is the deliverer.
bool kin__event_system_filter(void *self, kin_context *context, kin_entity entity);
void kin__event_system_execute(void *self, kin_context *context, const kin_entity *entities, uint32_t count);

// A collector of the entities that get or lose a component. NULL without memory or room for one more group: `status`
// says which, and nobody is told.
kin_collector *kin__component_collector(kin_context *context, kin_component_id id, kin_group_event event,
                                        kin_status *status);

#endif
