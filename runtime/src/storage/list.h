// Lists: the fields of a value that are arrays of any length.
//
//   column        value { …, at, count }
//                            |
//   block of the list        └→ [ next | id | … | capacity | element 0 | … | element count - 1 | room ]
//                            ┌ the same address: freed with this block
//   block of the value      [ … | value { …, at, count at first } | … ]
//
// A list that grows gets a larger block, and its old block is retired (owned.h), as payloads of running changes may
// point to it. While the block of the value is pinned, the outgrown block is instead kept, linked from the new one by
// `next`, until the last pin is removed.
//
// Invariants, checked by kin__lists_are_valid():
//   1. the column and the block of the value have the same address of each list
//   2. no list has more elements than its capacity
//   3. only lists of pinned blocks have outgrown blocks
#ifndef KIN_SRC_LIST_H
#define KIN_SRC_LIST_H

#include "core/core.h"

#include <kin/generated/list.h>

// Returns the first list of a component from `field` on; the end of its fields if no list follows.
static inline const kin_field_info *kin__next_list(const kin_component_info *info, const kin_field_info *field)
{
    while (field < info->fields + info->field_count && !field->is_list)
        field++;
    return field;
}

#define KIN__EACH_LIST(field, info)                                                                                    \
    for (const kin_field_info *field = kin__next_list(info, (info)->fields);                                           \
         field < (info)->fields + (info)->field_count; field = kin__next_list(info, field + 1))

// Return the list in a value, which need not be aligned; and write it.
kin__list_field kin__list_field_read(const void *value, const kin_field_info *field);
void kin__list_field_write(void *value, const kin_field_info *field, kin__list_field list);

// Checks the lists of a value that a caller passes. KIN_OK, KIN_ERROR_LIMIT for a list that is too long, or
// KIN_ERROR_INVALID for a count without elements.
kin_status kin__lists_check(const kin_component_info *info, const void *value);

// Makes the lists in the value of a new block point to copies of their elements. False when out of memory: then every
// copy is freed.
bool kin__lists_copy(kin_context *context, kin__owned_block *owned_block);

// Frees the lists of a block that is about to be freed.
void kin__lists_release(kin_context *context, kin__owned_block *owned_block);

// Detaches the outgrown blocks of the value's lists, linked by `next`, and returns them for the caller to retire.
kin__owned_block *kin__lists_take_outgrown(const kin_context *context, kin__owned_block *owned_block);

// Reserves room for `least` elements in a list of a slot that has the component. A list that grows is moved and at
// least doubles its capacity. False, with nothing changed, when out of memory.
bool kin__list_field_reserve(kin_context *context, uint32_t slot, kin_component_id id, const kin_field_info *field,
                             uint32_t least);

// Moves lists with spare capacity to smaller blocks, except lists of values that are being delivered, and lists for
// which no memory is available. No change may be under way.
void kin__lists_trim(kin_context *context);

// Checks the invariants for the value of a slot, and its block.
bool kin__lists_are_valid(const kin_component_info *info, const kin__owned_block *owned_block, const void *value);

#endif
