// The time that systems need, role by role.
#include "runtime/support/support.h"
#include "runtime/support/town_case.h"
#include "suites.h"

#include <kin/probe.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A clock that the tests set: each reading advances it by the next number of `takes`.
static uint64_t now, takes;

static uint64_t read_now(void *user)
{
    uint64_t read = now;
    ck_assert_ptr_eq(user, &now);
    now += takes;
    return read;
}

static const kin_clock ticking = {read_now, &now};

static void measure(uint32_t window)
{
    now = takes = 0;
    ck_assert_int_eq(kin_systems_profile(town_world_systems(town), &ticking, window), KIN_OK);
}

static kin_timing timing_of(const char *name, kin_role role)
{
    kin_timing timing;
    ck_assert_int_eq(kin_systems_timing(town_world_systems(town), name, role, &timing), KIN_OK);
    return timing;
}

static void update_taking(uint64_t nanoseconds)
{
    takes = nanoseconds;
    town_world_update(town, 0.25);
}

static kin_status ask(const char *name, kin_role role)
{
    kin_timing timing;
    return kin_systems_timing(town_world_systems(town), name, role, &timing);
}

START_TEST(nothing_is_measured_until_the_caller_asks_for_it)
{
    town_world_update(town, 1);
    ck_assert_int_eq(ask("Mayor", KIN_ROLE_EXECUTE), KIN_ERROR_INVALID);
    ck_assert_log("!INVALID ");
}
END_TEST

START_TEST(each_role_has_its_last_average_least_and_most_time)
{
    measure(8);
    update_taking(10);
    update_taking(40);
    update_taking(20);
    kin_timing timing = timing_of("Mayor", KIN_ROLE_EXECUTE);
    ck_assert_uint_eq(timing.count, 3);
    ck_assert_uint_eq(timing.last, 20);
    ck_assert_uint_eq(timing.minimum, 10);
    ck_assert_uint_eq(timing.maximum, 40);
    ck_assert_uint_eq(timing.average, 70 / 3);
    ck_assert_uint_eq(timing.p99, 40);
    ck_assert_uint_eq(timing_of("Mayor", KIN_ROLE_CLEANUP).count, 3);
    ck_assert_uint_eq(timing_of("Mayor", KIN_ROLE_DRAW).count, 0);
}
END_TEST

START_TEST(only_the_calls_of_the_window_are_remembered)
{
    measure(2);
    update_taking(90);
    update_taking(10);
    update_taking(20);
    kin_timing timing = timing_of("Mayor", KIN_ROLE_EXECUTE);
    ck_assert_uint_eq(timing.count, 2);
    ck_assert_uint_eq(timing.maximum, 20);
    ck_assert_uint_eq(timing.minimum, 10);
}
END_TEST

static const struct {
    uint32_t count;
    uint64_t p99;
} percentiles[] = {{1, 1}, {2, 2}, {99, 99}, {100, 99}, {101, 100}, {200, 198}};

START_TEST(ninety_nine_of_a_hundred_calls_take_p99_at_most)
{
    measure(200);
    for (uint32_t i = percentiles[_i].count; i > 0; i--)
        update_taking(i);
    ck_assert_uint_eq(timing_of("Mayor", KIN_ROLE_EXECUTE).p99, percentiles[_i].p99);
}
END_TEST

static const struct {
    const char *name;
    kin_role role;
} roles[] = {
    {"Mayor", KIN_ROLE_EXECUTE},    {"Crier", KIN_ROLE_INBOX},     {"Aging", KIN_ROLE_UPDATE},
    {"Clock", KIN_ROLE_EXECUTE},    {"Registry", KIN_ROLE_ENTER},  {"Registry", KIN_ROLE_FIRST_UPDATE},
    {"Registry", KIN_ROLE_UPDATE},  {"Registry", KIN_ROLE_LEAVE},  {"Registry", KIN_ROLE_INBOX},
    {"Registry", KIN_ROLE_DRAW},    {"Watch", KIN_ROLE_EXECUTE},   {"Registry", KIN_ROLE_INITIALIZE},
    {"Registry", KIN_ROLE_START},   {"Mayor", KIN_ROLE_TEAR_DOWN}, {"Registry", KIN_ROLE_DISPOSE},
    {"Registry", KIN_ROLE_CLEANUP}, {"Lamps", KIN_ROLE_DRAW},      {"Undertaker", KIN_ROLE_LEAVE},
};

