// Subscribers: the listeners of one group, one entity or one context, in order of subscription.
//
//   list   first ⇄ … ⇄ last        events: the union of the subscribers' events
//
// A subscriber that ends stays linked while a change is notified, since a walk may be at it. When the outermost
// change has finished, it is unlinked and kept for the next subscription.
//
// Invariants, of which kin__context_is_valid() checks 1 and 2 for groups:
//   1. `events` of a list has at least the events of its subscribers
//   2. a linked subscriber names its list
//   3. an empty list has no events; serial numbers of live subscribers ascend
//
// Cost: constant, except that releasing visits each subscriber.
#ifndef KIN_SRC_SUBSCRIBER_H
#define KIN_SRC_SUBSCRIBER_H

#include "store/store.h"

// Adds or removes one watcher of a component. While it has watchers, generated code leaves changes of the component to
// the library. The number of components as `id` stands for being alive.
void kin__component_watch(kin_context *context, uint32_t id, bool on);

// Returns an unused subscriber; NULL when out of memory, which the caller reports.
kin__subscriber *kin__subscriber_make(kin_context *context);

// Links a subscriber at the end of its list. It is notified of all changes that begin from now on.
void kin__subscriber_append(kin__subscriber *subscriber);

// Unlinks a subscriber from its list. No walk may be at it.
void kin__subscriber_unlink(kin__subscriber *subscriber);

// Unlinks and recycles all retired subscribers. No change is being notified.
void kin__subscribers_settle(kin_context *context);

// Frees the subscribers of a list; and those that were kept for the next subscription.
void kin__subscriber_list_release(kin_context *context, kin__subscriber_list *subscribers);
void kin__subscribers_release(kin_context *context);

#endif
