// What a tool hooks into: the probe of a world, errors that it catches, and what it reads by number.
#include "runtime/support/support.h"
#include "runtime/support/town_case.h"
#include "suites.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct probe_log {
    char text[128];
    double delta; // to set; 0: none
    bool refuses;
    kin_status status;
    char message[256];
} probe_log;

static probe_log seen;

static void note(const char *word)
{
    size_t used = strlen(seen.text);
    snprintf(seen.text + used, sizeof seen.text - used, "%s ", word);
}

static bool probe_begin(void *user, double *delta)
{
    ck_assert_ptr_eq(user, &seen);
    note("begin");
    if (seen.delta != 0)
        *delta = seen.delta;
    return !seen.refuses;
}

static void probe_end(void *user)
{
    ck_assert_ptr_eq(user, &seen);
    note("end");
}

static void probe_ended(void *user)
{
    ck_assert_ptr_eq(user, &seen);
    note("ended");
}

static const kin_probe whole = {.begin = probe_begin, .end = probe_end, .ended = probe_ended, .user = &seen};

static void begin(void)
{
    town_begin();
    town_listen("Mayor");
    seen = (probe_log){0};
    ck_assert_int_eq(kin_world_set_probe(town_world_base(town), &whole), KIN_OK);
}

static double mayor_delta(void)
{
    return kin_world_tick(town_world_base(town)).delta;
}

START_TEST(rfl_21_a_probe_is_called_before_and_after_each_update)
{
    town_world_update(town, 0.5);
    town_world_update(town, 0.5);
    ck_assert_str_eq(seen.text, "begin end begin end ");
    ck_assert_uint_eq(kin_world_tick(town_world_base(town)).frame, 1);
}
END_TEST

// A probe may change the world in one of the two updates, or pass it over: both must be the same.
START_TEST(rfl_21_a_rehearsal_calls_no_probe)
{
    seen.delta = 4;
    seen.refuses = true;
    ck_assert_int_eq(town_world_rehearse(town, 0.5, NULL), KIN_OK);
    ck_assert_str_eq(seen.text, "");
    ck_assert_double_eq(mayor_delta(), 0.5);
}
END_TEST

START_TEST(rfl_21_a_probe_sets_the_delta_and_passes_updates_over)
{
    seen.delta = 0.125;
    town_world_update(town, 0.5);
    ck_assert_double_eq(mayor_delta(), 0.125);
    seen.refuses = true;
    seen.delta = 4;
    town_world_update(town, 0.5);
    ck_assert_double_eq(mayor_delta(), 0.125);
    ck_assert_str_eq(seen.text, "begin end begin ");
}
END_TEST

START_TEST(rfl_21_a_delta_of_a_probe_that_is_not_finite_is_refused)
{
    seen.delta = NAN;
    town_world_update(town, 0.5);
    ck_assert_log("!INVALID ");
    ck_assert_str_eq(seen.text, "begin ");
}
END_TEST

static void update_inside(const kin_change *change, void *user)
{
    (void)change, (void)user;
    town_world_update(town, 1);
}

START_TEST(rfl_21_an_update_inside_a_listener_runs_without_the_probe)
{
    kin_context *people = &town->contexts->people->base;
    kin_context_subscribe(people, KIN_ENTITY_CREATED, update_inside, NULL);
    ck_assert_uint_ne(kin_create(people), 0);
    ck_assert_str_eq(seen.text, "");
    ck_assert_double_eq(mayor_delta(), 1);
}
END_TEST

START_TEST(rfl_21_a_world_has_one_probe)
{
    kin_world *base = town_world_base(town);
    kin_probe other = whole, incomplete = whole;
    other.user = &other;
    incomplete.begin = NULL;
    ck_assert_int_eq(kin_world_set_probe(base, &other), KIN_ERROR_INVALID);
    ck_assert_int_eq(kin_world_set_probe(base, &incomplete), KIN_ERROR_INVALID);
    ck_assert_int_eq(kin_world_set_probe(NULL, &whole), KIN_ERROR_INVALID);
    kin_probe silent = whole;
    silent.end = NULL;
    ck_assert_int_eq(kin_world_set_probe(base, &silent), KIN_OK);
    town_world_update(town, 1);
    ck_assert_str_eq(seen.text, "begin ");
    ck_assert_int_eq(kin_world_set_probe(base, NULL), KIN_OK);
    town_world_update(town, 1);
    ck_assert_str_eq(seen.text, "begin ");
    ck_assert_int_eq(kin_world_set_probe(base, &other), KIN_OK);
    ck_assert_int_eq(kin_world_set_probe(base, NULL), KIN_OK);
}
END_TEST