START_TEST(every_role_of_every_kind_of_system_is_measured)
{
    measure(4);
    takes = 5;
    kin_systems_initialize(town_world_systems(town));
    people_entity gone = town_citizen(1);
    people_add_name(town->contexts->people, gone, (Name){"Ada"});
    people_add_purse(town->contexts->people, gone, (Purse){1});
    people_add_step(town->contexts->people, gone, (Step){1, 1});
    town_citizen(2);
    town_publish_bell(town);
    town_publish_greeting(town, (Greeting){.words = "hello"});
    town_world_update(town, 0.25);
    people_destroy_entity(town->contexts->people, gone);
    town_world_update(town, 0.25);
    town_world_draw(town);
    kin_systems_tear_down(town_world_systems(town));
    for (uint32_t i = 0; i < sizeof roles / sizeof *roles; i++)
        ck_assert_msg(timing_of(roles[i].name, roles[i].role).minimum == 5, "%s, role %d", roles[i].name,
                      (int)roles[i].role);
}
END_TEST

START_TEST(systems_that_are_no_world_s_are_measured_too)
{
    guard memory;
    kin_context_options options = {.allocator = guard_begin(&memory), .on_error = log_error};
    kin_systems *systems = kin_systems_create("ours", &options);
    kin_systems_add_systems(systems, people_cleanup_systems(town->contexts->people));
    kin_systems_profile(systems, &ticking, 3);
    takes = 7;
    kin_systems_cleanup(systems);
    kin_timing timing;
    ck_assert_int_eq(kin_systems_timing(systems, "Ghost", KIN_ROLE_CLEANUP, &timing), KIN_OK);
    ck_assert_uint_eq(timing.last, 7);
    kin_systems_destroy(systems);
    guard_end(&memory);
}
END_TEST

START_TEST(the_clock_of_the_machine_goes_on)
{
    ck_assert_int_eq(kin_systems_profile(town_world_systems(town), NULL, 4), KIN_OK);
    kin_timing timing = {0};
    for (int i = 0; i < 1000000 && timing.maximum == 0; i++) { // some clocks move in steps
        town_world_update(town, 0.25);
        timing = timing_of("Mayor", KIN_ROLE_EXECUTE);
    }
    ck_assert_uint_gt(timing.maximum, 0);
    ck_assert_uint_lt(timing.minimum, 1000000000);
}
END_TEST

START_TEST(measuring_again_begins_anew_and_a_window_of_none_ends_it)
{
    measure(4);
    size_t size = town_memory.size;
    update_taking(10);
    measure(4);
    ck_assert_uint_eq(timing_of("Mayor", KIN_ROLE_EXECUTE).count, 0);
    ck_assert_uint_eq(town_memory.size, size);
    measure(0);
    ck_assert_uint_lt(town_memory.size, size);
    ck_assert_int_eq(ask("Mayor", KIN_ROLE_EXECUTE), KIN_ERROR_INVALID);
    ck_assert_log("!INVALID ");
}
END_TEST

START_TEST(what_has_no_such_role_or_name_or_is_a_collection_is_refused)
{
    measure(4);
    ck_assert_int_eq(ask("Mayor", KIN_ROLE_UPDATE), KIN_ERROR_INVALID);
    ck_assert_int_eq(ask("Nobody", KIN_ROLE_EXECUTE), KIN_ERROR_INVALID);
    ck_assert_int_eq(ask("morning", KIN_ROLE_EXECUTE), KIN_ERROR_INVALID);
    ck_assert_int_eq(ask("Mayor", KIN_ROLE_COUNT), KIN_ERROR_INVALID);
    ck_assert_int_eq(ask(NULL, KIN_ROLE_EXECUTE), KIN_ERROR_INVALID);
    ck_assert_int_eq(kin_systems_timing(town_world_systems(town), "Mayor", KIN_ROLE_EXECUTE, NULL), KIN_ERROR_INVALID);
    ck_assert_log("!INVALID !INVALID !INVALID !INVALID !INVALID !INVALID ");
}
END_TEST

static error_log errors;

static void do_nothing(void *self)
{
    (void)self;
}

