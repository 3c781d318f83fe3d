// Events of entities and contexts: who listens to them. Telling them is for notify.c.
//
//   context   events.audience                          chunk   audiences[512], made with its first subscription
//
// Each audience has one list for all of its events. The audience of a slot is that of the entity in it: of the living
// one, or of the dead one that is not released yet.
//
// Invariants:
//   1. while somebody is told of the changes of an entity, every component has one watcher more, and there is room to
//      keep a value of any component
//   2. while somebody is told of new entities, being alive has one watcher more
//   3. an entity that is released has no subscribers
#ifndef KIN_SRC_EVENT_H
#define KIN_SRC_EVENT_H

#include "storage/chunk.h"

// Behind KIN__EVENT_ADDED and the others of groups.
enum {
    KIN__EVENT_COMPONENT_ADDED = 1 << 3,
    KIN__EVENT_COMPONENT_REMOVED = 1 << 4,
    KIN__EVENT_COMPONENT_REPLACED = 1 << 5,
    KIN__EVENT_DESTROYED = 1 << 6,
    KIN__EVENT_RELEASED = 1 << 7,
    KIN__EVENT_CREATED = 1 << 8,
    KIN__EVENT_WILL_BE_DESTROYED = 1 << 9,
    KIN__EVENT_WAS_DESTROYED = 1 << 10,
    KIN__EVENT_GROUP_CREATED = 1 << 11,
    KIN__EVENTS_OF_CHANGES = KIN__EVENT_COMPONENT_ADDED | KIN__EVENT_COMPONENT_REMOVED | KIN__EVENT_COMPONENT_REPLACED,
    KIN__EVENTS_OF_ENTITIES = KIN__EVENTS_OF_CHANGES | KIN__EVENT_DESTROYED | KIN__EVENT_RELEASED,
};

// Who listens to the entity of a slot; NULL when nobody in the whole chunk is listened to.
static inline kin__subscriber_list *kin__subscribers_of(const kin_context *context, uint32_t slot)
{
    const kin__chunk *chunk = kin__chunk_of_slot(context, slot);
    return chunk->subscriber_lists == NULL ? NULL : &chunk->subscriber_lists[slot % KIN__CHUNK_SLOTS];
}

// Whether somebody may have to be told of changes of the entity in a slot.
static inline bool kin__has_entity_subscribers(const kin_context *context, uint32_t slot)
{
    if (context->core->events.entity_subscribers == 0)
        return false;
    const kin__subscriber_list *subscribers = kin__subscribers_of(context, slot);
    return subscribers != NULL && subscribers->first != NULL;
}

// Ends the subscription of a subscriber without a group; it is still to be retired.
void kin__event_end(kin__subscriber *subscriber);

// Ends all subscriptions to the entity of a slot but those to one of the events of `but`.
void kin__subscribers_end(kin_context *context, uint32_t slot, uint32_t but);

// All memory of subscriptions to the context and its entities.
void kin__events_release(kin_context *context);

#endif
