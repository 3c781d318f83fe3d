// Usage: the memory of a context by kind. Each kin__memory counts what is allocated; what is used of that is computed
// on request.
#include "context/context.h"
#include "snapshot/snapshot.h"

#include <kin/generated/blueprint.h>
#include <kin/inventory.h>
#include <kin/memory.h>

#include <string.h>

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

// Counters and memory of a context for tools (kin/inventory.h): read from what changes keep anyway.

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
    uint32_t end = end_of(context, first, count);
    uint32_t assigned = context->core->slots.assigned_chunks;
    for (uint32_t number = first; number < end && number < assigned; number++) {
        const kin__chunk *chunk = context->chunks[number];
        kin_pool_usage *pool = &pools[number_of(context, chunk->pool)];
        uint32_t alive = kin__bits_count(chunk->alive, KIN__CHUNK_WORDS);
        pool->chunks++;
        pool->entities += alive;
        pool->free += KIN__CHUNK_SLOTS - alive;
    }
}

// Archetypes: the sets of components that living entities have, gathered from the rows of all slots.
//
//   sets      [ set | set | set | … ]            in order of the first slot
//   rows      [ row | row | row | … ]            of the sets
//   buckets   row → number of a set + 1          open addressing, at most half full; 0: free
//
// The entities of a blueprint are side by side, so most entities have the set of the slot before them: that is compared
// first.

typedef struct set {
    uint32_t entities, chunks, unused;
    uint32_t last_chunk; // the last one that was counted, plus 1
} set;

typedef struct gathering {
    kin_context *context;
    kin__memory *memory;
    kin__array sets, rows, buckets;
    uint32_t count;
} gathering;

static const uint64_t *row_of(const gathering *gathering, uint32_t number)
{
    KIN_ASSERT(number < gathering->count);
    return (const uint64_t *)gathering->rows.elements + (size_t)number * gathering->context->row_words;
}

static size_t row_size(const gathering *gathering)
{
    return gathering->context->row_words * sizeof(uint64_t);
}

static bool has_row(const gathering *gathering, uint32_t number, const uint64_t *row)
{
    return memcmp(row_of(gathering, number), row, row_size(gathering)) == 0;
}

// The factor spreads the bits of a row to the upper half of a word (Knuth's multiplicative hashing).
static uint32_t hash_of(const gathering *gathering, const uint64_t *row)
{
    uint64_t hash = 0;
    for (uint32_t word = 0; word < gathering->context->row_words; word++)
        hash = ((hash ^ (hash >> 32)) + row[word]) * UINT64_C(0x9E3779B97F4A7C15);
    return (uint32_t)(hash >> 32);
}

// Returns the bucket of a row: the one with its set, or a free one.
static uint32_t *bucket_of(const gathering *gathering, const uint64_t *row)
{
    uint32_t *buckets = gathering->buckets.elements;
    uint32_t mask = gathering->buckets.capacity - 1;
    uint32_t place = hash_of(gathering, row) & mask;
    while (buckets[place] != 0 && !has_row(gathering, buckets[place] - 1, row))
        place = (place + 1) & mask;
    return &buckets[place];
}

// Makes room for one more set. False without memory.
static bool reserve(gathering *gathering)
{
    uint32_t least = gathering->count + 1;
    uint32_t capacity = gathering->buckets.capacity;
    if (!kin__array_reserve(gathering->memory, &gathering->sets, least, sizeof(set)) ||
        !kin__array_reserve(gathering->memory, &gathering->rows, least, row_size(gathering)))
        return false;
    if (capacity >= 2 * least)
        return true;
    capacity = capacity == 0 ? 64 : 2 * capacity;
    uint32_t *buckets = kin__allocate_zero(gathering->memory, capacity * sizeof *buckets);
    if (buckets == NULL)
        return false;
    kin__array_release(gathering->memory, &gathering->buckets, sizeof *buckets);
    gathering->buckets = (kin__array){buckets, capacity};
    for (uint32_t i = 0; i < gathering->count; i++)
        *bucket_of(gathering, row_of(gathering, i)) = i + 1;
    return true;
}

