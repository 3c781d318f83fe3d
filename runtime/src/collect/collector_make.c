// Collectors: making and ending them, activating and deactivating, and keeping up with their contexts.

#include "collect/collector.h"
#include "notify/subscriber.h"

#include "collect/buffer.h"
#include "notify/dispatch.h"
#include "notify/watch.h"
#include "report/error.h"
#include "storage/chunk.h"

#include <string.h>

// ---- room for every slot

static bool reserve_bits(kin_collector *collector, kin__source *source, uint32_t slot_count)
{
    uint32_t words = source->slot_count / 64, least = slot_count / 64;
    if (least <= words)
        return true;
    least = least < words * 2 ? words * 2 : least;
    uint64_t *collected = kin__allocate_zero(&collector->memory, least * sizeof *collected);
    if (collected == NULL)
        return false;
    if (words > 0)
        memcpy(collected, source->collected, words * sizeof *collected);
    kin__release(&collector->memory, source->collected, words * sizeof *collected);
    source->collected = collected;
    source->slot_count = least * 64;
    return true;
}

static bool reserve_order(kin_collector *collector)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < collector->source_count; i++)
        sum += collector->sources[i].slot_count;
    return collector->source_count == 1 || kin__buffer_reserve(&collector->memory, &collector->order, collector, sum);
}

static bool reserve(kin__slot_extension *extension, uint32_t slot_count)
{
    kin__source *source = (kin__source *)(void *)extension;
    kin_collector *collector = source->collector;
    if (reserve_bits(collector, source, slot_count) &&
        kin__buffer_reserve(&collector->memory, &source->entries, collector, slot_count) && reserve_order(collector))
        return true;
    source->context->core->memory.refused = collector->memory.refused;
    return false;
}

// ---- activating

void kin_collector_activate(kin_collector *collector)
{
    if (collector == NULL || collector->active || collector->ended)
        return;
    collector->active = true;
    for (uint32_t i = 0; i < collector->trigger_count; i++)
        if (collector->subscribers[i].group != NULL)
            kin__group_subscriber_begin(&collector->subscribers[i]);
}

static void stop(kin_collector *collector)
{
    collector->active = false;
    for (uint32_t i = 0; i < collector->trigger_count; i++)
        if (collector->subscribers[i].group != NULL) {
            kin__group_subscriber_end(&collector->subscribers[i]);
            kin__subscriber_unlink(&collector->subscribers[i]); // at once: no listener of ours calls a user
        }
}

void kin_collector_deactivate(kin_collector *collector)
{
    if (collector == NULL || !collector->active)
        return;
    stop(collector);
    kin_collector_clear(collector);
}

// ---- the end of a context

static void drop_collected(kin_collector *collector, kin__source *source)
{
    uint32_t side = collector->side, kept = 0;
    uint16_t *order = collector->order.sides[side].elements;
    for (uint32_t i = 0; collector->source_count > 1 && i < collector->counts[side]; i++)
        if (order[i] != source->number)
            order[kept++] = order[i];
    collector->counts[side] = kept;
    source->counts[side] = 0;
}

