// Makes the indices of a context, reserves and trims their memory, and releases them.
#include "index/index.h"

#include "base/base.h"
#include "index/given_keys.h"
#include "index/plain.h"
#include "notify/notify.h"
#include "store/store.h"

#include <string.h>

static size_t key_size_of(const kin__index *index)
{
    size_t size = 0;
    for (uint32_t i = 0; i < index->leaf_count; i++)
        size += index->leaves[i].size;
    return size;
}

static bool has_strings(const kin__index *index)
{
    for (uint32_t i = 0; i < index->leaf_count; i++)
        if (index->leaves[i].kind == KIN__LEAF_STRING)
            return true;
    return false;
}

static size_t slot_size_of(const kin__index *index)
{
    if (index->info->function != NULL)
        return (sizeof(kin__kept_key) + index->key_size + 3) / 4 * 4;
    if (!index->info->is_primary)
        return sizeof(kin__link);
    if (index->has_strings)
        return index->leaf_count == 1 ? KIN__STRING_PREFIX : 0;
    return index->key_size > KIN__WORD_SIZE ? index->key_size : 0;
}

static bool make(kin_context *context, kin__index *index)
{
    kin__memory *memory = &context->core->index_memory;
    index->matcher = kin__matcher_normalise(&index->info->matcher);
    index->leaf_count = kin__key_count_leaves(index->info);
    index->leaves = kin__allocate(memory, index->leaf_count * sizeof *index->leaves);
    if (index->leaves == NULL)
        return false;
    kin__key_list_leaves(index->info, index->leaves);
    index->key_size = key_size_of(index);
    index->has_strings = has_strings(index);
    index->slot_size = slot_size_of(index);
    index->is_plain = kin__index_find_plain(index);
    KIN_ASSERT(index->leaf_count > 0 && index->key_size > 0 && (index->info->is_primary || index->slot_size > 0));
    for (uint32_t i = 0; i < 2; i++) {
        index->keys[i] = kin__allocate(memory, index->key_size);
        if (index->keys[i] == NULL)
            return false;
    }
    if (index->info->function != NULL && !kin__given_keys_make(context, index))
        return false;
    context->tables[index->number] = kin__table_begin(context->core->factors);
    return kin__table_reserve(memory, &context->tables[index->number], 0);
}

// Calls `visit` for each component that the index names, once.
static void visit_components(kin_context *context, const kin__index *index,
                             void (*visit)(kin_context *context, const kin__index *index, kin_component_id id))
{
    for (uint32_t i = 0; i < index->matcher.count; i++)
        for (uint32_t k = 0; k < index->matcher.rules[i].count; k++)
            visit(context, index, index->matcher.rules[i].ids[k]);
}

static void count_component(kin_context *context, const kin__index *index, kin_component_id id)
{
    (void)index;
    context->core->indices->first[id + 1]++;
    kin__component_watch(context, id, true);
}

static void append_component(kin_context *context, const kin__index *index, kin_component_id id)
{
    kin__indices *indices = context->core->indices;
    indices->numbers[indices->first[id]++] = index->number;
}

static size_t first_size(const kin_context *context)
{
    return ((size_t)context->info->component_count + 1) * sizeof(uint32_t);
}

// Lists the indices by the components that they name: counts those of each component, then fills one array in order.
static bool list_by_component(kin_context *context)
{
    kin__indices *indices = context->core->indices;
    uint32_t count = context->info->index_count, component_count = context->info->component_count;
    for (uint32_t i = 0; i < count; i++)
        visit_components(context, &indices->indices[i], count_component);
    for (uint32_t id = 0; id < component_count; id++)
        indices->first[id + 1] += indices->first[id];
    indices->number_count = indices->first[component_count];
    indices->numbers = kin__allocate(&context->core->index_memory, indices->number_count * sizeof *indices->numbers);
    if (indices->numbers == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++)
        visit_components(context, &indices->indices[i], append_component);
    memmove(indices->first + 1, indices->first, component_count * sizeof *indices->first);
    indices->first[0] = 0;
    KIN_ASSERT(indices->first[component_count] == indices->number_count);
    return true;
}

static bool make_tables(kin_context *context)
{
    kin__memory *memory = &context->core->index_memory;
    uint32_t count = context->info->index_count;
    KIN_ASSERT(context->core->indices == NULL && context->tables == NULL);
    kin__indices *indices = kin__allocate_zero(memory, sizeof *indices);
    if (indices == NULL)
        return false;
    context->core->indices = indices;
    context->tables = kin__allocate_zero(memory, count * sizeof *context->tables);
    indices->indices = kin__allocate_zero(memory, count * sizeof *indices->indices);
    indices->first = kin__allocate_zero(memory, first_size(context));
    indices->rows = kin__allocate_zero(memory, 2 * context->row_words * sizeof *indices->rows);
    return context->tables != NULL && indices->indices != NULL && indices->first != NULL && indices->rows != NULL;
}

bool kin__indices_make(kin_context *context)
{
    if (context->info->index_count == 0)
        return true;
    if (!make_tables(context))
        return false;
    for (uint32_t i = 0; i < context->info->index_count; i++) {
        kin__index *index = &context->core->indices->indices[i];
        index->info = &context->info->indices[i];
        index->number = i;
        if (!make(context, index))
            return false;
    }
    return list_by_component(context);
}

// ---- room

bool kin__index_reserve_block(kin_context *context, kin__index *index, uint32_t slot)
{
    kin__memory *memory = &context->core->index_memory;
    uint32_t number = slot / KIN__CHUNK_SLOTS;
    KIN_ASSERT(number < context->chunk_count);
    if (index->slot_size == 0)
        return true;
    if (!kin__array_reserve(memory, &index->blocks, number + 1, sizeof(void *)))
        return false;
    void **blocks = index->blocks.elements;
    while (index->block_count <= number)
        blocks[index->block_count++] = NULL;
    if (blocks[number] == NULL)
        blocks[number] = kin__allocate_zero(memory, KIN__CHUNK_SLOTS * index->slot_size);
    return blocks[number] != NULL;
}

