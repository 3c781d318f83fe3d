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

static const kin_probe whole = {probe_begin, probe_end, probe_ended, &seen};

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
    suite_add_tcase(suite, tests);
    return suite;
}
