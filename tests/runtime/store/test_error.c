#include "runtime/support/links_case.h"
#include "runtime/support/stderr_of.h"
#include "store/store.h"
#include "suites.h"

#include <stdio.h>
#include <string.h>

// The last error that the handler got, and the number of errors.
static struct {
    uint32_t count;
    kin_status status;
    kin_entity entity;
    char message[512], context[32], component[32];
} reported;

static void keep(const kin_error *error, void *user)
{
    ck_assert_ptr_eq(user, &reported);
    reported.count++;
    reported.status = error->status;
    reported.entity = error->entity;
    snprintf(reported.message, sizeof reported.message, "%s", error->message);
    snprintf(reported.context, sizeof reported.context, "%s", error->context == NULL ? "NULL" : error->context);
    snprintf(reported.component, sizeof reported.component, "%s", error->component == NULL ? "NULL" : error->component);
}

// An entity with A, one without, and a dead one.
static relay_entity one, other, dead;
static guard memory;
static kin_context_options options;

static void begin(void)
{
    options = (kin_context_options){.allocator = guard_begin(&memory), .on_error = keep, .error_user = &reported};
    options.max_entities = 3;
    relay = relay_context_create(&options);
    ck_assert_ptr_nonnull(relay);
    one = relay_entity_with_a(1);
    dead = relay_entity_with_a(1);
    other = relay_create_entity(relay);
    relay_destroy_entity(relay, dead);
    memset(&reported, 0, sizeof reported);
}

static void end(void)
{
    relay_context_destroy(relay);
    relay = NULL;
    guard_end(&memory);
}

// ---- refused calls, and their messages

static relay_entity foreign(void)
{
    return relay_entity_of((kin_entity)900 << 24 | 5);
}

static kin_status add_to_the_dead(void)
{
    return relay_add_a(relay, dead, (A){1});
}

static kin_status replace_on_no_entity(void)
{
    return relay_replace_b(relay, RELAY_NO_ENTITY, (B){1});
}

static kin_status set_on_a_foreign_entity(void)
{
    return relay_set_f(relay, foreign(), true);
}

static kin_status destroy_the_dead(void)
{
    return relay_destroy_entity(relay, dead);
}

static kin_status add_twice(void)
{
    return relay_add_a(relay, one, (A){2});
}

static kin_status remove_nothing(void)
{
    return relay_remove_a(relay, other);
}

static kin_status touch_nothing(void)
{
    return relay_touch_b(relay, one);
}

static kin_status single_of_two(void)
{
    kin_group *group = kin_context_group(
        &relay->base, KIN_MATCHER(KIN_NONE(RELAY_G, RELAY_BIG), KIN_NONE(RELAY_C), KIN_NONE(RELAY_F)));
    kin_entity entity = 7;
    kin_status status = kin_group_single(group, &entity);
    ck_assert_uint_eq(entity, 0);
    return status;
}

static kin_status create_too_many(void)
{
    relay_create_entity(relay);
    return relay_create_entity(relay).id == 0 ? KIN_ERROR_LIMIT : KIN_OK;
}

static kin_status group_of(kin_matcher matcher, kin_status status)
{
    return kin_context_group(&relay->base, matcher) == NULL ? status : KIN_OK;
}

static kin_status group_without_rules(void)
{
    return group_of((kin_matcher){0}, KIN_ERROR_INVALID);
}

static kin_status group_out_of_range(void)
{
    return group_of(KIN_MATCHER(KIN_ALL(RELAY_COMPONENT_COUNT)), KIN_ERROR_INVALID);
}

static kin_status group_of_too_many_rules(void)
{
    kin_matcher matcher = KIN_MATCHER(KIN_ANY(RELAY_A));
    matcher.count = 9;
    return group_of(matcher, KIN_ERROR_LIMIT);
}

static kin_status subscribe_no_listener(void)
{
    kin_subscription subscription = kin_group_subscribe(relay_all(RELAY_A), KIN_ADDED, NULL, NULL);
    return subscription.subscriber == NULL && subscription.serial == 0 ? KIN_ERROR_INVALID : KIN_OK;
}

static kin_status collect_without_group(void)
{
    kin_trigger triggers[] = {{relay_all(RELAY_A), KIN_ADDED}, {NULL, KIN_ADDED}};
    return kin_collector_create(triggers, 2) == NULL ? KIN_ERROR_INVALID : KIN_OK;
}

static kin_status add_without_memory(void)
{
    guard_fail(&memory, 1, true);
    kin_status status = relay_add_big(relay, one, (Big){{1}});
    guard_fail(&memory, 0, false);
    return status;
}

