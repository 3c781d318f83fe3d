// Calls of systems that a probe must not change the contexts in: of trees and of parallel systems, and their commands.
#include "runtime/support/hive_case.h"
#include "runtime/support/orrery_case.h"
#include "suites.h"

#include <stdio.h>
#include <string.h>

static char seen[256];

static void write_each_open(void *user, const kin_call *call)
{
    (void)user;
    if (call->is_open)
        snprintf(seen + strlen(seen), sizeof seen - strlen(seen), "%s ", call->name);
}

static void do_nothing(void *user, const kin_call *call)
{
    (void)user, (void)call;
}

static const kin_call_probe open = {write_each_open, do_nothing, NULL};

START_TEST(rfl_24_an_update_by_a_tree_is_not_open)
{
    orrery_begin();
    space_entity body = space_create_entity(space);
    space_add_local(space, body, local_default());
    space_add_world(space, body, world_default());
    ck_assert_int_eq(kin_systems_set_probe(orrery_world_systems(orrery), &open), KIN_OK);
    orrery_world_update(orrery, 1);
    ck_assert_str_eq(seen, "Show ");
    orrery_end();
}
END_TEST

static void write_commands(void *user, const kin_call *call)
{
    (void)user;
    if (call->role == KIN_ROLE_COMMANDS)
        snprintf(seen + strlen(seen), sizeof seen - strlen(seen), "%s ", call->name);
}

static uint64_t tick(void *user)
{
    return ++*(uint64_t *)user;
}

START_TEST(rfl_24_the_commands_of_a_parallel_system_are_a_call)
{
    static const kin_call_probe commands = {write_commands, do_nothing, NULL};
    uint64_t time = 0;
    kin_clock clock = {tick, &time};
    kin_timing timing = {0};
    hive_begin();
    kin_systems *systems = hive_hive_world_systems(hive);
    ck_assert_int_eq(kin_systems_profile(systems, &clock, 4), KIN_OK);
    ck_assert_int_eq(kin_systems_set_probe(systems, &commands), KIN_OK);
    hive_fill(1);
    hive_does.fly = hive_rest_all;
    hive_update();
    ck_assert_str_eq(seen, "Fly ");
    ck_assert_int_eq(kin_systems_timing(systems, "Fly", KIN_ROLE_COMMANDS, &timing), KIN_OK);
    ck_assert_uint_eq(timing.count, 1);
    ck_assert_refused(&hive_errors, kin_systems_timing(systems, "Land", KIN_ROLE_COMMANDS, &timing), KIN_ERROR_INVALID);
    hive_end();
}
END_TEST

START_TEST(rfl_24_the_turn_of_a_parallel_system_is_not_open)
{
    hive_begin();
    ck_assert_int_eq(kin_systems_set_probe(hive_hive_world_systems(hive), &open), KIN_OK);
    hive_fill(100);
    hive_update();
    ck_assert_str_eq(seen, "Begin Land "); // the others are parallel, or receive nothing
    hive_end();
}
END_TEST

static void begin(void)
{
    seen[0] = '\0';
}

Suite *runtime_open_call_suite(void)
{
    Suite *suite = suite_create("runtime_open_call");
    TCase *tests = tcase_create("open");
    tcase_add_checked_fixture(tests, begin, NULL);
    tcase_add_test(tests, rfl_24_an_update_by_a_tree_is_not_open);
    tcase_add_test(tests, rfl_24_the_turn_of_a_parallel_system_is_not_open);
    tcase_add_test(tests, rfl_24_the_commands_of_a_parallel_system_are_a_call);
    suite_add_tcase(suite, tests);
    return suite;
}
