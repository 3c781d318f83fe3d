// Telling a change to the groups that watch it: group by group in order of creation, in each by order of subscription;
// then to those who listen to the entity itself. And telling the events of contexts.
//
// Before anything is told all state is that after the change, so that every listener sees the same. What a listener
// does is told at once, before the rest; calls that wait for an entity that has died meanwhile are not made.
#ifndef KIN_SRC_NOTIFY_H
#define KIN_SRC_NOTIFY_H

#include "core/core.h"

// One component was added (`previous` is NULL) or removed (`value` is NULL): tells the groups whose match that alters.
void kin__notify_added(kin_context *context, kin_entity entity, kin_component_id id, const void *value);
void kin__notify_removed(kin_context *context, kin_entity entity, kin_component_id id, const void *previous);

// One component was replaced: tells the groups that contain the entity and name the component.
void kin__notify_replaced(kin_context *context, kin_entity entity, kin_component_id id, const void *previous,
                          const void *value);

// An entity without components came to be: tells the groups that contain such a one, then the context's listeners.
void kin__notify_created(kin_context *context, kin_entity entity);

// A living entity will be destroyed. False when a reset has done so meanwhile.
bool kin__notify_will_be_destroyed(kin_context *context, kin_entity entity);

// An entity whose row was put into kin__dispatch_row is dead: tells the loss of each of its components, then that of
// being alive, then its end and, when nobody holds it, its release.
void kin__notify_destroyed(kin_context *context, kin_entity entity);

// Nobody holds a dead entity any more, whose slot is not yet free. This nests deeper than changes may.
void kin__notify_released(kin_context *context, kin_entity entity);

// A group was made at its first use.
void kin__notify_group_created(kin_group *group);

#endif
