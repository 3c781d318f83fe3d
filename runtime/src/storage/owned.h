// Owned: the strings and opaque values that belong to the context, in one parcel for each value of a component.
//
//   column    has[8] | values[512] | parcels[512]
//                           |             |
//                           |             └→ [ next | id | size | the value | opaque record | text\0text\0 ]
//                           └ the same value: its strings point into the parcel, which never moves
//
// A parcel is made whole before the first write. One whose value was removed or replaced is kept until the outermost
// change has been told, so that payloads may point into it; then its opaque values are dropped and it is freed. The
// list of those needs no memory. An event that shows one to a listener keeps it until that returns.
//
// An opaque value that a replace finds in the new value too is not dropped with the old one: the new one drops it.
// `edit` writes other fields in the column alone; the parcel keeps those that the value began with.
//
// Invariant, checked by kin__owned_is_valid(): the strings of a value that is there lie in its parcel; there is one
// unless all strings are NULL and the component has no opaque values to drop.
#ifndef KIN_SRC_OWNED_H
#define KIN_SRC_OWNED_H

#include "storage/chunk.h"

// Whether values of the component own anything.
static inline bool kin__is_owned(const kin_context *context, kin_component_id id)
{
    const kin_component_info *info = &context->info->components[id];
    return info->has_strings || info->has_drops;
}

// A parcel for a copy of the value; `*value` is that copy from now on. NULL, and the value as it was, when it owns
// nothing. False without memory.
bool kin__owned_block_make(kin_context *context, kin_component_id id, const void **value,
                           kin__owned_block **owned_block);

// Frees one that was not put anywhere: its opaque values are still the caller's. NULL is allowed.
void kin__owned_block_release(kin_context *context, kin__owned_block *owned_block);

// The opaque values that both have, also in values that `replaced` replaced and that wait for their drop, belong to
// `parcel` from now on, and return to the caller if it is released instead of put. NULL is allowed.
void kin__owned_block_follow(kin_context *context, kin__owned_block *owned_block, kin__owned_block *replaced);

// The parcel of the value in a slot: finds it (NULL: none), sets it, and replaces it by the one of a new value.
kin__owned_block *kin__owned_block_of(const kin_context *context, uint32_t slot, kin_component_id id);
void kin__owned_put(kin_context *context, uint32_t slot, kin_component_id id, kin__owned_block *owned_block);
void kin__owned_replace(kin_context *context, uint32_t slot, kin_component_id id, kin__owned_block *owned_block);

// Gives up one that is in no slot any more. NULL is allowed, here and below.
void kin__owned_block_give_up(kin_context *context, kin__owned_block *owned_block);

// Puts off the end of a parcel, also of one that has been given up meanwhile, until who shows it lets go.
void kin__owned_block_keep(kin__owned_block *owned_block);
void kin__owned_block_let_go(kin_context *context, kin__owned_block *owned_block);

// Begins and ends a loan, during which no parcel is dropped or freed: a batch that is refused midway returns the opaque
// values that the caller gave, even those that a listener has replaced or removed.
void kin__loan_begin(kin_context *context);
void kin__loan_end(kin_context *context);

// Makes the caller the owner again of the opaque values of a parcel that was put during the loan: neither it nor the
// values that replaced it drop them. For a component with opaque values.
void kin__owned_block_return(kin_context *context, kin__owned_block *owned_block);

// Zeroes the opaque values of such a parcel in a value that is kept for an event, whose parcel is `shown`. Does nothing
// when that is neither this parcel nor one that replaced it.
void kin__owned_block_hide(kin_context *context, kin__owned_block *owned_block, const kin__owned_block *shown,
                           void *value);

// Drops and frees what was given up, in the order of giving up, unless a change is still being told or a loan continues.
void kin__owned_settle(kin_context *context);

// Drops and frees what all values of a column own.
void kin__owned_release(kin_context *context, const kin__column *column, kin_component_id id);

// For a slot that has the component.
bool kin__owned_is_valid(const kin_context *context, uint32_t slot, kin_component_id id);

#endif
