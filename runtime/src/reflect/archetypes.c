// Archetypes: the sets of components that living entities have, gathered from the rows of all slots.
//
//   sets      [ set | set | set | … ]            in order of the first slot
//   rows      [ row | row | row | … ]            of the sets
//   buckets   row → number of a set + 1          open addressing, at most half full; 0: free
//
// The entities of a blueprint are side by side, so most entities have the set of the slot before them: that is compared
// first.

#include "base/base.h"
#include "store/store.h"

#include <kin/inventory.h>

#include <string.h>

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
    uint32_t *buckets = gathering->buckets.elements, mask = gathering->buckets.capacity - 1;
    uint32_t place = hash_of(gathering, row) & mask;
    while (buckets[place] != 0 && !has_row(gathering, buckets[place] - 1, row))
        place = (place + 1) & mask;
    return &buckets[place];
}

// Makes room for one more set. False without memory.
static bool reserve(gathering *gathering)
{
    uint32_t least = gathering->count + 1, capacity = gathering->buckets.capacity;
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
