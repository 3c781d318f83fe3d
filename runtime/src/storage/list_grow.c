// Growing and trimming: moves lists to blocks of another size.
#include "base/base.h"
#include "storage/column.h"
#include "storage/list.h"
#include "storage/owned.h"
#include "storage/private/owned_block.h"
#include "storage/value.h"

#include <string.h>

enum { LEAST_CAPACITY = 8 }; // of a list, when it first grows

// Makes the list point to `at`, to which its elements have been copied; NULL: an empty list without a block.
static void move_list(kin_context *context, uint32_t slot, kin_component_id id, const kin_field_info *field, void *at)
{
    void *value = kin__value_of(context, slot, id);
    kin__owned_block *owner = kin__owned_block_of(context, slot, id);
    kin__list_field list = kin__list_field_read(value, field), first = kin__list_field_read(owner->value, field);
    void *before = list.at;
    KIN_ASSERT(first.at == before);
    list.at = first.at = at;
    kin__list_field_write(value, field, list);
    kin__list_field_write(owner->value, field, first);
    if (before != NULL && at != NULL && owner->pins > 0)
        kin__list_block_of(at)->next = kin__list_block_of(before);
    else if (before != NULL)
        kin__owned_block_retire(context, kin__list_block_of(before));
    kin__owned_settle(context);
}

// Moves the list to a block with the capacity, which is not 0. False when out of memory.
static bool move_to_capacity(kin_context *context, uint32_t slot, kin_component_id id, const kin_field_info *field,
                             uint32_t capacity)
{
    kin__list_field list = kin__list_field_read(kin__value_of(context, slot, id), field);
    KIN_ASSERT(list.count <= capacity);
    void *at = kin__list_block_make(context, id, capacity, field->element_size);
    if (at == NULL)
        return false;
    if (list.count > 0)
        memcpy(at, list.at, list.count * field->element_size);
    move_list(context, slot, id, field, at);
    return true;
}

bool kin__list_field_reserve(kin_context *context, uint32_t slot, kin_component_id id, const kin_field_info *field,
                             uint32_t least)
{
    uint32_t capacity = kin__list_field_capacity(kin__list_field_read(kin__value_of(context, slot, id), field).at);
    uint32_t larger = 2 * capacity < LEAST_CAPACITY ? LEAST_CAPACITY : 2 * capacity;
    KIN_ASSERT(least <= KIN__LIST_LIMIT && capacity <= KIN__LIST_LIMIT);
    if (larger > KIN__LIST_LIMIT)
        larger = KIN__LIST_LIMIT;
    return least <= capacity || move_to_capacity(context, slot, id, field, least > larger ? least : larger);
}

static void trim_lists(kin_context *context, uint32_t slot, kin_component_id id)
{
    if (kin__owned_block_of(context, slot, id)->pins > 0)
        return;
    KIN__EACH_LIST(field, &context->info->components[id])
    {
        kin__list_field list = kin__list_field_read(kin__value_of(context, slot, id), field);
        if (list.count == kin__list_field_capacity(list.at))
            continue;
        if (list.count == 0)
            move_list(context, slot, id, field, NULL);
        else
            move_to_capacity(context, slot, id, field, list.count);
    }
}

void kin__lists_trim(kin_context *context)
{
    for (uint32_t id = 0; id < context->info->component_count; id++)
        for (uint32_t slot = 0;
             context->info->components[id].has_lists && slot < context->chunk_count * KIN__CHUNK_SLOTS; slot++)
            if (kin__column_has(kin__column_of(context, slot, (kin_component_id)id), slot % KIN__CHUNK_SLOTS))
                trim_lists(context, slot, (kin_component_id)id);
}
