#include "storage/shared.h"

#include "base/base.h"
#include "storage/owned.h"
#include "storage/private/shared_table.h"

#include <kin/generated/shared.h>

#include <string.h>

static kin__memory *memory_of(const kin_context *context)
{
    return &context->core->column_memory;
}

kin__owned_block *kin__shared_block_of(const void *value)
{
    return (kin__owned_block *)(void *)((char *)(uintptr_t)value - sizeof(kin__owned_block));
}

void *kin__shared_value_of(kin__owned_block *block)
{
    return block->value;
}

// ---- values

void kin__shared_block_release(kin_context *context, kin__owned_block *block)
{
    kin__release(memory_of(context), kin__shared_record_of(block), block->size);
}

kin__owned_block *kin__shared_block_make(kin_context *context, kin_component_id id, uint64_t hash, const void *value)
{
    const kin_component_info *info = &context->info->components[id];
    size_t strings = kin__strings_size(info, value);
    size_t size = KIN__SHARED_RECORD_SIZE + sizeof(kin__owned_block) + info->size + strings;
    char *made = kin__allocate(memory_of(context), size);
    if (made == NULL)
        return NULL;
    kin__owned_block *block = (kin__owned_block *)(void *)(made + KIN__SHARED_RECORD_SIZE);
    *block = (kin__owned_block){.id = id, .flags = KIN__OWNED_SHARED, .size = size};
    *kin__shared_record_of(block) = (kin__shared_record){.hash = hash};
    memcpy(block->value, value, info->size);
    kin__strings_copy(info, block->value, (char *)block->value + info->size);
    return block;
}

// Makes a value with a number. If an image of a snapshot has parked an equal value, its block is used.
static kin__owned_block *make(kin_context *context, kin_component_id id, uint64_t hash, const void *value)
{
    kin__shared *table = kin__shared_table_of(context, id);
    if (!kin__shared_table_reserve_one(context, table))
        return NULL;
    kin__owned_block *block = kin__shared_parked_find(table, hash, value);
    if (block != NULL)
        kin__shared_unpark(table, block);
    else
        block = kin__shared_block_make(context, id, hash, value);
    if (block != NULL)
        kin__shared_table_insert(table, block);
    return block;
}

kin__owned_block *kin__shared_take(kin_context *context, kin_component_id id, const void **value)
{
    kin__shared *table = kin__shared_table_reserve(context, id);
    if (table == NULL)
        return NULL;
    uint64_t hash = kin__shared_parts_hash(table->parts, table->part_count, context->core->factors, *value);
    kin__owned_block *block = kin__shared_table_find(table, hash, *value);
    if (block == NULL)
        block = make(context, id, hash, *value);
    if (block == NULL)
        return NULL;
    block->pins++;
    *value = block->value;
    return block;
}

void kin__shared_add_holder(kin__owned_block *block)
{
    KIN_ASSERT(block->pins > kin__shared_record_of(block)->holders);
    kin__shared_record_of(block)->holders++;
}

void kin__shared_remove_holder(kin__owned_block *block)
{
    KIN_ASSERT(kin__shared_record_of(block)->holders > 0);
    kin__shared_record_of(block)->holders--;
}

static void free_value(kin_context *context, kin__owned_block *block)
{
    KIN_ASSERT(block->pins == 0 && kin__shared_record_of(block)->holders == 0);
    kin__shared_table_erase(kin__shared_table_of(context, block->id), block);
    if (block->images > 0)
        kin__shared_park(kin__shared_table_of(context, block->id), block);
    else
        kin__shared_block_release(context, block);
}

void kin__shared_retire(kin_context *context, kin__owned_block *block)
{
    KIN_ASSERT(block->pins == 0 && (block->flags & KIN__OWNED_SHARED) != 0);
    if ((block->flags & KIN__OWNED_WAITING) != 0)
        return;
    block->flags |= KIN__OWNED_WAITING;
    kin__owned_block_retire(context, block);
}

void kin__shared_let_go(kin_context *context, kin__owned_block *block)
{
    KIN_ASSERT(block->pins > 0 && (block->flags & KIN__OWNED_SHARED) != 0);
    if (--block->pins == 0)
        kin__shared_retire(context, block);
}

void kin__shared_release(kin_context *context, kin__owned_block *block)
{
    KIN_ASSERT(block->pins > 0 && (block->flags & KIN__OWNED_SHARED) != 0);
    if (--block->pins == 0 && (block->flags & KIN__OWNED_WAITING) == 0)
        free_value(context, block);
}

void kin__shared_finish(kin_context *context, kin__owned_block *block)
{
    KIN_ASSERT((block->flags & KIN__OWNED_WAITING) != 0);
    block->flags &= (uint8_t)~KIN__OWNED_WAITING;
    if (block->pins == 0)
        free_value(context, block);
}

// ---- all values

