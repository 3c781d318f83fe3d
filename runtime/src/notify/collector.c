#include "notify/internal.h"

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
        uint32_t gone = source->read[KIN__COLLECTING];
        uint32_t *left = &source->sides[KIN__COLLECTING].count;
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

static void collector_release(kin_collector *collector);

void kin_collector_clear(kin_collector *collector)
{
    if (collector == NULL || kin__collector_refuses(collector) || clear_fast(collector))
        return;
    uint32_t left = kin_collector_count(collector);
    collector->clearing++;
    while (left > 0 && kin_collector_count(collector) > 0)
        drop_some(collector, &left);
    if (--collector->clearing == 0 && collector->ended)
        collector_release(collector);
}

uint32_t kin_collector_count(const kin_collector *collector)
{
    return collector == NULL ? 0 : count_of(collector, KIN__COLLECTING);
}

// ---- taking

static bool collector_is_valid(const kin_collector *collector);

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
    KIN_VALIDATE(collector_is_valid(collector));
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
    KIN_VALIDATE(collector_is_valid(collector));
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
    KIN_VALIDATE(collector_is_valid(collector));
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

static bool collector_is_valid(const kin_collector *collector)
{
    uint32_t counts[KIN__SIDES] = {0, 0};
    for (uint32_t i = 0; i < collector->source_count; i++) {
        const kin__source *source = &collector->sources[i];
        if (!is_side_valid(source, KIN__COLLECTING) || !is_side_valid(source, KIN__TAKEN))
            return false;
        counts[KIN__COLLECTING] += source->sides[KIN__COLLECTING].count;
        counts[KIN__TAKEN] += source->sides[KIN__TAKEN].count;
    }
    for (uint32_t side = 0; side < KIN__SIDES; side++)
        if (counts[side] != count_of(collector, side)) // invariant 4
            return false;
    return collector->taken || count_of(collector, KIN__TAKEN) == 0; // invariant 3
}

// ---- memory

// Frees a collector that is inactive, empty, and no longer linked to a context.
static void collector_release(kin_collector *collector)
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

// Makes, activates, deactivates and destroys collectors; follows the growth, the trimming and the end of their
// contexts.

// ---- room for every slot

// Moves the marks of both sides to blocks for another number of slots. False, with nothing changed, when out of memory.
static bool move_marks(kin_collector *collector, kin__source *source, uint32_t slot_count)
{
    size_t size = slot_count / 64 * sizeof(uint64_t);
    size_t old_size = source->slot_count / 64 * sizeof(uint64_t);
    uint64_t *moved[KIN__SIDES];
    moved[KIN__COLLECTING] = kin__allocate_zero(&collector->memory, size);
    moved[KIN__TAKEN] = moved[KIN__COLLECTING] == NULL ? NULL : kin__allocate_zero(&collector->memory, size);
    if (moved[KIN__TAKEN] == NULL) {
        kin__release(&collector->memory, moved[KIN__COLLECTING], size);
        return false;
    }
    for (uint32_t side = 0; side < KIN__SIDES; side++) {
        if (old_size > 0)
            memcpy(moved[side], source->sides[side].marks, size < old_size ? size : old_size);
        kin__release(&collector->memory, source->sides[side].marks, old_size);
        source->sides[side].marks = moved[side];
    }
    source->slot_count = slot_count;
    return true;
}

static bool reserve_marks(kin_collector *collector, kin__source *source, uint32_t slot_count)
{
    uint32_t least = slot_count < source->slot_count * 2 ? source->slot_count * 2 : slot_count;
    KIN_ASSERT(slot_count % 64 == 0);
    return slot_count <= source->slot_count || move_marks(collector, source, least);
}

// Returns the slots of all sources: as many entries may need a place in the order. With one source there is no order.
static uint32_t order_capacity(const kin_collector *collector)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; collector->source_count > 1 && i < collector->source_count; i++)
        sum += collector->sources[i].slot_count;
    return sum;
}

static bool reserve_buffer(kin_collector *collector, kin__buffer *buffer, uint32_t least)
{
    return kin__buffer_reserve(&collector->memory, buffer, least, collector->taken);
}

static bool reserve_entries(kin_collector *collector, kin__source *source, uint32_t least)
{
    bool reserved = reserve_buffer(collector, &source->entries, least);
    kin__source_refresh(source);
    return reserved;
}

static bool reserve(kin__slot_extension *extension, uint32_t slot_count)
{
    kin__source *source = (kin__source *)(void *)extension;
    kin_collector *collector = source->collector;
    if (reserve_marks(collector, source, slot_count) && reserve_entries(collector, source, slot_count) &&
        reserve_buffer(collector, &collector->order, order_capacity(collector)))
        return true;
    source->context->core->memory.refused = collector->memory.refused;
    return false;
}

