#include "notify/internal.h"

#include <kin/inventory.h>
#include <kin/journal.h>

#include <string.h>

bool kin__buffer_reserve(kin__memory *memory, kin__buffer *buffer, uint32_t least, bool is_read)
{
    kin__array *other = is_read ? &buffer->waiting : &buffer->sides[KIN__TAKEN];
    KIN_ASSERT(buffer->size > 0 && (is_read || buffer->waiting.capacity == 0));
    return kin__array_reserve(memory, &buffer->sides[KIN__COLLECTING], least, buffer->size) &&
           (least <= buffer->sides[KIN__TAKEN].capacity || kin__array_reserve(memory, other, least, buffer->size));
}

void kin__buffer_swap(kin__buffer *buffer)
{
    kin__array taken = buffer->sides[KIN__COLLECTING];
    KIN_ASSERT(buffer->waiting.capacity == 0);
    buffer->sides[KIN__COLLECTING] = buffer->sides[KIN__TAKEN];
    buffer->sides[KIN__TAKEN] = taken;
}

void kin__buffer_settle(kin__memory *memory, kin__buffer *buffer)
{
    if (buffer->waiting.capacity == 0)
        return;
    kin__array_release(memory, &buffer->sides[KIN__TAKEN], buffer->size);
    buffer->sides[KIN__TAKEN] = buffer->waiting;
    buffer->waiting = (kin__array){0};
}

void kin__buffer_trim(kin__memory *memory, kin__buffer *buffer, uint32_t least)
{
    KIN_ASSERT(buffer->waiting.capacity == 0);
    kin__array_trim(memory, &buffer->sides[KIN__COLLECTING], least, buffer->size);
    kin__array_trim(memory, &buffer->sides[KIN__TAKEN], least, buffer->size);
}

void kin__buffer_release(kin__memory *memory, kin__buffer *buffer)
{
    kin__array_release(memory, &buffer->sides[KIN__COLLECTING], buffer->size);
    kin__array_release(memory, &buffer->sides[KIN__TAKEN], buffer->size);
    kin__array_release(memory, &buffer->waiting, buffer->size);
}

static void gather_group(const kin_group *group, uint32_t events, kin_entity entity)
{
    for (const kin__subscriber *each = group->subscribers.first; each != NULL; each = each->next) {
        KIN_ASSERT(each->collects || each->serial == 0);
        if (each->serial != 0 && (each->events & events) != 0)
            kin__collect_entity(each->user, entity);
    }
}

void kin__gather_members(const kin_context *context, kin_component_id id, const uint64_t *row, uint32_t events,
                         kin_entity entity)
{
    const kin__watch *watch = &context->core->watches[id];
    kin_group *const *groups = watch->groups.elements;
    for (uint32_t i = 0; i < watch->count; i++) {
        const uint64_t *mask = kin__mask_at(watch, i, context->row_words);
        if ((groups[i]->subscribers.events & events) == 0 ||
            !kin__mask_passes(mask, KIN__MASK_MEMBER, row, context->row_words))
            continue;
        bool is_exact = (mask[0] & KIN__MASK_INEXACT) == 0;
        if (is_exact || kin__matcher_holds(&groups[i]->matcher, row, context->row_words))
            gather_group(groups[i], events, entity);
    }
}

// Whether the group matches an entity's row with and without a component: bit 0 now, bit 1 before it was added or
// removed. The row is the same afterwards.
static uint32_t find_matches(const kin_context *context, const kin_group *group, uint64_t *row, kin_component_id id)
{
    uint32_t matches = kin__matcher_holds(&group->matcher, row, context->row_words);
    kin__bits_flip(row, id);
    matches |= (uint32_t)kin__matcher_holds(&group->matcher, row, context->row_words) << 1;
    kin__bits_flip(row, id);
    return matches;
}

void kin__gather_crossed(const kin_context *context, kin_component_id id, uint64_t *row, bool added, kin_entity entity)
{
    const kin__watch *watch = &context->core->watches[id];
    kin_group *const *groups = watch->groups.elements;
    for (uint32_t i = 0; i < watch->count; i++) {
        const uint64_t *mask = kin__mask_at(watch, i, context->row_words);
        if (!kin__mask_passes(mask, KIN__MASK_CROSSED, row, context->row_words))
            continue;
        bool matches_now = ((mask[0] & KIN__MASK_ENTERS) != 0) == added;
        if ((mask[0] & KIN__MASK_INEXACT) != 0) {
            uint32_t matches = find_matches(context, groups[i], row, id);
            if (matches == 0 || matches == 3)
                continue;
            matches_now = matches == 1;
        }
        gather_group(groups[i], kin__crossed_events(matches_now, added), entity);
    }
}

