// Systems that are disabled, deactivated or refused, and when reactive ones collect (SYS-07, SYS-08, SYS-10).

#include "runtime/support/links_case.h"
#include "suites.h"

static kin_systems *root;

static void begin(void)
{
    links_begin();
    kin_context_options options = links_options();
    root = kin_systems_create("root", &options);
    ck_assert_ptr_nonnull(root);
}

static void end(void)
{
    kin_systems_destroy(root);
    links_end();
}

static void write_self(void *self)
{
    log_write("%s ", (const char *)self);
}

static void write_execute(void *self, const kin_tick *tick)
{
    (void)tick;
    write_self(self);
}

static void write_reactive(void *self, kin_context *context, const kin_entity *entities, uint32_t count)
{
    write_self(self);
    for (uint32_t i = 0; i < count; i++)
        links_write(context, entities[i]);
}

static void add(kin_systems *systems, const char *name)
{
    void *self = (void *)(uintptr_t)name;
    kin_system system = {name, write_self, write_execute, write_self, write_self, self};
    ck_assert_int_eq(kin_systems_add(systems, system), KIN_OK);
}

static kin_status add_reactive(kin_systems *systems, const char *name)
{
    kin_trigger trigger = {dock_cargo(), KIN_ADDED};
    return kin_systems_add_reactive(systems, (kin_reactive_system){.name = name,
                                                                   .triggers = &trigger,
                                                                   .trigger_count = 1,
                                                                   .execute = write_reactive,
                                                                   .self = (void *)(uintptr_t)name});
}

static kin_systems *add_collection(kin_systems *systems, const char *name)
{
    kin_context_options options = links_options();
    kin_systems *nested = kin_systems_create(name, &options);
    ck_assert_int_eq(kin_systems_add_systems(systems, nested), KIN_OK);
    return nested;
}

START_TEST(sys_07_a_disabled_system_is_skipped_in_all_phases)
{
    add(root, "a");
    add(add_collection(root, "nested"), "b");
    ck_assert_int_eq(kin_systems_set_enabled(root, _i == 0 ? "a" : "nested", false), KIN_OK);
    kin_systems_initialize(root);
    kin_systems_execute(root, 1);
    kin_systems_cleanup(root);
    kin_systems_tear_down(root);
    ck_assert_log(_i == 0 ? "b b b b " : "a a a a ");
    kin_systems_set_enabled(root, _i == 0 ? "a" : "nested", true);
    kin_systems_execute(root, 1);
    ck_assert_log("a b ");
}
END_TEST

static void disable_nested(void *self, const kin_tick *tick)
{
    (void)self;
    (void)tick;
    ck_assert_int_eq(kin_systems_set_enabled(root, "nested", false), KIN_OK);
}

START_TEST(sys_07_a_collection_that_is_disabled_while_it_runs_does_not_go_on)
{
    kin_systems *nested = add_collection(root, "nested"), *inner = add_collection(nested, "inner");
    kin_systems_add(inner, (kin_system){.execute = disable_nested});
    add(inner, "never");
    add(nested, "never");
    add(root, "a");
    kin_systems_execute(root, 1);
    ck_assert_log("a ");
}
END_TEST

START_TEST(sys_08_a_disabled_reactive_system_does_not_collect_and_loses_what_it_had)
{
    const char *names[] = {"reactive", "inner", "outer"};
    kin_systems *outer = add_collection(root, "outer"), *inner = add_collection(outer, "inner");
    ck_assert_int_eq(add_reactive(inner, "reactive"), KIN_OK);
    dock_destroy_entity(dock, dock_entity_with_cargo(1));
    ck_assert_uint_eq(kin_context_retained_count(&dock->base), 1);
    kin_systems_set_enabled(root, names[_i], false);
    ck_assert_uint_eq(kin_context_retained_count(&dock->base), 0);
    dock_entity_with_cargo(2);
    kin_systems_set_enabled(root, names[_i], true);
    dock_entity_with_cargo(3);
    kin_systems_execute(root, 1);
    ck_assert_log("reactive d3 ");
}
END_TEST

START_TEST(sys_08_it_collects_when_it_and_all_around_are_enabled)
{
    kin_systems *outer = add_collection(root, "outer"), *inner = add_collection(outer, "inner");
    kin_systems_set_enabled(root, "outer", false);
    ck_assert_int_eq(add_reactive(inner, "reactive"), KIN_OK);
    kin_systems_set_enabled(root, "inner", false);
    kin_systems_set_enabled(root, "outer", true);
    dock_entity_with_cargo(1);
    kin_systems_set_enabled(root, "inner", true);
    dock_entity_with_cargo(2);
    kin_systems_execute(root, 1);
    ck_assert_log("reactive d2 ");
}
END_TEST

