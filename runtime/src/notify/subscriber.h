// Subscribers: the listeners of one group, one entity or one context, in the order of subscription.
//
// A subscriber that has ended stays linked while a change is notified, since a walk may stand on it, and is unlinked
// and recycled when the outermost change has finished.
#ifndef KIN_SRC_SUBSCRIBER_H
#define KIN_SRC_SUBSCRIBER_H

#include "core/core.h"

// Counts one subscriber of a component's changes more, or one less. While there are any, changes of the component go by
// the library. `id` may be the number of components: being alive.
void kin__component_watch(kin_context *context, uint32_t id, bool on);

// Returns an unused subscriber. NULL without memory.
kin__subscriber *kin__subscriber_make(kin_context *context);

// Links a subscriber at the end of its list. It is notified of all that begins from now on.
void kin__subscriber_append(kin__subscriber *subscriber);

// Unlinks a subscriber from its list. No walk may stand on it.
void kin__subscriber_unlink(kin__subscriber *subscriber);

// Unlinks and recycles all subscribers that were retired. No change is being notified.
void kin__subscribers_settle(kin_context *context);

// Frees the subscribers of a list, and those that can be used again.
void kin__subscriber_list_release(kin_context *context, kin__subscriber_list *subscribers);
void kin__subscribers_release(kin_context *context);

#endif
