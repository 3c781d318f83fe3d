#include "collect/collector_restore.h"

#include "base/base.h"
#include "store/store.h"

#include <string.h>

// Runs the following block for each collector that collects in the context.
#define EACH_SOURCE(source, context)                                                                                   \
    for (kin__slot_extension *each_ = (context)->core->slot_extensions; each_ != NULL; each_ = each_->next)            \
        for (kin__source *source = kin__source_of(each_) == NULL ? NULL : (kin__source *)(void *)each_;                \
             source != NULL; source = NULL)

bool kin__collectors_are_idle(const kin_context *context)
{
    EACH_SOURCE(source, context)
    {
        if (source->collector->taken || source->collector->clearing > 0)
            return false;
    }
    return true;
}

void kin__collector_set_scope(kin_collector *collector, bool is_in_scope)
{
    for (uint32_t i = 0; collector != NULL && i < collector->source_count; i++)
        collector->sources[i].extension.in_scope = is_in_scope;
}

// ---- clearing

// Takes the entries of a source out of the order of its collector.
static void remove_from_order(const kin__source *source)
{
    kin_collector *collector = source->collector;
    uint16_t *order = collector->order.sides[KIN__COLLECTING].elements;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < collector->counts[KIN__COLLECTING]; i++)
        if (order[i] != source->number)
            order[kept++] = order[i];
    collector->counts[KIN__COLLECTING] = kept;
}

void kin__collectors_restore_clear(kin_context *context)
{
    KIN_ASSERT(kin__collectors_are_idle(context));
    EACH_SOURCE(source, context)
    {
        kin__collected *collected = &source->sides[KIN__COLLECTING];
        if (collected->count == 0)
            continue;
        memset(collected->marks, 0, source->slot_count / 64 * sizeof *collected->marks);
        collected->count = 0;
        if (source->collector->source_count > 1)
            remove_from_order(source);
    }
}

// ---- what is collected

void kin__collector_save(kin_collector *collector, kin__saved_entry *entries)
{
    const uint16_t *order = collector->order.sides[KIN__COLLECTING].elements;
    for (uint32_t i = 0; i < collector->source_count; i++)
        collector->sources[i].read[KIN__COLLECTING] = 0;
    for (uint32_t i = 0, end = kin_collector_count(collector); i < end; i++) {
        kin__source *source = &collector->sources[collector->source_count > 1 ? order[i] : 0];
        uint32_t place = source->read[KIN__COLLECTING]++;
        entries[i] = (kin__saved_entry){source->sides[KIN__COLLECTING].entities[place], source->number};
    }
}

void kin__collector_restore(kin_collector *collector, const kin__saved_entry *entries, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        kin__source *source = &collector->sources[entries[i].source];
        kin__collected *collected = &source->sides[KIN__COLLECTING];
        uint32_t slot = kin_entity_slot(entries[i].entity);
        KIN_ASSERT(entries[i].source < collector->source_count && slot < source->slot_count);
        KIN_ASSERT(!kin__bits_have(collected->marks, slot));
        kin__bits_add(collected->marks, slot);
        collected->entities[collected->count++] = entries[i].entity;
        if (!source->is_simple)
            kin__collect_general(source, entries[i].entity);
    }
    KIN_VALIDATE(kin__collector_is_valid(collector));
}
