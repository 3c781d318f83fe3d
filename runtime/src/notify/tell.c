#include "notify/tell.h"

#include "notify/tell_change.h"

void kin__tell_own(kin__frame *frame, uint32_t event)
{
    const kin__audience *audience = kin__audience_of(frame->change.context, kin_entity_slot(frame->change.entity));
    if (audience != NULL)
        kin__tell_audience(frame, audience, NULL, event);
}

bool kin__change_holds(const kin__frame *frame, const kin_group *group, const uint64_t *row)
{
    return kin__matcher_holds(&group->matcher, row, frame->change.context->row_words);
}

bool kin__change_crosses(const kin__frame *frame, const kin_group *group, uint64_t *row)
{
    uint64_t *word = &row[frame->change.component / 64], bit = (uint64_t)1 << (frame->change.component % 64);
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

void kin__tell_crossing_wide(kin__frame *frame, bool came)
{
    kin__tell_crossing(frame, came, note_row(frame), frame->change.context->row_words);
}

void kin__tell_held_wide(kin__frame *frame)
{
    kin__shown shown = {frame->change.previous, frame->change.value};
    kin__tell_held(frame, shown, note_row(frame), frame->change.context->row_words);
}

void kin__tell_added(kin_context *context, kin_entity entity, kin_component_id id, const void *value)
{
    kin__frame frame = {.change = {context, NULL, entity, id, NULL, value}};
    kin__tell_toggled(&frame, row_of(&frame), true);
}

void kin__tell_removed(kin_context *context, kin_entity entity, kin_component_id id, const void *previous)
{
    kin__frame frame = {.change = {context, NULL, entity, id, previous, NULL}};
    // So that a keepsake knows that its loss is still being told.
    frame.outer = context->core->dispatch.frames;
    context->core->dispatch.frames = &frame;
    kin__tell_toggled(&frame, row_of(&frame), false);
    context->core->dispatch.frames = frame.outer;
}

void kin__tell_replaced(kin_context *context, kin_entity entity, kin_component_id id, const void *previous,
                        const void *value)
{
    kin__frame frame = {.change = {context, NULL, entity, id, previous, value}};
    kin__shown shown = {frame.change.previous, frame.change.value};
    kin__tell_replacement(&frame, shown, row_of(&frame));
}