static bool reserve(kin_context *context, kin__index *index, uint32_t slot, uint32_t count)
{
    if (index->given != NULL)
        return kin__given_keys_reserve(context, index, 0);
    if (!kin__index_reserve_block(context, index, slot))
        return false;
    uint32_t least = index->potential + count;
    return index->info->is_primary
               ? kin__table_reserve(&context->core->index_memory, kin__index_table(context, index), least)
               : kin__list_reserve(context, index, least + index->pinned_count);
}

// Whether an entity is in the index only with the component, or with another one of the same rule.
static bool needs(const kin__index *index, kin_component_id id)
{
    for (uint32_t i = 0; i < index->matcher.count; i++) {
        const kin_rule *rule = &index->matcher.rules[i];
        for (uint32_t k = 0; k < rule->count && rule->kind != KIN_RULE_NONE; k++)
            if (rule->ids[k] == id)
                return true;
    }
    return false;
}

bool kin__indices_reserve(kin_context *context, uint32_t slot, kin_component_id id, uint32_t count)
{
    if (context->core->indices == NULL)
        return true;
    EACH_INDEX_OF(index, context, id)
    {
        if (needs(index, id) && !reserve(context, index, slot, count))
            return false;
    }
    return true;
}

bool kin__indices_reserve_replacement(kin_context *context, uint32_t slot, kin_component_id id)
{
    if (context->core->indices == NULL)
        return true;
    EACH_INDEX_OF(index, context, id)
    {
        if (index->given != NULL && kin__index_is_key(index, id) && !reserve(context, index, slot, 0))
            return false;
    }
    return true;
}

// ---- spare memory

// Frees the blocks of chunks in which no entity has the first component of the key.
static void trim_blocks(kin_context *context, kin__index *index)
{
    void **blocks = index->blocks.elements;
    kin_component_id first = index->info->key[0].component;
    for (uint32_t number = 0; number < index->block_count; number++) {
        const kin__column *column = kin__chunk_columns(context->chunks[number], context->row_words)[first];
        if (blocks[number] == NULL || !kin__column_is_empty(column))
            continue;
        kin__release(&context->core->index_memory, blocks[number], KIN__CHUNK_SLOTS * index->slot_size);
        blocks[number] = NULL;
    }
}

static void trim(kin_context *context, kin__index *index)
{
    bool has_lists = !index->info->is_primary || index->given != NULL;
    KIN_ASSERT(has_lists || index->pinned_count == 0);
    if (index->given != NULL)
        kin__given_keys_trim(context, index);
    else
        trim_blocks(context, index);
    kin__table_trim(&context->core->index_memory, kin__index_table(context, index),
                    index->potential + index->pinned_count);
    if (has_lists)
        kin__list_trim(context, index);
}

void kin__indices_trim(kin_context *context)
{
    for (uint32_t i = 0; i < context->info->index_count; i++)
        trim(context, &context->core->indices->indices[i]);
}

static size_t used(const kin_context *context, const kin__index *index)
{
    size_t count = kin__index_table(context, index)->count;
    size_t members = index->info->is_primary ? count : kin__list_count(index);
    return sizeof *index + index->leaf_count * sizeof *index->leaves + 2 * index->key_size + sizeof(kin__table) +
           count * sizeof(kin__entry) + kin__list_used(index) +
           (index->given != NULL ? kin__given_keys_used(index) : members * index->slot_size);
}

size_t kin__indices_used(const kin_context *context)
{
    const kin__indices *indices = context->core->indices;
    if (indices == NULL)
        return 0;
    size_t bytes = sizeof *indices + first_size(context) + indices->number_count * sizeof *indices->numbers +
                   2 * context->row_words * sizeof *indices->rows;
    for (uint32_t i = 0; i < context->info->index_count; i++)
        bytes += used(context, &indices->indices[i]);
    return bytes;
}

// ---- ending

static void release(kin_context *context, kin__index *index)
{
    kin__memory *memory = &context->core->index_memory;
    void **blocks = index->blocks.elements;
    for (uint32_t i = 0; i < index->block_count; i++)
        kin__release(memory, blocks[i], KIN__CHUNK_SLOTS * index->slot_size);
    kin__array_release(memory, &index->blocks, sizeof(void *));
    kin__list_release(context, index);
    kin__given_keys_release(context, index);
    kin__table_release(memory, &context->tables[index->number]);
    kin__release(memory, index->keys[0], index->key_size);
    kin__release(memory, index->keys[1], index->key_size);
    kin__release(memory, index->leaves, index->leaf_count * sizeof *index->leaves);
}

void kin__indices_release(kin_context *context)
{
    kin__memory *memory = &context->core->index_memory;
    kin__indices *indices = context->core->indices;
    size_t count = context->info->index_count;
    if (indices == NULL)
        return;
    for (size_t i = 0; indices->indices != NULL && context->tables != NULL && i < count; i++)
        if (indices->indices[i].info != NULL)
            release(context, &indices->indices[i]);
    kin__release(memory, indices->numbers, indices->number_count * sizeof *indices->numbers);
    kin__release(memory, indices->first, first_size(context));
    kin__release(memory, indices->rows, 2 * context->row_words * sizeof *indices->rows);
    kin__release(memory, indices->indices, count * sizeof *indices->indices);
    kin__release(memory, context->tables, count * sizeof *context->tables);
    kin__release(memory, indices, sizeof *indices);
}
