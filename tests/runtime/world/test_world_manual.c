// Nodes that the program runs (WLD-01 to WLD-03), and the order of systems and the children of their node (WLD-06).
#include "runtime/support/forge_case.h"
#include "suites.h"

#include <math.h>
#include <string.h>

static smithy_context *smithy(void)
{
    return forge->contexts->smithy;
}

static void set_enabled(const char *name, bool enabled)
{
    ck_assert_int_eq(kin_systems_set_enabled(forge_world_systems(forge), name, enabled), KIN_OK);
}

// ---- running

START_TEST(wld_01_an_update_skips_manual_nodes_and_a_run_calls_only_their_systems)
{
    forge_world_update(forge, 1);
    ck_assert_log("Open(1,1,0) Master(1,1,0) Friend(1,1,0) Sweep(1,1,0) Dream(1,1,0) Lock(1,1,0) Close(1,1,0) "
                  "Hammer:cleanup Master:cleanup ");
    forge_world_run_swing(forge, 0.25);
    ck_assert_log("Hammer(0.25,0.25,0) Raise(0.25,0.25,0) Fall(0.25,0.25,0) ");
}
END_TEST

START_TEST(wld_01_all_other_roles_of_a_manual_node_belong_to_the_world)
{
    kin_context_options options = {.on_error = log_error};
    forge_world *other = forge_world_create(&options, NULL);
    ck_assert_log("Hammer:initialize Hammer:start ");
    forge_world_draw(other);
    ck_assert_log("Hammer:draw ");
    forge_world_destroy(other);
    ck_assert_log("Hammer:tear_down Hammer:dispose ");
}
END_TEST

START_TEST(wld_01_reactive_systems_of_a_manual_node_collect_until_it_runs)
{
    forge_iron(1);
    forge_world_update(forge, 0);
    forge_iron(2);
    log_begin();
    forge_world_run_swing(forge, 0);
    ck_assert_log("Hammer(0,0,0) Raise(0,0,0) Rest(2) ");
    forge_world_run_swing(forge, 0);
    ck_assert_log("Hammer(0,0,1) Raise(0,0,1) ");
}
END_TEST

START_TEST(wld_01_group_systems_of_a_manual_node_compare_with_their_last_run)
{
    smithy_entity iron = forge_iron(1);
    forge_world_run_bellows(forge, 0.5);
    ck_assert_log("Fan:enter(1) Fan:first(1) Fan(0.5,0.5,0) ");
    forge_iron(2);
    smithy_remove_heat(smithy(), iron);
    forge_world_update(forge, 0);
    log_begin();
    forge_world_run_bellows(forge, 0.5);
    ck_assert_log("Fan:leave(1) Fan:enter(1) Fan(0.5,1,1) ");
}
END_TEST

START_TEST(wld_01_messages_wait_for_the_next_run_of_their_node)
{
    forge_publish_order(forge, (Order){3});
    forge_world_update(forge, 0);
    ck_assert_ptr_nonnull(strstr(log_text(), "Prentice:order(3)"));
    ck_assert_ptr_null(strstr(log_text(), "Raise:order"));
    log_begin();
    forge_world_run_swing(forge, 0);
    ck_assert_log("Hammer(0,0,0) Raise:order(3) Raise(0,0,0) ");
    forge_world_run_bellows(forge, 0.5);
    ck_assert_log("Fan:order(3) ");
    forge_world_run_bellows(forge, 0.5);
    ck_assert_log("");
}
END_TEST

static void ring(smithy_context *context, smithy_entity entity, const Chime *value, void *user)
{
    (void)context;
    (void)entity;
    (void)user;
    log_write("ring(%d) ", (int)value->pitch);
}

static void strike(forge_world *world)
{
    smithy_entity spark = smithy_create_entity(world->contexts->smithy);
    smithy_set_spark(world->contexts->smithy, spark, true);
    smithy_add_chime(world->contexts->smithy, smithy_create_entity(world->contexts->smithy), (Chime){7});
}

START_TEST(wld_01_events_and_cleanup_wait_for_the_next_update)
{
    smithy_entity listener = smithy_create_entity(smithy());
    ck_assert_int_eq(smithy_add_any_chime_listener(smithy(), listener, ring, NULL), KIN_OK);
    forge_do("Hammer(", strike);
    forge_world_run_swing(forge, 0);
    ck_assert_log("Hammer(0,0,0) Raise(0,0,0) ");
    ck_assert_uint_eq(smithy_entity_count(smithy()), 3);
    set_enabled("shift", false);
    forge_world_update(forge, 0);
    ck_assert_log("ring(7) Hammer:cleanup ");
    ck_assert_uint_eq(smithy_entity_count(smithy()), 2);
}
END_TEST

