// Payloads: copies of former values for the listeners of the changes under way.
//
//   dispatch.kept → [ depth 0 | depth 1 | … | depth 63 ]   each value_size bytes
//                 → an older block with less room, which outer changes still read
//
// What a change shows must stay as it is while it is notified, whatever inner changes write into the value's place. The
// new value is the caller's copy; the former one is copied here, one for each depth of nesting. The room comes with the
// first subscriber of a component, so that notifying never needs memory. It takes an eighth of the component's smallest
// column.
#ifndef KIN_SRC_PAYLOAD_H
#define KIN_SRC_PAYLOAD_H

#include "base/assertion.h"
#include "base/copy.h"
#include "core/core.h"

// Makes room for payloads of `size` bytes. False without memory.
bool kin__payload_reserve(kin_context *context, size_t size);

// Frees the blocks that were outgrown. No change is under way.
void kin__payload_settle(kin_context *context);

// Frees all blocks.
void kin__payload_release(kin_context *context);

// The place of the payload of a change of that depth.
static inline void *kin__payload_at(const kin_context *context, uint32_t depth, size_t size)
{
    const kin__dispatch *dispatch = &context->core->dispatch;
    KIN_ASSERT(dispatch->kept != NULL && size <= dispatch->kept->value_size);
    (void)size;
    return (char *)dispatch->kept->values + depth * dispatch->kept->value_size;
}

// Copies a value for the change that is notified next. Valid until that has been. NULL for a flag, whose size is 0.
static inline const void *kin__payload_keep(const kin_context *context, const void *value, size_t size)
{
    if (size == 0)
        return NULL;
    return kin__value_copy(kin__payload_at(context, context->depth, size), value, size);
}

#endif