// Collects an entity: the listener of every trigger. Alone in this file so that the compiler cannot inline the general
// case, whose saved registers would cost instructions for each entity.

// Each slot is collected once, and room is reserved for every slot, so this needs no memory.
void kin__collect_entity(void *user, kin_entity entity)
{
    kin__source *source = user;
    kin__collected *collected = &source->sides[KIN__COLLECTING];
    uint32_t slot = kin_entity_slot(entity);
    KIN_ASSERT(slot < source->slot_count);
    uint64_t *word = &collected->marks[slot / 64];
    uint64_t bit = kin__bit_of(slot);
    if ((*word & bit) != 0)
        return;
    *word |= bit;
    KIN_ASSERT(collected->count < source->entries.sides[KIN__COLLECTING].capacity);
    collected->entities[collected->count++] = entity;
    if (!source->is_simple)
        kin__collect_general(source, entity);
}

void kin__collect(const kin_change *change, void *user)
{
    kin__collect_entity(user, change->entity);
}

// ---- what is noted

// Returns how the component was changed, as far as the change shows it.
static kin_record_kind kind_of(const kin_change *change)
{
    bool has_component = change->component < change->context->info->component_count;
    bool is_alive = kin__chunk_of(change->context, change->entity) != NULL;
    if (!has_component)
        return is_alive ? KIN_RECORD_CREATED : KIN_RECORD_DESTROYED;
    if (change->previous != NULL && change->value != NULL)
        return KIN_RECORD_REPLACED;
    bool has = kin__has(change->context, change->entity, change->component, change->context->row_words);
    return has ? KIN_RECORD_ADDED : KIN_RECORD_REMOVED;
}

// The events of a group that such a change may have. Of a replace, a trigger is shown one or both values.
static uint32_t events_of(const kin_change *change, kin_record_kind kind)
{
    bool is_alive = kin__chunk_of(change->context, change->entity) != NULL;
    const uint64_t *row = kin__row_of(change->context, kin_entity_slot(change->entity));
    bool matches = is_alive && kin__matcher_holds(&change->group->matcher, row, change->context->row_words);
    if (kind == KIN_RECORD_REPLACED)
        return KIN__EVENTS_OF_GROUPS;
    return matches ? KIN__EVENTS_OF_GROUPS : KIN__EVENT_REMOVED;
}

static kin_group_event event_of(uint32_t events)
{
    if ((events & KIN__EVENT_MODIFIED) != 0)
        return KIN_MODIFIED;
    if ((events & KIN__EVENT_ADDED) != 0)
        return (events & KIN__EVENT_REMOVED) != 0 ? KIN_ADDED_OR_REMOVED : KIN_ADDED;
    return KIN_REMOVED;
}

// Returns the event of the trigger that the change belongs to.
static kin_group_event find_event(const kin_collector *collector, const kin_change *change, kin_record_kind kind)
{
    uint32_t events = events_of(change, kind);
    for (uint32_t i = 0; i < collector->trigger_count; i++) {
        const kin__subscriber *trigger = &collector->subscribers[i];
        if (trigger->group == change->group && (trigger->events & events) != 0)
            return event_of(trigger->events);
    }
    return event_of(events);
}

static void note(const kin_collector *collector, const kin_change *change)
{
    kin_trace *trace = collector->trace;
    kin_record_kind kind = kind_of(change);
    trace->ring[trace->count++ % trace->capacity] = (kin_collection){.context = change->context,
                                                                     .group = change->group,
                                                                     .entity = change->entity,
                                                                     .frame = trace->frame,
                                                                     .step = trace->step,
                                                                     .system = trace->system,
                                                                     .role = trace->role,
                                                                     .component = change->component,
                                                                     .change = kind,
                                                                     .event = find_event(collector, change, kind),
                                                                     .verdict = KIN_VERDICT_WAITING};
}

