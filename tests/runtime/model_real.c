// The world of the runtime: a context of package relay, on a guard.

#include "guard.h"
#include "model.h"
#include "validate.h"

#include <relay/relay.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { LISTENER_LIMIT = 256 };

typedef struct listener {
    struct real *real;
    int32_t number, matcher;
    kin_subscription subscription;
} listener;

typedef struct real {
    model_side *side;
    guard memory;
    relay_context *relay;
    listener listeners[LISTENER_LIMIT]; // by number, around and around
    kin_collector *collectors[MODEL_COLLECTORS];
    int32_t matchers[MODEL_MATCHERS]; // of the groups, in order of creation
    uint32_t group_count, shown;
} real;

// ---- values

static int32_t value_of(const kin_context *context, int32_t component, const void *value)
{
    int32_t first = MODEL_NO_VALUE;
    if (value == NULL)
        return MODEL_NO_VALUE;
    size_t size = context->info->components[component].size;
    memcpy(&first, value, sizeof first);
    for (size_t i = 0; i < size; i += sizeof first)
        if (memcmp((const char *)value + i, &first, sizeof first) != 0)
            ck_abort_msg("a value is not whole");
    return first;
}

static Big big_of(int32_t value)
{
    Big big;
    for (int i = 0; i < 40; i++)
        big.values[i] = value;
    return big;
}

// ---- what it is told

static void log_error(const kin_error *error, void *user)
{
    const real *real = user;
    model_log(real->side, (model_record){.kind = MODEL_ERROR, .number = (int32_t)error->status});
}

static void listen(const kin_change *change, void *user)
{
    const listener *listener = user;
    model_record record = {.kind = MODEL_CALL,
                           .number = listener->number,
                           .place = listener->matcher,
                           .entity = change->entity,
                           .component = change->component,
                           .previous = value_of(change->context, change->component, change->previous),
                           .value = value_of(change->context, change->component, change->value)};
    model_call(listener->real->side, record);
    if (record.previous != value_of(change->context, change->component, change->previous) ||
        record.value != value_of(change->context, change->component, change->value))
        ck_abort_msg("a value changed while it was told");
}

// ---- operations

static kin_group *group_of(real *real, int32_t matcher)
{
    bool known = false;
    for (uint32_t i = 0; i < real->group_count; i++)
        known = known || real->matchers[i] == matcher;
    if (!known)
        real->matchers[real->group_count++] = matcher;
    return kin_context_group(&real->relay->base, model_matcher(matcher));
}

static kin_status add(const real *real, relay_entity entity, const model_operation *operation)
{
    switch (operation->component) {
    case RELAY_A:
        return relay_add_a(real->relay, entity, (A){operation->value});
    case RELAY_B:
        return relay_add_b(real->relay, entity, (B){operation->value});
    case RELAY_BIG:
        return relay_add_big(real->relay, entity, big_of(operation->value));
    case RELAY_C:
        return relay_add_c(real->relay, entity, (C){operation->value});
    case RELAY_F:
        return relay_set_f(real->relay, entity, true);
    default:
        return relay_set_g(real->relay, entity, true);
    }
}

static kin_status replace(const real *real, relay_entity entity, const model_operation *operation)
{
    switch (operation->component) {
    case RELAY_A:
        return relay_replace_a(real->relay, entity, (A){operation->value});
    case RELAY_B:
        return relay_replace_b(real->relay, entity, (B){operation->value});
    case RELAY_BIG:
        return relay_replace_big(real->relay, entity, big_of(operation->value));
    case RELAY_C:
        return relay_replace_c(real->relay, entity, (C){operation->value});
    default:
        return add(real, entity, operation);
    }
}

static kin_status remove_component(const real *real, relay_entity entity, const model_operation *operation)
{
    switch (operation->component) {
    case RELAY_A:
        return relay_remove_a(real->relay, entity);
    case RELAY_B:
        return relay_remove_b(real->relay, entity);
    case RELAY_BIG:
        return relay_remove_big(real->relay, entity);
    case RELAY_C:
        return relay_remove_c(real->relay, entity);
    case RELAY_F:
        return relay_set_f(real->relay, entity, false);
    default:
        return relay_set_g(real->relay, entity, false);
    }
}

static kin_status touch(const real *real, relay_entity entity, const model_operation *operation)
{
    switch (operation->component) {
    case RELAY_A:
        return relay_touch_a(real->relay, entity);
    case RELAY_B:
        return relay_touch_b(real->relay, entity);
    case RELAY_BIG:
        return relay_touch_big(real->relay, entity);
    case RELAY_C:
        return relay_touch_c(real->relay, entity);
    default:
        return add(real, entity, operation);
    }
}

static kin_status edit(const real *real, relay_entity entity, const model_operation *operation)
{
    switch (operation->component) {
    case RELAY_A:
        if (relay_edit_a(real->relay, entity) != NULL)
            relay_edit_a(real->relay, entity)->value = operation->value;
        break;
    case RELAY_BIG:
        if (relay_edit_big(real->relay, entity) != NULL)
            *relay_edit_big(real->relay, entity) = big_of(operation->value);
        break;
    default:
        break;
    }
    return KIN_OK;
}

static kin_status subscribe(real *real, const model_operation *operation)
{
    listener *made = &real->listeners[operation->value % LISTENER_LIMIT];
    *made = (listener){real, operation->value, operation->number, {0}};
    made->subscription = kin_group_subscribe(group_of(real, operation->number), operation->event, listen, made);
    return made->subscription.subscriber == NULL ? KIN_ERROR_INVALID : KIN_OK;
}

