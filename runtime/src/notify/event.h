// Events of entities and contexts: their subscribers. notify_entity.c and notify_component.c call them.
//
//   context   events.subscribers        one list for all events of the context
//   chunk     subscriber_lists[512]     one list a slot, for all events of its entity; allocated with the first one
//
// The list of a slot belongs to the entity in it: the one that is alive, or the dead one that is not released yet.
//
// Invariants:
//   1. while a subscriber waits for changes of one entity or of all, every component has one more watcher, and
//      store.h has room for a value of any component
//   2. while a subscriber waits for new entities, being alive has one more watcher; while one waits for changes of all
//      entities, every blueprint has one more
//   3. an entity that is released has no subscribers
//   4. the counters of core.events count the live subscribers of their events
//
// Cost: to begin or end a subscription is constant, except for the first and last one for changes, which visit every
// component and, for changes of all entities, every blueprint.
#ifndef KIN_SRC_EVENT_H
#define KIN_SRC_EVENT_H

#include "store/store.h"

// Bits that follow those of groups (KIN__EVENTS_OF_GROUPS).
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
    KIN__EVENT_COMPONENT_CHANGED = 1 << 13, // bits 12 and 14 are in store.h
    KIN__EVENT_RESTORED = 1 << 15,
    KIN__EVENTS_OF_CHANGES = KIN__EVENT_COMPONENT_ADDED | KIN__EVENT_COMPONENT_REMOVED | KIN__EVENT_COMPONENT_REPLACED,
    KIN__EVENTS_OF_ENTITIES = KIN__EVENTS_OF_CHANGES | KIN__EVENT_DESTROYED | KIN__EVENT_RELEASED,
};

// Returns the subscribers of the entity in a slot; NULL when no entity of the chunk ever had one.
static inline kin__subscriber_list *kin__subscribers_of(const kin_context *context, uint32_t slot)
{
    const kin__chunk *chunk = kin__chunk_of_slot(context, slot);
    return chunk->subscriber_lists == NULL ? NULL : &chunk->subscriber_lists[slot % KIN__CHUNK_SLOTS];
}

// Whether changes of the entity in a slot may have subscribers besides those of groups.
static inline bool kin__has_change_subscribers(const kin_context *context, uint32_t slot)
{
    if (context->core->events.change_subscribers == 0)
        return false;
    if (context->core->events.any_change_subscribers > 0)
        return true;
    const kin__subscriber_list *subscribers = kin__subscribers_of(context, slot);
    return subscribers != NULL && subscribers->first != NULL;
}

// Ends a subscription to an entity or the context. The caller retires the subscriber.
void kin__event_subscriber_end(kin__subscriber *subscriber);

// Ends and retires the subscriptions to the entity in a slot, except those to an event of `except`. A change is being
// notified.
void kin__subscribers_end(kin_context *context, uint32_t slot, uint32_t except);

// Frees all memory of subscriptions to the context and its entities.
void kin__events_release(kin_context *context);

#endif