START_TEST(sys_08_a_system_added_with_its_collection_collects_if_the_collection_is_enabled)
{
    kin_context_options options = links_options();
    kin_systems *outer = add_collection(root, "outer"), *later = kin_systems_create("later", &options);
    ck_assert_int_eq(add_reactive(later, "reactive"), KIN_OK);
    dock_entity_with_cargo(1);
    kin_systems_set_enabled(root, "outer", false);
    ck_assert_int_eq(kin_systems_add_systems(outer, later), KIN_OK);
    dock_entity_with_cargo(2);
    kin_systems_set_enabled(root, "outer", true);
    dock_entity_with_cargo(3);
    kin_systems_execute(root, 1);
    ck_assert_log("reactive d3 ");
}
END_TEST

START_TEST(sys_08_deactivating_activating_and_clearing_go_through_all_nested_collections)
{
    ck_assert_int_eq(add_reactive(root, "near"), KIN_OK);
    ck_assert_int_eq(add_reactive(add_collection(add_collection(root, "outer"), "inner"), "far"), KIN_OK);
    dock_entity_with_cargo(1);
    kin_systems_deactivate_reactive(root);
    dock_entity_with_cargo(2);
    kin_systems_activate_reactive(root);
    dock_entity_with_cargo(3);
    kin_systems_execute(root, 1);
    ck_assert_log("near d3 far d3 ");
    dock_entity_with_cargo(4);
    kin_systems_clear_reactive(root);
    dock_entity_with_cargo(5);
    kin_systems_execute(root, 1);
    ck_assert_log("near d5 far d5 ");
}
END_TEST

START_TEST(sys_08_enabling_does_not_activate_nor_activating_enable)
{
    ck_assert_int_eq(add_reactive(root, "reactive"), KIN_OK);
    kin_systems_deactivate_reactive(root);
    kin_systems_set_enabled(root, "reactive", false);
    kin_systems_set_enabled(root, "reactive", true);
    dock_entity_with_cargo(1);
    kin_systems_set_enabled(root, "reactive", false);
    kin_systems_activate_reactive(root);
    dock_entity_with_cargo(2);
    kin_systems_set_enabled(root, "reactive", true);
    dock_entity_with_cargo(3);
    kin_systems_execute(root, 1);
    ck_assert_log("reactive d3 ");
}
END_TEST

START_TEST(sys_06_removing_deactivates)
{
    kin_systems *nested = add_collection(root, "nested");
    ck_assert_int_eq(add_reactive(_i == 0 ? root : nested, "reactive"), KIN_OK);
    dock_destroy_entity(dock, dock_entity_with_cargo(1));
    ck_assert_int_eq(kin_systems_remove(root, _i == 0 ? "reactive" : "nested"), KIN_OK);
    ck_assert_uint_eq(kin_context_retained_count(&dock->base), 0);
    dock_entity_with_cargo(1);
    kin_systems_execute(root, 1);
    ck_assert_log("");
}
END_TEST

START_TEST(sys_09_destroying_systems_releases_all_without_tear_down)
{
    add(add_collection(root, "nested"), "a");
    ck_assert_int_eq(add_reactive(root, "reactive"), KIN_OK);
    dock_destroy_entity(dock, dock_entity_with_cargo(1));
    kin_systems_destroy(root);
    root = NULL;
    ck_assert_uint_eq(kin_context_retained_count(&dock->base), 0);
    ck_assert_log("");
}
END_TEST

START_TEST(sys_10_systems_that_cannot_be_added_are_refused)
{
    kin_systems *outer = add_collection(root, "outer"), *inner = add_collection(outer, "inner");
    ck_assert_int_eq(kin_systems_add_systems(root, NULL), KIN_ERROR_INVALID);
    ck_assert_int_eq(kin_systems_add_systems(root, inner), KIN_ERROR_INVALID);
    ck_assert_int_eq(kin_systems_add_systems(inner, outer), KIN_ERROR_INVALID);
    ck_assert_int_eq(kin_systems_add_systems(root, root), KIN_ERROR_INVALID);
    ck_assert_int_eq(kin_systems_add_systems(inner, root), KIN_ERROR_INVALID);
    ck_assert_log("!INVALID !INVALID !INVALID !INVALID !INVALID ");
    add(inner, "a");
    kin_systems_execute(root, 1);
    ck_assert_log("a ");
}
END_TEST

