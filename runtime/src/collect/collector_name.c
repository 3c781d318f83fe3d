// Names of collectors, and lists of collectors for tools (kin/inventory.h).

#include "base/base.h"
#include "collect/collector.h"
#include "store/store.h"

#include <kin/inventory.h>

#include <string.h>

// ---- names

void kin__collector_borrow_name(kin_collector *collector, const char *name)
{
    if (collector != NULL)
        collector->name = name;
}

const char *kin_collector_name(const kin_collector *collector)
{
    return collector == NULL ? NULL : collector->name;
}

static kin_status report(const kin_collector *collector, kin_status status, const char *reason)
{
    kin__attempt attempt = {.verb = "name a collector", .reason = reason};
    return kin__report_error_to(collector == NULL ? NULL : &collector->options, status, &attempt,
                                collector == NULL ? 0 : collector->memory.refused);
}

kin_status kin_collector_set_name(kin_collector *collector, const char *name)
{
    char *copy = NULL;
    size_t size = name == NULL ? 0 : strlen(name) + 1;
    if (collector == NULL)
        return report(NULL, KIN_ERROR_INVALID, "the collector is NULL; check the result of the call that created it");
    if (kin__collector_refuses(collector))
        return KIN_ERROR_INVALID;
    if (size > 0) {
        copy = kin__allocate(&collector->memory, size);
        if (copy == NULL)
            return report(collector, KIN_ERROR_NO_MEMORY, NULL);
        memcpy(copy, name, size);
    }
    kin__release(&collector->memory, collector->owned_name, collector->owned_name_size);
    collector->name = collector->owned_name = copy;
    collector->owned_name_size = size;
    return KIN_OK;
}

// ---- lists

// The newest extension comes first in the list, so the array is filled from its end.
uint32_t kin_context_collectors(const kin_context *context, kin_collector **collectors, uint32_t capacity)
{
    uint32_t count = 0;
    KIN_ASSERT(collectors != NULL || capacity == 0);
    for (const kin__slot_extension *each = context->core->slot_extensions; each != NULL; each = each->next)
        count += kin__source_of(each) != NULL;
    uint32_t place = count;
    for (const kin__slot_extension *each = context->core->slot_extensions; each != NULL; each = each->next) {
        const kin__source *source = kin__source_of(each);
        if (source != NULL && --place < capacity)
            collectors[place] = source->collector;
    }
    return count;
}

static kin_group_event event_of(uint32_t bits)
{
    if (bits == KIN__EVENT_ADDED)
        return KIN_ADDED;
    if (bits == KIN__EVENT_MODIFIED)
        return KIN_MODIFIED;
    return bits == (KIN__EVENT_ADDED | KIN__EVENT_REMOVED) ? KIN_ADDED_OR_REMOVED : KIN_REMOVED;
}

uint32_t kin_collector_triggers(const kin_collector *collector, kin_trigger *triggers, uint32_t capacity)
{
    uint32_t count = collector == NULL ? 0 : collector->trigger_count;
    KIN_ASSERT(triggers != NULL || capacity == 0);
    for (uint32_t i = 0; i < count && i < capacity; i++)
        triggers[i] = (kin_trigger){collector->subscribers[i].group, event_of(collector->subscribers[i].events)};
    return count;
}

bool kin_collector_is_active(const kin_collector *collector)
{
    return collector != NULL && collector->active;
}

static bool contains(const kin__source *source, kin_entity entity)
{
    const kin__collected *collected = &source->sides[KIN__COLLECTING];
    uint32_t slot = kin_entity_slot(entity);
    if (slot >= source->slot_count || !kin__bits_have(collected->marks, slot))
        return false;
    for (uint32_t i = 0; i < collected->count; i++)
        if (collected->entities[i] == entity)
            return true;
    return false;
}

bool kin_collector_contains(const kin_collector *collector, const kin_context *context, kin_entity entity)
{
    for (uint32_t i = 0; collector != NULL && i < collector->source_count; i++)
        if (collector->sources[i].context == context && context != NULL)
            return contains(&collector->sources[i], entity);
    return false;
}
