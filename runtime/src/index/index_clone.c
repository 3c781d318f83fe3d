// What indices say about clones.
#include "index/index.h"
#include "storage/chunk.h"

#include <string.h>

bool kin__indices_are_primary(const kin_context *context, kin_component_id id)
{
    for (uint32_t i = 0; i < context->info->index_count; i++) {
        const kin_index_info *info = &context->info->indices[i];
        if (info->is_primary && !info->is_custom && info->key[0].component == id)
            return true;
    }
    return false;
}

static kin__key key_of(const kin_context *context, const kin__index *index, kin_entity source)
{
    return kin__key_read(context, kin_entity_slot(source), index, (kin__news){0}, index->keys[0]);
}

const kin_index_info *kin__indices_forbid_clone(const kin_context *context, kin_entity source)
{
    for (uint32_t i = 0; i < context->info->index_count; i++) {
        const kin__index *index = &context->core->indices->indices[i];
        if (index->info->is_primary && index->info->is_custom &&
            kin__matcher_holds(&index->matcher, kin__row_of(context, kin_entity_slot(source)), context->row_words) &&
            !key_of(context, index, source).is_null)
            return index->info;
    }
    return NULL;
}

// `row` is what the clone has, with the component `id` that it gets just now.
static kin_status check_step(const kin_context *context, kin_entity source, const uint64_t *row, kin_component_id id)
{
    EACH_INDEX_OF(index, context, id)
    {
        if (!kin__matcher_holds(&index->matcher, row, context->row_words))
            continue;
        kin__key key = key_of(context, index, source);
        if (key.is_null)
            continue;
        if (key.is_none)
            return KIN_ERROR_INVALID;
        if (index->info->is_primary && kin__index_find_bytes(context, index->number, key.bytes) != 0)
            return KIN_ERROR_DUPLICATE_KEY;
    }
    return KIN_OK;
}

kin_status kin__indices_check_clone(const kin_context *context, kin_entity source, kin__is_cloned *is_cloned,
                                    kin_component_id *at)
{
    kin_status status = KIN_OK;
    if (context->core->indices == NULL)
        return KIN_OK;
    uint64_t *row = context->core->indices->rows;
    memset(row, 0, context->row_words * sizeof *row);
    EACH_OF_ROW(id, kin__row_of(context, kin_entity_slot(source)), context->row_words)
    {
        if (status != KIN_OK || !is_cloned(context, id))
            continue;
        *at = (kin_component_id)id;
        kin__bits_add(row, id);
        status = check_step(context, source, row, *at);
    }
    return status;
}
