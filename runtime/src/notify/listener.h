// Listeners of generated events: the functions that were added to entities. event_system.c calls them.
//
//   core.listeners.blocks[event] → one kin__listener_block a chunk, allocated with its first listener
//     occupied[8]     a bit a slot: its list is not empty
//     lists[512]      listener → listener → …, in order of adding
//
// A listener ends when it is removed or its entity dies; this needs no memory. While an event is delivered, ended
// listeners stay linked, since a walk may be at one; the end of the outermost delivery unlinks and frees them. A
// listener that is added during a delivery has a higher serial number than the delivery, which skips it.
//
// Invariants, checked by kin__listeners_are_valid():
//   1. a slot's bit is set exactly while its list has a listener, and `last` is the last of the list
//   2. the live listeners of a list have ascending serial numbers, and their entity is alive
//   3. outside of deliveries no ended listener is in a list
//   4. `count` is the number of live listeners
//
// Cost: to add is constant; to remove is a walk over the entity's list; to call, a walk over the bits of each chunk.
#ifndef KIN_SRC_LISTENER_H
#define KIN_SRC_LISTENER_H

#include "store/store.h"

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

typedef struct kin__listener_block {
    uint64_t occupied[KIN__CHUNK_WORDS];
    kin__event_listeners lists[KIN__CHUNK_SLOTS];
} kin__listener_block;

// Returns the lists of the slot's chunk; NULL when no entity of the chunk ever had a listener of the event.
kin__listener_block *kin__listener_block_of(const kin_context *context, uint32_t event, uint32_t slot);

// Returns the number of the first chunk from which on no chunk has listeners of the event.
uint32_t kin__listener_block_count(const kin_context *context, uint32_t event);

// Begins and ends a delivery, during which ended listeners stay linked.
void kin__delivery_begin(kin_context *context);
void kin__delivery_end(kin_context *context);

// Ends all listeners of the entity in a slot.
void kin__listeners_end(kin_context *context, uint32_t slot);

// Frees all memory of listeners.
void kin__listeners_release(kin_context *context);

bool kin__listeners_are_valid(const kin_context *context);

#endif
