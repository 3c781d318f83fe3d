// The time of worlds: fixed steps, what is dropped, setting, pushing and popping.
#include "runtime/support/town_case.h"
#include "suites.h"

#include "base/base.h"

#include <math.h>

static void update(double delta)
{
    town_world_update(town, delta);
}

static double dropped(const char *name)
{
    return kin_systems_dropped(town_world_systems(town), name);
}

// ---- fixed steps: noon has steps of 0.25 and catches up 4, square in it steps of 0.0625

static void listen_to_steps(void)
{
    town_citizen(1);
    town_listen("Aging");
}

START_TEST(a_node_with_fixed_steps_runs_once_for_each_that_has_come)
{
    listen_to_steps();
    update(0.125);
    ck_assert_log("");
    update(0.125);
    ck_assert_log("Aging:update(0.25,0.25,0) ");
    update(0.625);
    ck_assert_log("Aging:update(0.25,0.5,1) Aging:update(0.25,0.75,2) ");
    update(0.125);
    ck_assert_log("Aging:update(0.25,1,3) ");
}
END_TEST

START_TEST(more_steps_than_the_most_are_dropped_and_counted_as_time)
{
    listen_to_steps();
    update(2.125);
    ck_assert_log("Aging:update(0.25,0.25,0) Aging:update(0.25,0.5,1) Aging:update(0.25,0.75,2) "
                  "Aging:update(0.25,1,3) ");
    ck_assert(dropped("noon") == 1);
    update(0.125);
    ck_assert_log("Aging:update(0.25,1.25,4) ");
    update(1.5);
    ck_assert(dropped("noon") == 1.5);
    ck_assert(dropped("morning") == 0);
}
END_TEST

START_TEST(sys_03_a_negative_delta_delays_fixed_steps_and_turns_the_clock_back)
{
    listen_to_steps();
    update(0.25);
    ck_assert_log("Aging:update(0.25,0.25,0) ");
    update(-0.125);
    update(0.25);
    ck_assert_log("");
    ck_assert(town_world_tick(town).time == 0.375);
    update(0.125);
    ck_assert_log("Aging:update(0.25,0.5,1) ");
}
END_TEST

START_TEST(steps_inside_of_steps_are_fed_by_those)
{
    town_listen("Clock");
    update(0.25);
    ck_assert_log("Clock:execute(0.0625,0.0625,0) Clock:execute(0.0625,0.125,1) Clock:execute(0.0625,0.1875,2) "
                  "Clock:execute(0.0625,0.25,3) ");
    ck_assert(dropped("square") == 0);
}
END_TEST

START_TEST(asking_for_the_dropped_messages_of_a_missing_node_is_refused)
{
    log_begin();
    ck_assert(dropped("midnight") == 0);
    ck_assert(dropped("Mayor") == 0);
    ck_assert_log("!INVALID ");
}
END_TEST

// Sums of a tenth have rounding errors, which must neither lose a step nor add one.
START_TEST(deltas_that_add_up_to_a_step_give_one_whatever_rounding_does)
{
    people_entity entity = town_citizen(0);
    for (int i = 1; i <= 1000; i++) {
        update(0.025);
        ck_assert_int_eq(people_get_age(town->contexts->people, entity)->years, i / 10);
    }
    ck_assert(dropped("noon") == 0);
}
END_TEST

START_TEST(a_delta_beyond_all_steps_leaves_the_node_in_order)
{
    listen_to_steps();
    update(1e300);
    ck_assert_log("Aging:update(0.25,0.25,0) Aging:update(0.25,0.5,1) Aging:update(0.25,0.75,2) "
                  "Aging:update(0.25,1,3) ");
    ck_assert(dropped("noon") < (double)INFINITY);
    update(0.25);
    ck_assert_log("Aging:update(0.25,1.25,4) ");
}
END_TEST

static const double steps[] = {0.1, 0.3, 0.7, 1e-3, 0.02};

