#include "notify/notify.h"

#include "notify/notify_change.h"

void kin__notify_entity_subscribers(kin__frame *frame, uint32_t event)
{
    const kin__subscriber_list *subscribers =
        kin__subscribers_of(frame->change.context, kin_entity_slot(frame->change.entity));
    if (subscribers != NULL)
        kin__notify_subscribers(frame, subscribers, NULL, event);
}

bool kin__change_holds(const kin__frame *frame, const kin_group *group, const uint64_t *row)
{
    return kin__matcher_holds(&group->matcher, row, frame->change.context->row_words);
}

bool kin__change_crosses(const kin__frame *frame, const kin_group *group, uint64_t *row)
{
    uint64_t *word = &row[frame->change.component / 64], bit = kin__bit_of(frame->change.component);
    bool is = kin__change_holds(frame, group, row);
    *word ^= bit;
    bool was = kin__change_holds(frame, group, row);
    *word ^= bit;
    return is != was;
}

static uint64_t *row_of(const kin__frame *frame)
{
    return kin__row_of(frame->change.context, kin_entity_slot(frame->change.entity));
}

static uint64_t *note_row(const kin__frame *frame)
{
    const kin_context *context = frame->change.context;
    return memcpy(kin__frame_row(context), row_of(frame), context->row_words * sizeof(uint64_t));
}

void kin__notify_crossing_wide(kin__frame *frame, bool came)
{
    kin__notify_crossing(frame, came, note_row(frame), frame->change.context->row_words);
}

void kin__notify_members_wide(kin__frame *frame)
{
    kin__shown shown = {frame->change.previous, frame->change.value};
    kin__notify_members(frame, shown, note_row(frame), frame->change.context->row_words);
}

void kin__notify_added(kin_context *context, kin_entity entity, kin_component_id id, const void *value)
{
    kin__frame frame = {.change = {context, NULL, entity, id, NULL, value}};
    kin__notify_toggled(&frame, row_of(&frame), true);
}

void kin__notify_removed(kin_context *context, kin_entity entity, kin_component_id id, const void *previous)
{
    kin__frame frame = {.change = {context, NULL, entity, id, previous, NULL}};
    // So that a keepsake knows that its loss is still being told.
    frame.outer = context->core->dispatch.frames;
    context->core->dispatch.frames = &frame;
    kin__notify_toggled(&frame, row_of(&frame), false);
    context->core->dispatch.frames = frame.outer;
}

void kin__notify_replaced(kin_context *context, kin_entity entity, kin_component_id id, const void *previous,
                          const void *value)
{
    kin__frame frame = {.change = {context, NULL, entity, id, previous, value}};
    kin__shown shown = {frame.change.previous, frame.change.value};
    kin__notify_replacement(&frame, shown, row_of(&frame));
}
