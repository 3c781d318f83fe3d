// Watches: which groups must be told when a component changes. A group stands in the lists of the components that it
// names (of all, for an `only` rule; of being alive, when an entity without components matches) from its first
// subscriber to its last, with a mask for each (mask.h).
#ifndef KIN_SRC_WATCH_H
#define KIN_SRC_WATCH_H

#include "core/core.h"

// Room for a group in the lists of its components, for good. False without memory.
bool kin__watch_reserve(kin_group *group);

// All memory of a list.
void kin__watch_release(kin_context *context, kin__watch *watch);

// Gives that room back, for a group without subscribers.
void kin__watch_give_back(kin_group *group);

// Begins and ends a subscription whose fields for listening are set, at the end of its group's list. Room was
// reserved.
void kin__subscriber_begin(kin__subscriber *subscriber);
void kin__subscriber_end(kin__subscriber *subscriber);

// The bits of an event; 0 for a number that is none.
uint32_t kin__event_bits(kin_group_event event);

#endif