// The sum of that many steps is another number than the sum of the deltas.
START_TEST(a_delta_beyond_all_digits_of_a_step_leaves_nothing_to_make_up_for)
{
    kin__fixed_step fixed_step = {.step = steps[_i], .max_steps = 2};
    kin_tick tick;
    for (int i = 1; i < 100; i++) {
        kin__fixed_step_advance(&fixed_step, 1e300 * (1 + i / 1000.0));
        ck_assert(fabs(fixed_step.accumulated) < fixed_step.step);
        while (kin__fixed_step_next(&fixed_step, &tick))
            ck_assert(tick.delta == fixed_step.step);
    }
}
END_TEST

START_TEST(a_delta_below_zero_is_made_up_for_first)
{
    listen_to_steps();
    update(-0.25);
    update(0.25);
    ck_assert_log("");
    update(0.25);
    ck_assert_log("Aging:update(0.25,0.25,0) ");
}
END_TEST

START_TEST(the_clock_of_a_disabled_node_stands_still)
{
    listen_to_steps();
    kin_systems_set_enabled(town_world_systems(town), "noon", false);
    update(8);
    kin_systems_set_enabled(town_world_systems(town), "noon", true);
    update(0.25);
    ck_assert_log("Aging:update(0.25,0.25,0) ");
    ck_assert(dropped("noon") == 0);
}
END_TEST

static void disable_noon(town_world *world)
{
    kin_systems_set_enabled(town_world_systems(world), "noon", false);
}

START_TEST(a_node_that_is_disabled_in_a_step_takes_no_other)
{
    listen_to_steps();
    town_do("Aging:update", disable_noon);
    update(1);
    ck_assert_log("Aging:update(0.25,0.25,0) ");
}
END_TEST

// ---- setting

START_TEST(all_clocks_go_on_from_the_time_that_is_set_with_nothing_to_make_up_for)
{
    town_citizen(1);
    update(0.125);
    town_world_set_time(town, 100);
    town_listen("Mayor Aging");
    update(0.125);
    ck_assert_log("Mayor:execute(0.125,100.125,1) Mayor:cleanup ");
    update(0.125);
    ck_assert_log("Mayor:execute(0.125,100.25,2) Aging:update(0.25,100.25,0) Mayor:cleanup ");
}
END_TEST

static void set_to_ten(town_world *world)
{
    town_world_set_time(world, 10);
}

START_TEST(setting_the_time_in_a_step_drops_the_others_of_the_update)
{
    listen_to_steps();
    town_do("Aging:update", set_to_ten);
    update(1);
    ck_assert_log("Aging:update(0.25,0.25,0) ");
}
END_TEST

// ---- pushing and popping

START_TEST(systems_see_the_tick_that_is_pushed_and_no_clock_moves_until_the_pop)
{
    town_citizen(1);
    update(1);
    town_listen("Mayor Aging Clock");
    town_world_push_time(town, (kin_tick){2, 50, 7});
    update(0.25);
    update(4);
    ck_assert_log("Mayor:execute(2,50,7) Aging:update(2,50,7) Clock:execute(2,50,7) Mayor:cleanup "
                  "Mayor:execute(2,50,7) Aging:update(2,50,7) Clock:execute(2,50,7) Mayor:cleanup ");
    town_world_pop_time(town);
    town_listen("Mayor Aging");
    update(0.25);
    ck_assert_log("Mayor:execute(0.25,1.25,1) Aging:update(0.25,1.25,4) Mayor:cleanup ");
}
END_TEST

START_TEST(ticks_are_pushed_eight_deep_and_popped_one_by_one)
{
    town_listen("Mayor");
    for (uint64_t i = 1; i <= 9; i++)
        town_world_push_time(town, (kin_tick){1, 1, i});
    ck_assert_log("!LIMIT ");
    for (uint64_t i = 8; i > 0; i--) {
        update(1);
        town_world_pop_time(town);
    }
    ck_assert_log("Mayor:execute(1,1,8) Mayor:cleanup Mayor:execute(1,1,7) Mayor:cleanup Mayor:execute(1,1,6) "
                  "Mayor:cleanup Mayor:execute(1,1,5) Mayor:cleanup Mayor:execute(1,1,4) Mayor:cleanup "
                  "Mayor:execute(1,1,3) Mayor:cleanup Mayor:execute(1,1,2) Mayor:cleanup Mayor:execute(1,1,1) "
                  "Mayor:cleanup ");
    town_world_pop_time(town);
    ck_assert_log("!INVALID ");
}
END_TEST

