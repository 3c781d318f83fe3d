#include "relation/relation_restore.h"

const kin__relation_block *kin__relation_saved_block(const kin_context *context, uint32_t number, uint32_t chunk)
{
    return kin__relation_block_of(kin__relation_at(context, number), chunk * KIN__CHUNK_SLOTS);
}

bool kin__relations_restore_reserve(kin_context *context, uint32_t number, uint32_t chunk)
{
    KIN_ASSERT(chunk < context->chunk_count);
    return kin__relation_reserve(context, kin__relation_at(context, number), chunk * KIN__CHUNK_SLOTS);
}

void kin__relations_restore_block(kin_context *context, uint32_t number, uint32_t chunk,
                                  const kin__relation_block *saved)
{
    kin__relation_block *block = kin__relation_block_of(kin__relation_at(context, number), chunk * KIN__CHUNK_SLOTS);
    KIN_ASSERT(block != NULL || saved == NULL);
    if (saved != NULL)
        *block = *saved;
    else if (block != NULL)
        kin__relation_block_clear(block, chunk);
}

void kin__relations_restore_end(kin_context *context)
{
    if (context->core->relations != NULL)
        context->core->relations->restores++;
    for (uint32_t number = 0; number < context->info->relation_count; number++)
        kin__relation_at(context, number)->moves++;
}
