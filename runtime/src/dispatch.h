// Dispatch: the changes that are being told now, each within a listener of the one outside it.
//
//   frames → innermost change → … → outermost      on the stack of the calls that make them
//
// A frame remembers what is told: the entity, the component, the values before and after, and the entity's components
// as they were (its row), so that which groups the change alters does not depend on what listeners do meanwhile.
//
// What a change shows stays as it is while it is told, whatever inner changes write into the value's place: the new
// value is the caller's copy, the former one is kept here. There is room for one at each depth, which comes with the
// first subscriber to a component, so that telling never needs memory; it is an eighth of the component's smallest
// column.
#ifndef KIN_SRC_DISPATCH_H
#define KIN_SRC_DISPATCH_H

#include "core.h"

// Whether one more change may begin: changes nest 64 deep.
static inline bool kin__dispatch_may_nest(const kin_context *context)
{
    return context->core->dispatch.depth < KIN__MAX_DEPTH;
}

// Bytes of the rows: two for each depth.
static inline size_t kin__rows_size(const kin_context *context)
{
    return (size_t)KIN__MAX_DEPTH * 2 * context->row_words * sizeof(uint64_t);
}

// Room for keeping values of `size` bytes. False without memory.
bool kin__dispatch_reserve(kin_context *context, size_t size);

// Keeps a value for the change that is told next, until it has been. NULL for a flag, whose size is 0.
const void *kin__dispatch_keep(const kin_context *context, const void *value, size_t size);

// All memory of kept values, rows and subscribers.
void kin__dispatch_release(kin_context *context);

// Begins and ends the telling of a change; the frame's entity, component and values are set.
void kin__frame_enter(kin_context *context, kin__frame *frame);
void kin__frame_leave(kin_context *context, const kin__frame *frame);

// The first of the two rows of the frame that comes next. What an entity has is put there before it is stripped.
uint64_t *kin__dispatch_row(const kin_context *context);

// Whether the entity is alive while it is told that it will be destroyed.
bool kin__is_leaving(const kin_context *context, kin_entity entity);

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
