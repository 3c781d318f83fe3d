#include "storage/shared_restore.h"

#include "base/base.h"
#include "storage/owned.h"
#include "storage/private/shared_table.h"

#include <string.h>

// ---- images

bool kin__shared_images_reserve(kin_context *context, kin_component_id id)
{
    kin__shared *table = kin__shared_table_of(context, id);
    return table == NULL ||
           kin__shared_parked_reserve(context, table, kin__shared_table_count(table) + table->parked_count);
}

void kin__shared_image_pin(const void *value)
{
    kin__shared_block_of(value)->images++;
}

static bool is_in_table(const kin__shared *table, const kin__owned_block *block)
{
    uint32_t number = kin__shared_record_of(block)->number;
    return number < table->limit && *kin__shared_value_at(table, number) == block;
}

void kin__shared_image_unpin(kin_context *context, kin_component_id id, const void *value)
{
    kin__owned_block *block = kin__shared_block_of(value);
    kin__shared *table = kin__shared_table_of(context, id);
    KIN_ASSERT(block->images > 0 && block->id == id);
    if (--block->images > 0 || block->pins > 0 || (block->flags & KIN__OWNED_WAITING) != 0)
        return;
    if (is_in_table(table, block))
        return; // during a restore: kin__shared_numbers_restore frees the value later
    kin__shared_unpark(table, block);
    kin__shared_block_release(context, block);
}

const void *kin__shared_adopt(kin_context *context, kin_component_id id, const void *value)
{
    kin__shared *table = kin__shared_table_reserve(context, id);
    if (table == NULL ||
        !kin__shared_parked_reserve(context, table, kin__shared_table_count(table) + table->parked_count + 1))
        return NULL;
    uint64_t hash = kin__shared_parts_hash(table->parts, table->part_count, context->core->factors, value);
    kin__owned_block *block = kin__shared_table_find(table, hash, value);
    if (block == NULL)
        block = kin__shared_parked_find(table, hash, value);
    if (block == NULL) {
        block = kin__shared_block_make(context, id, hash, value);
        if (block == NULL)
            return NULL;
        kin__shared_park(table, block);
    }
    block->images++;
    return block->value;
}

// ---- the table

uint32_t kin__shared_limit(const kin_context *context, kin_component_id id)
{
    const kin__shared *table = kin__shared_table_of(context, id);
    uint32_t limit = table == NULL ? 0 : table->limit;
    while (limit > 0 && *kin__shared_value_at(table, limit - 1) == NULL)
        limit--;
    return limit;
}

void kin__shared_numbers_save(const kin_context *context, kin_component_id id, const void **values)
{
    const kin__shared *table = kin__shared_table_of(context, id);
    for (uint32_t number = 0, limit = kin__shared_limit(context, id); number < limit; number++) {
        const kin__owned_block *block = *kin__shared_value_at(table, number);
        values[number] = block == NULL ? NULL : block->value;
    }
}

uint32_t kin__shared_number_of(const void *value)
{
    return kin__shared_record_of(kin__shared_block_of(value))->number;
}

bool kin__shared_numbers_reserve(kin_context *context, kin_component_id id, uint32_t limit)
{
    if (limit == 0 && kin__shared_table_of(context, id) == NULL)
        return true;
    kin__shared *table = kin__shared_table_reserve(context, id);
    return table != NULL && kin__shared_table_reserve_limit(context, table, limit) &&
           kin__shared_parked_reserve(context, table, kin__shared_table_count(table) + table->parked_count);
}

void kin__shared_restore_reference(const void *value)
{
    kin__shared_block_of(value)->pins++;
}

void kin__shared_restore_place(const void *before, const void *after)
{
    if (after != NULL) {
        kin__shared_block_of(after)->pins++;
        kin__shared_add_holder(kin__shared_block_of(after));
    }
    if (before != NULL) {
        KIN_ASSERT(kin__shared_block_of(before)->pins > 0);
        kin__shared_remove_holder(kin__shared_block_of(before));
        kin__shared_block_of(before)->pins--;
    }
}

static bool are_numbers(const kin__shared *table, const void *const *values, uint32_t limit)
{
    uint32_t count = 0;
    for (uint32_t number = 0; number < limit; number++) {
        const kin__owned_block *block = values[number] == NULL ? NULL : kin__shared_block_of(values[number]);
        if (block == NULL)
            continue;
        if (number >= table->limit || *kin__shared_value_at(table, number) != block || block->pins == 0)
            return false;
        count++;
    }
    return count == kin__shared_table_count(table);
}

// Removes all values from the table: parks those with image pins, and frees the others.
static void park_all(kin_context *context, kin__shared *table)
{
    for (uint32_t number = 0; number < table->limit; number++) {
        kin__owned_block *block = *kin__shared_value_at(table, number);
        if (block == NULL)
            continue;
        KIN_ASSERT(block->images > 0 || block->pins == 0);
        if (block->images > 0)
            kin__shared_park(table, block);
        else
            kin__shared_block_release(context, block);
    }
    table->limit = table->free_count = 0;
}

void kin__shared_numbers_restore(kin_context *context, kin_component_id id, const void *const *values, uint32_t limit)
{
    kin__shared *table = kin__shared_table_of(context, id);
    kin__owned_settle(context); // then no value is in the list of retired blocks
    if (table == NULL || are_numbers(table, values, limit))
        return;
    park_all(context, table);
    kin__owned_block **blocks = table->values.elements;
    for (uint32_t number = 0; number < limit; number++) {
        kin__owned_block *block = values[number] == NULL ? NULL : kin__shared_block_of(values[number]);
        blocks[number] = block == NULL || block->pins == 0 ? NULL : block;
        if (blocks[number] != NULL)
            kin__shared_unpark(table, block);
    }
    kin__shared_table_assign(table, blocks, limit);
    KIN_VALIDATE(kin__shared_table_is_valid(table));
}