const void *kin__shared_next(const kin_context *context, kin_component_id id, uint32_t *number, uint32_t *count)
{
    const kin__shared *table = kin__shared_table_of(context, id);
    while (table != NULL && *number < table->limit) {
        const kin__owned_block *block = *kin__shared_value_at(table, (*number)++);
        *count = block == NULL ? 0 : kin__shared_record_of(block)->holders;
        if (*count > 0)
            return block->value;
    }
    *count = 0;
    return NULL;
}

uint32_t kin__shared_count(const kin_context *context, kin_component_id id)
{
    const kin__shared *table = kin__shared_table_of(context, id);
    return table == NULL ? 0 : kin__shared_table_count(table);
}

static void release_tables(kin_context *context)
{
    kin__core *core = context->core;
    kin__release(memory_of(context), core->shared, context->info->component_count * sizeof *core->shared);
    core->shared = NULL;
}

void kin__shared_trim(kin_context *context)
{
    uint32_t left = 0;
    if (context->core->shared == NULL)
        return;
    for (uint32_t i = 0; i < context->info->component_count; i++) {
        kin_component_id id = (kin_component_id)i;
        if (context->core->shared[id] == NULL)
            continue;
        if (kin__shared_count(context, id) == 0 && context->core->shared[id]->parked_count == 0)
            kin__shared_table_release(context, id);
        else if (kin__shared_count(context, id) > 0)
            kin__shared_table_trim(context, context->core->shared[id]);
        left += context->core->shared[id] != NULL;
    }
    if (left == 0)
        release_tables(context);
}

void kin__shared_end(kin_context *context)
{
    if (context->core->shared == NULL)
        return;
    for (uint32_t id = 0; id < context->info->component_count; id++) {
        const kin__shared *table = context->core->shared[id];
        for (uint32_t number = 0; table != NULL && number < table->limit; number++)
            if (*kin__shared_value_at(table, number) != NULL)
                kin__shared_block_release(context, *kin__shared_value_at(table, number));
        for (uint32_t i = 0; table != NULL && i < table->parked_capacity; i++)
            if (table->parked[i] != NULL)
                kin__shared_block_release(context, table->parked[i]);
        if (table != NULL)
            kin__shared_table_release(context, (kin_component_id)id);
    }
    release_tables(context);
}

static size_t table_used(const kin__shared *table)
{
    size_t number = sizeof(kin__owned_block *) + sizeof(kin__shared_entry);
    size_t used = sizeof *table + table->part_count * sizeof *table->parts + kin__shared_table_count(table) * number;
    for (uint32_t i = 0; i < table->limit; i++)
        used += *kin__shared_value_at(table, i) == NULL ? 0 : (*kin__shared_value_at(table, i))->size;
    for (uint32_t i = 0; i < table->parked_capacity; i++)
        used += table->parked[i] == NULL ? 0 : sizeof *table->parked + table->parked[i]->size;
    return used;
}

size_t kin__shared_used(const kin_context *context)
{
    size_t used = 0;
    for (uint32_t id = 0; context->core->shared != NULL && id < context->info->component_count; id++)
        if (context->core->shared[id] != NULL)
            used += table_used(context->core->shared[id]);
    return used;
}

// ---- validation

bool kin__shared_is_valid(const kin_context *context, kin_component_id id, const void *value)
{
    const kin__shared *table = kin__shared_table_of(context, id);
    const kin__owned_block *block = kin__shared_block_of(value);
    if (table == NULL || block->id != id || (block->flags & KIN__OWNED_SHARED) == 0)
        return false;
    const kin__shared_record *record = kin__shared_record_of(block);
    return record->number < table->limit && *kin__shared_value_at(table, record->number) == block &&
           record->holders > 0 && block->pins >= record->holders &&
           kin__shared_table_find(table, record->hash, value) == block;
}

// Returns how many entities have a component.
static uint32_t count_holders(const kin_context *context, uint32_t id)
{
    uint32_t count = 0;
    for (uint32_t number = 0; number < context->chunk_count; number++)
        count +=
            kin__bits_count(kin__chunk_columns(context->chunks[number], context->row_words)[id]->has, KIN__CHUNK_WORDS);
    return count;
}

bool kin__shared_all_are_valid(const kin_context *context)
{
    for (uint32_t id = 0; context->core->shared != NULL && id < context->info->component_count; id++) {
        const kin__shared *table = context->core->shared[id];
        uint32_t holders = 0;
        if (table == NULL)
            continue;
        for (uint32_t number = 0; number < table->limit; number++) {
            kin__owned_block *block = *kin__shared_value_at(table, number);
            holders += block == NULL ? 0 : kin__shared_record_of(block)->holders;
            if (block != NULL && block->pins == 0 && (block->flags & KIN__OWNED_WAITING) == 0)
                return false;
        }
        if (!kin__shared_table_is_valid(table) || holders != count_holders(context, id))
            return false;
    }
    return true;
}
