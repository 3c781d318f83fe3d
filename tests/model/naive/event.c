// Generated events: the listeners of entities, and the two collections that deliver (EVT).
//
// An event system is a collector on the group of its component, and a run over the collected entities. The value that
// a component had when it was last lost stays with the slot, which is not used again while an event waits for it.

#include "naive.h"

#include <check.h>

static int32_t collector_of(int32_t set, int32_t event)
{
    return MODEL_COLLECTORS + NAIVE_NODES + set * MODEL_EVENTS + event;
}

static bool has_event(const naive *naive, int32_t event)
{
    return (naive->package->parts & model_bit(model_events[event].part)) != 0;
}

// ---- listeners

static void forget_ended(naive *naive)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < naive->event_listener_count && naive->deliveries == 0; i++)
        if (!naive->event_listeners[i].ended)
            naive->event_listeners[kept++] = naive->event_listeners[i];
    if (naive->deliveries == 0)
        naive->event_listener_count = kept;
}

// EVT-12.
static kin_status add_listener(naive *naive, const model_operation *operation)
{
    kin_status status = naive_find(naive, operation->entity) == NULL ? KIN_ERROR_NOT_ALIVE
                        : operation->owner == 0                      ? KIN_ERROR_INVALID
                                                                     : KIN_OK;
    if (status != KIN_OK)
        return naive_refuse(naive, status, operation->entity, model_events[operation->number].part);
    forget_ended(naive);
    if (naive->event_listener_count == NAIVE_EVENT_LISTENERS)
        ck_abort_msg("the model listens too much");
    naive->event_listeners[naive->event_listener_count++] =
        (naive_event_listener){operation->entity, operation->number, operation->value, false};
    return KIN_OK;
}

// EVT-07: the listener added first.
static kin_status remove_listener(naive *naive, const model_operation *operation)
{
    bool alive = naive_find(naive, operation->entity) != NULL;
    for (uint32_t i = 0; i < naive->event_listener_count && alive && operation->owner != 0; i++) {
        naive_event_listener *listener = &naive->event_listeners[i];
        if (!listener->ended && listener->entity == operation->entity && listener->event == operation->number &&
            listener->number == operation->value) {
            listener->ended = true;
            return KIN_OK;
        }
    }
    return naive_refuse(naive, alive ? KIN_ERROR_INVALID : KIN_ERROR_NOT_ALIVE, operation->entity,
                        model_events[operation->number].part);
}

// EVT-02.
void naive_end_event_listeners(naive *naive, kin_entity entity)
{
    for (uint32_t i = 0; i < naive->event_listener_count; i++)
        if (naive->event_listeners[i].entity == entity)
            naive->event_listeners[i].ended = true;
}

// ---- delivering

// EVT-03, EVT-07, EVT-08: by slot of the listening entity, then in order of adding.
static uint32_t find_event_listeners(const naive *naive, int32_t event, kin_entity entity, uint32_t *order)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < naive->event_listener_count; i++) {
        const naive_event_listener *listener = &naive->event_listeners[i];
        if (listener->ended || listener->event != event || (!model_events[event].is_any && listener->entity != entity))
            continue;
        uint32_t place = count++;
        for (; place > 0 &&
               kin_entity_slot(naive->event_listeners[order[place - 1]].entity) > kin_entity_slot(listener->entity);
             place--)
            order[place] = order[place - 1];
        order[place] = i;
    }
    return count;
}

// EVT-04, EVT-06, EVT-09.
static bool holds(naive *naive, int32_t event, kin_entity entity)
{
    const naive_slot *slot = naive_find(naive, entity);
    bool has = slot != NULL && (slot->parts & model_bit(model_events[event].part)) != 0;
    return has != model_events[event].is_removed;
}

// EVT-05.
static void notify_event_listener(naive *naive, int32_t event, kin_entity entity, int32_t number)
{
    int32_t part = model_events[event].part;
    const naive_slot *slot = &naive->slots[kin_entity_slot(entity)];
    int32_t value = model_events[event].is_removed ? slot->last[part] : slot->tags[part];
    model_call(naive->side, (model_record){.kind = MODEL_EVENT_CALL,
                                           .number = number,
                                           .place = event,
                                           .entity = entity,
                                           .part = part,
                                           .value = model_traits[part].is_flag ? MODEL_NO_VALUE : value});
}

static void deliver(naive *naive, int32_t event, kin_entity entity)
{
    uint32_t order[NAIVE_EVENT_LISTENERS], count = find_event_listeners(naive, event, entity, order);
    naive->deliveries++;
    for (uint32_t i = 0; i < count && holds(naive, event, entity); i++) {
        while (i < count && naive->event_listeners[order[i]].ended)
            i++;
        if (i < count)
            notify_event_listener(naive, event, entity, naive->event_listeners[order[i]].number);
    }
    naive->deliveries--;
}

