// Worlds: their creation and destruction, and the order of what they run.
#include "runtime/support/town_case.h"
#include "suites.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void update(double delta)
{
    town_world_update(town, delta);
}

// ---- making and ending

// Created by hand, with the log from the beginning.
static town_world *make_listened(const char *systems, const kin_context_options *options)
{
    town_listen(systems);
    return town_world_create(options, NULL);
}

START_TEST(a_world_initializes_all_systems_in_order_and_then_starts_all)
{
    kin_context_options options = {.on_error = log_error};
    town_world *other = make_listened("Mayor Registry Lamps", &options);
    ck_assert_log("Mayor:initialize Registry:initialize Lamps:initialize Mayor:start Registry:start ");
    town_world_destroy(other);
    ck_assert_log("Mayor:tear_down Registry:tear_down Mayor:dispose Registry:dispose ");
}
END_TEST

static void look_around(town_world *world)
{
    ck_assert_ptr_nonnull(world->contexts->people);
    ck_assert_ptr_nonnull(world->contexts->houses);
    ck_assert_ptr_nonnull(town_world_systems(world));
    log_write("%s ", (const char *)world->user);
}

START_TEST(a_world_is_whole_when_its_systems_are_initialized_and_disposed_of)
{
    town_do("Mayor:initialize", look_around);
    town_do("Registry:dispose", look_around);
    char name[] = "ours";
    kin_context_options options = {.on_error = log_error};
    town_world *other = town_world_create(&options, name);
    ck_assert_ptr_eq(other->user, name);
    town_world_destroy(other);
    ck_assert_log("ours ours ");
}
END_TEST

START_TEST(a_world_can_be_made_with_no_options_and_destroying_none_does_nothing)
{
    town_world *other = town_world_create(NULL, NULL);
    ck_assert_ptr_nonnull(other);
    town_world_destroy(other);
    town_world_destroy(NULL);
    ck_assert_log("");
}
END_TEST

START_TEST(a_world_is_not_made_with_half_an_allocator)
{
    guard other;
    kin_context_options options = {.allocator = guard_begin(&other), .on_error = log_error};
    options.allocator.release = NULL;
    ck_assert_ptr_null(town_world_create(&options, NULL));
    ck_assert_log("!INVALID ");
}
END_TEST

START_TEST(initializing_the_systems_of_a_world_runs_both_passes)
{
    town_listen("Mayor Registry");
    kin_systems_initialize(town_world_systems(town));
    ck_assert_log("Mayor:initialize Registry:initialize Mayor:start Registry:start ");
    kin_systems_tear_down(town_world_systems(town));
    ck_assert_log("Mayor:tear_down Registry:tear_down Mayor:dispose Registry:dispose ");
}
END_TEST

// ---- updates

START_TEST(an_update_runs_the_schedule_and_then_what_cleans_up)
{
    town_citizen(1);
    town_listen("Mayor Crier Registry Watch Lamps Strict");
    town_publish_bell(town);
    update(0.5);
    ck_assert_log("Mayor:execute(0.5,0.5,0) Crier:on_bell Registry:enter(1) Registry:first_update(1) "
                  "Registry:update(0.5,0.5,0) Watch:filter(1) Watch:execute(1) Lamps:on_bell Strict:on_bell "
                  "Strict:execute(0.5,0.5,0) Mayor:cleanup Registry:cleanup ");
}
END_TEST

START_TEST(systems_run_node_by_node_and_those_of_a_node_before_its_children)
{
    town_citizen(1);
    town_listen("Mayor Aging Clock Registry Strict");
    update(0.25);
    ck_assert_log("Mayor:execute(0.25,0.25,0) Aging:update(0.25,0.25,0) Clock:execute(0.0625,0.0625,0) "
                  "Clock:execute(0.0625,0.125,1) Clock:execute(0.0625,0.1875,2) Clock:execute(0.0625,0.25,3) "
                  "Registry:enter(1) Registry:first_update(1) Registry:update(0.25,0.25,0) "
                  "Strict:execute(0.25,0.25,0) Mayor:cleanup Registry:cleanup ");
}
END_TEST