static void run_nothing(void *self, const kin_tick *tick)
{
    (void)self;
    (void)tick;
}

static const struct {
    const char *name;
    kin_role role;
    bool is_profiled;
    const char *reason;
} refusals[] = {
    {"ours", KIN_ROLE_DRAW, true, "'ours' does not have the role draw; its roles are execute, cleanup"},
    {"ours", KIN_ROLE_COUNT, true, "'ours' does not have the role unknown; its roles are execute, cleanup"},
    {"ours", (kin_role)-1, true, "'ours' does not have the role unknown; its roles are execute, cleanup"},
    {"a\nb", KIN_ROLE_EXECUTE, true, "'a\\x0ab' does not have the role execute; its roles are none"},
    {"ours", KIN_ROLE_EXECUTE, false, "'ours' is not profiled; call kin_systems_profile first"},
    {"inner", KIN_ROLE_EXECUTE, true, "'inner' is a collection; name one of its systems"},
};

START_TEST(a_refused_role_names_the_system_and_the_roles_that_it_has)
{
    kin_context_options options = {.on_error = error_log_append, .error_user = &errors};
    kin_systems *systems = kin_systems_create("outer", &options);
    kin_systems_add(systems, (kin_system){.name = "ours", .execute = run_nothing, .cleanup = do_nothing});
    kin_systems_add(systems, (kin_system){.name = "a\nb"});
    kin_systems_add_systems(systems, kin_systems_create("inner", &options));
    kin_systems_profile(systems, &ticking, refusals[_i].is_profiled ? 2 : 0);
    kin_timing timing;
    error_log_clear(&errors);
    ck_assert_int_eq(kin_systems_timing(systems, refusals[_i].name, refusals[_i].role, &timing), KIN_ERROR_INVALID);
    ck_assert_uint_eq(errors.count, 1);
    ck_assert_msg(strstr(errors.entries[0].message, refusals[_i].reason) != NULL, "%s", errors.entries[0].message);
    kin_systems_destroy(systems);
}
END_TEST

// ---- printing

#ifndef RUNTIME_ONLY // other machines may have no files
#include <unistd.h>

static const char *printed(const kin_systems *systems)
{
    static char text[8192];
    const char *folder = getenv("TMPDIR");
    char path[300];
    snprintf(path, sizeof path, "%s/kin-test-profile-%d", folder == NULL ? "/tmp" : folder, (int)getpid());
    FILE *file = fopen(path, "w+b");
    ck_assert_ptr_nonnull(file);
    kin_systems_print_profile(systems, file);
    rewind(file);
    size_t size = fread(text, 1, sizeof text - 1, file);
    text[size] = '\0';
    fclose(file);
    remove(path);
    return text;
}

START_TEST(rfl_29_one_call_prints_all_systems_with_the_times_of_their_roles)
{
    kin_context_options options = {.on_error = error_log_append, .error_user = &errors};
    kin_systems *systems = kin_systems_create("outer", &options), *inner = kin_systems_create("inner", &options);
    kin_systems_add(systems, (kin_system){.name = "ours", .execute = run_nothing, .cleanup = do_nothing});
    kin_systems_add(inner, (kin_system){.name = "theirs", .initialize = do_nothing, .execute = run_nothing});
    kin_systems_add(inner, (kin_system){.name = "off", .execute = run_nothing});
    kin_systems_add_systems(systems, inner);
    kin_systems_set_enabled(systems, "off", false);
    kin_systems_profile(systems, &ticking, 4);
    takes = 2500000;
    kin_systems_initialize(systems);
    kin_systems_execute(systems, 1);
    takes = 1500000;
    kin_systems_execute(systems, 1);
    kin_systems_cleanup(systems);
    ck_assert_str_eq(printed(systems), "system    role           calls    last ms    average        p99    maximum\n"
                                       "ours      execute            2      1.500      2.000      2.500      2.500\n"
                                       "          cleanup            1      1.500      1.500      1.500      1.500\n"
                                       "inner   \n"
                                       "  theirs  initialize         1      2.500      2.500      2.500      2.500\n"
                                       "          execute            2      1.500      2.000      2.500      2.500\n"
                                       "  off     disabled\n"
                                       "sum       of updates                4.500      5.500\n");
    kin_systems_profile(systems, NULL, 0);
    ck_assert_ptr_nonnull(strstr(printed(systems), "theirs"));
    ck_assert_ptr_nonnull(strstr(printed(NULL), "sum"));
    kin_systems_destroy(systems);
}
END_TEST
#endif

