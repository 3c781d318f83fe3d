// Dispatch: the changes that are being notified now, each within a listener of the next outer one.
//
//   depth 1   frame   rows[0] [ before | work ]      a frame is on the C stack of the call that makes the change
//   depth 2   frame   rows[1] [ before | work ]      each depth has two rows
//   …                                                frames: a list of those that were pushed, innermost first
//
// A frame holds the change that listeners are shown: the entity, the component, the values before and after. Its first
// row is a copy of the entity's row, so that listeners cannot alter which groups the change concerns. store.h holds
// the previous value.
//
// Invariants:
//   1. depth is the number of frames that were entered and not left, at most KIN__MAX_DEPTH; only a destroyed or
//      released entity nests deeper
//   2. while depth is at the limit, every component is watched, so that each change calls the library, which refuses it
//   3. when depth returns to 0, kin__settle leaves no ended subscriber linked and no deferred refresh
//
// Cost: to enter and leave is a few stores; at the limit a walk over all components.
#ifndef KIN_SRC_DISPATCH_H
#define KIN_SRC_DISPATCH_H

#include "base/base.h"
#include "store/store.h"

// Whether one more change may begin.
static inline bool kin__dispatch_may_nest(const kin_context *context)
{
    return context->depth < KIN__MAX_DEPTH;
}

// Returns the size of the rows of all depths, in bytes.
static inline size_t kin__rows_size(const kin_context *context)
{
    return (size_t)KIN__MAX_DEPTH * 2 * context->row_words * sizeof(uint64_t);
}

// Returns the first row of the frame that will be entered next. A destroy copies the entity's row to it beforehand.
static inline uint64_t *kin__dispatch_row(const kin_context *context)
{
    const kin__dispatch *dispatch = &context->core->dispatch;
    KIN_ASSERT(context->depth < KIN__MAX_DEPTH);
    return dispatch->rows + (size_t)context->depth * 2 * context->row_words;
}

// Adds a watcher to every component, or removes it again: invariant 2.
void kin__dispatch_watch_all(kin_context *context, bool on);

// Begins and ends the notification of a change. The caller has set the frame's entity, component and values.
static inline void kin__frame_enter(kin_context *context, kin__frame *frame)
{
    kin__dispatch *dispatch = &context->core->dispatch;
    KIN_ASSERT(context->depth < KIN__MAX_DEPTH || frame->destroys);
    KIN_ASSERT(frame->change.context == context);
    frame->serial = dispatch->serial;
    frame->epoch = dispatch->epoch;
    frame->deaths = context->core->slots.deaths;
    if (++context->depth == KIN__MAX_DEPTH)
        kin__dispatch_watch_all(context, true);
}

static inline void kin__frame_leave(kin_context *context)
{
    KIN_ASSERT(context->depth > 0);
    if (context->depth-- == KIN__MAX_DEPTH)
        kin__dispatch_watch_all(context, false);
    if (context->depth == 0 && context->unsettled)
        kin__settle(context);
}

// Enters and leaves a frame that is also in the list of frames: of an entity that is or will be destroyed, whose other
// operations depend on it.
static inline void kin__frame_push(kin_context *context, kin__frame *frame)
{
    frame->outer = context->core->dispatch.frames;
    context->core->dispatch.frames = frame;
    kin__frame_enter(context, frame);
}

static inline void kin__frame_pop(kin_context *context, const kin__frame *frame)
{
    KIN_ASSERT(context->core->dispatch.frames == frame);
    context->core->dispatch.frames = frame->outer;
    kin__frame_leave(context);
}

// Returns the first row of the frame that was entered last.
static inline uint64_t *kin__frame_row(const kin_context *context)
{
    const kin__dispatch *dispatch = &context->core->dispatch;
    KIN_ASSERT(context->depth > 0 && context->depth <= KIN__MAX_DEPTH);
    return dispatch->rows + (size_t)(context->depth - 1) * 2 * context->row_words;
}

// Unlinks and recycles an ended subscriber, now or when the outermost change has finished.
void kin__subscriber_retire(kin_context *context, kin__subscriber *subscriber);

#endif
