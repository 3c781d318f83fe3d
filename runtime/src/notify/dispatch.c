#include "notify/dispatch.h"

#include "base/assertion.h"
#include "notify/solo.h"
#include "notify/watch.h"
#include "storage/owned.h"

#include <string.h>

// ---- frames

// At the limit every change has to come by the library, which refuses it.
void kin__dispatch_limit(kin_context *context, bool on)
{
    for (uint32_t i = 0; i <= context->info->component_count; i++)
        kin__component_watch(context, i, on);
    kin__solos_refresh(context);
}

static void release_block(kin_context *context, kin__block *block)
{
    kin__release(&context->core->group_memory, block, sizeof *block + KIN__MAX_DEPTH * block->value_size);
}

void kin__settle(kin_context *context)
{
    kin__dispatch *dispatch = &context->core->dispatch;
    while (dispatch->kept != NULL && dispatch->kept->next != NULL) {
        kin__block *outgrown = dispatch->kept->next;
        dispatch->kept->next = outgrown->next;
        release_block(context, outgrown);
    }
    while (dispatch->ended != NULL) {
        kin__subscriber *subscriber = dispatch->ended;
        dispatch->ended = subscriber->next_ended;
        kin__subscriber_unlink(subscriber);
        subscriber->next_ended = dispatch->spare;
        dispatch->spare = subscriber;
    }
    kin__owned_settle(context);
    if (dispatch->solos_wait)
        kin__solos_refresh(context);
    context->unsettled = false;
}

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

// ---- values

static size_t rounded(size_t size)
{
    return (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
}

bool kin__dispatch_reserve(kin_context *context, size_t size)
{
    kin__dispatch *dispatch = &context->core->dispatch;
    size_t value_size = rounded(size);
    if (value_size == 0 || (dispatch->kept != NULL && dispatch->kept->value_size >= value_size))
        return true;
    kin__block *block = kin__allocate(&context->core->group_memory, sizeof *block + KIN__MAX_DEPTH * value_size);
    if (block == NULL)
        return false;
    *block = (kin__block){dispatch->kept, value_size};
    dispatch->kept = block;
    context->unsettled = true;
    if (context->depth == 0)
        kin__settle(context);
    return true;
}

void kin__dispatch_release(kin_context *context)
{
    kin__dispatch *dispatch = &context->core->dispatch;
    kin__memory *memory = &context->core->group_memory;
    while (dispatch->kept != NULL) {
        kin__block *block = dispatch->kept;
        dispatch->kept = block->next;
        release_block(context, block);
    }
    while (dispatch->spare != NULL) {
        kin__subscriber *subscriber = dispatch->spare;
        dispatch->spare = subscriber->next_ended;
        kin__release(memory, subscriber, sizeof *subscriber);
    }
    kin__release(memory, dispatch->rows, kin__rows_size(context));
}

// ---- subscribers

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
    kin__audience *audience = subscriber->audience;
    subscriber->serial = ++subscriber->context->core->dispatch.serial;
    subscriber->next = NULL;
    subscriber->previous = audience->last;
    audience->events |= subscriber->events;
    if (audience->last == NULL)
        audience->first = subscriber;
    else
        audience->last->next = subscriber;
    audience->last = subscriber;
}

void kin__audience_release(kin_context *context, kin__audience *audience)
{
    for (kin__subscriber *each = audience->first, *next = NULL; each != NULL; each = next) {
        next = each->next;
        kin__release(&context->core->group_memory, each, sizeof *each);
    }
}

void kin__subscriber_unlink(kin__subscriber *subscriber)
{
    kin__audience *audience = subscriber->audience;
    if (subscriber->previous != NULL)
        subscriber->previous->next = subscriber->next;
    else
        audience->first = subscriber->next;
    if (subscriber->next != NULL)
        subscriber->next->previous = subscriber->previous;
    else
        audience->last = subscriber->previous;
    subscriber->previous = subscriber->next = NULL;
    if (audience->first == NULL)
        audience->events = 0;
}

void kin__subscriber_retire(kin_context *context, kin__subscriber *subscriber)
{
    kin__dispatch *dispatch = &context->core->dispatch;
    subscriber->next_ended = dispatch->ended;
    dispatch->ended = subscriber;
    context->unsettled = true;
    if (context->depth == 0)
        kin__settle(context);
}
