// Counters and memory of a context for tools (kin/inventory.h): read from what changes keep anyway.

#include "base/base.h"
#include "store/store.h"

#include <kin/generated/blueprint.h>
#include <kin/inventory.h>

kin_entity kin_context_carrier(const kin_context *context, kin_component_id id)
{
    return id < context->info->component_count ? context->carriers[id] : 0;
}

// ---- counters

kin_counts kin_context_counts(const kin_context *context)
{
    kin_counts counts = {.created = kin__created_count(context), .destroyed = context->core->slots.deaths};
    for (uint32_t id = 0; id < context->info->component_count; id++)
        counts.changed += context->components[id].changes;
    return counts;
}

uint64_t kin_component_changes(const kin_context *context, kin_component_id id)
{
    return id < context->info->component_count ? context->components[id].changes : 0;
}

// ---- memory

uint32_t kin_context_chunk_count(const kin_context *context)
{
    return context->chunk_count;
}

// Returns the end of a range of chunks that begins at `first` and may reach too far.
static uint32_t end_of(const kin_context *context, uint32_t first, uint32_t count)
{
    uint32_t left = first < context->chunk_count ? context->chunk_count - first : 0;
    return first + (count < left ? count : left);
}

kin_component_usage kin_component_memory(const kin_context *context, kin_component_id id, uint32_t first,
                                         uint32_t count)
{
    kin_component_usage usage = {0};
    if (id >= context->info->component_count)
        return usage;
    for (uint32_t number = first; number < end_of(context, first, count); number++)
        kin__column_measure(context, number, id, &usage);
    return usage;
}

// The pool of a blueprint is the first member of the blueprint.
static uint32_t number_of(const kin_context *context, const kin__pool *pool)
{
    if (pool == &context->pool)
        return 0;
    uint32_t number = (uint32_t)((const kin__blueprint *)(const void *)pool - context->blueprints);
    KIN_ASSERT(number < context->info->blueprint_count);
    return 1 + number;
}

void kin_context_pools(const kin_context *context, uint32_t first, uint32_t count, kin_pool_usage *pools)
{
    uint32_t end = end_of(context, first, count), assigned = context->core->slots.assigned_chunks;
    for (uint32_t number = first; number < end && number < assigned; number++) {
        const kin__chunk *chunk = context->chunks[number];
        kin_pool_usage *pool = &pools[number_of(context, chunk->pool)];
        uint32_t alive = kin__bits_count(chunk->alive, KIN__CHUNK_WORDS);
        pool->chunks++;
        pool->entities += alive;
        pool->free += KIN__CHUNK_SLOTS - alive;
    }
}