static void pass_call(void *user, const kin_call *call)
{
    (void)user;
    (void)call;
}

START_TEST(rfl_23_a_system_that_has_only_a_probe_has_no_timing)
{
    static const kin_call_probe probe = {pass_call, pass_call, NULL};
    kin_timing timing;
    ck_assert_int_eq(kin_systems_set_probe(town_world_systems(town), &probe), KIN_OK);
    for (uint32_t place = 0; place < 4; place++)
        ck_assert(!kin_systems_timing_at(town_world_systems(town), place, KIN_ROLE_EXECUTE, &timing));
    ck_assert_int_eq(kin_systems_set_probe(town_world_systems(town), NULL), KIN_OK);
}
END_TEST

static void measure_inside(town_world *world)
{
    ck_assert_int_eq(kin_systems_profile(town_world_systems(world), NULL, 1), KIN_ERROR_INVALID);
}

START_TEST(measuring_inside_of_a_run_or_with_half_a_clock_is_refused)
{
    town_do("Mayor:execute", measure_inside);
    town_world_update(town, 1);
    ck_assert_log("!INVALID ");
    ck_assert_int_eq(kin_systems_profile(town_world_systems(town), &(kin_clock){0}, 1), KIN_ERROR_INVALID);
    ck_assert_log("!INVALID ");
}
END_TEST

START_TEST(without_memory_what_was_measured_before_goes_on)
{
    measure(2);
    update_taking(10);
    for (uint64_t number = 1;; number++) {
        size_t size = town_memory.size;
        log_begin();
        guard_fail(&town_memory, number, false);
        kin_status status = kin_systems_profile(town_world_systems(town), &ticking, 16);
        bool failed = guard_has_failed(&town_memory);
        guard_fail(&town_memory, 0, false);
        if (!failed)
            break;
        ck_assert_int_eq(status, KIN_ERROR_NO_MEMORY);
        ck_assert_log("!NO_MEMORY ");
        ck_assert_uint_eq(town_memory.size, size);
        ck_assert_uint_eq(timing_of("Mayor", KIN_ROLE_EXECUTE).last, 10);
    }
    ck_assert_uint_eq(timing_of("Mayor", KIN_ROLE_EXECUTE).count, 0);
}
END_TEST

Suite *runtime_profile_suite(void)
{
    Suite *suite = suite_create("runtime_profile");
    TCase *tests = tcase_create("profile");
    tcase_add_checked_fixture(tests, town_begin, town_end);
    tcase_add_test(tests, nothing_is_measured_until_the_caller_asks_for_it);
    tcase_add_test(tests, each_role_has_its_last_average_least_and_most_time);
    tcase_add_test(tests, only_the_calls_of_the_window_are_remembered);
    tcase_add_loop_test(tests, ninety_nine_of_a_hundred_calls_take_p99_at_most, 0,
                        sizeof percentiles / sizeof *percentiles);
    tcase_add_test(tests, every_role_of_every_kind_of_system_is_measured);
    tcase_add_test(tests, systems_that_are_no_world_s_are_measured_too);
    tcase_add_test(tests, the_clock_of_the_machine_goes_on);
    tcase_add_test(tests, measuring_again_begins_anew_and_a_window_of_none_ends_it);
    tcase_add_test(tests, what_has_no_such_role_or_name_or_is_a_collection_is_refused);
    tcase_add_loop_test(tests, a_refused_role_names_the_system_and_the_roles_that_it_has, 0,
                        sizeof refusals / sizeof *refusals);
#ifndef RUNTIME_ONLY
    tcase_add_test(tests, rfl_29_one_call_prints_all_systems_with_the_times_of_their_roles);
#endif
    tcase_add_test(tests, rfl_23_a_system_that_has_only_a_probe_has_no_timing);
    tcase_add_test(tests, measuring_inside_of_a_run_or_with_half_a_clock_is_refused);
    tcase_add_test(tests, without_memory_what_was_measured_before_goes_on);
    suite_add_tcase(suite, tests);
    return suite;
}
