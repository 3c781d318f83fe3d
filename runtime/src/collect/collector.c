#include "collect/collector.h"

#include "base/assertion.h"
#include "hold/hold.h"
#include "notify/dispatch.h"
#include "report/error.h"
#include "storage/chunk.h"
#include "storage/last_value.h"

#include <string.h>

// ---- collecting

static kin_entity *entries_of(const kin__source *source, uint32_t side)
{
    return source->entries.sides[side].elements;
}

static uint16_t *order_of(const kin_collector *collector, uint32_t side)
{
    return collector->order.sides[side].elements;
}

void kin__collect_general(kin__source *source, kin_entity entity)
{
    kin_collector *collector = source->collector;
    uint32_t side = collector->side;
    kin__hold_add(source->context, entity);
    if (source->last_values != NULL)
        kin__last_value_add_hold(source->last_values, kin_entity_slot(entity));
    KIN_ASSERT(source->counts[side] < source->entries.sides[side].capacity);
    entries_of(source, side)[source->counts[side]++] = entity;
    KIN_ASSERT(collector->source_count == 1 || collector->counts[side] < collector->order.sides[side].capacity);
    if (collector->source_count > 1)
        order_of(collector, side)[collector->counts[side]] = source->number;
    collector->counts[side]++;
}

// Drops one entry: `slot_or_entity` is no longer held, and waits for no last value.
static void drop_entry(const kin__source *source, kin_entity slot_or_entity)
{
    if (source->last_values != NULL)
        kin__last_value_remove_hold(source->context, source->last_values, kin_entity_slot(slot_or_entity));
    kin__hold_remove(source->context, slot_or_entity);
}

// A walk over one side in order of collection, across the sources. A side has one walk at a time.
typedef struct walk {
    const kin_collector *collector;
    uint32_t side, index;
} walk;

static walk walk_begin(kin_collector *collector, uint32_t side)
{
    for (uint32_t i = 0; i < collector->source_count; i++)
        collector->sources[i].read[side] = 0;
    return (walk){.collector = collector, .side = side};
}

static kin__source *walk_next(walk *walk, kin_entity *entity)
{
    const kin_collector *collector = walk->collector;
    if (walk->index >= collector->counts[walk->side])
        return NULL;
    uint32_t number = collector->source_count > 1 ? order_of(collector, walk->side)[walk->index] : 0;
    kin__source *source = &collector->sources[number];
    KIN_ASSERT(number < collector->source_count && source->read[walk->side] < source->counts[walk->side]);
    walk->index++;
    *entity = entries_of(source, walk->side)[source->read[walk->side]++];
    return source;
}

static void empty_side(kin_collector *collector, uint32_t side)
{
    collector->counts[side] = 0;
    for (uint32_t i = 0; i < collector->source_count; i++)
        collector->sources[i].counts[side] = 0;
}

// Drops all entries of one side, in order of collection.
static void drop_side(kin_collector *collector, uint32_t side)
{
    walk walk = walk_begin(collector, side);
    kin_entity entity = 0;
    for (const kin__source *source = walk_next(&walk, &entity); source != NULL; source = walk_next(&walk, &entity))
        if (source->context != NULL)
            drop_entry(source, entity);
    empty_side(collector, side);
}

static void clear_bits(kin_collector *collector)
{
    walk walk = walk_begin(collector, collector->side);
    kin_entity entity = 0;
    for (const kin__source *source = walk_next(&walk, &entity); source != NULL; source = walk_next(&walk, &entity))
        kin__bits_remove(source->collected, kin_entity_slot(entity));
}

// Removes the first entries of the collecting side, as far as a walk has read them; the others move up.
static void remove_first(kin_collector *collector, uint32_t count)
{
    uint32_t side = collector->side;
    KIN_ASSERT(count <= collector->counts[side]);
    collector->counts[side] -= count;
    if (collector->source_count > 1) {
        uint16_t *order = order_of(collector, side);
        memmove(order, order + count, collector->counts[side] * sizeof *order);
    }
    for (uint32_t i = 0; i < collector->source_count; i++) {
        kin__source *source = &collector->sources[i];
        kin_entity *entries = entries_of(source, side);
        uint32_t gone = source->read[side];
        source->counts[side] -= gone;
        if (gone > 0)
            memmove(entries, entries + gone, source->counts[side] * sizeof *entries);
    }
}

