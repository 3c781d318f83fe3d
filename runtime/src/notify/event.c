#include "notify/notify.h"

#include <kin/event.h>

static size_t subscriber_lists_size(void)
{
    return KIN__CHUNK_SLOTS * sizeof(kin__subscriber_list);
}

// ---- counting subscribers

static void count(uint32_t *counter, bool on)
{
    KIN_ASSERT(on || *counter > 0);
    *counter += on ? 1u : (uint32_t)-1;
}

// Adds or removes one watcher of each component. Changes are then no direct calls.
static void watch_changes(kin_context *context, bool on)
{
    for (uint32_t id = 0; id < context->info->component_count; id++)
        kin__component_watch(context, id, on);
    kin__direct_refresh_all(context);
}

// Counts a subscriber of changes of one entity, or of all.
static void count_changes(kin_context *context, bool on)
{
    uint32_t *subscribers = &context->core->events.change_subscribers;
    count(subscribers, on);
    if (*subscribers == (on ? 1 : 0))
        watch_changes(context, on);
}

// Counts a subscriber of changes of all entities, which include those that are spawned.
static void count_any_change(kin_context *context, bool on)
{
    uint32_t *subscribers = &context->core->events.any_change_subscribers;
    count(subscribers, on);
    if (*subscribers == (on ? 1 : 0))
        kin__spawn_watch_all(context, on);
    count_changes(context, on);
}

// Counts a subscriber of the context.
static void count_context(kin_context *context, uint32_t event, bool on)
{
    kin__events *events = &context->core->events;
    if (event == KIN__EVENT_CREATED) {
        count(&events->create_subscribers, on);
        count(&context->core->alive->watchers, on);
    } else if (event == KIN__EVENT_GROUP_CREATED) {
        count(&events->groups, on);
    } else if (event == KIN__EVENT_COMPONENT_CHANGED) {
        count_any_change(context, on);
    } else if (event != KIN__EVENT_RESTORED) {
        count(&events->destroy_subscribers, on);
        if (event == KIN__EVENT_WILL_BE_DESTROYED)
            count(&events->will_destroy_subscribers, on);
    }
}

// Counts a subscriber of an entity.
static void count_entity(kin_context *context, uint32_t event, bool on)
{
    count(&context->core->events.destroy_subscribers, on);
    if ((event & KIN__EVENTS_OF_CHANGES) != 0)
        count_changes(context, on);
}

static void count_in(const kin__subscriber *subscriber, bool on)
{
    kin_context *context = subscriber->context;
    if (subscriber->list == &context->core->events.subscribers)
        count_context(context, subscriber->events, on);
    else
        count_entity(context, subscriber->events, on);
}

// ---- ending

void kin__event_subscriber_end(kin__subscriber *subscriber)
{
    KIN_ASSERT(subscriber->serial != 0 && subscriber->group == NULL && subscriber->list != NULL);
    subscriber->serial = 0;
    count_in(subscriber, false);
}

void kin__subscribers_end(kin_context *context, uint32_t slot, uint32_t except)
{
    const kin__subscriber_list *subscribers = kin__subscribers_of(context, slot);
    KIN_ASSERT(context->depth > 0); // so no subscriber is unlinked during this walk
    for (kin__subscriber *each = subscribers == NULL ? NULL : subscribers->first; each != NULL; each = each->next)
        if (each->serial != 0 && (each->events & except) == 0) {
            kin__event_subscriber_end(each);
            kin__subscriber_retire(context, each);
        }
}

void kin__events_release(kin_context *context)
{
    kin__subscriber_list_release(context, &context->core->events.subscribers);
    for (uint32_t i = 0; i < context->chunk_count; i++) {
        kin__subscriber_list *subscriber_lists = context->chunks[i]->subscriber_lists;
        for (uint32_t place = 0; subscriber_lists != NULL && place < KIN__CHUNK_SLOTS; place++)
            kin__subscriber_list_release(context, &subscriber_lists[place]);
        kin__release(&context->core->group_memory, subscriber_lists, subscriber_lists_size());
    }
}

// ---- subscribing

static kin_subscription report_error(const kin_context *context, kin_status status, const kin__attempt *attempt)
{
    kin__report_error(context, status, attempt);
    return (kin_subscription){0};
}

// Begins a subscription at the end of a list, which is NULL when out of memory. A refusal reports `attempt`.
static kin_subscription begin(kin_context *context, kin__subscriber_list *subscribers, const kin__subscriber *wanted,
                              const kin__attempt *attempt)
{
    kin__subscriber *subscriber = subscribers == NULL ? NULL : kin__subscriber_make(context);
    if (subscriber == NULL)
        return report_error(context, KIN_ERROR_NO_MEMORY, attempt);
    *subscriber = *wanted;
    subscriber->context = context;
    subscriber->list = subscribers;
    KIN_ASSERT(subscriber->group == NULL && subscriber->events != 0);
    kin__subscriber_append(subscriber);
    count_in(subscriber, true);
    return (kin_subscription){subscriber, subscriber->serial};
}

static const char *find_fault(bool has_listener, uint32_t event)
{
    if (!has_listener)
        return "the listener is NULL; pass a function";
    return event == 0 ? "the event is unknown; use a value of its enum" : NULL;
}