static kin_status make_collector(real *real, const model_operation *operation)
{
    kin_group *first = group_of(real, operation->number), *second = group_of(real, operation->other);
    kin_trigger triggers[] = {{first, operation->event}, {second, KIN_ADDED_OR_REMOVED}};
    real->collectors[operation->value] = kin_collector_create(triggers, 2);
    return real->collectors[operation->value] == NULL ? KIN_ERROR_INVALID : KIN_OK;
}

static kin_status change_watching(real *real, const model_operation *operation)
{
    switch (operation->code) {
    case MODEL_SUBSCRIBE:
        return subscribe(real, operation);
    case MODEL_UNSUBSCRIBE:
        kin_unsubscribe(real->listeners[operation->number % LISTENER_LIMIT].subscription);
        return KIN_OK;
    case MODEL_MAKE_COLLECTOR:
        return make_collector(real, operation);
    case MODEL_END_COLLECTOR:
        kin_collector_destroy(real->collectors[operation->number]);
        real->collectors[operation->number] = NULL;
        return KIN_OK;
    case MODEL_ACTIVATE:
        kin_collector_activate(real->collectors[operation->number]);
        return KIN_OK;
    case MODEL_DEACTIVATE:
        kin_collector_deactivate(real->collectors[operation->number]);
        return KIN_OK;
    default:
        kin_collector_clear(real->collectors[operation->number]);
        return KIN_OK;
    }
}

static uint64_t apply(void *self, const model_operation *operation)
{
    real *real = self;
    relay_entity entity = relay_entity_of(operation->entity);
    switch (operation->code) {
    case MODEL_CREATE:
        return relay_create_entity(real->relay).id;
    case MODEL_DESTROY:
        return relay_destroy_entity(real->relay, entity);
    case MODEL_ADD:
        return add(real, entity, operation);
    case MODEL_REPLACE:
        return replace(real, entity, operation);
    case MODEL_REMOVE:
        return remove_component(real, entity, operation);
    case MODEL_TOUCH:
        return touch(real, entity, operation);
    case MODEL_EDIT:
        return edit(real, entity, operation);
    case MODEL_DESTROY_ALL:
        return relay_destroy_all_entities(real->relay);
    case MODEL_RESET:
        return relay_context_reset(real->relay);
    case MODEL_MAKE_GROUP:
        return group_of(real, operation->number) == NULL ? KIN_ERROR_INVALID : KIN_OK;
    case MODEL_DESTROY_GROUP:
        return kin_group_destroy_entities(group_of(real, operation->number));
    default:
        return change_watching(real, operation);
    }
}

// ---- the world

static void *begin(model_side *side, uint32_t max_entities)
{
    real *made = calloc(1, sizeof *made);
    kin_context_options options = {.allocator = guard_begin(&made->memory),
                                   .on_error = log_error,
                                   .error_user = made,
                                   .max_entities = max_entities};
    made->side = side;
    made->relay = relay_context_create(&options);
    return made;
}

static void end(void *self)
{
    real *real = self;
    relay_context_destroy(real->relay);
    for (int i = 0; i < MODEL_COLLECTORS; i++)
        kin_collector_destroy(real->collectors[i]);
    guard_end(&real->memory);
    free(real);
}

static bool is_alive(const void *self, kin_entity entity)
{
    return relay_entity_is_alive(((const real *)self)->relay, relay_entity_of(entity));
}

static void show_entity(const real *real, kin_entity entity)
{
    const kin_context *context = &real->relay->base;
    for (int32_t component = 0; component < MODEL_COMPONENTS; component++) {
        kin_component_id id = (kin_component_id)component;
        size_t size = context->info->components[id].size;
        const void *value = kin__get(context, entity, id, context->row_words, size);
        model_log(real->side,
                  (model_record){.kind = MODEL_ENTITY,
                                 .entity = entity,
                                 .component = component,
                                 .number = kin_has(context, entity, id),
                                 .value = size == 0 ? MODEL_NO_VALUE : value_of(context, component, value)});
    }
}

static void show_group(const real *real, int32_t matcher)
{
    kin_group *group = kin_context_group(&real->relay->base, model_matcher(matcher));
    uint32_t count = 0;
    const kin_entity *members = kin_group_entities(group, &count);
    if (count != kin_group_count(group) || count != kin_group_copy_entities(group, NULL, 0))
        ck_abort_msg("a group does not know how many it has");
    for (uint32_t i = 0; i < count; i++) {
        if (!kin_group_contains(group, members[i]))
            ck_abort_msg("a group does not contain what it lists");
        model_log(real->side, (model_record){.kind = MODEL_MEMBER, .number = matcher, .entity = members[i]});
    }
}

static void show(void *self)
{
    real *real = self;
    uint32_t count = 0;
    const relay_entity *entities = relay_entities(real->relay, &count);
    for (uint32_t i = 0; i < count; i++)
        show_entity(real, entities[i].id);
    for (uint32_t i = 0; i < real->group_count; i++)
        show_group(real, real->matchers[i]);
    for (int32_t c = 0; c < MODEL_COLLECTORS; c++) {
        const kin_entity *collected = NULL;
        count = 0;
        if (real->collectors[c] != NULL)
            collected = kin_collector_entities(real->collectors[c], &count);
        for (uint32_t i = 0; i < count; i++)
            model_log(real->side, (model_record){.kind = MODEL_COLLECTED, .number = c, .entity = collected[i]});
    }
    model_log(real->side, (model_record){.kind = MODEL_COUNT,
                                         .number = (int32_t)kin_context_retained_count(&real->relay->base),
                                         .value = (int32_t)kin_context_reusable_count(&real->relay->base)});
    if (real->shown++ % 64 == 0 && !kin__context_is_valid(&real->relay->base))
        ck_abort_msg("the context is not valid");
}

const model_world model_real = {begin, end, apply, is_alive, show};
