/// Events of one entity and of a context, beside those of groups.
///
/// Destroying an entity goes in this order: KIN_ENTITY_WILL_BE_DESTROYED, while it is still alive and complete, may be
/// changed, and is no longer counted or listed; its components go, each told to groups and as KIN_COMPONENT_REMOVED;
/// KIN_ENTITY_DESTROYED, after which its listeners are gone but those of KIN_ENTITY_RELEASED;
/// KIN_ENTITY_WAS_DESTROYED; then, once nobody holds it, KIN_ENTITY_RELEASED.
///
/// A context whose entities nobody listens to does not pay for this. One listener for the changes of one entity makes
/// every change in its context a call into the library.
#ifndef KIN_EVENT_H
#define KIN_EVENT_H

#include <kin/group.h>

KIN_BEGIN_DECLARATIONS

/// Told after the groups. `component`, `previous` and `value` are those of the change; the last two are about none.
typedef enum kin_entity_event {
    KIN_COMPONENT_ADDED,
    KIN_COMPONENT_REMOVED,
    KIN_COMPONENT_REPLACED,
    KIN_ENTITY_DESTROYED,
    KIN_ENTITY_RELEASED ///< once, when it is dead and nobody holds it; its slot is free afterwards
} kin_entity_event;

/// Told with the entity, or with the group for KIN_GROUP_CREATED; `component` is the number of components.
typedef enum kin_context_event {
    KIN_ENTITY_CREATED,
    KIN_ENTITY_WILL_BE_DESTROYED,
    KIN_ENTITY_WAS_DESTROYED,
    KIN_GROUP_CREATED ///< a matcher's first kin_context_group; not for declared groups
} kin_context_event;

/// Has `listener` called for each such event of a living entity from now on, in order of subscription, until
/// kin_unsubscribe or its death. Subscribed twice it is called twice. `user` is passed on and never read. The zero
/// subscription, with KIN_ERROR_NOT_ALIVE, with KIN_ERROR_INVALID without a listener or an event of the list, or with
/// KIN_ERROR_NO_MEMORY. Cost: a look at each component of the context; the first among 512 slots makes room there for
/// listeners of all of them.
KIN_API kin_subscription kin_entity_subscribe(kin_context *context, kin_entity entity, kin_entity_event event,
                                              kin_listener *listener, void *user);

/// The same for events of a context, until kin_unsubscribe or its end. Cost: one allocation at most; from then on one
/// call for each such event.
KIN_API kin_subscription kin_context_subscribe(kin_context *context, kin_context_event event, kin_listener *listener,
                                               void *user);

KIN_END_DECLARATIONS

#endif