// ---- holding

static bool has_entry(const kin__source *source, uint32_t side, kin_entity entity)
{
    const kin__collected *collected = &source->sides[side];
    for (uint32_t i = 0; i < collected->count; i++)
        if (collected->entities[i] == entity)
            return true;
    return false;
}

static const char *holder(const kin__slot_extension *extension, kin_entity entity)
{
    const kin__source *source = kin__source_of(extension);
    if (!has_entry(source, KIN__COLLECTING, entity) && !has_entry(source, KIN__TAKEN, entity))
        return NULL;
    return source->collector->name != NULL ? source->collector->name : "";
}

// ---- activating

void kin_collector_activate(kin_collector *collector)
{
    if (collector == NULL || collector->active || collector->ended)
        return;
    if (kin__collector_refuses(collector))
        return;
    collector->active = true;
    for (uint32_t i = 0; i < collector->trigger_count; i++)
        if (collector->subscribers[i].group != NULL)
            kin__group_subscriber_begin(&collector->subscribers[i]);
}

static void end_subscriptions(kin_collector *collector)
{
    collector->active = false;
    for (uint32_t i = 0; i < collector->trigger_count; i++)
        if (collector->subscribers[i].group != NULL) {
            kin__group_subscriber_end(&collector->subscribers[i]);
            kin__subscriber_unlink(&collector->subscribers[i]); // no walk is at it: kin__collect calls no user code
        }
}

void kin_collector_deactivate(kin_collector *collector)
{
    if (collector == NULL || !collector->active || kin__collector_refuses(collector))
        return;
    end_subscriptions(collector);
    kin_collector_clear(collector);
}

void kin__collector_keep_last_values(kin_collector *collector, kin__last_values *last_values)
{
    KIN_ASSERT(collector->trigger_count == 1 && kin_collector_count(collector) == 0);
    collector->sources[0].last_values = last_values;
    collector->sources[0].is_simple = last_values == NULL;
    kin_collector_deactivate(collector);
    collector->subscribers[0].events = KIN__EVENT_LOST;
    kin_collector_activate(collector);
}

// ---- the end of a context

// Removes the source's entries from the collecting side. The context no longer has their holders.
static void drop_collected(kin_collector *collector, kin__source *source)
{
    uint32_t kept = 0;
    uint16_t *order = collector->order.sides[KIN__COLLECTING].elements;
    for (uint32_t i = 0; i < collector->counts[KIN__COLLECTING]; i++)
        if (order[i] != source->number)
            order[kept++] = order[i];
    collector->counts[KIN__COLLECTING] = kept;
    source->sides[KIN__COLLECTING].count = 0;
}

// The context of a source ends: its triggers end, and its entries are forgotten.
static void forget(kin__slot_extension *extension)
{
    kin__source *source = (kin__source *)(void *)extension;
    kin_collector *collector = source->collector;
    KIN_ASSERT(source->context != NULL);
    for (uint32_t i = 0; i < collector->trigger_count; i++) {
        kin__subscriber *subscriber = &collector->subscribers[i];
        if (subscriber->group == NULL || subscriber->group->context != source->context)
            continue;
        if (collector->active) {
            kin__group_subscriber_end(subscriber);
            kin__subscriber_unlink(subscriber);
        }
        subscriber->group = NULL;
    }
    drop_collected(collector, source);
    source->context = NULL;
    if (source->number == 0)
        kin__memory_leave(&collector->memory);
}

// ---- memory

static size_t source_used(const kin__source *source)
{
    uint32_t chunk_count = source->context == NULL ? 0 : source->context->chunk_count;
    return sizeof *source + KIN__SIDES * chunk_count * KIN__CHUNK_WORDS * sizeof(uint64_t) +
           (source->sides[KIN__COLLECTING].count + source->sides[KIN__TAKEN].count) * sizeof(kin_entity);
}

// The extension of the first source reports the memory of the whole collector: its context has allocated it.
static size_t used(const kin__slot_extension *extension)
{
    const kin__source *first = kin__source_of(extension);
    const kin_collector *collector = first->collector;
    if (first->number > 0)
        return 0;
    size_t bytes = sizeof *collector + collector->trigger_count * sizeof *collector->subscribers;
    for (uint32_t i = 0; i < collector->source_count; i++)
        bytes += source_used(&collector->sources[i]);
    bytes += (collector->counts[KIN__COLLECTING] + collector->counts[KIN__TAKEN]) * sizeof(uint16_t);
    return bytes + collector->owned_name_size + collector->shown_count * sizeof(kin_entity) +
           collector->shown_context_count * sizeof(kin_context *);
}