// ---- clocks

START_TEST(wld_02_a_manual_node_has_a_clock_of_its_own)
{
    set_enabled("shift", false);
    forge_world_update(forge, 8);
    forge_world_run_swing(forge, 0.125);
    forge_world_update(forge, 8);
    log_begin();
    forge_world_run_swing(forge, 0.125);
    ck_assert_log("Hammer(0.125,0.25,1) Raise(0.125,0.25,1) Fall(0.25,0.25,0) ");
    set_enabled("shift", true);
    forge_world_update(forge, 1);
    ck_assert_ptr_nonnull(strstr(log_text(), "Open(1,17,2)"));
}
END_TEST

START_TEST(wld_02_a_manual_node_with_fixed_runs_the_steps_that_are_due)
{
    forge_iron(1);
    forge_world_run_bellows(forge, 0.25);
    ck_assert_log("");
    forge_world_run_bellows(forge, 0.25);
    ck_assert_log("Fan:enter(1) Fan:first(1) Fan(0.5,0.5,0) ");
    forge_world_run_bellows(forge, 2);
    ck_assert_log("Fan(0.5,1,1) Fan(0.5,1.5,2) ");
    ck_assert(kin_systems_dropped(forge_world_systems(forge), "bellows") == 1);
    forge_world_update(forge, 100);
    ck_assert(kin_systems_dropped(forge_world_systems(forge), "bellows") == 1);
}
END_TEST

START_TEST(wld_02_setting_the_time_sets_the_clocks_of_manual_nodes)
{
    forge_world_run_bellows(forge, 0.25);
    forge_world_set_time(forge, 100);
    forge_world_run_swing(forge, 1);
    ck_assert_log("Hammer(1,101,0) Raise(1,101,0) Fall(0.25,100.25,0) Fall(0.25,100.5,1) Fall(0.25,100.75,2) "
                  "Fall(0.25,101,3) ");
}
END_TEST

START_TEST(wld_02_a_pushed_tick_replaces_the_clocks_of_manual_nodes)
{
    forge_iron(1);
    forge_world_push_time(forge, (kin_tick){2, 50, 7});
    forge_world_run_swing(forge, 0.25);
    ck_assert_log("Hammer(2,50,7) Raise(2,50,7) Fall(2,50,7) Rest(1) ");
    forge_world_run_bellows(forge, 0);
    ck_assert_log("Fan:enter(1) Fan:first(1) Fan(2,50,7) ");
    forge_world_pop_time(forge);
    forge_world_run_swing(forge, 0.25);
    ck_assert_log("Hammer(0.25,0.25,0) Raise(0.25,0.25,0) Fall(0.25,0.25,0) ");
}
END_TEST

START_TEST(wld_02_the_clock_of_a_disabled_manual_node_stands_still)
{
    set_enabled("swing", false);
    forge_world_run_swing(forge, 8);
    ck_assert_log("");
    set_enabled("swing", true);
    forge_world_run_swing(forge, 0.125);
    ck_assert_log("Hammer(0.125,0.125,0) Raise(0.125,0.125,0) ");
}
END_TEST

// ---- refused

static void run_swing(forge_world *world)
{
    forge_world_run_swing(world, 1);
}

static void update_world(forge_world *world)
{
    forge_world_update(world, 1);
    forge_world_draw(world);
    ck_assert_int_eq(forge_world_reset(world), KIN_ERROR_INVALID);
    forge_world_destroy(world);
}

START_TEST(wld_03_a_run_inside_a_run_is_refused)
{
    forge_do("Open", run_swing);
    forge_world_update(forge, 1);
    ck_assert_ptr_nonnull(strstr(log_text(), "Open(1,1,0) !INVALID Master(1,1,0)"));
    log_begin();
    forge_do("Hammer", run_swing);
    forge_world_run_swing(forge, 0);
    ck_assert_log("Hammer(0,0,0) !INVALID Raise(0,0,0) ");
    forge_do("Hammer(", update_world);
    forge_world_run_swing(forge, 0);
    ck_assert_log("Hammer(0,0,1) !INVALID !INVALID !INVALID !INVALID Raise(0,0,1) ");
}
END_TEST

START_TEST(wld_03_no_world_and_no_number_are_refused)
{
    forge_world_run_swing(NULL, 1);
    forge_world_run_swing(forge, (double)NAN);
    forge_world_run_bellows(forge, (double)INFINITY);
    log_begin();
    forge_world_run_swing(forge, 0.125);
    ck_assert_log("Hammer(0.125,0.125,0) Raise(0.125,0.125,0) ");
}
END_TEST