// Makes room to keep values of any component. False when out of memory.
static bool reserve_payload(kin_context *context)
{
    size_t largest = 0;
    for (uint32_t id = 0; id < context->info->component_count; id++)
        if (context->info->components[id].size > largest)
            largest = context->info->components[id].size;
    return kin__payload_reserve(context, largest);
}

// Makes room for a subscriber of the entity in a slot, and to keep values. NULL when out of memory.
static kin__subscriber_list *reserve_subscribers(kin_context *context, uint32_t slot, uint32_t event)
{
    if ((event & KIN__EVENTS_OF_CHANGES) != 0 && !reserve_payload(context))
        return NULL;
    kin__chunk *chunk = kin__chunk_of_slot(context, slot);
    KIN_ASSERT(kin_entity_creation_index(chunk->ids[slot % KIN__CHUNK_SLOTS]) != 0);
    if (chunk->subscriber_lists == NULL)
        chunk->subscriber_lists = kin__allocate_zero(&context->core->group_memory, subscriber_lists_size());
    return kin__subscribers_of(context, slot);
}

static uint32_t bit_of_entity_event(kin_entity_event event)
{
    switch (event) {
    case KIN_COMPONENT_ADDED:
        return KIN__EVENT_COMPONENT_ADDED;
    case KIN_COMPONENT_REMOVED:
        return KIN__EVENT_COMPONENT_REMOVED;
    case KIN_COMPONENT_REPLACED:
        return KIN__EVENT_COMPONENT_REPLACED;
    case KIN_ENTITY_DESTROYED:
        return KIN__EVENT_DESTROYED;
    case KIN_ENTITY_RELEASED:
        return KIN__EVENT_RELEASED;
    }
    return 0;
}

kin_subscription kin_entity_subscribe(kin_context *context, kin_entity entity, kin_entity_event event,
                                      kin_listener *listener, void *user)
{
    kin__subscriber wanted = {.events = bit_of_entity_event(event), .listener = listener, .user = user};
    kin__attempt attempt = {.verb = "subscribe to", .entity = entity};
    if (kin__context_is_shared(context))
        return report_error(context, KIN_ERROR_INVALID, &attempt);
    if (kin__chunk_of(context, entity) == NULL)
        return report_error(context, KIN_ERROR_NOT_ALIVE, &attempt);
    attempt.reason = find_fault(listener != NULL, wanted.events);
    if (attempt.reason != NULL)
        return report_error(context, KIN_ERROR_INVALID, &attempt);
    kin__subscriber_list *subscribers = reserve_subscribers(context, kin_entity_slot(entity), wanted.events);
    return begin(context, subscribers, &wanted, &attempt);
}

static uint32_t bit_of_context_event(kin_context_event event)
{
    switch (event) {
    case KIN_ENTITY_CREATED:
        return KIN__EVENT_CREATED;
    case KIN_ENTITY_WILL_BE_DESTROYED:
        return KIN__EVENT_WILL_BE_DESTROYED;
    case KIN_ENTITY_WAS_DESTROYED:
        return KIN__EVENT_WAS_DESTROYED;
    case KIN_GROUP_CREATED:
        return KIN__EVENT_GROUP_CREATED;
    case KIN_COMPONENT_CHANGED:
        return KIN__EVENT_COMPONENT_CHANGED;
    case KIN_CONTEXT_RESTORED:
        return KIN__EVENT_RESTORED;
    }
    return 0;
}

kin_subscription kin_context_subscribe(kin_context *context, kin_context_event event, kin_listener *listener,
                                       void *user)
{
    kin__subscriber wanted = {.events = bit_of_context_event(event), .listener = listener, .user = user};
    kin__attempt attempt = {.verb = "subscribe to the context", .reason = find_fault(listener != NULL, wanted.events)};
    if (attempt.reason != NULL || kin__context_is_shared(context))
        return report_error(context, KIN_ERROR_INVALID, &attempt);
    bool has_room = wanted.events != KIN__EVENT_COMPONENT_CHANGED || reserve_payload(context);
    return begin(context, has_room ? &context->core->events.subscribers : NULL, &wanted, &attempt);
}

// The subscriber of an ended subscription stays readable until the context ends.
void kin__subscription_scope(kin_subscription subscription, bool begins)
{
#ifdef KIN_CHECKED
    const kin__subscriber *subscriber = subscription.subscriber;
    if (subscriber != NULL)
        count(&subscriber->context->core->events.scoped, begins);
#else
    (void)subscription, (void)begins;
#endif
}

void kin_unsubscribe(kin_subscription subscription)
{
    kin__subscriber *subscriber = subscription.subscriber;
    if (subscriber == NULL || subscriber->serial != subscription.serial)
        return;
    if (kin__context_is_shared(subscriber->context)) {
        kin__refuse_shared(subscriber->context);
        return;
    }
    if (subscriber->group != NULL)
        kin__group_subscriber_end(subscriber);
    else
        kin__event_subscriber_end(subscriber);
    kin__subscriber_retire(subscriber->context, subscriber);
}