static void on_rings(people_context *people, people_entity entity, const Rings *value, void *user)
{
    (void)user;
    log_write("rings(%d,%d) ", value->count, people_is_ghost(people, entity));
}

START_TEST(events_are_delivered_after_the_schedule_and_before_any_cleanup)
{
    people_context *people = town->contexts->people;
    people_entity entity = town_citizen(1);
    people_add_any_rings_listener(people, entity, on_rings, NULL);
    people_add_rings(people, entity, (Rings){3});
    people_set_ghost(people, entity, true);
    town_listen("Strict Mayor");
    update(1);
    ck_assert_log("Mayor:execute(1,1,0) Strict:execute(1,1,0) rings(3,1) Mayor:cleanup ");
    ck_assert(!people_entity_is_alive(people, entity));
}
END_TEST

static void write_ghost(town_world *world)
{
    log_write("%u ", people_entity_count(world->contexts->people));
}

START_TEST(cleanup_roles_run_before_the_cleanup_of_the_schema)
{
    people_set_ghost(town->contexts->people, town_citizen(1), true);
    town_do("Registry:cleanup", write_ghost);
    update(1);
    ck_assert_log("1 ");
    ck_assert_uint_eq(people_entity_count(town->contexts->people), 0);
}
END_TEST

START_TEST(a_group_system_walks_its_group_with_typed_columns)
{
    people_entity entity = town_citizen(41);
    update(0.5);
    ck_assert_int_eq(people_get_age(town->contexts->people, entity)->years, 43);
}
END_TEST

// ---- drawing

START_TEST(drawing_calls_draw_in_order_and_nothing_else)
{
    town_citizen(1);
    town_citizen(2);
    town_listen("Mayor Crier Aging Clock Registry Undertaker Watch Lamps Patient Hurried Strict");
    town_world_draw(town);
    ck_assert_log("Mayor:draw Registry:draw(1,2) Lamps:draw ");
}
END_TEST

START_TEST(a_group_system_draws_only_when_its_group_has_members)
{
    town_listen("Registry");
    town_world_draw(town);
    ck_assert_log("");
}
END_TEST

// ---- reactive systems

START_TEST(rsy_08_a_reactive_system_over_several_contexts_has_functions_of_each)
{
    people_context *people = town->contexts->people;
    houses_context *houses = town->contexts->houses;
    people_entity one = town_citizen(1), two = town_citizen(2);
    houses_add_roof(houses, houses_create_entity(houses), (Roof){1});
    town_listen("Lamps");
    people_destroy_entity(people, two);
    people_destroy_entity(people, one);
    update(1);
    ck_assert_log("Lamps:execute_houses(1) Lamps:execute_people(1) ");
    update(1);
    ck_assert_log("");
}
END_TEST

// ---- enabling, disabling and removing by name

START_TEST(a_system_is_enabled_and_disabled_by_its_name_in_all_roles)
{
    kin_systems *systems = town_world_systems(town);
    town_listen("Mayor");
    ck_assert_int_eq(kin_systems_set_enabled(systems, "Mayor", false), KIN_OK);
    update(1);
    town_world_draw(town);
    kin_systems_initialize(systems);
    kin_systems_tear_down(systems);
    ck_assert_log("");
    ck_assert_int_eq(kin_systems_set_enabled(systems, "Mayor", true), KIN_OK);
    update(1);
    town_world_draw(town);
    ck_assert_log("Mayor:execute(1,2,1) Mayor:cleanup Mayor:draw ");
}
END_TEST

START_TEST(a_node_is_disabled_by_its_name_with_all_in_it)
{
    town_listen("Clock Aging Strict");
    kin_systems_set_enabled(town_world_systems(town), "noon", false);
    update(1);
    ck_assert_log("Strict:execute(1,1,0) ");
}
END_TEST

START_TEST(a_disabled_reactive_system_does_not_collect)
{
    kin_systems *systems = town_world_systems(town);
    town_listen("Watch");
    kin_systems_set_enabled(systems, "Watch", false);
    town_citizen(1);
    kin_systems_set_enabled(systems, "Watch", true);
    update(1);
    ck_assert_log("");
}
END_TEST