// Does nothing while a reactive system reads what was taken: nothing may move.
static void trim(kin__slot_extension *extension)
{
    kin__source *source = (kin__source *)(void *)extension;
    kin_collector *collector = source->collector;
    uint32_t slot_count = (source->context->chunk_count == 0 ? 1 : source->context->chunk_count) * KIN__CHUNK_SLOTS;
    if (collector->taken)
        return;
    if (slot_count <= source->slot_count / 2)
        move_marks(collector, source, slot_count);
    kin__buffer_trim(&collector->memory, &source->entries, source->slot_count);
    kin__source_refresh(source);
    kin__buffer_trim(&collector->memory, &collector->order, order_capacity(collector));
    if (collector->shown_count == 0)
        kin__array_release(&collector->memory, &collector->shown, sizeof(kin_entity));
    if (collector->shown_context_count == 0)
        kin__array_release(&collector->memory, &collector->shown_contexts, sizeof(kin_context *));
}

// ---- making

const kin__source *kin__source_of(const kin__slot_extension *extension)
{
    return extension->reserve == reserve ? (const kin__source *)(const void *)extension : NULL;
}

static size_t subscribers_size(size_t count)
{
    return count * sizeof(kin__subscriber);
}

const char *kin__collector_find_fault(const kin_trigger *triggers, size_t count)
{
    if (triggers == NULL || count == 0)
        return "it has no trigger; pass at least one";
    if (count > UINT16_MAX)
        return "it has more than 65535 triggers, which is the limit; use several collectors";
    for (size_t i = 0; i < count; i++) {
        if (triggers[i].group == NULL)
            return "a trigger has no group; check the result of the call that made the group";
        if (kin__event_bits(triggers[i].event) == 0)
            return "a trigger has an unknown event; use one of kin_group_event";
    }
    return NULL;
}

// Returns the source of a context, made for its first trigger.
static kin__source *source_of(kin_collector *collector, kin_context *context)
{
    for (uint32_t i = 0; i < collector->source_count; i++)
        if (collector->sources[i].context == context)
            return &collector->sources[i];
    kin__source *source = &collector->sources[collector->source_count];
    KIN_ASSERT(collector->source_count < collector->trigger_count);
    *source =
        (kin__source){.extension = {.reserve = reserve, .forget = forget, .used = used, .trim = trim, .holder = holder},
                      .collector = collector,
                      .context = context,
                      .number = (uint16_t)collector->source_count,
                      .entries = {.size = sizeof(kin_entity)}};
    source->extension.collected = source->sides;
    collector->source_count++;
    return source;
}

// Returns `reserved`; if it is false, copies the size that the context was refused, for the report.
static bool copy_refused(kin_collector *collector, const kin_context *context, bool reserved)
{
    if (!reserved)
        collector->memory.refused = context->core->memory.refused;
    return reserved;
}

static bool reserve_context(kin_collector *collector, kin__source *source)
{
    kin_context *context = source->context;
    uint32_t slot_count = (context->chunk_count == 0 ? 1 : context->chunk_count) * KIN__CHUNK_SLOTS;
    return copy_refused(collector, context, kin__holders_reserve(context)) &&
           reserve_marks(collector, source, slot_count) && reserve_entries(collector, source, slot_count);
}

static bool fill(kin_collector *collector, const kin_trigger *triggers)
{
    kin__memory *memory = &collector->memory;
    collector->subscribers = kin__allocate_zero(memory, subscribers_size(collector->trigger_count));
    collector->sources = kin__allocate_zero(memory, collector->trigger_count * sizeof *collector->sources);
    if (collector->subscribers == NULL || collector->sources == NULL)
        return false;
    for (uint32_t i = 0; i < collector->trigger_count; i++) {
        kin_group *group = triggers[i].group;
        collector->subscribers[i] = (kin__subscriber){.events = kin__event_bits(triggers[i].event),
                                                      .collects = true,
                                                      .listener = kin__collect,
                                                      .user = source_of(collector, group->context),
                                                      .group = group};
        if (!copy_refused(collector, group->context, kin__watch_reserve(group)))
            return false;
    }
    collector->sources[0].is_simple = collector->source_count == 1;
    for (uint32_t i = 0; i < collector->source_count; i++)
        if (!reserve_context(collector, &collector->sources[i]))
            return false;
    return reserve_buffer(collector, &collector->order, order_capacity(collector));
}

