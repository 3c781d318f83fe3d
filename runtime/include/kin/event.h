/// Events of a single entity and of a context, in addition to those of groups (group.h).
///
/// Destroying an entity notifies in this order:
///
///   1. KIN_ENTITY_WILL_BE_DESTROYED: the entity is still alive and complete, and may be changed. It is no longer
///      counted or listed.
///   2. KIN_COMPONENT_REMOVED for each component, after the groups.
///   3. KIN_ENTITY_DESTROYED. Then the entity's subscriptions end, except those to KIN_ENTITY_RELEASED.
///   4. KIN_ENTITY_WAS_DESTROYED.
///   5. KIN_ENTITY_RELEASED, once nothing holds the entity.
///
/// KIN_COMPONENT_CHANGED is called last for a change, also for those of step 2.
///
/// Without entity subscriptions a context pays nothing for this. One subscription to component changes of one entity,
/// or to KIN_COMPONENT_CHANGED, turns every component change in its context into a call into the library.
#ifndef KIN_EVENT_H
#define KIN_EVENT_H

#include <kin/group.h>

KIN_BEGIN_DECLARATIONS

/// An event of one entity. Groups are notified first. In the kin_change, `component`, `previous` and `value` describe
/// the changed component; the last two events have no component.
typedef enum kin_entity_event {
    KIN_COMPONENT_ADDED,
    KIN_COMPONENT_REMOVED,
    KIN_COMPONENT_REPLACED,
    KIN_ENTITY_DESTROYED,
    KIN_ENTITY_RELEASED ///< once, when the entity is dead and nothing holds it; its slot is free afterwards
} kin_entity_event;

/// An event of a context. The kin_change has the entity, or the group for KIN_GROUP_CREATED. Its `component` is the
/// number of components, except for KIN_COMPONENT_CHANGED: that has component, `event` and values.
typedef enum kin_context_event {
    KIN_ENTITY_CREATED,
    KIN_ENTITY_WILL_BE_DESTROYED,
    KIN_ENTITY_WAS_DESTROYED,
    KIN_GROUP_CREATED, ///< kin_context_group made a new group; declared groups have no such event
    /// A component of any entity was added, removed, or replaced, which includes touched. It is called once for each
    /// change, after the listeners of groups and of the entity: for each component of an entity that is spawned, cloned
    /// or destroyed, also by a reset. Writing through `edit` is not a change.
    KIN_COMPONENT_CHANGED,
    /// A snapshot was restored, and everything is in place. The entity is 0. Without KIN_RESTORE_NOTIFY a restore
    /// notifies of nothing else.
    KIN_CONTEXT_RESTORED
} kin_context_event;

/// Calls `listener` for each later event of this kind of a living entity, until kin_unsubscribe or the entity's death.
/// Listeners are called in order of subscription; a listener that is subscribed twice is called twice. `user` is passed
/// on and never read.
///
/// On failure returns the zero subscription: KIN_ERROR_NOT_ALIVE; KIN_ERROR_INVALID without a listener or for an
/// unknown event; KIN_ERROR_NO_MEMORY. Cost: visits each component of the context; the first subscription in a chunk of
/// 512 slots allocates a table for all of its slots.
KIN_API kin_subscription kin_entity_subscribe(kin_context *context, kin_entity entity, kin_entity_event event,
                                              kin_listener *listener, void *user);

/// The same for an event of a context, until kin_unsubscribe or the end of the context. Cost: at most one allocation;
/// from then on one call for each such event. The first and the last subscription to KIN_COMPONENT_CHANGED also visit
/// each component and blueprint of the context.
KIN_API kin_subscription kin_context_subscribe(kin_context *context, kin_context_event event, kin_listener *listener,
                                               void *user);

KIN_END_DECLARATIONS

#endif