static void push_ten(town_world *world)
{
    town_world_push_time(world, (kin_tick){10, 10, 10});
}

START_TEST(an_update_shows_one_tick_and_what_is_pushed_inside_comes_with_the_next)
{
    town_do("Mayor:execute", push_ten);
    town_listen("Mayor Strict");
    update(1);
    update(1);
    ck_assert_log("Mayor:execute(1,1,0) Strict:execute(1,1,0) Mayor:cleanup Mayor:execute(10,10,10) "
                  "Strict:execute(10,10,10) Mayor:cleanup ");
}
END_TEST

// ---- the tick of the world

static bool is_tick(town_world *world, double delta, double time, uint64_t frame)
{
    kin_tick tick = town_world_tick(world);
    return tick.delta == delta && tick.time == time && tick.frame == frame;
}

static void write_tick(town_world *world)
{
    kin_tick tick = town_world_tick(world);
    log_write("[%g,%g,%d] ", tick.delta, tick.time, (int)tick.frame);
}

START_TEST(wld_04_the_tick_is_zero_before_the_first_update)
{
    ck_assert(is_tick(town, 0, 0, 0));
    kin_context_options options = {.on_error = log_error};
    town_do("Mayor:initialize", write_tick);
    town_world *other = town_world_create(&options, NULL);
    ck_assert_log("[0,0,0] ");
    town_world_destroy(other);
}
END_TEST

START_TEST(wld_04_functions_without_a_tick_read_the_one_of_the_update)
{
    town_citizen(1);
    town_do("Registry:enter", write_tick);
    town_do("Mayor:cleanup", write_tick);
    town_do("Mayor:draw", write_tick);
    update(0.125);
    ck_assert_log("[0.125,0.125,0] [0.125,0.125,0] ");
    town_world_draw(town);
    ck_assert_log("[0.125,0.125,0] ");
    update(0.125);
    ck_assert_log("[0.125,0.25,1] ");
    ck_assert(is_tick(town, 0.125, 0.25, 1));
}
END_TEST

START_TEST(wld_04_in_a_fixed_step_the_tick_is_that_of_the_step)
{
    town_citizen(1);
    town_do("Aging:update", write_tick);
    town_do("Clock:execute", write_tick);
    town_do("Registry:update", write_tick);
    update(0.25);
    ck_assert_log("[0.25,0.25,0] [0.0625,0.0625,0] [0.0625,0.125,1] [0.0625,0.1875,2] [0.0625,0.25,3] [0.25,0.25,0] ");
    update(0.5);
    ck_assert(is_tick(town, 0.5, 0.75, 1));
}
END_TEST

START_TEST(wld_04_a_pushed_tick_shows_from_the_next_update_until_the_one_after_the_pop)
{
    update(1);
    town_world_push_time(town, (kin_tick){2, 50, 7});
    ck_assert(is_tick(town, 1, 1, 0));
    town_do("Aging:update", write_tick);
    town_citizen(1);
    update(0.25);
    ck_assert_log("[2,50,7] ");
    ck_assert(is_tick(town, 2, 50, 7));
    town_world_pop_time(town);
    ck_assert(is_tick(town, 2, 50, 7));
    update(0.125);
    ck_assert(is_tick(town, 0.125, 1.125, 1));
}
END_TEST

START_TEST(wld_04_setting_the_time_changes_the_time_of_the_tick)
{
    update(1);
    town_world_set_time(town, 100);
    ck_assert(is_tick(town, 1, 100, 0));
}
END_TEST

START_TEST(wld_04_no_world_has_a_tick_of_zero)
{
    ck_assert(is_tick(NULL, 0, 0, 0));
}
END_TEST

// ---- several worlds