kin_collector *kin__collector_make(const kin_trigger *triggers, size_t count)
{
    kin__core *core = triggers[0].group->context->core;
    KIN_ASSERT(kin__collector_find_fault(triggers, count) == NULL);
    kin__memory memory = kin__memory_part(&core->collector_memory);
    kin_collector *collector = kin__allocate_zero(&memory, sizeof *collector);
    if (collector == NULL)
        return NULL;
    collector->memory = memory;
    collector->options = core->options;
    collector->trigger_count = (uint32_t)count;
    collector->order.size = sizeof(uint16_t);
    if (!fill(collector, triggers)) {
        core->memory.refused = collector->memory.refused; // maybe of another trigger's context
        collector_release(collector);
        return NULL;
    }
    for (uint32_t i = 0; i < collector->source_count; i++) {
        kin__source *source = &collector->sources[i];
        kin__slot_extension_add(source->context, &source->extension);
    }
    kin_collector_activate(collector);
    return collector;
}

kin_collector *kin_collector_create(const kin_trigger *triggers, size_t count)
{
    kin__attempt attempt = {.verb = "create a collector", .reason = kin__collector_find_fault(triggers, count)};
    if (attempt.reason != NULL) {
        kin_group *first = triggers != NULL && count > 0 ? triggers[0].group : NULL;
        if (first != NULL)
            kin__report_error(first->context, KIN_ERROR_INVALID, &attempt);
        else
            kin__report_error_to(NULL, KIN_ERROR_INVALID, &attempt, 0);
        return NULL;
    }
    for (size_t i = 0; i < count; i++)
        if (kin__context_is_shared(triggers[i].group->context)) {
            kin__refuse_shared(triggers[i].group->context);
            return NULL;
        }
    kin_collector *collector = kin__collector_make(triggers, count);
    if (collector == NULL)
        kin__report_error(triggers[0].group->context, KIN_ERROR_NO_MEMORY, &attempt);
    return collector;
}

void kin_collector_destroy(kin_collector *collector)
{
    if (collector == NULL || collector->ended || kin__collector_refuses(collector))
        return;
    collector->ended = true; // listeners can neither activate nor destroy it again
    collector->clearing++;
    kin_collector_deactivate(collector);
    kin_collector_clear(collector);
    for (uint32_t i = 0; i < collector->source_count; i++) {
        kin__source *source = &collector->sources[i];
        if (source->context != NULL)
            kin__slot_extension_remove(source->context, &source->extension);
        source->context = NULL;
    }
    if (--collector->clearing == 0)
        collector_release(collector);
    else if (collector->source_count > 1)
        kin__memory_leave(&collector->memory); // its context may end before the outer clear
}

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
        if (collected->count == 0 || source->stays)
            continue;
        memset(collected->marks, 0, source->slot_count / 64 * sizeof *collected->marks);
        collected->count = 0;
        if (source->collector->source_count > 1)
            remove_from_order(source);
    }
}

bool kin__source_is_notified(const kin__source *source)
{
    return !source->extension.in_scope && source->last_values == NULL;
}

void kin__collectors_restore_keep(kin_context *context, bool on)
{
    EACH_SOURCE(source, context)
    {
        source->stays = on && kin__source_is_notified(source);
    }
}

// Takes the entry at a place of a source out of the order of its collector.
static void remove_place_from_order(const kin__source *source, uint32_t place)
{
    kin_collector *collector = source->collector;
    uint16_t *order = collector->order.sides[KIN__COLLECTING].elements;
    uint32_t at = 0;
    for (uint32_t seen = 0; order[at] != source->number || seen++ < place;)
        at++;
    collector->counts[KIN__COLLECTING]--;
    memmove(&order[at], &order[at + 1], (collector->counts[KIN__COLLECTING] - at) * sizeof *order);
}

static void drop_dead(kin__source *source)
{
    kin__collected *collected = &source->sides[KIN__COLLECTING];
    uint32_t kept = 0;
    for (uint32_t i = 0; i < collected->count; i++) {
        kin_entity entity = collected->entities[i];
        if (kin__chunk_of(source->context, entity) != NULL) {
            collected->entities[kept++] = entity;
            continue;
        }
        kin__bits_remove(collected->marks, kin_entity_slot(entity));
        if (source->collector->source_count > 1)
            remove_place_from_order(source, kept);
    }
    collected->count = kept;
}

void kin__collectors_restore_drop_dead(kin_context *context)
{
    EACH_SOURCE(source, context)
    {
        if (source->stays)
            drop_dead(source);
        source->stays = false;
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
    KIN_VALIDATE(collector_is_valid(collector));
}
