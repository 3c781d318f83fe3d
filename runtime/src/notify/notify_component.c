#include "notify/notify.h"

#include "notify/notify_component.h"

#include <kin/event.h>

void kin__notify_entity_subscribers(kin__frame *frame, uint32_t event)
{
    const kin__subscriber_list *subscribers =
        kin__subscribers_of(frame->change.context, kin_entity_slot(frame->change.entity));
    if (subscribers != NULL)
        kin__notify_subscribers(frame, subscribers, NULL, event);
}

static uint16_t event_of(uint32_t event)
{
    KIN_ASSERT((event & KIN__EVENTS_OF_CHANGES) != 0);
    return event == KIN__EVENT_COMPONENT_ADDED     ? KIN_COMPONENT_ADDED
           : event == KIN__EVENT_COMPONENT_REMOVED ? KIN_COMPONENT_REMOVED
                                                   : KIN_COMPONENT_REPLACED;
}

void kin__notify_change_subscribers(kin__frame *frame, uint32_t event)
{
    const kin__events *events = &frame->change.context->core->events;
    kin__notify_entity_subscribers(frame, event);
    if (events->any_change_subscribers == 0)
        return;
    frame->change.event = event_of(event);
    kin__notify_subscribers(frame, &events->subscribers, NULL, KIN__EVENT_COMPONENT_CHANGED);
    frame->change.event = 0;
}

bool kin__frame_matches(const kin__frame *frame, const kin_group *group, const uint64_t *row)
{
    return kin__matcher_holds(&group->matcher, row, frame->change.context->row_words);
}

bool kin__frame_crosses(const kin__frame *frame, const kin_group *group, uint64_t *row)
{
    uint64_t *word = &row[frame->change.component / 64], bit = kin__bit_of(frame->change.component);
    bool matches_now = kin__frame_matches(frame, group, row);
    *word ^= bit;
    bool matched_before = kin__frame_matches(frame, group, row);
    *word ^= bit;
    return matches_now != matched_before;
}

static uint64_t *row_of(const kin__frame *frame)
{
    return kin__row_of(frame->change.context, kin_entity_slot(frame->change.entity));
}

// Copies the entity's row to that of the frame.
static uint64_t *copy_row(const kin__frame *frame)
{
    const kin_context *context = frame->change.context;
    return memcpy(kin__frame_row(context), row_of(frame), context->row_words * sizeof(uint64_t));
}

void kin__notify_crossed_groups_wide(kin__frame *frame, bool added)
{
    kin__notify_crossed_groups(frame, added, copy_row(frame), frame->change.context->row_words);
}

void kin__notify_member_groups_wide(kin__frame *frame)
{
    kin__replaced_values values = {frame->change.previous, frame->change.value};
    kin__notify_member_groups(frame, values, copy_row(frame), frame->change.context->row_words);
}

void kin__notify_added(kin_context *context, kin_entity entity, kin_component_id id, const void *value)
{
    kin__frame frame = {.change = {context, NULL, entity, id, 0, NULL, value}};
    KIN_ASSERT(kin_has(context, entity, id));
    kin__notify_toggled(&frame, row_of(&frame), true);
}

void kin__notify_removed(kin_context *context, kin_entity entity, kin_component_id id, const void *previous)
{
    kin__frame frame = {.change = {context, NULL, entity, id, 0, previous, NULL}};
    KIN_ASSERT(!kin_has(context, entity, id));
    // The list of frames shows that this loss is still being notified, and its last value in use.
    frame.outer = context->core->dispatch.frames;
    context->core->dispatch.frames = &frame;
    kin__notify_toggled(&frame, row_of(&frame), false);
    KIN_ASSERT(context->core->dispatch.frames == &frame);
    context->core->dispatch.frames = frame.outer;
}

void kin__notify_replaced(kin_context *context, kin_entity entity, kin_component_id id, const void *previous,
                          const void *value)
{
    kin__frame frame = {.change = {context, NULL, entity, id, 0, previous, value}};
    kin__replaced_values values = {frame.change.previous, frame.change.value};
    kin__notify_replacement(&frame, values, row_of(&frame));
}
