// Owned blocks: the strings and opaque values that the context owns, in one block for each value of a component. Each
// list of a value has a block of its own (list.h).
//
//   column    has[8] | values[512] | owned blocks[512]
//                           |             |
//                           |             └→ [ next | id | size | the value | opaque record | string\0string\0 ]
//                           └ the same value: its strings point into the block, which never moves
//
// A block is complete before the first write. When its value is removed or replaced, the block is retired: it is kept
// until the outermost change has been notified, as payloads may point into it. Then its opaque values are dropped and
// it is freed. The list of retired blocks needs no memory. An event pins the block while it delivers a last value.
//
// If the new value of a replace contains an opaque value of the old one, the opaque value moves to the new block, and
// the old block does not drop it. `edit` writes other fields only in the column; the block keeps the fields that the
// value had at first.
//
// Invariants, checked by kin__owned_is_valid():
//   1. the strings of a value point into its block, which has the value's component id
//   2. a value has no block only if all its strings are NULL and the component has no opaque values and no lists
#ifndef KIN_SRC_OWNED_H
#define KIN_SRC_OWNED_H

#include "storage/chunk.h"

// Returns whether values of the component own strings, opaque values or lists.
static inline bool kin__is_owned(const kin_context *context, kin_component_id id)
{
    return context->core->watches[id].ownership == KIN__OWNERSHIP_OWN;
}

// Returns whether changes of the component write more than bits and a value, so that they always call the library.
static inline bool kin__is_special(const kin_context *context, kin_component_id id)
{
    const kin_component_info *info = &context->info->components[id];
    return info->is_unique || info->is_boxed || info->is_stashable || kin__is_owned(context, id) ||
           (context->core->watches[id].side_effects & KIN__SIDE_EFFECT_RELATION) != 0;
}

// Returns the size in bytes of all strings of a value, with their NULs. NULL strings have none.
size_t kin__strings_size(const kin_component_info *info, const void *value);

// Copies the strings of the value to `end` and makes it point to the copies.
void kin__strings_copy(const kin_component_info *info, void *value, char *end);

// Makes a block with a copy of the value, and makes `*value` point to the copy. A value that owns nothing gets no
// block: `*owned_block` is NULL and `*value` unchanged. For a shared value, `*owned_block` is the block of the equal
// value (shared.h). False when out of memory; also for a list that is too long, or has a count without elements, which
// kin__report_error then reports instead (core.value_error).
bool kin__owned_block_make(kin_context *context, kin_component_id id, const void **value,
                           kin__owned_block **owned_block);

// Frees a block that was not put into a slot, with its lists; the caller still owns its opaque values. NULL is allowed.
void kin__owned_block_release(kin_context *context, kin__owned_block *owned_block);

// Moves the opaque values that both blocks have from `replaced`, and from the retired blocks that it replaced, to
// `owned_block`. If `owned_block` is released instead of put into a slot, they belong to the caller. NULL is allowed.
void kin__owned_block_move_opaque(kin_context *context, kin__owned_block *owned_block, kin__owned_block *replaced);

// Return the block of the value in a slot, or NULL; set it; replace it by the block of a new value, and retire it.
kin__owned_block *kin__owned_block_of(const kin_context *context, uint32_t slot, kin_component_id id);
void kin__owned_put(kin_context *context, uint32_t slot, kin_component_id id, kin__owned_block *owned_block);
void kin__owned_replace(kin_context *context, uint32_t slot, kin_component_id id, kin__owned_block *owned_block);

// Return the owned blocks of a column, by place; and the value in a block.
kin__owned_block **kin__owned_blocks_of(const kin_context *context, const kin__column *column, kin_component_id id);
void *kin__owned_block_value(kin__owned_block *owned_block);

// Retires a block that was removed from its slot. NULL is allowed, here and below.
void kin__owned_block_retire(kin_context *context, kin__owned_block *owned_block);

// Pins a block: it is not dropped or freed, even if retired, until each pin is undone.
void kin__owned_block_pin(kin__owned_block *owned_block);
void kin__owned_block_unpin(kin_context *context, kin__owned_block *owned_block);

// Makes a block that an image has pinned the block of a current value again, so that unpinning does not free it.
// Retired blocks must be settled. NULL is allowed.
void kin__owned_block_revive(kin__owned_block *owned_block);

// Begins and ends a loan, during which no block is dropped or freed: a spawn that fails midway returns the caller's
// opaque values, even those that a listener has replaced or removed.
void kin__loan_begin(kin_context *context);
void kin__loan_end(kin_context *context);

// Returns the opaque values of a block that was put during the loan to the caller: neither the block nor those that
// replaced it drop them. The component must have opaque values.
void kin__owned_block_return_opaque(kin_context *context, kin__owned_block *owned_block);

// Zeroes the opaque values of such a block in a last value whose block is `shown`. Does nothing unless `shown` is this
// block or one that replaced it.
void kin__owned_block_clear_opaque(kin_context *context, kin__owned_block *owned_block, const kin__owned_block *shown,
                                   void *value);

// Drops and frees the retired blocks, in order, unless a change or a loan is under way.
void kin__owned_settle(kin_context *context);

// Drops and frees the blocks of all values of a column.
void kin__owned_release(kin_context *context, const kin__column *column, kin_component_id id);

// Checks the invariants for a slot that has the component with this value.
bool kin__owned_is_valid(const kin_context *context, uint32_t slot, kin_component_id id, const void *value);

#endif
