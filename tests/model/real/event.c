// Generated events: listeners through the typed functions, and two collections of event systems.

#include "real.h"

// Counts nested calls of the collection's functions: inside of them it cannot be destroyed (SYS-09).
static kin_systems *enter(real *real, int32_t set)
{
    real->entered[set]++;
    return real->events[set];
}

// EVT-05: the value passed is that of the event, whatever the call does.
static void call(model_event_listener *listener, void *context, kin_entity entity, const void *value)
{
    const real_event_listener *own = (const real_event_listener *)listener;
    const real *real = own->real;
    int32_t part = model_events[own->event].part;
    model_record record = {.kind = MODEL_EVENT_CALL,
                           .number = own->number,
                           .place = context == real->typed ? own->event : MODEL_BROKEN,
                           .entity = entity,
                           .part = part,
                           .value = real_read(real, part, value)};
    model_call(real->side, record);
    if (record.value != real_read(real, part, value))
        model_log(real->side, (model_record){.kind = MODEL_EVENT_CALL, .number = own->number, .value = MODEL_BROKEN});
}

static const char *name_of(const real *real, int32_t event)
{
    uint32_t place = 0; // events that the package lacks have no systems
    for (int32_t i = 0; i < event; i++)
        place += real->port->events[i].add_listener != NULL;
    return real->port->info->events[place].name;
}

static kin_status destroy(real *real, int32_t set)
{
    kin_systems *systems = real->events[set];
    bool refused = real->entered[set] > 0;
    kin_systems_destroy(systems);
    if (!refused)
        real->events[set] = NULL;
    return refused ? KIN_ERROR_INVALID : KIN_OK;
}

static kin_status change_systems(real *real, const model_operation *operation)
{
    int32_t set = operation->number;
    kin_systems *systems = enter(real, set);
    kin_status status = KIN_OK;
    switch (operation->code) {
    case MODEL_DELIVER:
        kin_systems_execute(systems, 1);
        break;
    case MODEL_CLEAR_EVENTS:
        kin_systems_clear_reactive(systems);
        break;
    case MODEL_ENABLE_EVENT:
        status = kin_systems_set_enabled(systems, name_of(real, operation->value), operation->owner != 0);
        break;
    case MODEL_ACTIVATE_EVENTS:
        kin_systems_activate_reactive(systems);
        break;
    default:
        kin_systems_deactivate_reactive(systems);
        break;
    }
    real->entered[set]--;
    return status;
}

kin_status real_event(real *real, const model_operation *operation)
{
    int32_t number = operation->number;
    switch (operation->code) {
    case MODEL_LISTEN:
    case MODEL_UNLISTEN: {
        const model_port_event *event = &real->port->events[number];
        model_event_listener *listener = &real->event_listeners[number][operation->value].listener;
        return (operation->code == MODEL_LISTEN ? event->add_listener : event->remove_listener)(
            real->typed, operation->entity, operation->owner != 0, listener);
    }
    case MODEL_MAKE_EVENTS:
        real->events[number] = real->port->event_systems(real->typed);
        return real->events[number] == NULL ? KIN_ERROR_LIMIT : KIN_OK; // the error has the reason
    case MODEL_END_EVENTS:
        return destroy(real, number);
    default:
        return change_systems(real, operation);
    }
}

void real_events_begin(real *real)
{
    for (int32_t event = 0; event < MODEL_EVENTS; event++)
        for (int32_t number = 0; number < MODEL_EVENT_LISTENERS; number++)
            real->event_listeners[event][number] = (real_event_listener){{call}, real, event, number};
}
