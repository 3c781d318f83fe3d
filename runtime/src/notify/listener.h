// Listeners of generated events: which function hangs on which entity. Calling them is for event_system.c.
//
//   core.listeners.perches[event] → perches, one for each chunk, made with the first listener there
//     perch   occupied[8]     a bit a slot: somebody hangs there
//             lists[512]      hook → hook → …, in order of adding
//
// Who is taken off, or whose entity dies, ends at once: to end one needs no memory. While an event is delivered, the
// hooks of those that ended stay in their lists, so that whoever stands on one can go on; they go with the last
// delivery. A hook has a serial number: who was added during a delivery has a later one than the delivery began with.
//
// Invariants, checked by kin__listeners_are_valid():
//   1. a slot's bit is set exactly where its list has somebody, in order of their serial numbers
//   2. who has not ended hangs on a living entity, and `count` of them do
//   3. outside of deliveries nobody in a list has ended
#ifndef KIN_SRC_LISTENER_H
#define KIN_SRC_LISTENER_H

#include "core/core.h"

typedef struct kin__event_listener {
    uint64_t serial; // 0: it has ended
    kin_function *function;
    void *user;
    uint32_t event, slot;
    struct kin__event_listener *next, *next_ended;
} kin__event_listener;

typedef struct kin__event_listeners {
    kin__event_listener *first, *last;
} kin__event_listeners;

typedef struct kin__listener_slots {
    uint64_t occupied[KIN__CHUNK_WORDS];
    kin__event_listeners lists[KIN__CHUNK_SLOTS];
} kin__listener_slots;

// Of the chunk of a slot. NULL: nobody has ever listened to the event there.
kin__listener_slots *kin__listener_slots_of(const kin_context *context, uint32_t event, uint32_t slot);

// Chunks from this number on have no perch of the event.
uint32_t kin__listener_slots_count(const kin_context *context, uint32_t event);

// Begins and ends a delivery, during which all hooks stay.
void kin__listeners_hold(kin_context *context);
void kin__listeners_let_go(kin_context *context);

// All listeners of the entity in a slot end.
void kin__listeners_end(kin_context *context, uint32_t slot);

// All memory of listeners.
void kin__listeners_release(kin_context *context);

bool kin__listeners_are_valid(const kin_context *context);

#endif