START_TEST(a_removed_system_is_gone_with_its_inboxes)
{
    kin_systems *systems = town_world_systems(town);
    town_listen("Hurried Patient");
    ck_assert_int_eq(kin_systems_remove(systems, "Patient"), KIN_OK);
    town_publish_gossip(town, (Gossip){1});
    update(1);
    ck_assert_log("Hurried:gossip(1) ");
    ck_assert_int_eq(kin_systems_remove(systems, "Patient"), KIN_ERROR_INVALID);
    ck_assert_log("!INVALID ");
}
END_TEST

START_TEST(systems_of_the_game_can_be_added_to_those_of_a_world)
{
    kin_systems *systems = town_world_systems(town);
    ck_assert_int_eq(kin_systems_add(systems, (kin_system){.name = "Ours"}), KIN_OK);
    update(1);
    ck_assert_int_eq(kin_systems_set_enabled(systems, "Ours", false), KIN_OK);
    ck_assert_log("");
}
END_TEST

START_TEST(the_systems_of_a_world_end_with_it_and_go_into_no_collection)
{
    kin_systems *around = kin_systems_create("around", &(kin_context_options){.on_error = log_error});
    kin_systems_destroy(town_world_systems(town));
    ck_assert_log("!INVALID ");
    ck_assert_int_eq(kin_systems_add_systems(around, town_world_systems(town)), KIN_ERROR_INVALID);
    ck_assert_log("!INVALID ");
    kin_systems_destroy(around);
    update(1);
}
END_TEST

// ---- from inside

static void update_inside(town_world *world)
{
    town_world_update(world, 1);
}

static void draw_inside(town_world *world)
{
    town_world_draw(world);
}

static void destroy_inside(town_world *world)
{
    town_world_destroy(world);
}

static void destroy_contexts_inside(town_world *world)
{
    town_contexts_destroy(world->contexts);
}

static const struct {
    const char *when;
    town_action *what;
} insides[] = {
    {"Mayor:execute", update_inside},         {"Mayor:execute", draw_inside},
    {"Mayor:execute", destroy_inside},        {"Mayor:execute", destroy_contexts_inside},
    {"Registry:enter", destroy_inside},       {"Registry:update", update_inside},
    {"Registry:cleanup", update_inside},      {"Crier:on_bell", destroy_inside},
    {"Lamps:execute_people", destroy_inside}, {"Watch:filter", update_inside},
};

START_TEST(what_would_end_or_run_a_world_inside_of_its_run_is_refused)
{
    town_citizen(1);
    town_publish_bell(town);
    town_do(insides[_i].when, insides[_i].what);
    people_destroy_entity(town->contexts->people, town_citizen(2));
    people_destroy_entity(town->contexts->people, town_citizen(3));
    update(1);
    ck_assert_ptr_nonnull(strstr(log_text(), "!INVALID "));
}
END_TEST

START_TEST(a_world_is_not_destroyed_inside_of_its_own_draw_or_tear_down)
{
    town_do("Mayor:draw", destroy_inside);
    town_world_draw(town);
    ck_assert_log("!INVALID ");
    town_do("Mayor:tear_down", destroy_inside);
    town_world_destroy(town);
    town = NULL;
    ck_assert_log("!INVALID ");
}
END_TEST

static void run_systems_inside(town_world *world)
{
    kin_systems_execute(town_world_systems(world), 1);
}

START_TEST(rsy_10_a_turn_inside_its_own_turn_is_skipped)
{
    town_citizen(1);
    town_do("Registry:update", run_systems_inside);
    town_listen("Registry Mayor");
    update(1);
    ck_assert_log("Mayor:execute(1,1,0) Registry:enter(1) Registry:first_update(1) Registry:update(1,1,0) "
                  "Mayor:execute(1,2,1) Mayor:cleanup Registry:cleanup ");
}
END_TEST

static void remove_registry(town_world *world)
{
    kin_systems_remove(town_world_systems(world), "Registry");
}