static kin_status reset_with_holders(void)
{
    kin_collector *collector = kin_collector_create(&(kin_trigger){relay_all(RELAY_A), KIN_REMOVED}, 1);
    relay_destroy_entity(relay, one);
    kin_status status = relay_context_reset(relay);
    kin_collector_destroy(collector);
    return status;
}

static kin_status destroy_held(void)
{
    kin_trigger triggers[] = {{relay_all(RELAY_A), KIN_REMOVED}, {relay_none(RELAY_A), KIN_REMOVED}};
    kin_collector *collector = kin_collector_create(triggers, 2);
    kin_status status = relay_destroy_all_entities(relay);
    kin_collector_destroy(collector);
    return status;
}

static const struct {
    kin_status (*attempt)(void);
    const char *status, *component;
    uint64_t entity; // creation index; 0: none
    const char *message;
} refusals[] = {
    {add_to_the_dead, "KIN_ERROR_NOT_ALIVE", "A", 2,
     "relay: cannot add A of entity 2 in slot 1: the entity was destroyed; check that it is alive first"},
    {replace_on_no_entity, "KIN_ERROR_NOT_ALIVE", "B", 0,
     "relay: cannot replace B of entity 0 in slot 0: the handle is 0, which is no entity; check the result of the call "
     "that created it"},
    {set_on_a_foreign_entity, "KIN_ERROR_NOT_ALIVE", "F", 900,
     "relay: cannot add F of entity 900 in slot 5: the handle was never an entity of this context; use a handle only "
     "in the context that created it"},
    {destroy_the_dead, "KIN_ERROR_NOT_ALIVE", "NULL", 2,
     "relay: cannot destroy entity 2 in slot 1: the entity was destroyed; check that it is alive first"},
    {add_twice, "KIN_ERROR_HAS_COMPONENT", "A", 1,
     "relay: cannot add A of entity 1 in slot 0: the entity already has it; replace it instead"},
    {remove_nothing, "KIN_ERROR_NO_COMPONENT", "A", 3,
     "relay: cannot remove A of entity 3 in slot 2: the entity does not have it; test for it first, or add it"},
    {touch_nothing, "KIN_ERROR_NO_COMPONENT", "B", 1,
     "relay: cannot touch B of entity 1 in slot 0: the entity does not have it; test for it first, or add it"},
    {single_of_two, "KIN_ERROR_NOT_SINGLE", "NULL", 0,
     "relay: cannot find the single member of the group none(Big, C, F, G): it has 2 members; use its array of "
     "entities"},
    {create_too_many, "KIN_ERROR_LIMIT", "NULL", 0,
     "relay: cannot create an entity: 3 entities, the limit max_entities, are alive or held; raise it, destroy or "
     "release some"},
    {group_without_rules, "KIN_ERROR_INVALID", "NULL", 0,
     "relay: cannot make a group: its matcher has no rule; name at least one"},
    {group_out_of_range, "KIN_ERROR_INVALID", "NULL", 0,
     "relay: cannot make a group: its matcher names a component that the context does not have; use the ids of this "
     "context"},
    {group_of_too_many_rules, "KIN_ERROR_LIMIT", "NULL", 0,
     "relay: cannot make a group: its matcher has more than 8 rules, which is the limit; merge rules of the same kind"},
    {subscribe_no_listener, "KIN_ERROR_INVALID", "NULL", 0,
     "relay: cannot subscribe to a group: the listener is NULL; pass a function"},
    {collect_without_group, "KIN_ERROR_INVALID", "NULL", 0,
     "relay: cannot create a collector: a trigger has no group; check the result of the call that made the group"},
    {add_without_memory, "KIN_ERROR_NO_MEMORY", "Big", 1,
     "relay: cannot add Big of entity 1 in slot 0: no memory for 82176 bytes; free some and try again"},
    {reset_with_holders, "KIN_ERROR_RETAINED", "NULL", 0,
     "relay: cannot release all entities in a reset: 1 destroyed entity is still held, the first of them entity 1 in "
     "slot 0 by a collector; release them and clear collectors"},
    {destroy_held, "KIN_ERROR_RETAINED", "NULL", 0,
     "relay: cannot release all entities: 2 destroyed entities are still held, the first of them entity 1 in slot 0 "
     "by a collector; release them and clear collectors"},
};

