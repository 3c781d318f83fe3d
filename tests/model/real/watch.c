// Subscriptions, collectors and systems.

#include "real.h"

// ---- listeners

static int32_t matcher_of(real *real, const kin_group *group)
{
    real_learn_groups(real);
    for (uint32_t i = 0; i < real->group_count && group != NULL; i++)
        if (real_group(real, real->matchers[i]) == group)
            return real->matchers[i];
    return group == NULL ? -1 : -2;
}

static void listen(const kin_change *change, void *user)
{
    const real_listener *listener = user;
    real *real = listener->real;
    int32_t part = real_part(real, change->component);
    bool is_of_group = listener->matcher >= 0 && change->group != NULL;
    model_record record = {.kind = MODEL_CALL,
                           .number = listener->number,
                           .place = is_of_group ? listener->matcher : matcher_of(real, change->group),
                           .entity = change->entity,
                           .part = change->context == real->context ? part : MODEL_BROKEN,
                           .previous = real_read(real, part, change->previous),
                           .value = real_read(real, part, change->value),
                           .event = change->event};
    real->calls++;
    real_refuse_no_more(real);
    model_call(real->side, record);
    // DSP-09: they are valid during the call, whatever it does.
    if (record.previous != real_read(real, part, change->previous) ||
        record.value != real_read(real, part, change->value))
        model_log(real->side, (model_record){.kind = MODEL_CALL, .number = listener->number, .value = MODEL_BROKEN});
}

static kin_status subscribe(real *real, const model_operation *operation)
{
    real_listener *made = &real->listeners[operation->value % REAL_LISTENERS];
    kin_listener *function = operation->owner == 0 ? NULL : listen;
    kin_subscription subscription;
    *made = (real_listener){real, operation->value, -1, {0}};
    if (operation->code == MODEL_SUBSCRIBE) {
        kin_group *group = real_group(real, operation->number);
        if (group == NULL)
            return KIN_ERROR_LIMIT;
        made->matcher = operation->number;
        subscription = kin_group_subscribe(group, (kin_group_event)operation->event, function, made);
    } else if (operation->code == MODEL_SUBSCRIBE_ENTITY) {
        subscription =
            kin_entity_subscribe(real->context, operation->entity, (kin_entity_event)operation->event, function, made);
    } else {
        subscription = kin_context_subscribe(real->context, (kin_context_event)operation->event, function, made);
    }
    made->subscription = subscription;
    return subscription.subscriber != NULL ? KIN_OK : KIN_ERROR_INVALID; // the error has the reason
}

// ---- collectors

static kin_status make_collector(real *real, const model_operation *operation)
{
    kin_group *first = real_group(real, operation->number);
    kin_group *second = first == NULL ? NULL : real_group(real, operation->other);
    if (second == NULL)
        return KIN_ERROR_LIMIT;
    kin_trigger triggers[] = {{first, (kin_group_event)operation->event}, {second, KIN_ADDED_OR_REMOVED}};
    real->collectors[operation->value] = kin_collector_create(triggers, 2);
    return real->collectors[operation->value] == NULL ? KIN_ERROR_INVALID : KIN_OK;
}

static void end_collector(real *real, int32_t number)
{
    kin_collector *collector = real->collectors[number];
    kin_collector_destroy(collector);
    if (real->collectors[number] == collector)
        real->collectors[number] = NULL;
}

kin_status real_watch(real *real, const model_operation *operation)
{
    switch (operation->code) {
    case MODEL_UNSUBSCRIBE:
        kin_unsubscribe(real->listeners[operation->number % REAL_LISTENERS].subscription);
        break;
    case MODEL_MAKE_COLLECTOR:
        return make_collector(real, operation);
    case MODEL_END_COLLECTOR:
        end_collector(real, operation->number);
        break;
    case MODEL_ACTIVATE:
        kin_collector_activate(real->collectors[operation->number]);
        break;
    case MODEL_DEACTIVATE:
        kin_collector_deactivate(real->collectors[operation->number]);
        break;
    case MODEL_CLEAR:
        kin_collector_clear(real->collectors[operation->number]);
        break;
    default:
        return subscribe(real, operation);
    }
    return KIN_OK;
}

// ---- systems

static bool filter(void *self, kin_context *context, kin_entity entity)
{
    const real_system *system = self;
    int32_t place = context == system->real->context ? 0 : MODEL_BROKEN;
    return model_ask(system->real->side,
                     (model_record){.kind = MODEL_ASKED, .number = system->name, .entity = entity, .place = place});
}

// RSY-09: nothing changes the array meanwhile.
static void execute(void *self, kin_context *context, const kin_entity *entities, uint32_t count)
{
    const real_system *system = self;
    uint64_t before = 0, after = 0;
    for (uint32_t i = 0; i < count; i++) {
        model_log(system->real->side,
                  (model_record){.kind = MODEL_EXECUTED, .number = system->name, .entity = entities[i]});
        before = before * 31 + entities[i];
    }
    model_call(system->real->side, (model_record){.kind = MODEL_EXECUTED,
                                                  .number = system->name,
                                                  .value = (int32_t)count,
                                                  .place = context == system->real->context ? 0 : MODEL_BROKEN});
    for (uint32_t i = 0; i < count; i++)
        after = after * 31 + entities[i];
    if (before != after)
        model_log(system->real->side, (model_record){.kind = MODEL_EXECUTED, .value = MODEL_BROKEN});
}

void real_systems_begin(real *real)
{
    for (int32_t i = 0; i < MODEL_NAMES; i++)
        real->names[i] = (real_system){real, i};
    kin_systems_add_systems(real->systems, real->port->cleanup_systems(real->typed));
}

static kin_status add_system(real *real, const model_operation *operation)
{
    kin_group *first = real_group(real, operation->value);
    kin_group *second = first == NULL ? NULL : real_group(real, operation->other);
    if (second == NULL)
        return KIN_ERROR_LIMIT;
    kin_trigger triggers[] = {{first, (kin_group_event)operation->event}, {second, KIN_ADDED}};
    return kin_systems_add_reactive(real->systems,
                                    (kin_reactive_system){.name = model_names[operation->number],
                                                          .triggers = triggers,
                                                          .trigger_count = 2,
                                                          .filter = operation->owner != 0 ? filter : NULL,
                                                          .execute = execute,
                                                          .self = &real->names[operation->number]});
}

kin_status real_systems(real *real, const model_operation *operation)
{
    switch (operation->code) {
    case MODEL_ADD_SYSTEM:
        return add_system(real, operation);
    case MODEL_REMOVE_SYSTEM:
        return kin_systems_remove(real->systems, model_names[operation->number]);
    case MODEL_ENABLE_SYSTEM:
        return kin_systems_set_enabled(real->systems, model_names[operation->number], operation->owner != 0);
    case MODEL_EXECUTE:
        kin_systems_execute(real->systems, 1);
        break;
    case MODEL_CLEANUP:
        kin_systems_cleanup(real->systems);
        break;
    case MODEL_ACTIVATE_ALL:
        kin_systems_activate_reactive(real->systems);
        break;
    case MODEL_DEACTIVATE_ALL:
        kin_systems_deactivate_reactive(real->systems);
        break;
    default:
        kin_systems_clear_reactive(real->systems);
        break;
    }
    return KIN_OK;
}
