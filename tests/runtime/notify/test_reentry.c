// Callbacks that destroy, remove or run their caller: it is kept until they return, or the call is refused.
#include "runtime/support/stderr_of.h"
#include "runtime/support/town_case.h"
#include "suites.h"

#include <stdio.h>
#include <string.h>

// ---- collections of systems

static guard memory;
static kin_systems *root, *nested;

static void begin_systems(void)
{
    kin_context_options options = {.allocator = guard_begin(&memory), .on_error = log_error};
    relay_begin();
    root = kin_systems_create("root", &options);
    nested = kin_systems_create("nested", &options);
    ck_assert_int_eq(kin_systems_add_systems(root, nested), KIN_OK);
}

static void end_systems(void)
{
    kin_systems_destroy(root);
    guard_end(&memory);
    relay_end();
}

static void remove_nested(void *self)
{
    (void)self;
    log_write("%s ", kin_status_name(kin_systems_remove(root, "nested")));
}

static void destroy_root(void *self)
{
    (void)self;
    kin_systems_destroy(root);
}

static void (*const phases[])(kin_systems *systems) = {kin_systems_initialize, kin_systems_tear_down};

START_TEST(sys_04_a_collection_that_is_removed_in_its_first_or_last_phase_is_kept_until_its_end)
{
    kin_system system = {.name = "a", .initialize = remove_nested, .tear_down = remove_nested};
    ck_assert_int_eq(kin_systems_add(nested, system), KIN_OK);
    phases[_i](nested);
    ck_assert_log("KIN_OK ");
    nested = NULL;
    ck_assert_int_eq(kin_systems_remove(root, "nested"), KIN_ERROR_INVALID);
    ck_assert_log("!INVALID ");
}
END_TEST

START_TEST(sys_09_a_collection_is_not_destroyed_in_its_first_or_last_phase)
{
    kin_system system = {.name = "a", .initialize = destroy_root, .tear_down = destroy_root};
    ck_assert_int_eq(kin_systems_add(root, system), KIN_OK);
    phases[_i](root);
    ck_assert_log("!INVALID ");
}
END_TEST

static void write_x(void *self, const kin_tick *tick)
{
    (void)self, (void)tick;
    log_write("x ");
}

static void use_root(const kin_change *change)
{
    (void)change;
    log_write("%s ", kin_status_name(kin_systems_add(root, (kin_system){.name = "x", .execute = write_x})));
    kin_systems_execute(root, 1);
    kin_systems_execute(root, 1);
    log_write("%s ", kin_status_name(kin_systems_remove(root, "x")));
    kin_systems_destroy(root);
}

START_TEST(sys_09_a_listener_may_use_but_not_destroy_a_collection_that_is_being_destroyed)
{
    kin_trigger trigger = {relay_all(RELAY_A), KIN_REMOVED};
    kin_systems *systems = _i == 0 ? root : nested;
    ck_assert_int_eq(kin_systems_add_reactive(systems, (kin_reactive_system){.triggers = &trigger, .trigger_count = 1}),
                     KIN_OK);
    relay_entity entity = relay_entity_with_a(1);
    relay_watch_entity(entity, KIN_ENTITY_RELEASED, "R", use_root);
    relay_destroy_entity(relay, entity);
    kin_systems_destroy(root);
    root = NULL;
    ck_assert_log("R KIN_OK x x KIN_OK !INVALID ");
}
END_TEST

static void enable_nested(const kin_change *change)
{
    (void)change;
    log_write("%s ", kin_status_name(kin_systems_set_enabled(root, "nested", true)));
}

static void write_count(void *self, kin_context *context, const kin_entity *entities, uint32_t count)
{
    (void)self, (void)context, (void)entities;
    log_write("%u ", count);
}

// The disabling continues after the listener has returned, over the systems and collections that follow.
START_TEST(sys_08_what_a_listener_enables_while_it_is_being_disabled_is_enabled)
{
    kin_trigger trigger = {relay_all(RELAY_A), KIN_ADDED_OR_REMOVED};
    kin_reactive_system system = {.triggers = &trigger, .trigger_count = 1, .execute = write_count};
    kin_systems *inner = kin_systems_create("inner", NULL);
    ck_assert_int_eq(kin_systems_add_reactive(nested, system), KIN_OK);
    relay_entity entity = relay_entity_with_a(1);
    relay_watch_entity(entity, KIN_ENTITY_RELEASED, "R", enable_nested);
    relay_destroy_entity(relay, entity);
    ck_assert_int_eq(kin_systems_add_reactive(nested, system), KIN_OK);
    ck_assert_int_eq(kin_systems_add_systems(nested, inner), KIN_OK);
    ck_assert_int_eq(kin_systems_add_reactive(inner, system), KIN_OK);
    ck_assert_int_eq(kin_systems_set_enabled(root, "nested", false), KIN_OK);
    ck_assert_log("R KIN_OK ");
    relay_entity_with_a(1);
    kin_systems_execute(root, 1);
    ck_assert_log("1 1 1 ");
}
END_TEST

