// Indices: what they use of their memory, and giving back the rest.
#include "index/index.h"

#include "storage/column.h"

// Room that is kept by slot is needed where an entity of the chunk has the first component of the key.
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
    uint32_t given = index->info->is_primary ? 0 : index->pinned_count;
    trim_blocks(context, index);
    kin__table_trim(&context->core->index_memory, kin__index_table(context, index), index->potential + given);
    if (!index->info->is_primary)
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
           count * sizeof(kin__entry) + members * index->slot_size + kin__list_used(index);
}

size_t kin__indices_used(const kin_context *context)
{
    const kin__indices *indices = context->core->indices;
    if (indices == NULL)
        return 0;
    size_t bytes = sizeof *indices + ((size_t)context->info->component_count + 1) * sizeof *indices->first +
                   indices->number_count * sizeof *indices->numbers + 2 * context->row_words * sizeof *indices->rows;
    for (uint32_t i = 0; i < context->info->index_count; i++)
        bytes += used(context, &indices->indices[i]);
    return bytes;
}
