#include "event_case.h"

#include "entity/entity.h"

#include <kin/generated/event_system.h>

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

guard event_memory;
error_log event_errors;
solo_context *evented_solo;
attic_context *evented_attic;
kin_systems *event_systems;

static kin_context_info solo_copy, attic_copy;
static kin_component_info solo_components[SOLO_COMPONENT_COUNT];
static char written[4096], shown[4096];

// ---- listening

// The function that a deliver function calls.
typedef struct target {
    kin_function *function;
    void *user;
} target;

typedef void listener_call(kin_context *context, kin_entity entity, const char *value, listener *listener);

static void log_call(kin_context *context, kin_entity entity, const char *value, listener *listener)
{
    size_t size = strlen(written);
    snprintf(written + size, sizeof written - size, "%s%" PRIu32 "%s ", listener->label, kin_entity_slot(entity),
             value);
    if (listener->act != NULL)
        listener->act(listener, context, entity);
}

kin_function *listener_function(void)
{
    return (kin_function *)log_call;
}

static void pass(kin_context *context, kin_entity entity, const char *value, kin_function *function, void *user)
{
    ((listener_call *)function)(context, entity, value, user);
}

static void pass_flag(kin_context *context, kin_entity entity, const void *value, kin_function *function, void *user)
{
    ck_assert_ptr_null(value);
    pass(context, entity, "", function, user);
}

static void pass_number(kin_context *context, kin_entity entity, int64_t number, target target)
{
    char text[32];
    snprintf(text, sizeof text, "=%" PRId64, number);
    pass(context, entity, text, target.function, target.user);
}

static void pass_place(kin_context *context, kin_entity entity, const void *value, kin_function *function, void *user)
{
    pass_number(context, entity, ((const Place *)value)->x, (target){function, user});
}

static void pass_score(kin_context *context, kin_entity entity, const void *value, kin_function *function, void *user)
{
    pass_number(context, entity, ((const Score *)value)->value, (target){function, user});
}

static void pass_click(kin_context *context, kin_entity entity, const void *value, kin_function *function, void *user)
{
    pass_number(context, entity, ((const Click *)value)->x, (target){function, user});
}

static void pass_coin(kin_context *context, kin_entity entity, const void *value, kin_function *function, void *user)
{
    pass_number(context, entity, ((const Coin *)value)->token.number, (target){function, user});
}

// Reads the string again after the call, up to which it must be valid.
static void pass_text(kin_context *context, kin_entity entity, const char *value, target target)
{
    char text[64], again[64];
    snprintf(text, sizeof text, "=%s", value == NULL ? "NULL" : value);
    pass(context, entity, text, target.function, target.user);
    snprintf(again, sizeof again, "=%s", value == NULL ? "NULL" : value);
    ck_assert_str_eq(again, text);
}

static void pass_name(kin_context *context, kin_entity entity, const void *value, kin_function *function, void *user)
{
    pass_text(context, entity, ((const Name *)value)->value, (target){function, user});
}

static void pass_title(kin_context *context, kin_entity entity, const void *value, kin_function *function, void *user)
{
    pass_text(context, entity, ((const Title *)value)->text, (target){function, user});
}

// ---- contexts

static const kin_event_info solo_events[] = {
    {"any_first", SOLO_PLACE, true, false, -1, pass_place},
    {"any_place", SOLO_PLACE, true, false, 0, pass_place},
    {"place", SOLO_PLACE, false, false, 0, pass_place},
    {"any_place_removed", SOLO_PLACE, true, true, 0, pass_place},
    {"place_removed", SOLO_PLACE, false, true, 0, pass_place},
    {"any_quiet", SOLO_QUIET, true, false, 0, pass_flag},
    {"any_quiet_removed", SOLO_QUIET, true, true, 0, pass_flag},
    {"any_score", SOLO_SCORE, true, false, 0, pass_score},
    {"any_score_removed", SOLO_SCORE, true, true, 0, pass_score},
    {"any_click", SOLO_CLICK, true, false, 1, pass_click},
    {"any_click_removed", SOLO_CLICK, true, true, 1, pass_click},
};