// ---- collectors

static kin_collector *collector;

static void use_collector(const kin_change *change)
{
    (void)change;
    kin_collector_activate(collector);
    kin_collector_clear(collector);
    kin_collector_destroy(collector);
}

START_TEST(col_05_a_collector_that_is_being_destroyed_is_not_activated_again)
{
    relay_entity entity = relay_entity_with_a(1);
    collector = kin_collector_create(&(kin_trigger){relay_all(RELAY_A), KIN_ADDED_OR_REMOVED}, 1);
    relay_watch_entity(entity, KIN_ENTITY_RELEASED, "R", use_collector);
    relay_destroy_entity(relay, entity);
    kin_collector_destroy(collector);
    relay_destroy_entity(relay, relay_entity_with_a(2));
    ck_assert_log("R ");
    ck_assert_uint_eq(kin_context_retained_count(&relay->base), 0);
}
END_TEST

// ---- error handlers

static uint32_t report_count;
static relay_context *reported;

static void destroy_context(const kin_error *error, void *user)
{
    (void)error, (void)user;
    report_count++;
    relay_context_destroy(reported);
}

static void refuse_removal(void)
{
    reported = relay_context_create(&(kin_context_options){.on_error = destroy_context});
    relay_remove_a(reported, relay_entity_of((kin_entity)99 << 24));
    fprintf(stderr, "%u reports, alive: %d\n", report_count, relay_create_entity(reported).id != 0);
    relay_context_destroy(reported);
}

// The refusal of each destroy is reported too, to this handler until it is nested 64 deep.
START_TEST(ctx_10_a_context_is_not_destroyed_by_its_error_handler)
{
    const char *rest = stderr_of(refuse_removal);
    ck_assert_ptr_nonnull(strstr(rest, "relay: cannot destroy the context: "));
    ck_assert_ptr_nonnull(strstr(rest, "64 reports, alive: 1"));
}
END_TEST

static town_world *reporting;

static void destroy_world(const kin_error *error, void *user)
{
    (void)user;
    log_write("!%s ", kin_status_name(error->status));
    if (report_count++ == 0)
        town_world_destroy(reporting);
}

START_TEST(ctx_10_a_world_is_not_destroyed_by_the_error_handler_of_its_context)
{
    reporting = town_world_create(&(kin_context_options){.on_error = destroy_world}, NULL);
    report_count = 0;
    log_begin();
    people_destroy_entity(reporting->contexts->people, people_entity_of(0));
    ck_assert_log("!KIN_ERROR_NOT_ALIVE !KIN_ERROR_INVALID ");
    town_world_update(reporting, 0);
    town_world_destroy(reporting);
}
END_TEST

// ---- worlds

static void destroy_contexts(town_world *world)
{
    people_context_destroy(world->contexts->people);
    town_contexts_destroy(world->contexts);
}

static const char *const moments[] = {"Mayor:tear_down", "Mayor:execute", "Registry:enter", "Registry:draw"};

START_TEST(ctx_10_a_context_of_a_world_is_destroyed_by_the_world_alone)
{
    destroy_contexts(town);
    ck_assert_log("!INVALID !INVALID ");
    town_do(moments[_i], destroy_contexts);
    town_citizen(1);
    kin_systems_execute(town_world_systems(town), 0);
    town_world_draw(town);
    kin_systems_tear_down(town_world_systems(town));
    ck_assert_log("!INVALID !INVALID ");
    if (_i == 0) {
        town_world_destroy(town);
        town = NULL;
        ck_assert_log("!INVALID !INVALID ");
    }
}
END_TEST

static void run_all(town_world *world)
{
    people_context *people = world->contexts->people;
    uint32_t count = 0;
    for (uint32_t i = 0; i < 1000; i++)
        town_citizen(1);
    kin_systems_execute(town_world_systems(world), 0.1);
    const people_entity *entities = people_entities(people, &count);
    for (uint32_t i = 0; i < count; i += 2)
        people_destroy_entity(people, entities[i]);
    town_publish_greeting(world, (Greeting){.words = "again"});
    kin_systems_execute(town_world_systems(world), 0.1);
}

static const char *const shown[] = {"Registry:enter",    "Registry:leave", "Registry:first_update", "Registry:draw",
                                    "Registry:greeting", "Watch:execute",  "Lamps:execute"};

// The arguments of callbacks are compared before and after each of them (town_case.c).
START_TEST(rsy_11_the_arrays_of_a_system_stay_while_it_runs_all_systems)
{
    people_context *people = town->contexts->people;
    people_entity first = town_citizen(1);
    town_citizen(2);
    if (_i == 1)
        town_world_update(town, 0);
    town_do(shown[_i], run_all);
    people_destroy_entity(people, first);
    town_publish_greeting(town, (Greeting){.words = "hello"});
    town_world_update(town, 0);
    town_world_draw(town);
    ck_assert_uint_gt(people_entity_count(people), 400);
}
END_TEST

