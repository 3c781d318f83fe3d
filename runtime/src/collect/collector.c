#include "collect/collector.h"

#include "base/base.h"
#include "collect/trace.h"
#include "store/store.h"
#include "hold/hold.h"
#include "notify/dispatch.h"

#include <string.h>

// ---- entries

static kin_entity *entries_of(const kin__source *source, uint32_t side)
{
    return source->sides[side].entities;
}

static uint16_t *order_of(const kin_collector *collector, uint32_t side)
{
    return collector->order.sides[side].elements;
}

// Returns the number of entries on one side, of all sources.
static uint32_t count_of(const kin_collector *collector, uint32_t side)
{
    return collector->source_count == 1 ? collector->sources[0].sides[side].count : collector->counts[side];
}

void kin__collect_general(kin__source *source, kin_entity entity)
{
    kin_collector *collector = source->collector;
    if (source->last_values != NULL)
        kin__last_value_add_hold(source->last_values, kin_entity_slot(entity));
    if (collector->source_count == 1)
        return;
    KIN_ASSERT(collector->counts[KIN__COLLECTING] < collector->order.sides[KIN__COLLECTING].capacity);
    order_of(collector, KIN__COLLECTING)[collector->counts[KIN__COLLECTING]++] = source->number;
}

// Drops one entry, which `slot_or_entity` names: the entity is no longer held, and waits for no last value.
static void drop_entry(const kin__source *source, uint32_t side, kin_entity slot_or_entity)
{
    uint32_t slot = kin_entity_slot(slot_or_entity);
    kin__bits_remove(source->sides[side].marks, slot);
    if (source->last_values != NULL)
        kin__last_value_remove_hold(source->context, source->last_values, slot);
    kin__hold_remove_entry(source->context, slot);
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
    if (walk->index >= count_of(collector, walk->side))
        return NULL;
    uint32_t number = collector->source_count > 1 ? order_of(collector, walk->side)[walk->index] : 0;
    kin__source *source = &collector->sources[number];
    KIN_ASSERT(number < collector->source_count && source->read[walk->side] < source->sides[walk->side].count);
    walk->index++;
    *entity = entries_of(source, walk->side)[source->read[walk->side]++];
    return source;
}

static void empty_side(kin_collector *collector, uint32_t side)
{
    collector->counts[side] = 0;
    for (uint32_t i = 0; i < collector->source_count; i++)
        collector->sources[i].sides[side].count = 0;
}

// Drops all taken entries, in order of collection.
static void drop_taken(kin_collector *collector)
{
    walk walk = walk_begin(collector, KIN__TAKEN);
    kin_entity entity = 0;
    for (const kin__source *source = walk_next(&walk, &entity); source != NULL; source = walk_next(&walk, &entity))
        if (source->context != NULL)
            drop_entry(source, KIN__TAKEN, entity);
    empty_side(collector, KIN__TAKEN);
}

// Removes the first entries of the collecting side, as far as a walk has read them; the others move up.
static void remove_first(kin_collector *collector, uint32_t count)
{
    KIN_ASSERT(count <= count_of(collector, KIN__COLLECTING));
    if (collector->source_count > 1) {
        uint16_t *order = order_of(collector, KIN__COLLECTING);
        collector->counts[KIN__COLLECTING] -= count;
        memmove(order, order + count, collector->counts[KIN__COLLECTING] * sizeof *order);
    }
    for (uint32_t i = 0; i < collector->source_count; i++) {
        kin__source *source = &collector->sources[i];
        kin_entity *entries = entries_of(source, KIN__COLLECTING);
        uint32_t gone = source->read[KIN__COLLECTING], *left = &source->sides[KIN__COLLECTING].count;
        *left -= gone;
        if (gone > 0)
            memmove(entries, entries + gone, *left * sizeof *entries);
    }
}

// Drops the first entries, `*left` at most, up to one whose release notifies listeners. They are notified after the
// entries are removed, since they may change the collector.
static void drop_some(kin_collector *collector, uint32_t *left)
{
    walk walk = walk_begin(collector, KIN__COLLECTING);
    kin_entity entity = 0;
    kin__source *source = NULL;
    bool notified = false;
    while (!notified && *left > 0 && (source = walk_next(&walk, &entity)) != NULL) {
        --*left;
        notified = source->context != NULL && kin__hold_is_last(source->context, entity);
        if (source->context != NULL && !notified)
            drop_entry(source, KIN__COLLECTING, entity);
    }
    remove_first(collector, walk.index);
    if (notified)
        drop_entry(source, KIN__COLLECTING, entity);
}