static void remove_swing(forge_world *world)
{
    kin_systems_remove(forge_world_systems(world), "swing");
}

START_TEST(wld_03_a_node_that_was_removed_is_not_run)
{
    forge_do("Hammer(", remove_swing);
    forge_world_run_swing(forge, 0);
    ck_assert_log("Hammer(0,0,0) "); // the rest of the run is skipped
    forge_world_run_swing(forge, 0);
    forge_world_run_swing(forge, 0);
    ck_assert_log("!INVALID !INVALID ");
}
END_TEST

static void disable_swing(forge_world *world)
{
    kin_systems_set_enabled(forge_world_systems(world), "swing", false);
}

START_TEST(wld_03_a_node_that_is_disabled_in_its_run_does_not_go_on)
{
    forge_do("Raise(", disable_swing);
    forge_world_run_swing(forge, 1);
    ck_assert_log("Hammer(1,1,0) Raise(1,1,0) ");
}
END_TEST

START_TEST(wld_03_a_reset_ends_what_waits_for_manual_nodes)
{
    forge_iron(1);
    forge_world_run_bellows(forge, 0.5);
    forge_publish_order(forge, (Order){1});
    log_begin();
    ck_assert_int_eq(forge_world_reset(forge), KIN_OK);
    ck_assert_log("Fan:leave(1) ");
    forge_world_run_swing(forge, 0);
    forge_world_run_bellows(forge, 0.5);
    ck_assert_log("Hammer(0,0,0) Raise(0,0,0) ");
    forge_iron(2);
    forge_world_run_bellows(forge, 0.5);
    ck_assert_log("Fan:enter(1) Fan:first(1) Fan(0.5,1.5,2) ");
}
END_TEST

// ---- order within a node

START_TEST(wld_06_systems_run_before_between_and_after_the_children_of_their_node)
{
    forge_world_update(forge, 1);
    ck_assert_log("Open(1,1,0) Master(1,1,0) Friend(1,1,0) Sweep(1,1,0) Dream(1,1,0) Lock(1,1,0) Close(1,1,0) "
                  "Hammer:cleanup Master:cleanup ");
}
END_TEST

START_TEST(wld_06_a_child_that_is_disabled_leaves_the_order_of_the_others)
{
    set_enabled("dusk", false);
    forge_world_update(forge, 1);
    ck_assert_log("Open(1,1,0) Master(1,1,0) Friend(1,1,0) Close(1,1,0) Hammer:cleanup Master:cleanup ");
}
END_TEST

Suite *runtime_world_manual_suite(void)
{
    Suite *suite = suite_create("runtime_world_manual");
    TCase *tests = tcase_create("world_manual");
    tcase_add_checked_fixture(tests, forge_begin, forge_end);
    tcase_add_test(tests, wld_01_an_update_skips_manual_nodes_and_a_run_calls_only_their_systems);
    tcase_add_test(tests, wld_01_all_other_roles_of_a_manual_node_belong_to_the_world);
    tcase_add_test(tests, wld_01_reactive_systems_of_a_manual_node_collect_until_it_runs);
    tcase_add_test(tests, wld_01_group_systems_of_a_manual_node_compare_with_their_last_run);
    tcase_add_test(tests, wld_01_messages_wait_for_the_next_run_of_their_node);
    tcase_add_test(tests, wld_01_events_and_cleanup_wait_for_the_next_update);
    tcase_add_test(tests, wld_02_a_manual_node_has_a_clock_of_its_own);
    tcase_add_test(tests, wld_02_a_manual_node_with_fixed_runs_the_steps_that_are_due);
    tcase_add_test(tests, wld_02_setting_the_time_sets_the_clocks_of_manual_nodes);
    tcase_add_test(tests, wld_02_a_pushed_tick_replaces_the_clocks_of_manual_nodes);
    tcase_add_test(tests, wld_02_the_clock_of_a_disabled_manual_node_stands_still);
    tcase_add_test(tests, wld_03_a_run_inside_a_run_is_refused);
    tcase_add_test(tests, wld_03_no_world_and_no_number_are_refused);
    tcase_add_test(tests, wld_03_a_node_that_was_removed_is_not_run);
    tcase_add_test(tests, wld_03_a_node_that_is_disabled_in_its_run_does_not_go_on);
    tcase_add_test(tests, wld_03_a_reset_ends_what_waits_for_manual_nodes);
    tcase_add_test(tests, wld_06_systems_run_before_between_and_after_the_children_of_their_node);
    tcase_add_test(tests, wld_06_a_child_that_is_disabled_leaves_the_order_of_the_others);
    suite_add_tcase(suite, tests);
    return suite;
}