START_TEST(ctx_09_systems_that_watched_a_destroyed_context_stay_and_do_nothing)
{
    ck_assert_int_eq(add_reactive(root, "reactive"), KIN_OK);
    add(root, "a");
    dock_entity_with_cargo(1);
    dock_context_destroy(dock);
    dock = NULL;
    kin_systems_execute(root, 1);
    kin_systems_deactivate_reactive(root);
    kin_systems_activate_reactive(root);
    kin_systems_clear_reactive(root);
    kin_systems_execute(root, 1);
    ck_assert_log("a a ");
}
END_TEST

static void remove_all_systems(const kin_change *change, void *user)
{
    (void)change;
    (void)user;
    ck_assert_int_eq(kin_systems_remove(root, "a"), KIN_OK);
    ck_assert_int_eq(kin_systems_remove(root, "b"), KIN_OK);
}

// The guard of these tests overwrites released blocks, so that a walk on a released node would fail.
START_TEST(sys_06_systems_are_removed_while_one_of_them_releases_entities)
{
    add_reactive(root, "a");
    add_reactive(root, "b");
    dock_entity entity = dock_entity_with_cargo(1);
    kin_entity_subscribe(&dock->base, entity.id, KIN_ENTITY_RELEASED, remove_all_systems, NULL);
    dock_destroy_entity(dock, entity);
    ck_assert_uint_eq(kin_context_retained_count(&dock->base), 1);
    if (_i == 0)
        kin_systems_clear_reactive(root);
    else
        kin_systems_deactivate_reactive(root);
    ck_assert_uint_eq(kin_context_retained_count(&dock->base), 0);
    ck_assert_int_eq(kin_systems_set_enabled(root, "a", true), KIN_ERROR_INVALID);
    log_begin();
}
END_TEST

static void clear_all(const kin_change *change, void *user)
{
    (void)user;
    ck_assert_uint_eq(kin_context_retained_count(change->context), 1);
    kin_systems_clear_reactive(root);
    ck_assert_uint_eq(kin_context_retained_count(change->context), 0);
}

START_TEST(sys_08_clearing_includes_a_system_that_is_releasing_while_removed_disabled_or_deactivated)
{
    add_reactive(root, "a");
    dock_entity first = dock_entity_with_cargo(1), second = dock_entity_with_cargo(2);
    kin_entity_subscribe(&dock->base, first.id, KIN_ENTITY_RELEASED, clear_all, NULL);
    dock_destroy_entity(dock, first);
    dock_destroy_entity(dock, second);
    if (_i == 0)
        kin_systems_remove(root, "a");
    else if (_i == 1)
        kin_systems_set_enabled(root, "a", false);
    else
        kin_systems_deactivate_reactive(root);
    ck_assert_uint_eq(kin_context_retained_count(&dock->base), 0);
}
END_TEST

Suite *runtime_systems_enabled_suite(void)
{
    Suite *suite = suite_create("runtime_systems_enabled");
    TCase *tests = tcase_create("systems_enabled");
    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_loop_test(tests, sys_07_a_disabled_system_is_skipped_in_all_phases, 0, 2);
    tcase_add_test(tests, sys_07_a_collection_that_is_disabled_while_it_runs_does_not_go_on);
    tcase_add_loop_test(tests, sys_08_a_disabled_reactive_system_does_not_collect_and_loses_what_it_had, 0, 3);
    tcase_add_test(tests, sys_08_it_collects_when_it_and_all_around_are_enabled);
    tcase_add_test(tests, sys_08_a_system_added_with_its_collection_collects_if_the_collection_is_enabled);
    tcase_add_test(tests, sys_08_deactivating_activating_and_clearing_go_through_all_nested_collections);
    tcase_add_test(tests, sys_08_enabling_does_not_activate_nor_activating_enable);
    tcase_add_loop_test(
        tests, sys_08_clearing_includes_a_system_that_is_releasing_while_removed_disabled_or_deactivated, 0, 3);
    tcase_add_loop_test(tests, sys_06_removing_deactivates, 0, 2);
    tcase_add_loop_test(tests, sys_06_systems_are_removed_while_one_of_them_releases_entities, 0, 2);
    tcase_add_test(tests, sys_09_destroying_systems_releases_all_without_tear_down);
    tcase_add_test(tests, sys_10_systems_that_cannot_be_added_are_refused);
    tcase_add_test(tests, ctx_09_systems_that_watched_a_destroyed_context_stay_and_do_nothing);
    suite_add_tcase(suite, tests);
    return suite;
}
