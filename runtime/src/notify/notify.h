// Notifies the subscribers of a change.
//
//   notify_component.h   a component is added, removed or replaced: calls the groups that it concerns
//   notify_component.c   the same for callers outside of the fast path, and for rows of several words
//   notify_entity.c      an entity is created, destroyed or released; a group is created
//   notify_subscribers.h calls the subscribers of one list
//
// Order: the groups that watch the component, in order of creation; the subscribers of each in order of subscription;
// then the subscribers of the entity, then those of KIN_COMPONENT_CHANGED. The change is complete before the first
// call, so all listeners see the same state. A change that a listener makes is notified within that listener. Once the
// entity is dead, the remaining calls are skipped.
//
// The functions do not allocate and cannot fail. Cost: one compare a group that watches the component, and the calls.
#ifndef KIN_SRC_NOTIFY_H
#define KIN_SRC_NOTIFY_H

#include "store/store.h"

// A component was added (`previous` is NULL) or removed (`value` is NULL): notifies the groups that the entity enters
// or leaves.
void kin__notify_added(kin_context *context, kin_entity entity, kin_component_id id, const void *value);
void kin__notify_removed(kin_context *context, kin_entity entity, kin_component_id id, const void *previous);

// A component was replaced: notifies the groups that name the component and contain the entity.
void kin__notify_replaced(kin_context *context, kin_entity entity, kin_component_id id, const void *previous,
                          const void *value);

// An entity without components was created: notifies the groups that it matches, then the subscribers of the context.
void kin__notify_created(kin_context *context, kin_entity entity);

// Notifies that an entity, which is alive, will be destroyed. False when a reset in a listener has destroyed it.
bool kin__notify_will_be_destroyed(kin_context *context, kin_entity entity);

// An entity is dead, and the caller has copied its row to kin__dispatch_row: notifies the loss of each component in
// ascending order, then of being alive, then that it was destroyed and, if it has no holder, that it is released.
void kin__notify_destroyed(kin_context *context, kin_entity entity);

// The last hold of a dead entity was removed, and its slot is not free yet. May nest deeper than other changes.
void kin__notify_released(kin_context *context, kin_entity entity);

// A group was created by its first use.
void kin__notify_group_created(kin_group *group);

// Notifies that a snapshot was restored. The context is not in a change.
void kin__notify_restored(kin_context *context);

#endif