// Clears all marks, which are those of the entries: word by word of the entries, or all words if the entries are many.
static void clear_marks(const kin__source *source, const kin_entity *entries, uint32_t count)
{
    uint32_t words = source->slot_count / 64;
    uint64_t *marks = source->sides[KIN__COLLECTING].marks;
    if (count > words / 4) {
        memset(marks, 0, words * sizeof *marks);
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        marks[kin_entity_slot(entries[i]) / 64] = 0;
}

// Clears a collector of one source without listeners of ends, which could change it meanwhile. False, with nothing
// done, for other collectors.
static bool clear_fast(kin_collector *collector)
{
    kin__source *source = &collector->sources[0];
    if (!source->is_simple || source->context == NULL || source->context->core->events.destroy_subscribers > 0)
        return false;
    const kin_entity *entries = entries_of(source, KIN__COLLECTING);
    uint32_t count = source->sides[KIN__COLLECTING].count;
    clear_marks(source, entries, count);
    for (uint32_t i = 0; i < count && source->context->core->slots.held > 0; i++)
        kin__hold_remove_entry(source->context, kin_entity_slot(entries[i]));
    source->sides[KIN__COLLECTING].count = 0;
    return true;
}

bool kin__collector_refuses(const kin_collector *collector)
{
    for (uint32_t i = 0; i < collector->source_count; i++) {
        const kin_context *context = collector->sources[i].context;
        if (context != NULL && kin__context_is_shared(context))
            return kin__refuse_shared(context) != KIN_OK;
    }
    return false;
}

void kin_collector_clear(kin_collector *collector)
{
    if (collector == NULL || kin__collector_refuses(collector) || clear_fast(collector))
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
    return collector == NULL ? 0 : count_of(collector, KIN__COLLECTING);
}

// ---- taking

void kin__collector_take(kin_collector *collector)
{
    KIN_ASSERT(!collector->taken && count_of(collector, KIN__TAKEN) == 0); // invariant 3
    for (uint32_t i = 0; i < collector->source_count; i++) {
        kin__source *source = &collector->sources[i];
        kin__collected taken = source->sides[KIN__COLLECTING];
        source->sides[KIN__COLLECTING] = source->sides[KIN__TAKEN];
        source->sides[KIN__TAKEN] = taken;
        kin__buffer_swap(&source->entries);
        kin__source_refresh(source);
    }
    kin__buffer_swap(&collector->order);
    collector->counts[KIN__TAKEN] = collector->counts[KIN__COLLECTING];
    collector->counts[KIN__COLLECTING] = 0;
    collector->taken = true;
    KIN_VALIDATE(kin__collector_is_valid(collector));
}

// Replaces each entity for which the filter returns false by its slot, which is not a handle: the entry still holds it
// until the filter has seen all.
static void mark_rejected(kin_collector *collector, kin__entity_filter *filter, void *user)
{
    walk walk = walk_begin(collector, KIN__TAKEN);
    kin_entity entity = 0;
    for (kin__source *source = walk_next(&walk, &entity); source != NULL; source = walk_next(&walk, &entity))
        if (source->context != NULL && !filter(user, source->context, entity))
            entries_of(source, KIN__TAKEN)[source->read[KIN__TAKEN] - 1] = kin_entity_slot(entity);
}

void kin__collector_filter(kin_collector *collector, kin__entity_filter *filter, void *user)
{
    KIN_ASSERT(collector->taken);
    mark_rejected(collector, filter, user);
    if (collector->trace != NULL)
        kin__trace_judge(collector);
    uint32_t kept = 0;
    walk walk = walk_begin(collector, KIN__TAKEN);
    kin_entity entity = 0;
    for (uint32_t i = 0; i < collector->source_count; i++)
        collector->sources[i].kept = 0;
    for (kin__source *source = walk_next(&walk, &entity); source != NULL; source = walk_next(&walk, &entity)) {
        if (source->context == NULL)
            continue; // the context has ended
        if (kin_entity_creation_index(entity) == 0) {
            drop_entry(source, KIN__TAKEN, entity);
            continue;
        }
        entries_of(source, KIN__TAKEN)[source->kept++] = entity;
        if (collector->source_count > 1)
            order_of(collector, KIN__TAKEN)[kept++] = source->number;
    }
    for (uint32_t i = 0; i < collector->source_count; i++)
        collector->sources[i].sides[KIN__TAKEN].count = collector->sources[i].kept;
    KIN_ASSERT(kept <= collector->counts[KIN__TAKEN]);
    collector->counts[KIN__TAKEN] = kept;
    KIN_VALIDATE(kin__collector_is_valid(collector));
}

const kin_entity *kin__collector_taken(const kin__source *source, uint32_t *count)
{
    *count = source->context == NULL ? 0 : source->sides[KIN__TAKEN].count;
    return *count == 0 ? NULL : entries_of(source, KIN__TAKEN);
}

void kin__collector_drop_taken(kin_collector *collector)
{
    KIN_ASSERT(collector->taken);
    drop_taken(collector);
    collector->taken = false;
    kin__buffer_settle(&collector->memory, &collector->order);
    for (uint32_t i = 0; i < collector->source_count; i++) {
        kin__buffer_settle(&collector->memory, &collector->sources[i].entries);
        kin__source_refresh(&collector->sources[i]);
    }
    KIN_VALIDATE(kin__collector_is_valid(collector));
}

// ---- showing

// Reserves an array to return to the caller, or reports that there is no memory.
static bool reserve_shown(kin_collector *collector, kin__array *array, size_t size)
{
    if (kin__array_reserve(&collector->memory, array, kin_collector_count(collector), size))
        return true;
    kin__attempt attempt = {.verb = "list the entities of a collector"};
    kin__receiver receiver = {.options = &collector->options};
    if (collector->source_count > 0 && collector->sources[0].context != NULL)
        receiver.watch = &collector->sources[0].context->core->error_watch;
    kin__report_error_at(&receiver, KIN_ERROR_NO_MEMORY, &attempt, collector->memory.refused);
    return false;
}

const kin_entity *kin_collector_entities(kin_collector *collector, uint32_t *count)
{
    *count = 0;
    if (collector == NULL || kin__collector_refuses(collector) ||
        !reserve_shown(collector, &collector->shown, sizeof(kin_entity)))
        return NULL;
    collector->shown_count = *count = kin_collector_count(collector);
    kin_entity *shown = collector->shown.elements;
    if (collector->source_count == 1 && *count > 0)
        return memcpy(shown, entries_of(collector->sources, KIN__COLLECTING), *count * sizeof *shown);
    walk walk = walk_begin(collector, KIN__COLLECTING);
    for (uint32_t i = 0; i < *count; i++)
        walk_next(&walk, &shown[i]);
    return *count == 0 ? NULL : shown;
}

kin_context *const *kin_collector_contexts(kin_collector *collector, uint32_t *count)
{
    *count = 0;
    if (collector == NULL || kin__collector_refuses(collector) ||
        !reserve_shown(collector, &collector->shown_contexts, sizeof(kin_context *)))
        return NULL;
    collector->shown_context_count = *count = kin_collector_count(collector);
    kin_context **shown = collector->shown_contexts.elements;
    walk walk = walk_begin(collector, KIN__COLLECTING);
    kin_entity entity = 0;
    for (uint32_t i = 0; i < *count; i++)
        shown[i] = walk_next(&walk, &entity)->context;
    return *count == 0 ? NULL : shown;
}

// ---- validation

// Invariant 1 for one side. The marks of a source stay as they are when its context ends.
static bool is_side_valid(const kin__source *source, uint32_t side)
{
    const kin__collected *collected = &source->sides[side];
    uint32_t count = 0;
    if (source->context == NULL)
        return side == KIN__TAKEN || collected->count == 0;
    for (uint32_t word = 0; word < source->slot_count / 64; word++)
        count += kin__count_bits(collected->marks[word]);
    for (uint32_t i = 0; i < collected->count; i++)
        if (!kin__bits_have(collected->marks, kin_entity_slot(entries_of(source, side)[i])))
            return false;
    return count == collected->count && collected->entities == source->entries.sides[side].elements;
}

bool kin__collector_is_valid(const kin_collector *collector)
{
    uint32_t counts[KIN__SIDES] = {0, 0};
    for (uint32_t i = 0; i < collector->source_count; i++) {
        const kin__source *source = &collector->sources[i];
        if (!is_side_valid(source, KIN__COLLECTING) || !is_side_valid(source, KIN__TAKEN))
            return false;
        counts[KIN__COLLECTING] += source->sides[KIN__COLLECTING].count;
        counts[KIN__TAKEN] += source->sides[KIN__TAKEN].count;
    }
    return counts[KIN__COLLECTING] == count_of(collector, KIN__COLLECTING) && // invariant 4
           counts[KIN__TAKEN] == count_of(collector, KIN__TAKEN) &&
           (collector->taken || count_of(collector, KIN__TAKEN) == 0); // invariant 3
}

// ---- memory

void kin__collector_release(kin_collector *collector)
{
    kin__memory memory = collector->memory;
    KIN_ASSERT(!collector->active && collector->clearing == 0);
    for (uint32_t i = 0; i < collector->source_count; i++) {
        kin__source *source = &collector->sources[i];
        kin__buffer_release(&memory, &source->entries);
        for (uint32_t side = 0; side < KIN__SIDES; side++)
            kin__release(&memory, source->sides[side].marks, source->slot_count / 64 * sizeof(uint64_t));
    }
    kin__release(&memory, collector->owned_name, collector->owned_name_size);
    kin__buffer_release(&memory, &collector->order);
    kin__array_release(&memory, &collector->shown, sizeof(kin_entity));
    kin__array_release(&memory, &collector->shown_contexts, sizeof(kin_context *));
    kin__release(&memory, collector->sources, collector->trigger_count * sizeof *collector->sources);
    kin__release(&memory, collector->subscribers, collector->trigger_count * sizeof *collector->subscribers);
    kin__release(&memory, collector, sizeof *collector);
}