START_TEST(rfl_21_a_probe_learns_that_its_world_ends)
{
    town_end();
    ck_assert_str_eq(seen.text, "ended ");
}
END_TEST

static void catch_error(const kin_error *error, void *user)
{
    ck_assert_ptr_eq(user, &seen);
    seen.status = error->status;
    snprintf(seen.message, sizeof seen.message, "%s", error->message);
}

START_TEST(rfl_22_caught_errors_do_not_reach_the_handler)
{
    kin_context *people = &town->contexts->people->base;
    kin_context_catch_errors(people, catch_error, &seen);
    log_begin();
    ck_assert_int_eq(kin_destroy(people, 0), KIN_ERROR_NOT_ALIVE);
    ck_assert_log("");
    ck_assert_int_eq(seen.status, KIN_ERROR_NOT_ALIVE);
    ck_assert_ptr_nonnull(strstr(seen.message, "people: cannot destroy"));
    kin_context_catch_errors(people, NULL, NULL);
    ck_assert_int_eq(kin_destroy(people, 0), KIN_ERROR_NOT_ALIVE);
    ck_assert_log("!NOT_ALIVE ");
    kin_context_catch_errors(NULL, catch_error, &seen);
}
END_TEST

START_TEST(rfl_22_caught_errors_of_the_world_do_not_reach_the_handler)
{
    kin_context *people = &town->contexts->people->base;
    kin_context_catch_errors(people, catch_error, &seen);
    log_begin();
    ck_assert_int_eq(town_world_restore(town, NULL, KIN_RESTORE_EXACTLY), KIN_ERROR_INVALID);
    ck_assert_log("");
    ck_assert_ptr_nonnull(strstr(seen.message, "cannot restore the world town: the snapshot is NULL"));
    kin_context_catch_errors(people, NULL, NULL);
    ck_assert_int_eq(town_world_restore(town, NULL, KIN_RESTORE_EXACTLY), KIN_ERROR_INVALID);
    ck_assert_log("!INVALID ");
}
END_TEST

static uint32_t mayor_place;

static void find_mayor(const kin_system_entry *entry, void *user)
{
    (void)user;
    if (entry->name != NULL && strcmp(entry->name, "Mayor") == 0)
        mayor_place = entry->place;
}

START_TEST(rfl_23_timings_are_read_by_number)
{
    kin_systems *systems = kin_world_systems(town_world_base(town));
    kin_timing timing = {.count = 7};
    kin_systems_walk(systems, find_mayor, NULL);
    ck_assert(!kin_systems_timing_at(systems, mayor_place, KIN_ROLE_EXECUTE, &timing));
    ck_assert_uint_eq(timing.count, 7);
    ck_assert_int_eq(kin_systems_profile(systems, NULL, 8), KIN_OK);
    town_world_update(town, 1);
    ck_assert(kin_systems_timing_at(systems, mayor_place, KIN_ROLE_EXECUTE, &timing));
    ck_assert_uint_eq(timing.count, 1);
    ck_assert(!kin_systems_timing_at(systems, mayor_place, KIN_ROLE_COUNT, &timing));
    ck_assert(!kin_systems_timing_at(systems, 1000, KIN_ROLE_EXECUTE, &timing));
    ck_assert(!kin_systems_timing_at(NULL, 0, KIN_ROLE_EXECUTE, &timing));
}
END_TEST

// ---- messages and errors

static void probe_published(void *user, uint32_t message, const void *value)
{
    const kin_message_info *info = &kin_world_info_of(town_world_base(town))->messages[message];
    ck_assert_ptr_eq(user, &seen);
    ck_assert((value == NULL) == (info->size == 0));
    note(info->name);
    if (strcmp(info->name, "Gossip") == 0)
        seen.delta = (double)((const Gossip *)value)->number;
}

static void probe_refused(void *user, const kin_error *error)
{
    ck_assert_ptr_eq(user, &seen);
    note(kin_status_name(error->status) + strlen("KIN_ERROR_"));
    seen.status = error->status;
    snprintf(seen.message, sizeof seen.message, "%s", error->message);
}

static void set_seeing_probe(bool messages, bool errors)
{
    kin_probe probe = {.begin = probe_begin, .user = &seen};
    probe.published = messages ? probe_published : NULL;
    probe.refused = errors ? probe_refused : NULL;
    ck_assert_int_eq(kin_world_set_probe(town_world_base(town), &probe), KIN_OK);
}

static void publish_from_mayor(town_world *world)
{
    town_publish_greeting(world, (Greeting){.words = "hello"});
    town_publish_bell(world);
}

