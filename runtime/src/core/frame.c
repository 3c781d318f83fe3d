#include "core/frame.h"

#include "base/base.h"
#include "core/ending.h"

kin_entity kin__being_destroyed_in(const kin_context *context, uint32_t slot)
{
    KIN_ASSERT(slot < context->chunk_count * KIN__CHUNK_SLOTS);
    for (const kin__frame *frame = context->core->dispatch.frames; frame != NULL; frame = frame->outer)
        if (frame->destroys && kin_entity_slot(frame->change.entity) == slot)
            return frame->change.entity;
    return 0;
}

bool kin__is_slot_being_destroyed(const kin_context *context, uint32_t slot)
{
    return kin__being_destroyed_in(context, slot) != 0;
}

bool kin__is_being_destroyed(const kin_context *context, kin_entity entity)
{
    for (const kin__frame *frame = context->core->dispatch.frames; frame != NULL; frame = frame->outer)
        if (frame->destroys && frame->change.entity == entity && frame->epoch == context->core->dispatch.epoch)
            return true;
    return false;
}

bool kin__has_will_destroy_frame(const kin_context *context, kin_entity entity)
{
    for (const kin__frame *frame = context->core->dispatch.frames; frame != NULL; frame = frame->outer)
        if (frame->about_to_be_destroyed && frame->change.entity == entity &&
            frame->epoch == context->core->dispatch.epoch)
            return true;
    return kin__is_ending(context, kin_entity_slot(entity)) && kin__chunk_of(context, entity) != NULL;
}

bool kin__context_is_in_use(const kin_context *context)
{
    KIN_ASSERT(context->depth <= KIN__MAX_DEPTH + 1); // of a release one more
    return context->depth > 0 || context->core->busy > 0 || context->core->reports > 0;
}

bool kin__frames_are_valid(const kin_context *context)
{
    uint32_t count = 0, marked = 0;
    for (const kin__frame *frame = context->core->dispatch.frames; frame != NULL; frame = frame->outer) {
        if (frame->change.context != context || ++count > context->depth)
            return false; // invariant 1
        marked += frame->about_to_be_destroyed;
    }
    return marked + kin__endings_count(context) == context->core->slots.about_to_be_destroyed;
}
