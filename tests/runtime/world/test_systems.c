#include "runtime/support/links_case.h"
#include "suites.h"

#include <string.h>

static kin_systems *root;
static guard memory;

static void begin(void)
{
    kin_context_options options = {.allocator = guard_begin(&memory), .on_error = log_error};
    log_begin();
    root = kin_systems_create("root", &options);
    ck_assert_ptr_nonnull(root);
}

static void end(void)
{
    kin_systems_destroy(root);
    guard_end(&memory);
}

// ---- systems that write their name and phase: "a:i a:x a:c a:t "

static void write_initialize(void *self)
{
    log_write("%s:i ", (const char *)self);
}

static void write_execute(void *self, const kin_tick *tick)
{
    (void)tick;
    log_write("%s:x ", (const char *)self);
}

static void write_cleanup(void *self)
{
    log_write("%s:c ", (const char *)self);
}

static void write_tear_down(void *self)
{
    log_write("%s:t ", (const char *)self);
}

static void *self_of(const char *name)
{
    return (void *)(uintptr_t)name;
}

static void add(kin_systems *systems, const char *name)
{
    kin_system system = {name, write_initialize, write_execute, write_cleanup, write_tear_down, self_of(name)};
    ck_assert_int_eq(kin_systems_add(systems, system), KIN_OK);
}

static void add_execute(kin_systems *systems, const char *name, void (*execute)(void *self, const kin_tick *tick))
{
    ck_assert_int_eq(kin_systems_add(systems, (kin_system){.name = name, .execute = execute, .self = self_of(name)}),
                     KIN_OK);
}

static kin_systems *add_collection(kin_systems *systems, const char *name)
{
    kin_context_options options = {.allocator = {0}, .on_error = log_error};
    kin_systems *nested = kin_systems_create(name, &options);
    ck_assert_int_eq(kin_systems_add_systems(systems, nested), KIN_OK);
    return nested;
}

static void run_all(void)
{
    kin_systems_initialize(root);
    kin_systems_execute(root, 1);
    kin_systems_cleanup(root);
    kin_systems_tear_down(root);
}

START_TEST(sys_01_each_phase_runs_in_order_of_adding_depth_first)
{
    add(root, "a");
    kin_systems *nested = add_collection(root, "nested");
    add(root, "d");
    add(nested, "b");
    add(nested, "c");
    run_all();
    ck_assert_log("a:i b:i c:i d:i a:x b:x c:x d:x a:c b:c c:c d:c a:t b:t c:t d:t ");
}
END_TEST

START_TEST(sys_01_a_system_has_any_of_the_four_functions)
{
    kin_systems_add(root, (kin_system){.name = "none"});
    kin_systems_add(root, (kin_system){.cleanup = write_cleanup, .self = self_of("a")});
    run_all();
    ck_assert_log("a:c ");
}
END_TEST

START_TEST(sys_02_each_runs_when_called_and_only_then)
{
    add(root, "a");
    kin_systems_execute(root, 1);
    kin_systems_execute(root, 1);
    ck_assert_log("a:x a:x ");
    kin_systems_tear_down(root);
    kin_systems_initialize(root);
    ck_assert_log("a:t a:i ");
}
END_TEST

static void write_tick(void *self, const kin_tick *tick)
{
    log_write("%s:%g,%g,%u ", (const char *)self, tick->delta, tick->time, (unsigned)tick->frame);
}

START_TEST(sys_03_the_tick_has_delta_the_sum_of_deltas_and_the_frame_from_0)
{
    add_execute(root, "a", write_tick);
    kin_systems_execute(root, 0.5);
    kin_systems_cleanup(root);
    kin_systems_execute(root, 0);
    kin_systems_execute(root, 0.25);
    ck_assert_log("a:0.5,0.5,0 a:0,0.5,1 a:0.25,0.75,2 ");
}
END_TEST

