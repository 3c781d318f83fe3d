#include "notify/subscriber.h"

#include "base/base.h"

void kin__component_watch(kin_context *context, uint32_t id, bool on)
{
    uint32_t *watchers = &context->components[id].watchers;
    KIN_ASSERT(on || *watchers > 0);
    *watchers += on ? 1u : (uint32_t)-1;
    if (id == context->info->component_count)
        return;
    kin__bits_write(context->watched, id, *watchers > 0);
}

kin__subscriber *kin__subscriber_make(kin_context *context)
{
    kin__dispatch *dispatch = &context->core->dispatch;
    kin__subscriber *subscriber = dispatch->spare;
    if (subscriber == NULL)
        return kin__allocate_zero(&context->core->group_memory, sizeof *subscriber);
    dispatch->spare = subscriber->next_ended;
    return subscriber;
}

void kin__subscriber_append(kin__subscriber *subscriber)
{
    kin__subscriber_list *subscribers = subscriber->list;
    KIN_ASSERT(subscribers->first != NULL || (subscribers->last == NULL && subscribers->events == 0)); // invariant 3
    subscriber->serial = ++subscriber->context->core->dispatch.serial;
    subscriber->next = NULL;
    subscriber->previous = subscribers->last;
    subscribers->events |= subscriber->events;
    if (subscribers->last == NULL)
        subscribers->first = subscriber;
    else
        subscribers->last->next = subscriber;
    subscribers->last = subscriber;
}

void kin__subscriber_unlink(kin__subscriber *subscriber)
{
    kin__subscriber_list *subscribers = subscriber->list;
    KIN_ASSERT(subscriber->serial == 0 && subscribers->first != NULL);
    KIN_ASSERT(subscriber->previous == NULL || subscriber->previous->list == subscribers);
    if (subscriber->previous != NULL)
        subscriber->previous->next = subscriber->next;
    else
        subscribers->first = subscriber->next;
    if (subscriber->next != NULL)
        subscriber->next->previous = subscriber->previous;
    else
        subscribers->last = subscriber->previous;
    subscriber->previous = subscriber->next = NULL;
    if (subscribers->first == NULL)
        subscribers->events = 0;
}

void kin__subscribers_settle(kin_context *context)
{
    kin__dispatch *dispatch = &context->core->dispatch;
    KIN_ASSERT(context->depth == 0); // no walk is at a subscriber
    while (dispatch->ended != NULL) {
        kin__subscriber *subscriber = dispatch->ended;
        dispatch->ended = subscriber->next_ended;
        kin__subscriber_unlink(subscriber);
        subscriber->next_ended = dispatch->spare;
        dispatch->spare = subscriber;
    }
}

void kin__subscriber_list_release(kin_context *context, kin__subscriber_list *subscribers)
{
    for (kin__subscriber *each = subscribers->first, *next = NULL; each != NULL; each = next) {
        next = each->next;
        kin__release(&context->core->group_memory, each, sizeof *each);
    }
}

void kin__subscribers_release(kin_context *context)
{
    kin__dispatch *dispatch = &context->core->dispatch;
    while (dispatch->spare != NULL) {
        kin__subscriber *subscriber = dispatch->spare;
        dispatch->spare = subscriber->next_ended;
        kin__release(&context->core->group_memory, subscriber, sizeof *subscriber);
    }
}
