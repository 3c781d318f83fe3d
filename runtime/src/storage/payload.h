// Payloads: copies of former values for the listeners of the changes under way.
//
//   dispatch.kept → [ depth 0 | depth 1 | … | depth 63 ]   each value_size bytes
//                 → an older block with less room, which outer changes still read
//
// A payload must not change while its change is notified, whatever nested changes write to the component. The new value
// is the caller's copy; the former value is copied here, one for each depth. The first subscriber of a component makes
// the block, so that notifying never allocates. A block is an eighth of the size of a column.
//
// Invariants:
//   1. blocks further in the list are smaller
//   2. at depth 0 there is at most one block (core.h, 6)
#ifndef KIN_SRC_PAYLOAD_H
#define KIN_SRC_PAYLOAD_H

#include "base/base.h"
#include "core/core.h"

// Makes room for payloads of `size` bytes. False when out of memory.
bool kin__payload_reserve(kin_context *context, size_t size);

// Frees the outgrown blocks. No change may be under way.
void kin__payload_settle(kin_context *context);

// Frees all blocks.
void kin__payload_release(kin_context *context);

// Returns the place of the payload for a change at that depth.
static inline void *kin__payload_at(const kin_context *context, uint32_t depth, size_t size)
{
    const kin__dispatch *dispatch = &context->core->dispatch;
    KIN_ASSERT(depth < KIN__MAX_DEPTH);
    KIN_ASSERT(dispatch->kept != NULL && size <= dispatch->kept->value_size);
    (void)size;
    return (char *)dispatch->kept->values + depth * dispatch->kept->value_size;
}

// Copies a value as the payload of the next change, and returns the copy, valid until the change has been notified.
// NULL for a flag, whose size is 0.
static inline const void *kin__payload_keep(const kin_context *context, const void *value, size_t size)
{
    if (size == 0)
        return NULL;
    return kin__value_copy(kin__payload_at(context, context->depth, size), value, size);
}

#endif