START_TEST(sys_03_nested_systems_get_the_tick_of_what_was_executed)
{
    kin_systems *nested = add_collection(root, "nested");
    add_execute(nested, "a", write_tick);
    kin_systems_execute(root, 1);
    kin_systems_execute(nested, 8);
    kin_systems_execute(root, 2);
    ck_assert_log("a:1,1,0 a:8,8,0 a:2,3,1 ");
}
END_TEST

// ---- changes during a run

static void add_another(void *self, const kin_tick *tick)
{
    write_execute(self, tick);
    add(root, "new");
}

START_TEST(sys_04_a_system_added_while_its_collection_runs_waits_for_the_next_call)
{
    add_execute(root, "a", add_another);
    kin_systems_execute(root, 1);
    ck_assert_log("a:x ");
    kin_systems_cleanup(root);
    ck_assert_log("new:c ");
    kin_systems_execute(root, 1);
    ck_assert_log("a:x new:x ");
}
END_TEST

// Removes the system that is named after the first space of its own name.
static void remove_named(void *self, const kin_tick *tick)
{
    (void)tick;
    const char *name = strchr(self, ' ') + 1;
    ck_assert_int_eq(kin_systems_remove(root, name), KIN_OK);
    log_write("-%s ", name);
}

static const struct {
    const char *first, *log;
} removals[] = {
    {"remove b", "-b c:x d:x "},       // a later one
    {"remove d", "-d b:x c:x "},       // the last one
    {"remove nested", "-nested d:x "}, // the running collection: it ends its turn, its other systems are not run
    {"remove outer", "-outer "},       // the collection around it
};

START_TEST(sys_04_a_system_removed_meanwhile_is_no_longer_run)
{
    kin_systems *outer = add_collection(root, "outer"), *nested = add_collection(outer, "nested");
    add_execute(nested, removals[_i].first, remove_named);
    add(nested, "b");
    add(nested, "c");
    add(outer, "d");
    kin_systems_execute(root, 1);
    ck_assert_log(removals[_i].log);
    ck_assert_int_eq(kin_systems_remove(root, strchr(removals[_i].first, ' ') + 1), KIN_ERROR_INVALID);
    ck_assert_log("!INVALID ");
}
END_TEST

static void remove_itself(void *self, const kin_tick *tick)
{
    ck_assert_int_eq(kin_systems_remove(root, self), KIN_OK);
    write_execute(self, tick);
}

START_TEST(sys_04_a_system_that_removes_itself_in_execute_ends_its_turn)
{
    add_execute(root, "a", remove_itself);
    add(root, "b");
    kin_systems_execute(root, 1);
    kin_systems_execute(root, 1);
    ck_assert_log("a:x b:x b:x ");
}
END_TEST

static void destroy_root(void *self, const kin_tick *tick)
{
    kin_systems_destroy(root);
    write_execute(self, tick);
}

START_TEST(sys_09_destroying_from_inside_its_own_run_is_refused)
{
    kin_systems *nested = add_collection(root, "nested");
    add_execute(_i == 0 ? root : nested, "a", destroy_root);
    kin_systems_execute(_i == 2 ? nested : root, 1);
    kin_systems_execute(root, 1);
    ck_assert_log("!INVALID a:x !INVALID a:x ");
}
END_TEST

START_TEST(sys_09_a_collection_inside_another_is_not_destroyed_alone)
{
    kin_systems *nested = add_collection(root, "nested");
    kin_systems_destroy(nested);
    ck_assert_log("!INVALID ");
    kin_systems_destroy(NULL);
}
END_TEST

static void run_root(void *self, const kin_tick *tick)
{
    log_write("%u ", (unsigned)tick->frame);
    if (tick->frame < 2)
        kin_systems_execute(root, 1);
    write_execute(self, tick);
}

