// Collectors: what they use of their memory, and giving back the rest.

#include "collect/buffer.h"
#include "collect/collector.h"
#include "storage/chunk.h"

static size_t source_used(const kin__source *source)
{
    uint32_t chunk_count = source->context == NULL ? 0 : source->context->chunk_count;
    return sizeof *source + chunk_count * KIN__CHUNK_WORDS * sizeof *source->collected +
           (source->counts[0] + source->counts[1]) * sizeof(kin_entity);
}

// Its memory is that of the context of its first trigger.
size_t kin__collector_used(const kin__slot_extension *extension)
{
    const kin__source *first = (const kin__source *)(const void *)extension;
    const kin_collector *collector = first->collector;
    if (first->number > 0)
        return 0;
    size_t used = sizeof *collector + collector->trigger_count * sizeof *collector->subscribers;
    for (uint32_t i = 0; i < collector->source_count; i++)
        used += source_used(&collector->sources[i]);
    if (collector->source_count > 1)
        used += (collector->counts[0] + collector->counts[1]) * sizeof(uint16_t);
    return used + collector->shown_count * sizeof(kin_entity) + collector->shown_context_count * sizeof(kin_context *);
}

static void trim_bits(kin_collector *collector, kin__source *source, uint32_t slot_count)
{
    kin__array bits = {source->collected, source->slot_count / 64};
    kin__array_trim(&collector->memory, &bits, slot_count / 64, sizeof *source->collected);
    source->collected = bits.elements;
    source->slot_count = bits.capacity * 64;
}

static void trim_order(kin_collector *collector)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < collector->source_count; i++)
        sum += collector->sources[i].slot_count;
    kin__buffer_trim(&collector->memory, &collector->order, collector->source_count == 1 ? 0 : sum);
}

// While a reactive system works on what was taken, nothing moves.
void kin__collector_trim(kin__slot_extension *extension)
{
    kin__source *source = (kin__source *)(void *)extension;
    kin_collector *collector = source->collector;
    uint32_t chunk_count = source->context->chunk_count == 0 ? 1 : source->context->chunk_count;
    if (collector->taken)
        return;
    trim_bits(collector, source, chunk_count * KIN__CHUNK_SLOTS);
    kin__buffer_trim(&collector->memory, &source->entries, source->slot_count);
    trim_order(collector);
    if (collector->shown_count == 0)
        kin__array_release(&collector->memory, &collector->shown, sizeof(kin_entity));
    if (collector->shown_context_count == 0)
        kin__array_release(&collector->memory, &collector->shown_contexts, sizeof(kin_context *));
}