START_TEST(rfl_27_the_probe_sees_each_message_with_its_value)
{
    set_seeing_probe(true, false);
    town_publish_gossip(town, (Gossip){42}); // outside of updates
    ck_assert_str_eq(seen.text, "Gossip ");
    ck_assert_double_eq(seen.delta, 42);
    seen.delta = 0;
    town_do("Mayor:execute", publish_from_mayor);
    town_world_update(town, 1);
    ck_assert_str_eq(seen.text, "Gossip begin Greeting Bell ");
}
END_TEST

START_TEST(rfl_27_systems_receive_the_same_messages_with_and_without_the_probe)
{
    town_listen("Crier Patient Hurried");
    for (int i = 0; i < 3; i++) {
        set_seeing_probe(i == 1, false);
        log_begin();
        for (int64_t n = 0; n < 3; n++)
            town_publish_gossip(town, (Gossip){n});
        town_publish_bell(town);
        log_begin(); // without the losses
        town_world_update(town, 1);
        ck_assert_log("Crier:on_bell Patient:gossip(0) Patient:gossip(1) Patient:gossip(2) Hurried:gossip(0) "
                      "Hurried:gossip(1) ");
    }
    ck_assert_str_eq(seen.text, "begin Gossip Gossip Gossip Bell begin begin ");
}
END_TEST

START_TEST(rfl_27_a_system_may_be_removed_while_the_probe_sees_messages)
{
    set_seeing_probe(true, false);
    ck_assert_int_eq(kin_systems_remove(kin_world_systems(town_world_base(town)), "Crier"), KIN_OK);
    ck_assert_int_eq(kin_systems_remove(kin_world_systems(town_world_base(town)), "Strict"), KIN_OK);
    town_publish_bell(town);
    ck_assert_str_eq(seen.text, "Bell ");
    set_seeing_probe(false, false);
    town_publish_bell(town);
    ck_assert_str_eq(seen.text, "Bell ");
    town_world_update(town, 1);
}
END_TEST

START_TEST(rfl_27_the_probe_sees_a_message_before_its_loss_is_reported)
{
    set_seeing_probe(true, true);
    for (int64_t n = 0; n < 3; n++)
        town_publish_gossip(town, (Gossip){n});
    ck_assert_str_eq(seen.text, "Gossip Gossip Gossip LIMIT LIMIT ");
    ck_assert_ptr_nonnull(strstr(seen.message, "cannot publish Gossip to Strict: 2 messages fill its inbox"));
    ck_assert_log("!LIMIT !LIMIT ");
}
END_TEST

static void refuse_inside(const kin_change *change, void *user)
{
    (void)user;
    kin_destroy(change->context, 0);
}

START_TEST(rfl_28_the_probe_sees_errors_of_all_contexts_beside_the_handler)
{
    kin_context *people = &town->contexts->people->base, *houses = &town->contexts->houses->base;
    kin_create(people); // so that no memory is asked for below
    kin_context_subscribe(people, KIN_ENTITY_CREATED, refuse_inside, NULL);
    set_seeing_probe(false, true);
    kin_destroy(people, 0);
    kin_destroy(houses, 0);
    kin_create(people);
    ck_assert_str_eq(seen.text, "NOT_ALIVE NOT_ALIVE NOT_ALIVE ");
    ck_assert_ptr_nonnull(strstr(seen.message, "people: cannot destroy"));
    ck_assert_log("!NOT_ALIVE !NOT_ALIVE !NOT_ALIVE ");
}
END_TEST

START_TEST(rfl_28_the_probe_sees_errors_of_the_world_and_its_systems)
{
    set_seeing_probe(false, true);
    town_world_update(town, NAN);
    kin_systems_set_enabled(kin_world_systems(town_world_base(town)), "Mayr", false);
    town_world_pop_time(town);
    ck_assert_str_eq(seen.text, "INVALID INVALID INVALID ");
    ck_assert_log("!INVALID !INVALID !INVALID ");
}
END_TEST

START_TEST(rfl_28_errors_that_a_tool_catches_are_not_those_of_the_game)
{
    kin_context *people = &town->contexts->people->base;
    kin_create(people); // so that no memory is asked for below
    kin_context_subscribe(people, KIN_ENTITY_CREATED, refuse_inside, NULL);
    set_seeing_probe(false, true);
    kin_context_catch_errors(people, catch_error, &seen);
    kin_destroy(people, 0);
    ck_assert_str_eq(seen.text, "");
    kin_create(people); // the listener is the game's
    ck_assert_str_eq(seen.text, "NOT_ALIVE ");
    ck_assert_log("!NOT_ALIVE ");
    kin_context_catch_errors(people, NULL, NULL);
}
END_TEST

