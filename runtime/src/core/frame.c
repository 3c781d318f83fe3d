#include "core/frame.h"

kin_entity kin__stripped_in(const kin_context *context, uint32_t slot)
{
    for (const kin__frame *frame = context->core->dispatch.frames; frame != NULL; frame = frame->outer)
        if (frame->strip && kin_entity_slot(frame->change.entity) == slot)
            return frame->change.entity;
    return 0;
}

bool kin__is_slot_stripped(const kin_context *context, uint32_t slot)
{
    return kin__stripped_in(context, slot) != 0;
}

bool kin__is_stripped(const kin_context *context, kin_entity entity)
{
    for (const kin__frame *frame = context->core->dispatch.frames; frame != NULL; frame = frame->outer)
        if (frame->strip && frame->change.entity == entity && frame->life == context->core->dispatch.life)
            return true;
    return false;
}

bool kin__is_told_to_leave(const kin_context *context, kin_entity entity)
{
    for (const kin__frame *frame = context->core->dispatch.frames; frame != NULL; frame = frame->outer)
        if (frame->leaving && frame->change.entity == entity && frame->life == context->core->dispatch.life)
            return true;
    return false;
}

bool kin__context_is_in_use(const kin_context *context)
{
    return context->depth > 0 || context->core->busy > 0 || context->core->reports > 0;
}
