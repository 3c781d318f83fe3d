// Watches: for each component the groups to notify when it changes.
//
//   watches[id]   groups [ g0 | g3 | g7 ]      in order of creation
//                 masks  [ m0 | m3 | m7 ]      one for each (mask.h)
//
// A group is in the lists of the components that it names: of all components, if it has an `only` rule; of being alive,
// if an entity without components matches. It enters the lists with its first subscriber and leaves them with its last.
//
// Most subscribers are collectors. A change that only they watch calls no listener: it needs no frame, and no copies of
// rows and values (gather.h).
//
// Invariants, checked by kin__context_is_valid():
//   1. groups of a list have live subscribers, and ascending numbers
//   2. a component with groups has watchers, and context.watched has its bit exactly while it has watchers
//   3. `listened` is 0 exactly while all live subscribers of the groups of the list belong to collectors
//   4. count ≤ reserved; a group that has reserved room (has_room) enters each list without allocating
//
// Cost: the first and the last subscriber of a group move the later groups of each list; others change none.
#ifndef KIN_SRC_WATCH_H
#define KIN_SRC_WATCH_H

#include "store/store.h"

// Whether only collectors, or nobody, must be notified of changes of the component. They keep no last values of it, and
// changes cannot be refused because of the depth of nesting.
static inline bool kin__only_collectors_watch(const kin_context *context, uint32_t id)
{
    const kin__core *core = context->core;
    return core->watches[id].listened == 0 && context->components[id].watchers == core->watches[id].count &&
           (core->last_values == NULL || core->last_values[id] == NULL);
}

// Reserves room for the group in the lists of its components. False when out of memory, which the caller reports.
bool kin__watch_reserve(kin_group *group);

// Frees all memory of a list.
void kin__watch_release(kin_context *context, kin__watch *watch);

// Gives back the room that was reserved for the group, which has no subscribers.
void kin__watch_unreserve(kin_group *group);

// Begins and ends a subscription to a group, which the subscriber names. kin__watch_reserve has reserved room.
void kin__group_subscriber_begin(kin__subscriber *subscriber);
void kin__group_subscriber_end(kin__subscriber *subscriber);

// Gives a subscriber of a group another listener, which is that of a collector or not.
void kin__group_subscriber_set_listener(kin__subscriber *subscriber, kin_listener *listener, bool collects);

// Returns the bits of an event; 0 for an unknown one.
uint32_t kin__event_bits(kin_group_event event);

#endif
