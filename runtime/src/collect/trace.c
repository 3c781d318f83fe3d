#include "collect/trace.h"

#include "base/base.h"
#include "notify/event.h"
#include "notify/watch.h"
#include "store/store.h"

#include <kin/journal.h>

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

void kin__trace_judge(kin_collector *collector)
{
    for (uint32_t i = 0; i < collector->source_count; i++) {
        const kin__source *source = &collector->sources[i];
        for (uint32_t k = 0; source->context != NULL && k < source->sides[KIN__TAKEN].count; k++) {
            kin_entity entity = source->sides[KIN__TAKEN].entities[k];
            kin_collection *found = find_waiting(collector->trace, source->context, kin_entity_slot(entity));
            if (found == NULL)
                continue;
            bool is_alive = kin__chunk_of(source->context, found->entity) != NULL;
            found->verdict = kin_entity_creation_index(entity) != 0 ? KIN_VERDICT_PASSED
                             : is_alive                             ? KIN_VERDICT_REJECTED
                                                                    : KIN_VERDICT_DEAD;
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