// Returns the set of a row, made on first use. NULL without memory.
static set *find_or_make(gathering *gathering, const uint64_t *row)
{
    set *sets = gathering->sets.elements;
    uint32_t *bucket = gathering->buckets.capacity == 0 ? NULL : bucket_of(gathering, row);
    if (bucket != NULL && *bucket != 0)
        return &sets[*bucket - 1];
    if (!reserve(gathering))
        return NULL;
    bucket = bucket_of(gathering, row);
    sets = gathering->sets.elements;
    sets[gathering->count] = (set){0};
    memcpy((uint64_t *)gathering->rows.elements + (size_t)gathering->count * gathering->context->row_words, row,
           row_size(gathering));
    *bucket = ++gathering->count;
    return &sets[*bucket - 1];
}

static bool gather_chunk(gathering *gathering, uint32_t number)
{
    const kin_context *context = gathering->context;
    const kin__chunk *chunk = context->chunks[number];
    uint32_t unused = KIN__CHUNK_SLOTS - kin__bits_count(chunk->alive, KIN__CHUNK_WORDS);
    const uint64_t *previous = NULL;
    set *set = NULL;
    for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++) {
        const uint64_t *row = kin__chunk_row(chunk, context->row_words, place);
        if (!kin__chunk_is_alive(chunk, place))
            continue;
        if (previous == NULL || memcmp(previous, row, row_size(gathering)) != 0)
            set = find_or_make(gathering, row);
        if (set == NULL)
            return false;
        previous = row;
        set->entities++;
        if (set->last_chunk == number + 1)
            continue;
        set->last_chunk = number + 1;
        set->chunks++;
        set->unused += unused;
    }
    return true;
}

// Returns the bytes of one entity of the set: handle, row and values.
static size_t entity_size(const gathering *gathering, const kin_component_id *ids, uint32_t count)
{
    size_t size = sizeof(kin_entity) + row_size(gathering);
    for (uint32_t i = 0; i < count; i++) {
        const kin_component_info *info = &gathering->context->info->components[ids[i]];
        size += kin__place_size(gathering->context, ids[i]) + kin__cell_size(info);
    }
    return size;
}

// Visits the sets from copies, as the visitor may change the context. `ids` has room for all components.
static void visit_all(const gathering *gathering, kin_component_id *ids, kin_archetype_visitor *visit, void *user)
{
    for (uint32_t i = 0; i < gathering->count; i++) {
        const set *set = (const struct set *)gathering->sets.elements + i;
        uint32_t count = 0;
        EACH_OF_ROW(id, row_of(gathering, i), gathering->context->row_words)
        ids[count++] = (kin_component_id)id;
        kin_archetype archetype = {.components = ids,
                                   .component_count = count,
                                   .entities = set->entities,
                                   .bytes = set->entities * entity_size(gathering, ids, count),
                                   .chunks = set->chunks,
                                   .unused = set->unused};
        visit(&archetype, user);
    }
}

static kin_status gather_and_visit(gathering *gathering, kin_archetype_visitor *visit, void *user)
{
    size_t size = ((size_t)gathering->context->info->component_count + 1) * sizeof(kin_component_id);
    kin_component_id *ids = kin__allocate(gathering->memory, size);
    bool is_complete = ids != NULL;
    for (uint32_t number = 0; is_complete && number < gathering->context->chunk_count; number++)
        is_complete = gather_chunk(gathering, number);
    if (is_complete)
        visit_all(gathering, ids, visit, user);
    kin__release(gathering->memory, ids, size);
    kin__array_release(gathering->memory, &gathering->sets, sizeof(set));
    kin__array_release(gathering->memory, &gathering->rows, row_size(gathering));
    kin__array_release(gathering->memory, &gathering->buckets, sizeof(uint32_t));
    return is_complete ? KIN_OK : KIN_ERROR_NO_MEMORY;
}

kin_status kin_context_archetypes(kin_context *context, kin_archetype_visitor *visit, void *user)
{
    gathering gathering = {.context = context, .memory = &context->core->memory};
    kin__attempt attempt = {.verb = "list the sets of components"};
    if (visit == NULL) {
        attempt.reason = "the visitor is NULL; pass a function";
        return kin__report_error(context, KIN_ERROR_INVALID, &attempt);
    }
    if (kin__context_is_shared(context))
        return kin__refuse_shared(context);
    kin_status status = gather_and_visit(&gathering, visit, user);
    return status == KIN_OK ? KIN_OK : kin__report_error(context, status, &attempt);
}
