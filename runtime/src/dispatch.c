#include "dispatch.h"

#include "assert.h"

#include <string.h>

enum { BLOCK_SIZE = 4096 };

// ---- frames

uint64_t *kin__dispatch_row(const kin_context *context)
{
    const kin__dispatch *dispatch = &context->core->dispatch;
    return dispatch->rows + (size_t)dispatch->depth * 2 * context->row_words;
}

// At the limit every change has to come by the library, which refuses it.
static void watch_everything(kin_context *context, bool on)
{
    for (uint32_t i = 0; i <= context->info->component_count; i++)
        context->components[i].watchers += on ? 1u : (uint32_t)-1;
}

void kin__frame_enter(kin_context *context, kin__frame *frame)
{
    kin__dispatch *dispatch = &context->core->dispatch;
    KIN_ASSERT(dispatch->depth < KIN__MAX_DEPTH);
    frame->context = context;
    frame->outer = dispatch->frames;
    frame->serial = dispatch->serial;
    frame->life = dispatch->life;
    frame->before = kin__dispatch_row(context);
    frame->row = frame->before + context->row_words;
    context->components[frame->component].watchers++; // so that an inner change of it does not pass by the library
    dispatch->frames = frame;
    if (++dispatch->depth == KIN__MAX_DEPTH)
        watch_everything(context, true);
}

static void settle(kin_context *context)
{
    kin__dispatch *dispatch = &context->core->dispatch;
    while (dispatch->moved != NULL) {
        kin__block *block = dispatch->moved;
        dispatch->moved = block->next;
        kin__release(&context->core->memory, block, sizeof *block + block->size);
    }
    while (dispatch->ended != NULL) {
        kin__subscriber *subscriber = dispatch->ended;
        dispatch->ended = subscriber->next_ended;
        kin__subscriber_unlink(subscriber);
        subscriber->next_ended = dispatch->spare;
        dispatch->spare = subscriber;
    }
}

void kin__frame_leave(kin_context *context, const kin__frame *frame)
{
    kin__dispatch *dispatch = &context->core->dispatch;
    KIN_ASSERT(dispatch->frames == frame);
    if (dispatch->depth-- == KIN__MAX_DEPTH)
        watch_everything(context, false);
    dispatch->frames = frame->outer;
    context->components[frame->component].watchers--;
    if (dispatch->depth == 0)
        settle(context);
}

bool kin__is_slot_stripped(const kin_context *context, uint32_t slot)
{
    for (const kin__frame *frame = context->core->dispatch.frames; frame != NULL; frame = frame->outer)
        if (frame->strip && kin_entity_slot(frame->entity) == slot)
            return true;
    return false;
}

bool kin__is_stripped(const kin_context *context, kin_entity entity)
{
    for (const kin__frame *frame = context->core->dispatch.frames; frame != NULL; frame = frame->outer)
        if (frame->strip && frame->entity == entity && frame->life == context->core->dispatch.life)
            return true;
    return false;
}

// ---- values

static kin__block *make_block(kin_context *context, size_t size)
{
    kin__block *block = kin__allocate(&context->core->memory, sizeof *block + size);
    if (block != NULL)
        *block = (kin__block){.size = size};
    return block;
}

bool kin__dispatch_protect(kin_context *context, const void *place, size_t size)
{
    kin__dispatch *dispatch = &context->core->dispatch;
    kin__block *block = NULL;
    for (kin__frame *frame = dispatch->frames; frame != NULL && size > 0; frame = frame->outer) {
        if (frame->previous != place && frame->value != place)
            continue;
        if (block == NULL) {
            block = make_block(context, size);
            if (block == NULL)
                return false;
            memcpy(block->bytes, place, size);
            block->next = dispatch->moved;
            dispatch->moved = block;
        }
        frame->previous = frame->previous == place ? block->bytes : frame->previous;
        frame->value = frame->value == place ? block->bytes : frame->value;
    }
    return true;
}

static size_t rounded(size_t size)
{
    return (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
}

void *kin__dispatch_copy(kin_context *context, const void *value, size_t size)
{
    kin__dispatch *dispatch = &context->core->dispatch;
    size_t room = rounded(size);
    if (dispatch->copies == NULL || dispatch->copies->size - dispatch->copies->used < room) {
        kin__block *block = make_block(context, room > BLOCK_SIZE ? room : BLOCK_SIZE);
        if (block == NULL)
            return NULL;
        block->next = dispatch->copies;
        dispatch->copies = block;
    }
    void *copy = (char *)dispatch->copies->bytes + dispatch->copies->used;
    dispatch->copies->used += room;
    return memcpy(copy, value, size);
}

void kin__dispatch_drop_copy(kin_context *context, size_t size)
{
    kin__dispatch *dispatch = &context->core->dispatch;
    kin__block *block = dispatch->copies;
    KIN_ASSERT(block->used >= rounded(size));
    block->used -= rounded(size);
    if (block->used > 0 || block->next == NULL)
        return;
    dispatch->copies = block->next;
    kin__release(&context->core->memory, block, sizeof *block + block->size);
}

void kin__dispatch_release(kin_context *context)
{
    kin__dispatch *dispatch = &context->core->dispatch;
    kin__memory *memory = &context->core->memory;
    while (dispatch->copies != NULL) {
        kin__block *block = dispatch->copies;
        dispatch->copies = block->next;
        kin__release(memory, block, sizeof *block + block->size);
    }
    while (dispatch->spare != NULL) {
        kin__subscriber *subscriber = dispatch->spare;
        dispatch->spare = subscriber->next_ended;
        kin__release(memory, subscriber, sizeof *subscriber);
    }
    kin__release(memory, dispatch->rows, (size_t)KIN__MAX_DEPTH * 2 * context->row_words * sizeof(uint64_t));
}

// ---- subscribers

void kin__subscriber_unlink(kin__subscriber *subscriber)
{
    kin_group *group = subscriber->group;
    if (subscriber->previous != NULL)
        subscriber->previous->next = subscriber->next;
    else
        group->first = subscriber->next;
    if (subscriber->next != NULL)
        subscriber->next->previous = subscriber->previous;
    else
        group->last = subscriber->previous;
    subscriber->previous = subscriber->next = NULL;
}

void kin__subscriber_retire(kin_context *context, kin__subscriber *subscriber)
{
    kin__dispatch *dispatch = &context->core->dispatch;
    subscriber->next_ended = dispatch->ended;
    dispatch->ended = subscriber;
    if (dispatch->depth == 0)
        settle(context);
}
