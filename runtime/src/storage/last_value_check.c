// Keepsakes: what they use of memory, and whether they are in order.
#include "storage/last_value.h"

static size_t used(const kin_context *context, const kin__last_values *last_values)
{
    const kin_component_info *info = &context->info->components[last_values->id];
    size_t each = kin__kept_size(context, last_values->id) + sizeof(kin__owned_block *) + sizeof(uint32_t) +
                  (info->is_boxed ? info->size : 0);
    size_t bytes = last_values->users > 0 ? sizeof *last_values : 0;
    for (uint32_t chunk = 0; chunk < last_values->blocks.capacity; chunk++) {
        const kin__last_value_block *block = kin__last_value_block_of(last_values, chunk);
        bytes += block == NULL ? 0 : each * kin__last_value_block_count(block);
    }
    return bytes;
}

size_t kin__last_values_used(const kin_context *context)
{
    size_t bytes = 0;
    for (uint32_t id = 0; context->core->last_values != NULL && id < context->info->component_count; id++)
        if (context->core->last_values[id] != NULL)
            bytes += used(context, context->core->last_values[id]);
    return bytes;
}

// ---- validation

// What is stashed, of an entity that lives without the component.
static bool stash_is_valid(const kin_context *context, const kin__last_value_block *block, uint32_t chunk,
                           kin_component_id id)
{
    const kin__column *column = kin__chunk_columns(context->chunks[chunk], context->row_words)[id];
    for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++) {
        bool lives = kin__bits_have(context->chunks[chunk]->alive, place);
        if (kin__last_value_block_stashes(block, place) &&
            (block->waiting[place] == 0 || !lives || kin__column_has(column, place)))
            return false;
    }
    return true;
}

static bool block_is_valid(const kin_context *context, const kin__last_value_block *block)
{
    for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++)
        if (block->waiting[place] > 0 ? !kin__last_value_block_has(block, place)
                                      : kin__last_value_block_has(block, place) && context->depth == 0)
            return false;
    return true;
}

bool kin__last_values_are_valid(const kin_context *context)
{
    for (uint32_t id = 0; context->core->last_values != NULL && id < context->info->component_count; id++) {
        const kin__last_values *last_values = context->core->last_values[id];
        for (uint32_t chunk = 0; last_values != NULL && chunk < context->chunk_count; chunk++) {
            const kin__last_value_block *block = kin__last_value_block_of(last_values, chunk);
            bool needed = last_values->users > 0 && kin__has_column(context, chunk, (kin_component_id)id);
            if (block == NULL
                    ? needed
                    : !block_is_valid(context, block) || !stash_is_valid(context, block, chunk, (kin_component_id)id))
                return false;
        }
    }
    return true;
}
