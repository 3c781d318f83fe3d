#include "notify/notify.h"

// Adds a watcher to the components of a word of `watched`. At the limit of nesting no replace is a direct call.
static void watch_word(kin_context *context, uint32_t word, uint32_t end)
{
    kin__component *components = context->components;
    for (uint32_t id = word * 64; id < end; id++) {
        components[id].watchers++;
        components[id].replace_path = KIN__PATH_LIBRARY;
    }
    context->watched[word] = ~(uint64_t)0 >> (64 - (end - word * 64));
}

// Removes it again. Most components have no other watcher.
static void unwatch_word(kin_context *context, uint32_t word, uint32_t end)
{
    kin__component *components = context->components;
    uint64_t watched = 0;
    for (uint32_t id = word * 64; id < end; id++) {
        KIN_ASSERT(components[id].watchers > 0);
        components[id].replace_path = 0;
        if (--components[id].watchers == 0)
            continue;
        watched |= (uint64_t)1 << (id % 64);
        kin__direct_refresh(context, id);
    }
    context->watched[word] = watched;
}

// A word at a time, as threads share a context by this for each batch of their work.
void kin__dispatch_watch_all(kin_context *context, bool on)
{
    uint32_t count = context->info->component_count;
    for (uint32_t word = 0; word * 64 < count; word++) {
        uint32_t end = count - word * 64 < 64 ? count : word * 64 + 64;
        if (on)
            watch_word(context, word, end);
        else
            unwatch_word(context, word, end);
    }
    kin__component_watch(context, count, on);
}

static void subscribers_settle(kin_context *context);

void kin__settle(kin_context *context)
{
    kin__dispatch *dispatch = &context->core->dispatch;
    KIN_ASSERT(context->depth == 0);
    kin__payload_settle(context);
    subscribers_settle(context);
    kin__owned_settle(context);
    if (dispatch->direct_waits)
        kin__direct_refresh_all(context);
    KIN_ASSERT(dispatch->ended == NULL && !dispatch->direct_waits);
    context->unsettled = false;
}

void kin__subscriber_retire(kin_context *context, kin__subscriber *subscriber)
{
    kin__dispatch *dispatch = &context->core->dispatch;
    KIN_ASSERT(subscriber->serial == 0 && subscriber->list != NULL);
    subscriber->next_ended = dispatch->ended;
    dispatch->ended = subscriber;
    context->unsettled = true;
    if (context->depth == 0)
        kin__settle(context);
}

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

// Unlinks and recycles all retired subscribers. No change is being notified.
static void subscribers_settle(kin_context *context)
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