static void forget(kin__slot_extension *extension)
{
    kin__source *source = (kin__source *)(void *)extension;
    kin_collector *collector = source->collector;
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

// ---- making

static size_t triggers_size(size_t count)
{
    return count * sizeof(kin__subscriber);
}

const char *kin__collector_find_fault(const kin_trigger *triggers, size_t count)
{
    if (triggers == NULL || count == 0)
        return "it has no trigger; give at least one";
    if (count > UINT16_MAX)
        return "it has more than 65535 triggers, which is the limit; use several collectors";
    for (size_t i = 0; i < count; i++) {
        if (triggers[i].group == NULL)
            return "a trigger has no group; check what making the group returned";
        if (kin__event_bits(triggers[i].event) == 0)
            return "a trigger has no such event; use one of kin_group_event";
    }
    return NULL;
}

static kin__source *source_of(kin_collector *collector, kin_context *context)
{
    for (uint32_t i = 0; i < collector->source_count; i++)
        if (collector->sources[i].context == context)
            return &collector->sources[i];
    kin__source *source = &collector->sources[collector->source_count];
    *source = (kin__source){
        .extension = {.reserve = reserve, .forget = forget, .used = kin__collector_used, .trim = kin__collector_trim},
        .collector = collector,
        .context = context,
        .number = (uint16_t)collector->source_count,
        .entries = {.size = sizeof(kin_entity)}};
    collector->source_count++;
    return source;
}

// Passes on whether a context got what it needs, and how much memory it was refused.
static bool reserved_there(kin_collector *collector, const kin_context *context, bool reserved)
{
    if (!reserved)
        collector->memory.refused = context->core->memory.refused;
    return reserved;
}

static bool reserve_context(kin_collector *collector, kin__source *source)
{
    kin_context *context = source->context;
    uint32_t slot_count = (context->chunk_count == 0 ? 1 : context->chunk_count) * KIN__CHUNK_SLOTS;
    return reserved_there(collector, context, kin__holders_reserve(context)) &&
           reserve_bits(collector, source, slot_count) &&
           kin__buffer_reserve(&collector->memory, &source->entries, collector, slot_count);
}

static bool fill(kin_collector *collector, const kin_trigger *triggers)
{
    kin__memory *memory = &collector->memory;
    collector->subscribers = kin__allocate_zero(memory, triggers_size(collector->trigger_count));
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
        if (!reserved_there(collector, group->context, kin__watch_reserve(group)))
            return false;
    }
    for (uint32_t i = 0; i < collector->source_count; i++)
        if (!reserve_context(collector, &collector->sources[i]))
            return false;
    collector->sources[0].is_simple = collector->source_count == 1;
    return reserve_order(collector);
}

void kin__collector_release(kin_collector *collector)
{
    kin__memory memory = collector->memory;
    for (uint32_t i = 0; i < collector->source_count; i++) {
        kin__source *source = &collector->sources[i];
        kin__buffer_release(&memory, &source->entries);
        kin__release(&memory, source->collected, source->slot_count / 64 * sizeof *source->collected);
    }
    kin__buffer_release(&memory, &collector->order);
    kin__array_release(&memory, &collector->shown, sizeof(kin_entity));
    kin__array_release(&memory, &collector->shown_contexts, sizeof(kin_context *));
    kin__release(&memory, collector->sources, collector->trigger_count * sizeof *collector->sources);
    kin__release(&memory, collector->subscribers, triggers_size(collector->trigger_count));
    kin__release(&memory, collector, sizeof *collector);
}

kin_collector *kin__collector_make(const kin_trigger *triggers, size_t count)
{
    kin__core *core = triggers[0].group->context->core;
    kin__memory memory = kin__memory_part(&core->collector_memory);
    kin_collector *collector = kin__allocate_zero(&memory, sizeof *collector);
    if (collector == NULL)
        return NULL;
    collector->memory = memory;
    collector->options = core->options;
    collector->trigger_count = (uint32_t)count;
    collector->order.size = sizeof(uint16_t);
    if (!fill(collector, triggers)) {
        core->memory.refused = collector->memory.refused; // it may be another context's
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
            kin__refuse(first->context, KIN_ERROR_INVALID, &attempt);
        else
            kin__refuse_outside(NULL, KIN_ERROR_INVALID, &attempt, 0);
        return NULL;
    }
    kin_collector *collector = kin__collector_make(triggers, count);
    if (collector == NULL)
        kin__refuse(triggers[0].group->context, KIN_ERROR_NO_MEMORY, &attempt);
    return collector;
}

void kin_collector_destroy(kin_collector *collector)
{
    if (collector == NULL || collector->ended)
        return;
    collector->ended = true; // a listener can neither activate it nor destroy it once more
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
        kin__memory_leave(&collector->memory); // its context may end before the clear does
}