static const kin_event_info attic_events[] = {
    {"any_coin", ATTIC_COIN, true, false, 0, pass_coin},
    {"any_coin_removed", ATTIC_COIN, true, true, 0, pass_coin},
    {"any_name", ATTIC_NAME, true, false, 0, pass_name},
    {"any_name_removed", ATTIC_NAME, true, true, 0, pass_name},
    {"name_removed", ATTIC_NAME, false, true, 0, pass_name},
    {"any_title_removed", ATTIC_TITLE, true, true, 0, pass_title},
};

static kin_context_options begin(void)
{
    written[0] = '\0';
    error_log_clear(&event_errors);
    evented_solo = NULL;
    evented_attic = NULL;
    return (kin_context_options){
        .allocator = guard_begin(&event_memory), .on_error = error_log_append, .error_user = &event_errors};
}

void events_begin_solo(void)
{
    kin_context_options options = begin();
    memcpy(solo_components, solo_info.components, sizeof solo_components);
    solo_components[SOLO_CLICK].is_boxed = true;
    solo_copy = solo_info;
    solo_copy.components = solo_components;
    solo_copy.events = solo_events;
    solo_copy.event_count = sizeof solo_events / sizeof *solo_events;
    evented_solo = (solo_context *)(void *)kin__context_create(&solo_copy, &options, sizeof *evented_solo);
    event_systems = kin__event_systems(&evented_solo->base);
    ck_assert_ptr_nonnull(event_systems);
}

void events_begin_attic(void)
{
    kin_context_options options = begin();
    attic_copy = attic_info;
    attic_copy.events = attic_events;
    attic_copy.event_count = sizeof attic_events / sizeof *attic_events;
    evented_attic = (attic_context *)(void *)kin__context_create(&attic_copy, &options, sizeof *evented_attic);
    event_systems = kin__event_systems(&evented_attic->base);
    ck_assert_ptr_nonnull(event_systems);
}

kin_context *evented(void)
{
    return evented_solo != NULL ? &evented_solo->base : &evented_attic->base;
}

void events_end(void)
{
    ck_assert(kin__context_is_valid(evented()));
    ck_assert_uint_eq(event_errors.count, 0);
    kin_systems_destroy(event_systems);
    ck_assert(kin__context_is_valid(evented()));
    kin__context_destroy(evented());
    guard_end(&event_memory);
}

void event_listen(kin_entity entity, uint32_t event, listener *listener)
{
    ck_assert_int_eq(kin__event_listener_add(evented(), entity, event, listener_function(), listener), KIN_OK);
}

void unlisten(kin_entity entity, uint32_t event, listener *listener)
{
    ck_assert_int_eq(kin__event_listener_remove(evented(), entity, event, listener_function(), listener), KIN_OK);
}

void deliver_all(void)
{
    kin_systems_execute(event_systems, 1);
    ck_assert(kin__context_is_valid(evented()));
}

const char *logged(void)
{
    memcpy(shown, written, sizeof shown);
    written[0] = '\0';
    return shown;
}

// ---- entities of package solo

kin_entity evented_create(void)
{
    return solo_create_entity(evented_solo).id;
}

kin_entity evented_create_at(int32_t x)
{
    solo_entity made = solo_create_entity(evented_solo);
    solo_add_place(evented_solo, made, (Place){x});
    return made.id;
}

void evented_place(kin_entity entity, int32_t x)
{
    ck_assert_int_eq(solo_replace_place(evented_solo, solo_entity_of(entity), (Place){x}), KIN_OK);
}

void evented_unplace(kin_entity entity)
{
    ck_assert_int_eq(solo_remove_place(evented_solo, solo_entity_of(entity)), KIN_OK);
}

void evented_destroy(kin_entity entity)
{
    ck_assert_int_eq(solo_destroy_entity(evented_solo, solo_entity_of(entity)), KIN_OK);
}
