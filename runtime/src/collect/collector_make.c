// Makes, activates, deactivates and destroys collectors; follows the growth, the trimming and the end of their
// contexts.

#include "base/base.h"
#include "collect/collector.h"
#include "store/store.h"
#include "notify/dispatch.h"
#include "notify/subscriber.h"
#include "notify/watch.h"

#include <string.h>

// ---- room for every slot

// Moves the marks of both sides to blocks for another number of slots. False, with nothing changed, when out of memory.
static bool move_marks(kin_collector *collector, kin__source *source, uint32_t slot_count)
{
    size_t size = slot_count / 64 * sizeof(uint64_t), old_size = source->slot_count / 64 * sizeof(uint64_t);
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
    if (collector == NULL || collector->active || collector->ended || kin__collector_refuses(collector))
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
        kin__collector_release(collector);
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
        kin__collector_release(collector);
    else if (collector->source_count > 1)
        kin__memory_leave(&collector->memory); // its context may end before the outer clear
}