START_TEST(rfl_28_without_the_probe_errors_are_seen_no_more)
{
    kin_context *people = &town->contexts->people->base;
    set_seeing_probe(false, true);
    set_seeing_probe(false, false);
    kin_destroy(people, 0);
    town_world_pop_time(town);
    set_seeing_probe(false, true);
    ck_assert_int_eq(kin_world_set_probe(town_world_base(town), NULL), KIN_OK);
    kin_destroy(people, 0);
    town_world_pop_time(town);
    ck_assert_str_eq(seen.text, "");
}
END_TEST

START_TEST(rfl_28_a_context_without_a_world_is_watched)
{
    kin_context_options options = {.on_error = log_error};
    people_context *people = people_context_create(&options);
    kin_context_watch_errors(&people->base, probe_refused, &seen);
    people_destroy_entity(people, PEOPLE_NO_ENTITY);
    ck_assert_str_eq(seen.text, "NOT_ALIVE ");
    kin_context_watch_errors(&people->base, NULL, NULL);
    people_destroy_entity(people, PEOPLE_NO_ENTITY);
    ck_assert_str_eq(seen.text, "NOT_ALIVE ");
    kin_context_watch_errors(NULL, probe_refused, &seen);
    ck_assert_log("!NOT_ALIVE !NOT_ALIVE ");
    people_context_destroy(people);
}
END_TEST

START_TEST(rfl_28_contexts_that_outlive_the_world_are_watched_no_more)
{
    kin_context_options options = {.on_error = log_error};
    town_contexts *contexts = town_contexts_create(&options);
    town_world *world = town_world_create_on(contexts, &options, NULL);
    kin_probe probe = {.begin = probe_begin, .published = probe_published, .refused = probe_refused, .user = &seen};
    ck_assert_int_eq(kin_world_set_probe(town_world_base(world), &probe), KIN_OK);
    town_world_destroy(world);
    log_begin();
    people_destroy_entity(contexts->people, PEOPLE_NO_ENTITY);
    ck_assert_str_eq(seen.text, "");
    ck_assert_log("!NOT_ALIVE ");
    town_contexts_destroy(contexts);
}
END_TEST

START_TEST(rfl_28_a_rehearsal_reports_its_errors_and_messages_as_it_calls_systems)
{
    set_seeing_probe(true, false);
    town_do("Mayor:execute", publish_from_mayor);
    ck_assert_int_eq(town_world_rehearse(town, 0.5, NULL), KIN_OK);
    ck_assert_str_eq(seen.text, "Greeting Bell Greeting Bell ");
}
END_TEST

Suite *runtime_world_probe_suite(void)
{
    Suite *suite = suite_create("runtime_world_probe");
    TCase *tests = tcase_create("runtime_world_probe");
    tcase_add_checked_fixture(tests, begin, town_end);
    tcase_add_test(tests, rfl_21_a_probe_is_called_before_and_after_each_update);
    tcase_add_test(tests, rfl_21_a_rehearsal_calls_no_probe);
    tcase_add_test(tests, rfl_21_a_probe_sets_the_delta_and_passes_updates_over);
    tcase_add_test(tests, rfl_21_a_delta_of_a_probe_that_is_not_finite_is_refused);
    tcase_add_test(tests, rfl_21_an_update_inside_a_listener_runs_without_the_probe);
    tcase_add_test(tests, rfl_21_a_world_has_one_probe);
    tcase_add_test(tests, rfl_21_a_probe_learns_that_its_world_ends);
    tcase_add_test(tests, rfl_22_caught_errors_do_not_reach_the_handler);
    tcase_add_test(tests, rfl_22_caught_errors_of_the_world_do_not_reach_the_handler);
    tcase_add_test(tests, rfl_23_timings_are_read_by_number);
    tcase_add_test(tests, rfl_27_the_probe_sees_each_message_with_its_value);
    tcase_add_test(tests, rfl_27_systems_receive_the_same_messages_with_and_without_the_probe);
    tcase_add_test(tests, rfl_27_a_system_may_be_removed_while_the_probe_sees_messages);
    tcase_add_test(tests, rfl_27_the_probe_sees_a_message_before_its_loss_is_reported);
    tcase_add_test(tests, rfl_28_the_probe_sees_errors_of_all_contexts_beside_the_handler);
    tcase_add_test(tests, rfl_28_the_probe_sees_errors_of_the_world_and_its_systems);
    tcase_add_test(tests, rfl_28_errors_that_a_tool_catches_are_not_those_of_the_game);
    tcase_add_test(tests, rfl_28_without_the_probe_errors_are_seen_no_more);
    tcase_add_test(tests, rfl_28_a_context_without_a_world_is_watched);
    tcase_add_test(tests, rfl_28_contexts_that_outlive_the_world_are_watched_no_more);
    tcase_add_test(tests, rfl_28_a_rehearsal_reports_its_errors_and_messages_as_it_calls_systems);
    suite_add_tcase(suite, tests);
    return suite;
}