// RSY-02: the entities that it takes are held until the last call.
static void run_event(naive *naive, int32_t set, int32_t event)
{
    naive_event_system *system = &naive->events[set].systems[event];
    naive_entries *collected = &naive->collectors[collector_of(set, event)].collected;
    if (system->running || collected->count == 0)
        return;
    naive_entries taken = *collected;
    system->running = true;
    collected->count = 0;
    for (uint32_t i = 0; i < taken.count; i++)
        deliver(naive, event, taken.entries[i]);
    for (uint32_t i = 0; i < taken.count; i++)
        naive_end_hold(naive, taken.entries[i]);
    system->running = false;
}

// EVT-11.
static void run(naive *naive, int32_t set)
{
    naive->events[set].running++;
    for (int32_t event = 0; event < MODEL_EVENTS; event++)
        if (has_event(naive, event) && naive->events[set].systems[event].enabled)
            run_event(naive, set, event);
    naive->events[set].running--;
}

// ---- collections

// EVT-13: like reactive systems.
static void refresh(naive *naive, int32_t set)
{
    naive->events[set].running++;
    for (int32_t event = 0; event < MODEL_EVENTS; event++) {
        const naive_event_system *system = &naive->events[set].systems[event];
        if (has_event(naive, event))
            naive_set_active(naive, collector_of(set, event), system->enabled && !system->deactivated);
    }
    naive->events[set].running--;
}

static void end_systems(naive *naive, int32_t set)
{
    for (int32_t event = 0; event < MODEL_EVENTS; event++)
        if (naive->collectors[collector_of(set, event)].made)
            naive_end_collector(naive, collector_of(set, event));
}

// A removed event is triggered by losses only, not by the removed call of a replace (EVT-04).
static void begin_system(naive *naive, int32_t set, int32_t event)
{
    int32_t matchers[] = {model_event_matcher(naive->package, event), -1};
    int32_t events[] = {model_events[event].is_removed ? NAIVE_LOST : KIN_ADDED, 0};
    if (!naive_has_group(naive, matchers[0]))
        naive->groups[naive->group_count++] = matchers[0];
    naive->events[set].systems[event] = (naive_event_system){.enabled = true};
    naive_begin_collector(naive, collector_of(set, event), matchers, events);
}

// EVT-01. New groups are reported once all are created; if that is not possible, nothing is created.
static kin_status make_systems(naive *naive, int32_t set)
{
    uint32_t reported = naive->group_count;
    for (int32_t event = 0; event < MODEL_EVENTS; event++)
        if (has_event(naive, event) && !naive_has_group(naive, model_event_matcher(naive->package, event)) &&
            !naive_can_report_group(naive))
            return naive_refuse(naive, KIN_ERROR_LIMIT, 0, MODEL_NO_PART);
    for (int32_t event = 0; event < MODEL_EVENTS; event++)
        if (has_event(naive, event))
            begin_system(naive, set, event);
    for (uint32_t end = naive->group_count; reported < end; reported++)
        naive_report_group(naive, naive->groups[reported]);
    return KIN_OK;
}

static kin_status clear(naive *naive, int32_t set)
{
    naive->events[set].running++;
    for (int32_t event = 0; event < MODEL_EVENTS; event++)
        if (has_event(naive, event))
            naive_clear(naive, collector_of(set, event));
    naive->events[set].running--;
    return KIN_OK;
}

// SYS-09.
static kin_status destroy(naive *naive, int32_t set)
{
    if (naive->events[set].running > 0)
        return naive_refuse(naive, KIN_ERROR_INVALID, 0, MODEL_NO_PART);
    end_systems(naive, set);
    return KIN_OK;
}

kin_status naive_event(naive *naive, const model_operation *operation)
{
    int32_t set = operation->number;
    switch (operation->code) {
    case MODEL_LISTEN:
        return add_listener(naive, operation);
    case MODEL_UNLISTEN:
        return remove_listener(naive, operation);
    case MODEL_MAKE_EVENTS:
        return make_systems(naive, set);
    case MODEL_END_EVENTS:
        return destroy(naive, set);
    case MODEL_DELIVER:
        run(naive, set);
        return KIN_OK;
    case MODEL_CLEAR_EVENTS:
        return clear(naive, set);
    case MODEL_ENABLE_EVENT:
        naive->events[set].systems[operation->value].enabled = operation->owner != 0;
        break;
    default:
        for (int32_t event = 0; event < MODEL_EVENTS; event++)
            naive->events[set].systems[event].deactivated = operation->code == MODEL_DEACTIVATE_EVENTS;
        break;
    }
    refresh(naive, set);
    return KIN_OK;
}

// The last value waits for an event, or is stashed.
bool naive_keeps(const naive *naive, uint32_t slot, int32_t part)
{
    const naive_slot *each = &naive->slots[slot];
    bool waits = each->alive && (each->stashed & model_bit(part)) != 0;
    for (int32_t c = 0; c < MODEL_SETS * MODEL_EVENTS && !waits; c++) {
        const naive_collector *collector = &naive->collectors[MODEL_COLLECTORS + NAIVE_NODES + c];
        const model_event_trait *event = &model_events[c % MODEL_EVENTS];
        for (uint32_t k = 0; k < collector->collected.count && event->is_removed && event->part == part; k++)
            waits = waits || (collector->made && collector->collected.entries[k] == each->entity);
    }
    return waits && (each->moved & model_bit(part)) == 0;
}