START_TEST(err_04_a_refusal_says_what_was_tried_why_not_and_what_to_do)
{
    kin_status status = refusals[_i].attempt();
    ck_assert_str_eq(reported.message, refusals[_i].message);
    ck_assert_str_eq(kin_status_name(status), refusals[_i].status);
    ck_assert_int_eq(reported.status, status);
}
END_TEST

START_TEST(err_02_each_refused_call_is_reported_once)
{
    refusals[_i].attempt();
    ck_assert_uint_eq(reported.count, 1);
}
END_TEST

START_TEST(err_03_an_error_has_the_names_of_the_schema_and_the_entity)
{
    refusals[_i].attempt();
    ck_assert_str_eq(reported.context, "relay");
    ck_assert_str_eq(reported.component, refusals[_i].component);
    ck_assert_uint_eq(kin_entity_creation_index(reported.entity), refusals[_i].entity);
}
END_TEST

START_TEST(err_01_a_refused_creation_takes_no_creation_index)
{
    options.max_entities = 1;
    relay_context *small = relay_context_create(&options);
    relay_entity entity = relay_create_entity(small);
    ck_assert_uint_eq(relay_create_entity(small).id, 0);
    guard_fail(&memory, 1, true);
    ck_assert_int_eq(relay_add_b(small, entity, (B){1}), KIN_ERROR_NO_MEMORY);
    guard_fail(&memory, 0, false);
    relay_destroy_entity(small, entity);
    ck_assert_uint_eq(relay_create_entity(small).id, (kin_entity)2 << 24);
    relay_context_destroy(small);
}
END_TEST

static void remove_b(const kin_change *change)
{
    relay_remove_b(relay, relay_changed_entity(change));
}

START_TEST(err_04_the_sentence_for_a_dead_entity_says_when_it_is_being_destroyed)
{
    relay_watch_and(relay_all(RELAY_A), KIN_REMOVED, "-", remove_b, 1);
    relay_destroy_entity(relay, one);
    ck_assert_str_eq(
        reported.message,
        "relay: cannot remove B of entity 1 in slot 0: the entity is being destroyed; check that it is alive first");
}
END_TEST

// ---- handlers

static void use_kin(const kin_error *error, void *user)
{
    (void)user;
    reported.status = error->status;
    relay_context *context = relay;
    ck_assert_int_eq(relay_replace_a(context, one, (A){50}), KIN_OK);
    relay_create_entity(context);
}

START_TEST(err_02_a_handler_may_call_kin)
{
    relay_context_destroy(relay);
    options.on_error = use_kin;
    options.max_entities = 0;
    relay = relay_context_create(&options);
    one = relay_entity_with_a(1);
    ck_assert_int_eq(relay_add_a(relay, one, (A){2}), KIN_ERROR_HAS_COMPONENT);
    ck_assert_int_eq(reported.status, KIN_ERROR_HAS_COMPONENT);
    ck_assert_int_eq(relay_get_a(relay, one)->value, 50);
    ck_assert_uint_eq(relay_entity_count(relay), 2);
}
END_TEST

static void refuse_by_default(void)
{
    relay_context *plain = relay_context_create(NULL);
    relay_destroy_entity(plain, RELAY_NO_ENTITY);
    relay_context_destroy(plain);
}

static void refuse_without_context(void)
{
    kin_collector_create(NULL, 0);
    kin_entity entity = 0;
    kin_group_single(NULL, &entity);
    kin_systems_add(NULL, (kin_system){0});
}

START_TEST(err_04_without_a_handler_an_error_is_one_line_on_stderr)
{
    ck_assert_str_eq(stderr_of(refuse_by_default), "kin: relay: cannot destroy an entity: the handle is 0, which is no "
                                                   "entity; check the result of the call that created it\n");
}
END_TEST

START_TEST(err_04_an_error_without_a_context_goes_to_stderr)
{
    ck_assert_str_eq(
        stderr_of(refuse_without_context),
        "kin: cannot create a collector: it has no trigger; pass at least one\n"
        "kin: cannot find the single member of a group: the group is NULL; check the result of the call that made it\n"
        "kin: cannot add a system: the collection is NULL; check the result of the call that created it\n");
    ck_assert_uint_eq(reported.count, 0);
}
END_TEST