// Drops the first entries, `*left` at most, up to one whose release notifies listeners. They are notified after the
// entries are removed, since they may change the collector.
static void drop_some(kin_collector *collector, uint32_t *left)
{
    walk walk = walk_begin(collector, collector->side);
    kin_entity entity = 0;
    kin__source *source = NULL;
    bool notified = false;
    while (!notified && *left > 0 && (source = walk_next(&walk, &entity)) != NULL) {
        --*left;
        kin__bits_remove(source->collected, kin_entity_slot(entity));
        notified = source->context != NULL && kin__hold_is_last(source->context, entity);
        if (source->context != NULL && !notified)
            drop_entry(source, entity);
    }
    remove_first(collector, walk.index);
    if (notified)
        drop_entry(source, entity);
}

// Clears all bits, which are those of the entries: word by word of the entries, or all words if the entries are many.
static void clear_bits_of(const kin__source *source, const kin_entity *entries, uint32_t count)
{
    uint32_t words = source->slot_count / 64;
    if (count > words / 4) {
        memset(source->collected, 0, words * sizeof *source->collected);
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        source->collected[kin_entity_slot(entries[i]) / 64] = 0;
}

// Clears a collector of one source without listeners of ends, which could change it meanwhile. False, with nothing
// done, for other collectors.
static bool clear_fast(kin_collector *collector)
{
    kin__source *source = &collector->sources[0];
    if (!source->is_simple || source->context == NULL || source->context->core->events.destroy_subscribers > 0)
        return false;
    const kin_entity *entries = entries_of(source, collector->side);
    uint32_t count = source->counts[collector->side];
    clear_bits_of(source, entries, count);
    for (uint32_t i = 0; i < count; i++)
        kin__hold_remove(source->context, entries[i]);
    empty_side(collector, collector->side);
    return true;
}

void kin_collector_clear(kin_collector *collector)
{
    if (collector == NULL || clear_fast(collector))
        return;
    uint32_t left = kin_collector_count(collector);
    collector->clearing++;
    while (left > 0 && kin_collector_count(collector) > 0)
        drop_some(collector, &left);
    if (--collector->clearing == 0 && collector->ended)
        kin__collector_release(collector);
}

uint32_t kin_collector_count(const kin_collector *collector)
{
    return collector == NULL ? 0 : collector->counts[collector->side];
}

// ---- taking

void kin__collector_take(kin_collector *collector)
{
    KIN_ASSERT(!collector->taken && collector->counts[1 - collector->side] == 0); // invariant 3
    clear_bits(collector);
    collector->side = 1 - collector->side;
    collector->taken = true;
    KIN_VALIDATE(kin__collector_is_valid(collector));
}

// Replaces each entity for which the filter returns false by its slot, which is not a handle: the entry still holds it
// until the filter has seen all.
static void mark_rejected(kin_collector *collector, kin__entity_filter *filter, void *user)
{
    uint32_t side = 1 - collector->side;
    walk walk = walk_begin(collector, side);
    kin_entity entity = 0;
    for (kin__source *source = walk_next(&walk, &entity); source != NULL; source = walk_next(&walk, &entity))
        if (source->context != NULL && !filter(user, source->context, entity))
            entries_of(source, side)[source->read[side] - 1] = kin_entity_slot(entity);
}

void kin__collector_filter(kin_collector *collector, kin__entity_filter *filter, void *user)
{
    KIN_ASSERT(collector->taken);
    mark_rejected(collector, filter, user);
    uint32_t side = 1 - collector->side, kept = 0;
    walk walk = walk_begin(collector, side);
    kin_entity entity = 0;
    for (uint32_t i = 0; i < collector->source_count; i++)
        collector->sources[i].kept = 0;
    for (kin__source *source = walk_next(&walk, &entity); source != NULL; source = walk_next(&walk, &entity)) {
        if (source->context == NULL)
            continue; // the context has ended
        if (kin_entity_creation_index(entity) == 0) {
            drop_entry(source, entity);
            continue;
        }
        entries_of(source, side)[source->kept++] = entity;
        if (collector->source_count > 1)
            order_of(collector, side)[kept] = source->number;
        kept++;
    }
    for (uint32_t i = 0; i < collector->source_count; i++)
        collector->sources[i].counts[side] = collector->sources[i].kept;
    KIN_ASSERT(kept <= collector->counts[side]);
    collector->counts[side] = kept;
    KIN_VALIDATE(kin__collector_is_valid(collector));
}

const kin_entity *kin__collector_taken(const kin__source *source, uint32_t *count)
{
    uint32_t side = 1 - source->collector->side;
    *count = source->context == NULL ? 0 : source->counts[side];
    return *count == 0 ? NULL : entries_of(source, side);
}

void kin__collector_drop_taken(kin_collector *collector)
{
    KIN_ASSERT(collector->taken);
    drop_side(collector, 1 - collector->side);
    collector->taken = false;
    kin__buffer_settle(&collector->memory, &collector->order, 1 - collector->side);
    for (uint32_t i = 0; i < collector->source_count; i++)
        kin__buffer_settle(&collector->memory, &collector->sources[i].entries, 1 - collector->side);
    KIN_VALIDATE(kin__collector_is_valid(collector));
}

// ---- showing

// Reserves an array to return to the caller, or reports that there is no memory.
static bool reserve_shown(kin_collector *collector, kin__array *array, size_t size)
{
    if (kin__array_reserve(&collector->memory, array, kin_collector_count(collector), size))
        return true;
    kin__attempt attempt = {.verb = "list the entities of a collector"};
    kin__report_error_to(&collector->options, KIN_ERROR_NO_MEMORY, &attempt, collector->memory.refused);
    return false;
}

const kin_entity *kin_collector_entities(kin_collector *collector, uint32_t *count)
{
    *count = 0;
    if (collector == NULL || !reserve_shown(collector, &collector->shown, sizeof(kin_entity)))
        return NULL;
    collector->shown_count = *count = kin_collector_count(collector);
    kin_entity *shown = collector->shown.elements;
    if (collector->source_count == 1 && *count > 0)
        return memcpy(shown, entries_of(collector->sources, collector->side), *count * sizeof *shown);
    walk walk = walk_begin(collector, collector->side);
    for (uint32_t i = 0; i < *count; i++)
        walk_next(&walk, &shown[i]);
    return *count == 0 ? NULL : shown;
}

kin_context *const *kin_collector_contexts(kin_collector *collector, uint32_t *count)
{
    *count = 0;
    if (collector == NULL || !reserve_shown(collector, &collector->shown_contexts, sizeof(kin_context *)))
        return NULL;
    collector->shown_context_count = *count = kin_collector_count(collector);
    kin_context **shown = collector->shown_contexts.elements;
    walk walk = walk_begin(collector, collector->side);
    kin_entity entity = 0;
    for (uint32_t i = 0; i < *count; i++)
        shown[i] = walk_next(&walk, &entity)->context;
    return *count == 0 ? NULL : shown;
}

// ---- validation

// Invariant 1. The bits of a source stay as they are when its context ends.
static bool are_bits_valid(const kin__source *source)
{
    uint32_t count = 0, side = source->collector->side;
    if (source->context == NULL)
        return source->counts[side] == 0;
    for (uint32_t word = 0; word < source->slot_count / 64; word++)
        count += kin__count_bits(source->collected[word]);
    for (uint32_t i = 0; i < source->counts[side]; i++)
        if (!kin__bits_have(source->collected, kin_entity_slot(entries_of(source, side)[i])))
            return false;
    return count == source->counts[side];
}

bool kin__collector_is_valid(const kin_collector *collector)
{
    uint32_t counts[2] = {0, 0};
    for (uint32_t i = 0; i < collector->source_count; i++) {
        const kin__source *source = &collector->sources[i];
        counts[0] += source->counts[0];
        counts[1] += source->counts[1];
        if (!are_bits_valid(source))
            return false;
    }
    return counts[0] == collector->counts[0] && counts[1] == collector->counts[1] && // invariant 4
           (collector->taken || collector->counts[1 - collector->side] == 0);        // invariant 3
}

// ---- memory

void kin__collector_release(kin_collector *collector)
{
    kin__memory memory = collector->memory;
    KIN_ASSERT(!collector->active && collector->clearing == 0);
    for (uint32_t i = 0; i < collector->source_count; i++) {
        kin__source *source = &collector->sources[i];
        kin__buffer_release(&memory, &source->entries);
        kin__release(&memory, source->collected, source->slot_count / 64 * sizeof *source->collected);
    }
    kin__release(&memory, collector->owned_name, collector->owned_name_size);
    kin__buffer_release(&memory, &collector->order);
    kin__array_release(&memory, &collector->shown, sizeof(kin_entity));
    kin__array_release(&memory, &collector->shown_contexts, sizeof(kin_context *));
    kin__release(&memory, collector->sources, collector->trigger_count * sizeof *collector->sources);
    kin__release(&memory, collector->subscribers, collector->trigger_count * sizeof *collector->subscribers);
    kin__release(&memory, collector, sizeof *collector);
}
