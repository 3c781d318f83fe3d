// Audiences: telling an event to those who listen to a group, an entity or a context, in order of subscription.
//
// Who has begun to listen since the change, or has ended, is not told; nobody is once the entity has died, unless it is
// its own strip that is told.
#ifndef KIN_SRC_CALL_SUBSCRIBERS_H
#define KIN_SRC_CALL_SUBSCRIBERS_H

#include "notify/event.h"

// Whether the entity is the one that lived when the change began: also when a reset gave its handle out again.
static inline bool kin__is_current(const kin__frame *frame)
{
    const kin_context *context = frame->change.context;
    const kin__core *core = context->core;
    return core->slots.deaths == frame->deaths || frame->destroys || frame->change.entity == 0 ||
           (frame->epoch == core->dispatch.epoch && kin__chunk_of(context, frame->change.entity) != NULL);
}

static inline void kin__notify_subscribers(kin__frame *frame, const kin__subscriber_list *subscribers, kin_group *group,
                                           uint32_t event)
{
    frame->change.group = group;
    for (const kin__subscriber *subscriber = subscribers->first; subscriber != NULL; subscriber = subscriber->next) {
        if (subscriber->serial == 0 || subscriber->serial > frame->serial || (subscriber->events & event) == 0)
            continue;
        if (!kin__is_current(frame))
            return;
        subscriber->listener(&frame->change, subscriber->user);
    }
}

// Those who listen to the entity itself.
void kin__notify_entity_subscribers(kin__frame *frame, uint32_t event);

#endif