START_TEST(sys_02_a_system_may_execute_its_own_collection)
{
    add_execute(root, "a", run_root);
    kin_systems_execute(root, 1);
    ck_assert_log("0 1 2 a:x a:x a:x ");
}
END_TEST

// ---- names

START_TEST(sys_05_the_first_of_a_name_is_taken_depth_first)
{
    kin_systems *nested = add_collection(root, "nested");
    add(nested, "a");
    add(root, "a");
    kin_systems_add(root, (kin_system){.execute = write_execute, .self = self_of("unnamed")});
    ck_assert_int_eq(kin_systems_set_enabled(root, "a", false), KIN_OK);
    kin_systems_execute(root, 1);
    ck_assert_log("a:x unnamed:x ");
    ck_assert_int_eq(kin_systems_remove(root, "a"), KIN_OK);
    ck_assert_int_eq(kin_systems_remove(root, "a"), KIN_OK);
    ck_assert_int_eq(kin_systems_remove(root, "a"), KIN_ERROR_INVALID);
    ck_assert_int_eq(kin_systems_remove(root, NULL), KIN_ERROR_INVALID);
    ck_assert_int_eq(kin_systems_set_enabled(root, "", true), KIN_ERROR_INVALID);
    ck_assert_int_eq(kin_systems_remove(root, "root"), KIN_ERROR_INVALID);
    ck_assert_log("!INVALID !INVALID !INVALID !INVALID ");
}
END_TEST

START_TEST(sys_06_a_collection_is_removed_with_all_in_it_and_without_tear_down)
{
    kin_systems *nested = add_collection(root, "nested");
    add(add_collection(nested, "inner"), "a");
    add(root, "b");
    ck_assert_int_eq(kin_systems_remove(root, "nested"), KIN_OK);
    ck_assert_int_eq(kin_systems_remove(root, "a"), KIN_ERROR_INVALID);
    run_all();
    ck_assert_log("!INVALID b:i b:x b:c b:t ");
}
END_TEST

START_TEST(sys_11_names_are_copied)
{
    char name[] = "first";
    kin_systems_add(root, (kin_system){.name = name, .execute = write_execute, .self = self_of("a")});
    memcpy(name, "other", sizeof name);
    ck_assert_int_eq(kin_systems_remove(root, "first"), KIN_OK);
}
END_TEST

Suite *runtime_systems_suite(void)
{
    Suite *suite = suite_create("runtime_systems");
    TCase *tests = tcase_create("systems");
    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_test(tests, sys_01_each_phase_runs_in_order_of_adding_depth_first);
    tcase_add_test(tests, sys_01_a_system_has_any_of_the_four_functions);
    tcase_add_test(tests, sys_02_each_runs_when_called_and_only_then);
    tcase_add_test(tests, sys_03_the_tick_has_delta_the_sum_of_deltas_and_the_frame_from_0);
    tcase_add_test(tests, sys_03_nested_systems_get_the_tick_of_what_was_executed);
    tcase_add_test(tests, sys_04_a_system_added_while_its_collection_runs_waits_for_the_next_call);
    tcase_add_loop_test(tests, sys_04_a_system_removed_meanwhile_is_no_longer_run, 0,
                        sizeof removals / sizeof *removals);
    tcase_add_test(tests, sys_04_a_system_that_removes_itself_in_execute_ends_its_turn);
    tcase_add_loop_test(tests, sys_09_destroying_from_inside_its_own_run_is_refused, 0, 3);
    tcase_add_test(tests, sys_09_a_collection_inside_another_is_not_destroyed_alone);
    tcase_add_test(tests, sys_02_a_system_may_execute_its_own_collection);
    tcase_add_test(tests, sys_05_the_first_of_a_name_is_taken_depth_first);
    tcase_add_test(tests, sys_06_a_collection_is_removed_with_all_in_it_and_without_tear_down);
    tcase_add_test(tests, sys_11_names_are_copied);
    suite_add_tcase(suite, tests);
    return suite;
}
