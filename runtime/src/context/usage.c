// Usage: the memory of a context by kind. Each kin__memory counts what is allocated; what is used of that is computed
// on request.

#include "base/base.h"
#include "notify/notify.h"
#include "entity/entity.h"
#include "snapshot/snapshot.h"
#include "lookup/lookup.h"
#include "store/store.h"

#include <kin/memory.h>

static size_t chunks_used(const kin_context *context)
{
    const kin__core *core = context->core;
    size_t component_count = context->info->component_count;
    size_t tables = (component_count + 1) * sizeof *context->carriers + kin__marks_size(context);
    size_t chunk = sizeof(kin__chunk *) + sizeof(kin__chunk) - sizeof(kin_entity[KIN__CHUNK_SLOTS]) +
                   component_count * sizeof(kin__column *) + context->row_words * sizeof(uint64_t);
    size_t slot = sizeof(kin_entity) + context->row_words * sizeof(uint64_t);
    if (core->slots.counts_holders)
        slot += sizeof(uint32_t) * (core->options.fast_retain ? 2 : 1);
    tables += kin__blueprints_used(context);
    return core->context_size + sizeof *core + tables + context->chunk_count * chunk + kin__slots_used(context) * slot +
           core->listed * sizeof(kin_entity) + kin__owners_used(context);
}

// ---- groups, subscribers and listeners

// Subscribers of collectors are in the collectors' memory.
static size_t subscribers_used(const kin__subscriber_list *subscribers)
{
    size_t used = 0;
    for (const kin__subscriber *each = subscribers->first; each != NULL; each = each->next)
        used += each->serial != 0 && each->listener != kin__collect ? sizeof *each : 0;
    return used;
}

static size_t group_used(const kin_group *group)
{
    size_t named = group->named == NULL ? 0 : group->named_count * sizeof *group->named;
    return sizeof *group + sizeof(kin_group *) + named + group->members->count * sizeof(kin_entity) +
           subscribers_used(&group->subscribers);
}

static size_t watches_used(const kin_context *context)
{
    size_t watch_count = (size_t)context->info->component_count + 1;
    size_t group = sizeof(kin_group *) + kin__mask_words(context->row_words) * sizeof(uint64_t);
    size_t used = watch_count * sizeof(kin__watch);
    for (size_t i = 0; i < watch_count; i++)
        used += context->core->watches[i].count * group +
                (context->components[i].replace_path <= KIN__PATH_LIBRARY ? 0 : sizeof(kin__direct));
    return used;
}

static size_t subscriber_lists_used(const kin__subscriber_list *subscriber_lists)
{
    size_t used = 0;
    for (uint32_t place = 0; subscriber_lists != NULL && place < KIN__CHUNK_SLOTS; place++)
        if (subscriber_lists[place].first != NULL)
            used += sizeof *subscriber_lists + subscribers_used(&subscriber_lists[place]);
    return used;
}

static size_t listener_slots_used(const kin__listener_block *slots)
{
    size_t used = 0;
    for (uint32_t place = 0; slots != NULL && place < KIN__CHUNK_SLOTS; place++) {
        const kin__event_listener *event_listener = slots->lists[place].first;
        used += event_listener == NULL ? 0 : sizeof slots->lists[place];
        for (; event_listener != NULL; event_listener = event_listener->next)
            used += event_listener->serial != 0 ? sizeof *event_listener : 0;
    }
    return used;
}

static size_t listeners_used(const kin_context *context)
{
    size_t used = 0;
    for (uint32_t event = 0; event < context->info->event_count; event++)
        for (uint32_t chunk = 0; chunk < kin__listener_block_count(context, event); chunk++)
            used += listener_slots_used(kin__listener_block_of(context, event, chunk * KIN__CHUNK_SLOTS));
    return used;
}

static size_t groups_used(const kin_context *context)
{
    const kin__core *core = context->core;
    kin_group *const *groups = core->groups.elements;
    size_t used = kin__rows_size(context) + watches_used(context) + kin__journals_used(context) +
                  listeners_used(context) + context->info->group_count * sizeof(kin_group *) +
                  subscribers_used(&core->events.subscribers);
    for (uint32_t i = 0; i < core->group_count; i++)
        used += group_used(groups[i]);
    for (uint32_t i = 0; i < context->chunk_count; i++)
        used += subscriber_lists_used(context->chunks[i]->subscriber_lists);
    return used;
}

static size_t collectors_used(const kin_context *context)
{
    size_t used = 0;
    for (const kin__slot_extension *each = context->core->slot_extensions; each != NULL; each = each->next)
        used += each->used == NULL ? 0 : each->used(each);
    return used;
}

// ---- all together

static void set_part(kin_memory *part, size_t used, const kin__memory *memory, kin_context_usage *usage)
{
    KIN_ASSERT(used <= memory->allocated && memory->allocated <= usage->chunks.allocated);
    *part = (kin_memory){used, memory->allocated};
    usage->total.used += used;
    usage->chunks.allocated -= memory->allocated;
}

static size_t columns_used(const kin_context *context)
{
    return kin__columns_used(context) + kin__last_values_used(context) + kin__shared_used(context);
}

kin_context_usage kin_context_memory(const kin_context *context)
{
    const kin__core *core = context->core;
    kin_context_usage usage = {.chunks = {chunks_used(context), core->memory.allocated}};
    usage.total = usage.chunks;
    set_part(&usage.columns, columns_used(context), &core->column_memory, &usage);
    set_part(&usage.groups, groups_used(context), &core->group_memory, &usage);
    set_part(&usage.collectors, collectors_used(context), &core->collector_memory, &usage);
    set_part(&usage.indices, kin__indices_used(context) + kin__relations_used(context), &core->index_memory, &usage);
    set_part(&usage.strings, core->string_memory.allocated, &core->string_memory, &usage);
    set_part(&usage.snapshots, kin__store_used(context), &core->snapshot_memory, &usage);
    KIN_ASSERT(usage.chunks.used <= usage.chunks.allocated);
    return usage;
}
