#include "collect/collector.h"

#include "base/assertion.h"
#include "collect/buffer.h"
#include "hold/hold.h"
#include "notify/dispatch.h"
#include "notify/watch.h"
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
    entries_of(source, side)[source->counts[side]++] = entity;
    if (collector->source_count > 1)
        order_of(collector, side)[collector->counts[side]] = source->number;
    collector->counts[side]++;
}

void kin__collector_keep(kin_collector *collector, kin__last_values *last_values)
{
    KIN_ASSERT(collector->trigger_count == 1 && kin_collector_count(collector) == 0);
    collector->sources[0].last_values = last_values;
    collector->sources[0].is_simple = last_values == NULL;
    kin_collector_deactivate(collector);
    collector->subscribers[0].events = KIN__EVENT_LOST;
    kin_collector_activate(collector);
}

static void let_go(const kin__source *source, kin_entity slot_or_entity)
{
    if (source->last_values != NULL)
        kin__last_value_remove_hold(source->context, source->last_values, kin_entity_slot(slot_or_entity));
    kin__hold_remove(source->context, slot_or_entity);
}

// A walk over one side in order of collection, across the sources. One at a time on each side.
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

// Lets go of all on one side, in order of collection.
static void let_go_side(kin_collector *collector, uint32_t side)
{
    walk walk = walk_begin(collector, side);
    kin_entity entity = 0;
    for (const kin__source *source = walk_next(&walk, &entity); source != NULL; source = walk_next(&walk, &entity))
        if (source->context != NULL)
            let_go(source, entity);
    empty_side(collector, side);
}

static void forget_bits(kin_collector *collector)
{
    walk walk = walk_begin(collector, collector->side);
    kin_entity entity = 0;
    for (const kin__source *source = walk_next(&walk, &entity); source != NULL; source = walk_next(&walk, &entity))
        kin__bits_remove(source->collected, kin_entity_slot(entity));
}

// Takes the first ones out of the collecting side: what comes behind them moves up.
static void cut(kin_collector *collector, uint32_t count)
{
    uint32_t side = collector->side;
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

// Lets go of the first ones, `*left` at most, up to one of whose release somebody has to be told. It is told when the
// collector has forgotten all of them, as listeners may do anything with it.
static void let_go_some(kin_collector *collector, uint32_t *left)
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
            let_go(source, entity);
    }
    cut(collector, walk.index);
    if (notified)
        let_go(source, entity);
}

// Takes the bits of some that are all there is: one by one, or where they are many by clearing every word.
static void forget_all(const kin__source *source, const kin_entity *entries, uint32_t count)
{
    uint32_t words = source->slot_count / 64;
    if (count > words / 4) {
        memset(source->collected, 0, words * sizeof *source->collected);
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        source->collected[kin_entity_slot(entries[i]) / 64] = 0;
}

// With one source, of whose ends nobody is told: then nothing can happen on the way. False: it takes the long way.
static bool clear_quietly(kin_collector *collector)
{
    kin__source *source = &collector->sources[0];
    if (!source->is_simple || source->context == NULL || source->context->core->events.destroy_subscribers > 0)
        return false;
    const kin_entity *entries = entries_of(source, collector->side);
    uint32_t count = source->counts[collector->side];
    forget_all(source, entries, count);
    for (uint32_t i = 0; i < count; i++)
        kin__hold_remove(source->context, entries[i]);
    empty_side(collector, collector->side);
    return true;
}

void kin_collector_clear(kin_collector *collector)
{
    if (collector == NULL || clear_quietly(collector))
        return;
    uint32_t left = kin_collector_count(collector);
    collector->clearing++;
    while (left > 0 && kin_collector_count(collector) > 0)
        let_go_some(collector, &left);
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
    KIN_ASSERT(!collector->taken);
    forget_bits(collector);
    collector->side = 1 - collector->side;
    collector->taken = true;
}

// Leaves of an entity that does not pass its slot, which is no handle, so that it is held until all have been asked.
static void ask(kin_collector *collector, kin__sieve *sieve, void *user)
{
    uint32_t side = 1 - collector->side;
    walk walk = walk_begin(collector, side);
    kin_entity entity = 0;
    for (kin__source *source = walk_next(&walk, &entity); source != NULL; source = walk_next(&walk, &entity))
        if (source->context != NULL && !sieve(user, source->context, entity))
            entries_of(source, side)[source->read[side] - 1] = kin_entity_slot(entity);
}

void kin__collector_sieve(kin_collector *collector, kin__sieve *sieve, void *user)
{
    ask(collector, sieve, user);
    uint32_t side = 1 - collector->side, kept = 0;
    walk walk = walk_begin(collector, side);
    kin_entity entity = 0;
    for (uint32_t i = 0; i < collector->source_count; i++)
        collector->sources[i].kept = 0;
    for (kin__source *source = walk_next(&walk, &entity); source != NULL; source = walk_next(&walk, &entity)) {
        if (source->context == NULL)
            continue; // it ended before
        if (kin_entity_creation_index(entity) == 0) {
            let_go(source, entity);
            continue;
        }
        entries_of(source, side)[source->kept++] = entity;
        if (collector->source_count > 1)
            order_of(collector, side)[kept] = source->number;
        kept++;
    }
    for (uint32_t i = 0; i < collector->source_count; i++)
        collector->sources[i].counts[side] = collector->sources[i].kept;
    collector->counts[side] = kept;
}

const kin_entity *kin__collector_taken(const kin__source *source, uint32_t *count)
{
    uint32_t side = 1 - source->collector->side;
    *count = source->context == NULL ? 0 : source->counts[side];
    return *count == 0 ? NULL : entries_of(source, side);
}

void kin__collector_put_back(kin_collector *collector)
{
    let_go_side(collector, 1 - collector->side);
    collector->taken = false;
    kin__buffer_settle(&collector->memory, &collector->order, 1 - collector->side);
    for (uint32_t i = 0; i < collector->source_count; i++)
        kin__buffer_settle(&collector->memory, &collector->sources[i].entries, 1 - collector->side);
}

// ---- showing

static bool reserve_shown(kin_collector *collector, kin__array *array, size_t size)
{
    if (kin__array_reserve(&collector->memory, array, kin_collector_count(collector), size))
        return true;
    kin__attempt attempt = {.verb = "list the entities of a collector"};
    kin__refuse_outside(&collector->options, KIN_ERROR_NO_MEMORY, &attempt, collector->memory.refused);
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
