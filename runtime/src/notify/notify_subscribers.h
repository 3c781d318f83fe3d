// Calls the subscribers of one list (of a group, an entity or a context) in order of subscription.
//
// Skips a subscriber that began after the change did, or that has ended. Stops when the entity is dead, unless the
// change is a part of its own destruction.
#ifndef KIN_SRC_NOTIFY_SUBSCRIBERS_H
#define KIN_SRC_NOTIFY_SUBSCRIBERS_H

#include "notify/event.h"

// Whether the entity is still the one that was alive when the change began. After a reset another entity may have the
// same handle.
static inline bool kin__frame_is_current(const kin__frame *frame)
{
    const kin_context *context = frame->change.context;
    const kin__core *core = context->core;
    return core->slots.deaths == frame->deaths || frame->destroys || frame->change.entity == 0 ||
           (frame->epoch == core->dispatch.epoch && kin__chunk_of(context, frame->change.entity) != NULL);
}

static inline void kin__notify_subscribers(kin__frame *frame, const kin__subscriber_list *subscribers, kin_group *group,
                                           uint32_t event)
{
    KIN_ASSERT(event != 0 && frame->change.context->depth > 0);
    frame->change.group = group;
    for (const kin__subscriber *subscriber = subscribers->first; subscriber != NULL; subscriber = subscriber->next) {
        KIN_ASSERT(subscriber->list == subscribers);
        if (subscriber->serial == 0 || subscriber->serial > frame->serial || (subscriber->events & event) == 0)
            continue;
        if (!kin__frame_is_current(frame))
            return;
        subscriber->listener(&frame->change, subscriber->user);
    }
}

// Calls the subscribers of the change's entity.
void kin__notify_entity_subscribers(kin__frame *frame, uint32_t event);

// Calls the subscribers of the change's entity, then those of KIN_COMPONENT_CHANGED. `event` is one of
// KIN__EVENTS_OF_CHANGES.
void kin__notify_change_subscribers(kin__frame *frame, uint32_t event);

#endif