START_TEST(two_worlds_run_side_by_side_each_at_a_rate_of_its_own)
{
    guard memory;
    kin_context_options options = {.allocator = guard_begin(&memory), .on_error = log_error};
    town_world *slow = town_world_create(&options, NULL);
    town_citizen(1);
    town_listen("Mayor");
    for (int i = 0; i < 4; i++) {
        update(0.25);
        if (i % 2 == 1)
            town_world_update(slow, 0.5);
    }
    ck_assert_log("Mayor:execute(0.25,0.25,0) Mayor:cleanup Mayor:execute(0.25,0.5,1) Mayor:cleanup "
                  "Mayor:execute(0.5,0.5,0) Mayor:cleanup Mayor:execute(0.25,0.75,2) Mayor:cleanup "
                  "Mayor:execute(0.25,1,3) Mayor:cleanup Mayor:execute(0.5,1,1) Mayor:cleanup ");
    ck_assert_uint_eq(people_entity_count(slow->contexts->people), 0);
    town_world_destroy(slow);
    guard_end(&memory);
}
END_TEST

static town_world *other_world;

static void update_other(town_world *world)
{
    if (world != other_world)
        town_world_update(other_world, 8);
}

START_TEST(a_world_can_be_updated_inside_of_a_run_of_another)
{
    guard memory;
    kin_context_options options = {.allocator = guard_begin(&memory), .on_error = log_error};
    other_world = town_world_create(&options, NULL);
    town_do("Mayor:execute", update_other);
    town_listen("Mayor");
    update(1);
    ck_assert_log("Mayor:execute(1,1,0) Mayor:execute(8,8,0) Mayor:cleanup Mayor:cleanup ");
    town_world_destroy(other_world);
    guard_end(&memory);
}
END_TEST

Suite *runtime_world_time_suite(void)
{
    Suite *suite = suite_create("runtime_world_time");
    TCase *tests = tcase_create("world_time");
    tcase_add_checked_fixture(tests, town_begin, town_end);
    tcase_add_test(tests, a_node_with_fixed_steps_runs_once_for_each_that_has_come);
    tcase_add_test(tests, more_steps_than_the_most_are_dropped_and_counted_as_time);
    tcase_add_test(tests, sys_03_a_negative_delta_delays_fixed_steps_and_turns_the_clock_back);
    tcase_add_test(tests, steps_inside_of_steps_are_fed_by_those);
    tcase_add_test(tests, asking_for_the_dropped_messages_of_a_missing_node_is_refused);
    tcase_add_test(tests, deltas_that_add_up_to_a_step_give_one_whatever_rounding_does);
    tcase_add_test(tests, a_delta_beyond_all_steps_leaves_the_node_in_order);
    tcase_add_loop_test(tests, a_delta_beyond_all_digits_of_a_step_leaves_nothing_to_make_up_for, 0,
                        sizeof steps / sizeof *steps);
    tcase_add_test(tests, a_delta_below_zero_is_made_up_for_first);
    tcase_add_test(tests, the_clock_of_a_disabled_node_stands_still);
    tcase_add_test(tests, a_node_that_is_disabled_in_a_step_takes_no_other);
    tcase_add_test(tests, all_clocks_go_on_from_the_time_that_is_set_with_nothing_to_make_up_for);
    tcase_add_test(tests, setting_the_time_in_a_step_drops_the_others_of_the_update);
    tcase_add_test(tests, systems_see_the_tick_that_is_pushed_and_no_clock_moves_until_the_pop);
    tcase_add_test(tests, ticks_are_pushed_eight_deep_and_popped_one_by_one);
    tcase_add_test(tests, an_update_shows_one_tick_and_what_is_pushed_inside_comes_with_the_next);
    tcase_add_test(tests, wld_04_the_tick_is_zero_before_the_first_update);
    tcase_add_test(tests, wld_04_functions_without_a_tick_read_the_one_of_the_update);
    tcase_add_test(tests, wld_04_in_a_fixed_step_the_tick_is_that_of_the_step);
    tcase_add_test(tests, wld_04_a_pushed_tick_shows_from_the_next_update_until_the_one_after_the_pop);
    tcase_add_test(tests, wld_04_setting_the_time_changes_the_time_of_the_tick);
    tcase_add_test(tests, wld_04_no_world_has_a_tick_of_zero);
    tcase_add_test(tests, two_worlds_run_side_by_side_each_at_a_rate_of_its_own);
    tcase_add_test(tests, a_world_can_be_updated_inside_of_a_run_of_another);
    suite_add_tcase(suite, tests);
    return suite;
}
