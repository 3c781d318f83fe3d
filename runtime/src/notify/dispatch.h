// Dispatch: the changes that are being told now, each within a listener of the one outside it.
//
// A frame remembers what is told: the entity, the component, the values before and after. What the entity has is noted
// too, so that which groups the change alters does not depend on what listeners do meanwhile. Frames that others
// may have to find are in a list, innermost first, on the stack of the calls that make them.
//
// What a change shows stays as it is while it is told, whatever inner changes write into the value's place: the new
// value is the caller's copy, the former one is kept here. There is room for one at each depth, which comes with the
// first subscriber to a component, so that telling never needs memory; it is an eighth of the component's smallest
// column.
#ifndef KIN_SRC_DISPATCH_H
#define KIN_SRC_DISPATCH_H

#include "base/assertion.h"
#include "core/core.h"

#include <string.h>

// Whether one more change may begin: changes nest 64 deep.
static inline bool kin__dispatch_may_nest(const kin_context *context)
{
    return context->depth < KIN__MAX_DEPTH;
}

// Bytes of the rows: two for each depth.
static inline size_t kin__rows_size(const kin_context *context)
{
    return (size_t)KIN__MAX_DEPTH * 2 * context->row_words * sizeof(uint64_t);
}

// Whether a listener, a system or the error handler of the context is being called: it cannot be destroyed now.
bool kin__context_is_in_use(const kin_context *context);

// Room for keeping values of `size` bytes. False without memory.
bool kin__dispatch_reserve(kin_context *context, size_t size);

// Copies a value; without a call when it has one of the sizes that most have.
static inline void *kin__value_copy(void *to, const void *from, size_t size)
{
    if (size == 4)
        return memcpy(to, from, 4);
    switch (size) {
    case 8:
        return memcpy(to, from, 8);
    case 12:
        return memcpy(to, from, 12);
    case 16:
        return memcpy(to, from, 16);
    }
    return memcpy(to, from, size);
}

// Where the value of a change of that depth is kept.
static inline void *kin__dispatch_kept(const kin_context *context, uint32_t depth, size_t size)
{
    const kin__dispatch *dispatch = &context->core->dispatch;
    KIN_ASSERT(dispatch->kept != NULL && size <= dispatch->kept->value_size);
    (void)size;
    return (char *)dispatch->kept->values + depth * dispatch->kept->value_size;
}

// Keeps a value for the change that is told next, until it has been. NULL for a flag, whose size is 0.
static inline const void *kin__dispatch_keep(const kin_context *context, const void *value, size_t size)
{
    if (size == 0)
        return NULL;
    return kin__value_copy(kin__dispatch_kept(context, context->depth, size), value, size);
}

// All memory of kept values, rows and subscribers.
void kin__dispatch_release(kin_context *context);

// The first of the two rows of the frame that comes next. What an entity has is put there before it is stripped.
static inline uint64_t *kin__dispatch_row(const kin_context *context)
{
    const kin__dispatch *dispatch = &context->core->dispatch;
    return dispatch->rows + (size_t)context->depth * 2 * context->row_words;
}

// At the limit of depth every change has to come by the library, which refuses it.
void kin__dispatch_limit(kin_context *context, bool on);

// Begins and ends the telling of a change; the frame's entity, component and values are set.
static inline void kin__frame_enter(kin_context *context, kin__frame *frame)
{
    kin__dispatch *dispatch = &context->core->dispatch;
    KIN_ASSERT(context->depth < KIN__MAX_DEPTH || frame->strip);
    frame->serial = dispatch->serial;
    frame->life = dispatch->life;
    frame->deaths = context->core->slots.deaths;
    if (++context->depth == KIN__MAX_DEPTH)
        kin__dispatch_limit(context, true);
}

static inline void kin__frame_leave(kin_context *context)
{
    if (context->depth-- == KIN__MAX_DEPTH)
        kin__dispatch_limit(context, false);
    if (context->depth == 0 && context->unsettled)
        kin__settle(context);
}

// The same for one that others find in the list: of an entity that is told to leave, or is being stripped, and of a
// component that is lost and may leave a keepsake.
static inline void kin__frame_show(kin_context *context, kin__frame *frame)
{
    frame->outer = context->core->dispatch.frames;
    context->core->dispatch.frames = frame;
    kin__frame_enter(context, frame);
}

static inline void kin__frame_hide(kin_context *context, const kin__frame *frame)
{
    KIN_ASSERT(context->core->dispatch.frames == frame);
    context->core->dispatch.frames = frame->outer;
    kin__frame_leave(context);
}

// The first of the two rows of the frame that was entered last.
static inline uint64_t *kin__frame_row(const kin_context *context)
{
    const kin__dispatch *dispatch = &context->core->dispatch;
    KIN_ASSERT(context->depth > 0 && context->depth <= KIN__MAX_DEPTH);
    return dispatch->rows + (size_t)(context->depth - 1) * 2 * context->row_words;
}

// Whether the entity is alive while it is told that it will be destroyed.
bool kin__is_told_to_leave(const kin_context *context, kin_entity entity);
static inline bool kin__is_leaving(const kin_context *context, kin_entity entity)
{
    return context->core->slots.leaving != 0 && kin__is_told_to_leave(context, entity);
}

// Whether the entity, or the one that was in the slot, is being stripped now.
bool kin__is_stripped(const kin_context *context, kin_entity entity);
kin_entity kin__stripped_in(const kin_context *context, uint32_t slot); // 0: none
bool kin__is_slot_stripped(const kin_context *context, uint32_t slot);

// Has a subscriber that has ended unlinked, at once or when nothing is being told any more, and used again.
void kin__subscriber_retire(kin_context *context, kin__subscriber *subscriber);

// A subscriber that may be used. NULL without memory.
kin__subscriber *kin__subscriber_make(kin_context *context);

// Puts a subscriber at the end of its audience, whom everything that begins from now on is told.
void kin__subscriber_append(kin__subscriber *subscriber);

// Takes a subscriber out of its audience. Nobody may be standing on it.
void kin__subscriber_unlink(kin__subscriber *subscriber);

// The memory of all of an audience.
void kin__audience_release(kin_context *context, kin__audience *audience);

#endif
