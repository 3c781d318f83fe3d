// Dispatch: the changes that are being told now, each within a listener of the one outside it.
//
// A frame remembers what is told: the entity, the component, the values before and after. What the entity has is noted
// too, so that which groups the change alters does not depend on what listeners do meanwhile. Frames that others
// may have to find are in a list, innermost first, on the stack of the calls that make them.
//
// The former value that a change shows is in payload.h.
#ifndef KIN_SRC_DISPATCH_H
#define KIN_SRC_DISPATCH_H

#include "base/assertion.h"
#include "core/core.h"
#include "core/frame.h"

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
    KIN_ASSERT(context->depth < KIN__MAX_DEPTH || frame->destroys);
    frame->serial = dispatch->serial;
    frame->epoch = dispatch->epoch;
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

// Recycles an ended subscriber, now or when the outermost change has finished.
void kin__subscriber_retire(kin_context *context, kin__subscriber *subscriber);

#endif