START_TEST(rsy_10_a_turn_in_its_own_draw_is_skipped_and_the_next_one_has_all_of_it)
{
    town_citizen(1);
    town_world_update(town, 0);
    town_do("Registry:draw", run_all);
    town_listen("Registry");
    town_world_draw(town);
    ck_assert_log("Registry:draw(1) ");
    kin_systems_execute(town_world_systems(town), 0);
    ck_assert_uint_eq(town_entity_count, 500);
    ck_assert_ptr_nonnull(strstr(log_text(), "Registry:leave(1) Registry:enter(2,4,6,8,10,12,14,16) "
                                             "Registry:greeting(again) Registry:update("));
}
END_TEST

// ---- last values

static void write_values(const Name *name, const Purse *purse, const Step *step)
{
    log_write("%s,%d,%g ", name->text, purse->coins, step->y);
}

// Each value is read before, and again after the entity had other values and lost them, and other values were read.
static void change_left(town_world *world)
{
    people_context *people = world->contexts->people;
    people_entity left = people_entity_of((kin_entity)1 << 24);
    const Name *name = undertaker_left_name(world, 0);
    const Purse *purse = undertaker_left_purse(world, 0);
    const Step *step = undertaker_left_step(world, 0);
    write_values(name, purse, step);
    people_replace_name(people, left, (Name){"Grace"});
    people_replace_purse(people, left, (Purse){2});
    people_replace_step(people, left, (Step){2, 2});
    people_remove_name(people, left);
    people_remove_purse(people, left);
    people_remove_step(people, left);
    people_add_name(people, left, (Name){"Joan"});
    people_destroy_all_entities(people);
    write_values(undertaker_left_name(world, 1), undertaker_left_purse(world, 1), undertaker_left_step(world, 1));
    write_values(name, purse, step);
    ck_assert_ptr_eq(undertaker_left_name(world, 0), name);
}

static void lose_name(people_entity entity)
{
    people_remove_name(town->contexts->people, entity);
}

static void lose_age(people_entity entity)
{
    people_remove_age(town->contexts->people, entity);
}

static void lose_all(people_entity entity)
{
    people_remove_all_components(town->contexts->people, entity);
}

static void (*const losses[])(people_entity entity) = {lose_name, lose_age, lose_all};

START_TEST(rsy_11_last_values_stay_until_leave_returns)
{
    people_context *people = town->contexts->people;
    for (int i = 1; i <= 2; i++) {
        people_entity entity = town_citizen(i);
        people_add_name(people, entity, (Name){i == 1 ? "Ada" : "Bob"});
        people_add_purse(people, entity, (Purse){i * 10});
        people_add_step(people, entity, (Step){i, i * 0.5});
    }
    town_world_update(town, 0);
    town_do("Undertaker:leave", change_left);
    for (kin_entity i = 0; i < 2; i++)
        losses[_i](people_entity_of((i + 1) << 24 | i));
    town_world_update(town, 0);
    ck_assert_log("Ada,10,0.5 !RETAINED Bob,20,1 Ada,10,0.5 ");
}
END_TEST

Suite *runtime_reentry_suite(void)
{
    Suite *suite = suite_create("runtime_reentry");
    TCase *systems = tcase_create("systems");
    tcase_add_checked_fixture(systems, begin_systems, end_systems);
    tcase_add_loop_test(systems, sys_04_a_collection_that_is_removed_in_its_first_or_last_phase_is_kept_until_its_end,
                        0, 2);
    tcase_add_loop_test(systems, sys_09_a_collection_is_not_destroyed_in_its_first_or_last_phase, 0, 2);
    tcase_add_loop_test(systems, sys_09_a_listener_may_use_but_not_destroy_a_collection_that_is_being_destroyed, 0, 2);
    tcase_add_test(systems, sys_08_what_a_listener_enables_while_it_is_being_disabled_is_enabled);
    tcase_add_test(systems, col_05_a_collector_that_is_being_destroyed_is_not_activated_again);
    suite_add_tcase(suite, systems);
    TCase *errors = tcase_create("errors");
    tcase_add_test(errors, ctx_10_a_context_is_not_destroyed_by_its_error_handler);
    tcase_add_test(errors, ctx_10_a_world_is_not_destroyed_by_the_error_handler_of_its_context);
    suite_add_tcase(suite, errors);
    TCase *worlds = tcase_create("worlds");
    tcase_add_checked_fixture(worlds, town_begin, town_end);
    tcase_add_loop_test(worlds, ctx_10_a_context_of_a_world_is_destroyed_by_the_world_alone, 0, 4);
    tcase_add_loop_test(worlds, rsy_11_the_arrays_of_a_system_stay_while_it_runs_all_systems, 0, 7);
    tcase_add_test(worlds, rsy_10_a_turn_in_its_own_draw_is_skipped_and_the_next_one_has_all_of_it);
    tcase_add_loop_test(worlds, rsy_11_last_values_stay_until_leave_returns, 0, 3);
    suite_add_tcase(suite, worlds);
    return suite;
}