START_TEST(err_04_errors_of_systems_go_to_the_handler_that_they_were_created_with)
{
    kin_systems *systems = kin_systems_create("systems", &options);
    relay_context *plain = relay_context_create(&(kin_context_options){.on_error = log_error});
    kin_trigger trigger = {kin_context_group(&plain->base, KIN_MATCHER(KIN_ALL(RELAY_A))), (kin_group_event)9};
    kin_reactive_system system = {.triggers = &trigger, .trigger_count = 1};
    log_begin();
    ck_assert_int_eq(kin_systems_add_reactive(systems, system), KIN_ERROR_INVALID);
    ck_assert_log("");
    ck_assert_uint_eq(reported.count, 1);
    ck_assert_str_eq(reported.context, "NULL");
    ck_assert_str_eq(reported.message,
                     "cannot add a reactive system: a trigger has an unknown event; use one of kin_group_event");
    kin_systems_destroy(systems);
    relay_context_destroy(plain);
}
END_TEST

START_TEST(err_04_a_context_that_cannot_be_made_says_so)
{
    guard_fail(&memory, 1, true);
    ck_assert_ptr_null(relay_context_create(&options));
    guard_fail(&memory, 0, false);
    ck_assert_uint_eq(reported.count, 1);
    ck_assert_int_eq(reported.status, KIN_ERROR_NO_MEMORY);
    ck_assert(strstr(reported.message, "cannot create the context relay: no memory for ") == reported.message);
    options.first_creation_index = (uint64_t)1 << 40;
    ck_assert_ptr_null(relay_context_create(&options));
    ck_assert_str_eq(reported.message, "cannot create the context relay: first_creation_index is greater than 2^40 - "
                                       "1, which is the limit; choose a smaller one");
}
END_TEST

START_TEST(err_04_one_byte_is_no_plural)
{
    static const kin__attempt attempt = {.verb = "make a list"};
    kin__report_error_to(&options, KIN_ERROR_NO_MEMORY, &attempt, 1);
    ck_assert_str_eq(reported.message, "cannot make a list: no memory for 1 byte; free some and try again");
}
END_TEST

START_TEST(statuses_have_the_names_of_their_constants)
{
    static const char *const names[] = {"KIN_OK",
                                        "KIN_ERROR_NOT_ALIVE",
                                        "KIN_ERROR_HAS_COMPONENT",
                                        "KIN_ERROR_NO_COMPONENT",
                                        "KIN_ERROR_UNIQUE",
                                        "KIN_ERROR_DUPLICATE_KEY",
                                        "KIN_ERROR_NOT_SINGLE",
                                        "KIN_ERROR_RETAINED",
                                        "KIN_ERROR_NOT_RETAINED",
                                        "KIN_ERROR_INVALID",
                                        "KIN_ERROR_LIMIT",
                                        "KIN_ERROR_NO_MEMORY",
                                        "KIN_ERROR_REFERENCED",
                                        "KIN_ERROR_CIRCLE",
                                        "KIN_ERROR_CORRUPT",
                                        "KIN_ERROR_SHAPE",
                                        "KIN_ERROR_STREAM",
                                        "KIN_ERROR_REPLICA",
                                        "KIN_ERROR_DIFFERS"};
    for (int i = 0; i <= KIN_ERROR_DIFFERS; i++)
        ck_assert_str_eq(kin_status_name((kin_status)i), names[i]);
    ck_assert_str_eq(kin_status_name((kin_status)(KIN_ERROR_DIFFERS + 1)), "unknown status");
}
END_TEST

Suite *runtime_error_suite(void)
{
    int refusal_count = (int)(sizeof refusals / sizeof *refusals);
    Suite *suite = suite_create("runtime_error");
    TCase *tests = tcase_create("error");
    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_loop_test(tests, err_04_a_refusal_says_what_was_tried_why_not_and_what_to_do, 0, refusal_count);
    tcase_add_loop_test(tests, err_02_each_refused_call_is_reported_once, 0, refusal_count);
    tcase_add_loop_test(tests, err_03_an_error_has_the_names_of_the_schema_and_the_entity, 0, refusal_count);
    tcase_add_test(tests, err_01_a_refused_creation_takes_no_creation_index);
    tcase_add_test(tests, err_04_the_sentence_for_a_dead_entity_says_when_it_is_being_destroyed);
    tcase_add_test(tests, err_02_a_handler_may_call_kin);
    tcase_add_test(tests, err_04_without_a_handler_an_error_is_one_line_on_stderr);
    tcase_add_test(tests, err_04_an_error_without_a_context_goes_to_stderr);
    tcase_add_test(tests, err_04_errors_of_systems_go_to_the_handler_that_they_were_created_with);
    tcase_add_test(tests, err_04_a_context_that_cannot_be_made_says_so);
    tcase_add_test(tests, err_04_one_byte_is_no_plural);
    tcase_add_test(tests, statuses_have_the_names_of_their_constants);
    suite_add_tcase(suite, tests);
    return suite;
}