START_TEST(sys_04_a_system_that_removes_itself_ends_its_turn)
{
    town_citizen(1);
    town_do("Registry:enter", remove_registry);
    town_listen("Registry");
    update(1);
    ck_assert_log("Registry:enter(1) Registry:first_update(1) Registry:update(1,1,0) ");
    update(1);
    ck_assert_log("");
}
END_TEST

// ---- no world

START_TEST(calls_without_a_world_are_reported_and_do_nothing)
{
    fclose(stderr); // there is no handler for the error
    town_world_update(NULL, 1);
    town_world_draw(NULL);
    town_world_set_time(NULL, 1);
    town_world_push_time(NULL, (kin_tick){0});
    town_world_pop_time(NULL);
    town_publish_gossip(NULL, (Gossip){1});
    ck_assert_ptr_null(town_world_systems(NULL));
    ck_assert_ptr_null(undertaker_left_age(NULL, 0));
}
END_TEST

static const double no_numbers[] = {NAN, INFINITY, -INFINITY};

START_TEST(a_delta_that_is_no_number_is_refused)
{
    town_listen("Mayor");
    update(no_numbers[_i]);
    town_world_set_time(town, no_numbers[_i]);
    ck_assert_log("!INVALID !INVALID ");
    update(1);
    ck_assert_log("Mayor:execute(1,1,0) Mayor:cleanup ");
}
END_TEST

Suite *runtime_world_suite(void)
{
    Suite *suite = suite_create("runtime_world");
    TCase *tests = tcase_create("world");
    tcase_add_checked_fixture(tests, town_begin, town_end);
    tcase_add_test(tests, a_world_initializes_all_systems_in_order_and_then_starts_all);
    tcase_add_test(tests, a_world_is_whole_when_its_systems_are_initialized_and_disposed_of);
    tcase_add_test(tests, a_world_can_be_made_with_no_options_and_destroying_none_does_nothing);
    tcase_add_test(tests, a_world_is_not_made_with_half_an_allocator);
    tcase_add_test(tests, initializing_the_systems_of_a_world_runs_both_passes);
    tcase_add_test(tests, an_update_runs_the_schedule_and_then_what_cleans_up);
    tcase_add_test(tests, systems_run_node_by_node_and_those_of_a_node_before_its_children);
    tcase_add_test(tests, events_are_delivered_after_the_schedule_and_before_any_cleanup);
    tcase_add_test(tests, cleanup_roles_run_before_the_cleanup_of_the_schema);
    tcase_add_test(tests, a_group_system_walks_its_group_with_typed_columns);
    tcase_add_test(tests, drawing_calls_draw_in_order_and_nothing_else);
    tcase_add_test(tests, a_group_system_draws_only_when_its_group_has_members);
    tcase_add_test(tests, rsy_08_a_reactive_system_over_several_contexts_has_functions_of_each);
    tcase_add_test(tests, a_system_is_enabled_and_disabled_by_its_name_in_all_roles);
    tcase_add_test(tests, a_node_is_disabled_by_its_name_with_all_in_it);
    tcase_add_test(tests, a_disabled_reactive_system_does_not_collect);
    tcase_add_test(tests, a_removed_system_is_gone_with_its_inboxes);
    tcase_add_test(tests, systems_of_the_game_can_be_added_to_those_of_a_world);
    tcase_add_test(tests, the_systems_of_a_world_end_with_it_and_go_into_no_collection);
    tcase_add_loop_test(tests, what_would_end_or_run_a_world_inside_of_its_run_is_refused, 0,
                        sizeof insides / sizeof *insides);
    tcase_add_test(tests, a_world_is_not_destroyed_inside_of_its_own_draw_or_tear_down);
    tcase_add_test(tests, rsy_10_a_turn_inside_its_own_turn_is_skipped);
    tcase_add_test(tests, sys_04_a_system_that_removes_itself_ends_its_turn);
    tcase_add_test(tests, calls_without_a_world_are_reported_and_do_nothing);
    tcase_add_loop_test(tests, a_delta_that_is_no_number_is_refused, 0, sizeof no_numbers / sizeof *no_numbers);
    suite_add_tcase(suite, tests);
    return suite;
}