// The listener of each trigger of a traced collector.
static void collect_and_note(const kin_change *change, void *user)
{
    const kin__source *source = user;
    const kin__collected *collected = &source->sides[KIN__COLLECTING];
    if (source->collector->trace != NULL && !kin__bits_have(collected->marks, kin_entity_slot(change->entity)))
        note(source->collector, change);
    kin__collect_entity(user, change->entity);
}

const kin__source *kin__source_of_trigger(const kin__subscriber *subscriber)
{
    bool collects = subscriber->listener == kin__collect || subscriber->listener == collect_and_note;
    return collects ? subscriber->user : NULL;
}

// ---- what the filter said

// Finds the last collection of a slot that waits.
static kin_collection *find_waiting(const kin_trace *trace, const kin_context *context, uint32_t slot)
{
    uint64_t kept = trace->count < trace->capacity ? trace->count : trace->capacity;
    for (uint64_t n = trace->count; n > trace->count - kept; n--) {
        kin_collection *each = &trace->ring[(n - 1) % trace->capacity];
        if (each->context == context && kin_entity_slot(each->entity) == slot && each->verdict == KIN_VERDICT_WAITING)
            return each;
    }
    return NULL;
}

static kin_verdict verdict_of(const kin__source *source, const kin_collection *found, kin_entity entity)
{
    if (kin_entity_creation_index(entity) != 0)
        return KIN_VERDICT_PASSED;
    bool is_alive = kin__chunk_of(source->context, found->entity) != NULL;
    return is_alive ? KIN_VERDICT_REJECTED : KIN_VERDICT_DEAD;
}

void kin__trace_judge(kin_collector *collector)
{
    for (uint32_t i = 0; i < collector->source_count; i++) {
        const kin__source *source = &collector->sources[i];
        for (uint32_t k = 0; source->context != NULL && k < source->sides[KIN__TAKEN].count; k++) {
            kin_entity entity = source->sides[KIN__TAKEN].entities[k];
            kin_collection *found = find_waiting(collector->trace, source->context, kin_entity_slot(entity));
            if (found != NULL)
                found->verdict = verdict_of(source, found, entity);
        }
    }
}

// ---- beginning and ending

static kin_status report(const kin_collector *collector, const char *reason)
{
    kin__attempt attempt = {.verb = "trace a collector", .reason = reason};
    return kin__report_error_to(collector == NULL ? NULL : &collector->options, KIN_ERROR_INVALID, &attempt, 0);
}

kin_status kin_collector_trace(kin_collector *collector, kin_trace *trace)
{
    if (collector == NULL)
        return report(NULL, "the collector is NULL; check the result of the call that created it");
    if (trace != NULL && (trace->ring == NULL || trace->capacity == 0))
        return report(collector, "the trace has no ring; give it an array");
    if (kin__collector_refuses(collector))
        return KIN_ERROR_INVALID;
    collector->trace = trace;
    for (uint32_t i = 0; i < collector->trigger_count; i++)
        kin__group_subscriber_set_listener(&collector->subscribers[i], trace == NULL ? kin__collect : collect_and_note,
                                           trace == NULL);
    return KIN_OK;
}

kin_trace *kin_collector_trace_of(const kin_collector *collector)
{
    return collector == NULL ? NULL : collector->trace;
}

// Names of collectors, and lists of collectors for tools (kin/inventory.h).

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

static kin_status report_name(const kin_collector *collector, kin_status status, const char *reason)
{
    kin__attempt attempt = {.verb = "name a collector", .reason = reason};
    if (collector == NULL)
        return kin__report_error_to(NULL, status, &attempt, 0);
    return kin__report_error_to(&collector->options, status, &attempt, collector->memory.refused);
}

kin_status kin_collector_set_name(kin_collector *collector, const char *name)
{
    char *copy = NULL;
    size_t size = name == NULL ? 0 : strlen(name) + 1;
    if (collector == NULL)
        return report_name(NULL, KIN_ERROR_INVALID,
                           "the collector is NULL; check the result of the call that created it");
    if (kin__collector_refuses(collector))
        return KIN_ERROR_INVALID;
    if (size > 0) {
        copy = kin__allocate(&collector->memory, size);
        if (copy == NULL)
            return report_name(collector, KIN_ERROR_NO_MEMORY, NULL);
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

static kin_group_event name_of_event(uint32_t bits)
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
        triggers[i] = (kin_trigger){collector->subscribers[i].group, name_of_event(collector->subscribers[i].events)};
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
