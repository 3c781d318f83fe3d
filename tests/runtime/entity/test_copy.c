// Copying components from one entity to another (CPY-11).
#include "entity/entity.h"
#include "runtime/support/case.h"
#include "runtime/support/drops.h"
#include "runtime/support/relay_case.h"
#include "suites.h"

#include <closet/closet.h>
#include <string.h>

CASE(closet)

static closet_entity full, empty;

// ---- in package relay: order, calls and refusals

static relay_entity from, to;

static void begin_relay(void)
{
    relay_begin();
    from = relay_entity_with_a(1);
    relay_add_c(relay, from, (C){3});
    relay_set_f(relay, from, true);
    to = relay_create_entity(relay);
}

START_TEST(cpy_11_named_components_are_added_in_order_of_id)
{
    RELAY_WATCH(relay_all(RELAY_F), "F");
    RELAY_WATCH(relay_all(RELAY_C), "C");
    RELAY_WATCH(relay_all(RELAY_A), "A");
    kin_rule rule = RELAY_ALL(RELAY_F, RELAY_B, RELAY_C, RELAY_F);
    ck_assert_int_eq(relay_copy_components(relay, from, to, rule, false), KIN_OK);
    ck_assert_log("C+ F+ ");
    ck_assert(!relay_has_a(relay, to) && !relay_has_b(relay, to) && relay_is_f(relay, to));
    ck_assert_int_eq(relay_get_c(relay, to)->value, 3);
    ck_assert_int_eq(relay_copy_components(relay, from, to, RELAY_ALL(RELAY_B), false), KIN_OK);
    ck_assert_log("");
}
END_TEST

START_TEST(cpy_11_with_replace_components_are_replaced_and_set_flags_stay)
{
    relay_add_c(relay, to, (C){9});
    relay_set_f(relay, to, true);
    relay_watch(relay_all(RELAY_A), KIN_ADDED, "A+=");
    relay_watch(relay_all(RELAY_C), KIN_MODIFIED, "C~=");
    RELAY_WATCH(relay_all(RELAY_F), "F");
    ck_assert_int_eq(relay_copy_components(relay, from, to, KIN_EVERY_COMPONENT, true), KIN_OK);
    ck_assert_log("A+=-,1 C~=9,3 ");
}
END_TEST

START_TEST(cpy_11_without_replace_a_component_that_the_target_has_refuses_all)
{
    relay_add_c(relay, to, (C){9});
    ck_assert_int_eq(relay_copy_components(relay, from, to, KIN_EVERY_COMPONENT, false), KIN_ERROR_HAS_COMPONENT);
    ck_assert(!relay_has_a(relay, to) && relay_get_c(relay, to)->value == 9);
    relay_remove_c(relay, to);
    relay_set_f(relay, to, true);
    ck_assert_int_eq(relay_copy_components(relay, from, to, KIN_EVERY_COMPONENT, false), KIN_ERROR_HAS_COMPONENT);
    ck_assert(!relay_has_a(relay, to));
    ck_assert_int_eq(relay_copy_components(relay, from, to, RELAY_ALL(RELAY_A), false), KIN_OK);
    ck_assert_log("!HAS_COMPONENT !HAS_COMPONENT ");
}
END_TEST

START_TEST(cpy_11_dead_entities_and_invalid_rules_are_refused)
{
    relay_entity dead = relay_create_entity(relay);
    relay_destroy_entity(relay, dead);
    ck_assert_int_eq(relay_copy_components(relay, dead, to, KIN_EVERY_COMPONENT, true), KIN_ERROR_NOT_ALIVE);
    ck_assert_int_eq(relay_copy_components(relay, from, dead, KIN_EVERY_COMPONENT, true), KIN_ERROR_NOT_ALIVE);
    ck_assert_int_eq(relay_copy_components(relay, RELAY_NO_ENTITY, to, KIN_ALL(RELAY_A), true), KIN_ERROR_NOT_ALIVE);
    ck_assert_int_eq(relay_copy_components(relay, from, to, (kin_rule){.kind = KIN_RULE_ALL}, true), KIN_ERROR_INVALID);
    ck_assert_int_eq(relay_copy_components(relay, from, to, KIN_ALL(RELAY_COMPONENT_COUNT), true), KIN_ERROR_INVALID);
    ck_assert_log("!NOT_ALIVE !NOT_ALIVE !NOT_ALIVE !INVALID !INVALID ");
}
END_TEST

START_TEST(cpy_11_an_entity_may_be_copied_to_itself)
{
    relay_watch(relay_all(RELAY_A), KIN_MODIFIED, "A~=");
    ck_assert_int_eq(relay_copy_components(relay, from, from, KIN_EVERY_COMPONENT, true), KIN_OK);
    ck_assert_log("A~=1,1 ");
}
END_TEST

static void change_both(const kin_change *change)
{
    (void)change;
    relay_replace_c(relay, from, (C){8});
    relay_replace_c(relay, to, (C){9});
    relay_set_f(relay, from, false);
    relay_set_f(relay, to, true);
}

START_TEST(cpy_11_the_values_are_those_of_the_beginning)
{
    relay_watch_and(relay_all(RELAY_A), KIN_ADDED, "A+", change_both, 1);
    relay_watch(relay_all(RELAY_C), KIN_MODIFIED, "C~=");
    ck_assert_int_eq(relay_copy_components(relay, from, to, KIN_EVERY_COMPONENT, true), KIN_OK);
    ck_assert_log("A+ C~=3,8 C~=9,3 ");
    ck_assert_int_eq(relay_get_c(relay, to)->value, 3);
}
END_TEST

static void add_c(const kin_change *change)
{
    (void)change;
    relay_add_c(relay, to, (C){9});
}

static void remove_c(const kin_change *change)
{
    (void)change;
    relay_remove_c(relay, to);
}

static void destroy_target(const kin_change *change)
{
    (void)change;
    relay_destroy_entity(relay, to);
}

START_TEST(cpy_11_a_component_that_a_listener_makes_impossible_ends_the_copy)
{
    relay_watch_and(relay_all(RELAY_A), KIN_ADDED, "A+", add_c, 1);
    ck_assert_int_eq(relay_copy_components(relay, from, to, KIN_EVERY_COMPONENT, false), KIN_ERROR_HAS_COMPONENT);
    ck_assert(relay_has_a(relay, to) && relay_get_c(relay, to)->value == 9 && !relay_is_f(relay, to));
    ck_assert_log("A+ !HAS_COMPONENT ");
}
END_TEST

START_TEST(cpy_11_a_component_that_a_listener_removes_is_added)
{
    relay_add_c(relay, to, (C){9});
    relay_watch_and(relay_all(RELAY_A), KIN_ADDED, "A+", remove_c, 1);
    ck_assert_int_eq(relay_copy_components(relay, from, to, KIN_EVERY_COMPONENT, true), KIN_OK);
    ck_assert_int_eq(relay_get_c(relay, to)->value, 3);
    ck_assert_log("A+ ");
}
END_TEST

START_TEST(cpy_11_a_target_that_a_listener_destroys_ends_the_copy)
{
    relay_watch_and(relay_all(RELAY_A), KIN_ADDED, "A+", destroy_target, 1);
    ck_assert_int_eq(relay_copy_components(relay, from, to, KIN_EVERY_COMPONENT, true), KIN_ERROR_NOT_ALIVE);
    ck_assert_log("A+ !NOT_ALIVE ");
}
END_TEST

static void copy_inside(const kin_change *change)
{
    relay_entity other = relay_create_entity(relay);
    kin_status status = relay_copy_components(relay, relay_changed_entity(change), other, KIN_EVERY_COMPONENT, false);
    ck_assert_int_eq(status, KIN_OK);
    ck_assert_int_eq(relay_get_a(relay, other)->value, 1);
}

START_TEST(cpy_11_a_listener_may_copy_too)
{
    relay_watch_and(relay_all(RELAY_A), KIN_ADDED, "A+", copy_inside, 1);
    ck_assert_int_eq(relay_copy_components(relay, from, to, KIN_EVERY_COMPONENT, false), KIN_OK);
    ck_assert_log("A+ A+ ");
}
END_TEST

// ---- in package closet: values of every kind

static void begin_closet(void)
{
    static const char name[] = "a name that is longer than anything";
    drops();
    closet_begin();
    full = closet_create_entity(closet);
    empty = closet_create_entity(closet);
    closet_add_cell(closet, full, (Cell){3, 4});
    closet_add_coat(closet, full, (Coat){.name = name, .size = 5});
    closet_add_coin(closet, full, (Coin){{6}});
    closet_add_crown(closet, full, (Crown){7});
    closet_add_number(closet, full, (Number){8});
    closet_add_label(closet, full, (Label){"label"});
    closet_add_trail(closet, full, (Trail){1.5f, 2});
    closet_add_trunk(closet, full, (Trunk){.name = name, .weights = {9}});
    closet_set_locked(closet, full, true);
}

static kin_status copy_all(bool replace)
{
    return closet_copy_components(closet, full, empty, KIN_EVERY_COMPONENT, replace);
}

static void check_copied(void)
{
    Trail trail = {0};
    const Coat *coat = closet_get_coat(closet, empty), *source = closet_get_coat(closet, full);
    ck_assert(closet_read_trail(closet, empty, &trail) && trail.x == 1.5f && trail.length == 2);
    ck_assert(closet_get_cell(closet, empty)->y == 4 && closet_is_locked(closet, empty));
    ck_assert(coat->size == 5 && coat->name != source->name && strcmp(coat->name, source->name) == 0);
    ck_assert_int_eq(closet_get_trunk(closet, empty)->weights[0], 9);
    ck_assert_str_eq(closet_get_trunk(closet, empty)->name, source->name);
}

START_TEST(cpy_11_values_are_copied_wherever_they_are_kept)
{
    ck_assert_int_eq(copy_all(false), KIN_OK);
    check_copied();
    ck_assert_int_eq(copy_all(true), KIN_OK);
    check_copied();
}
END_TEST

START_TEST(cpy_11_cpy_02_what_a_clone_leaves_out_is_left_out)
{
    kin_clone_omission left_out[8];
    uint32_t count = kin_clone_report(&closet->base, full.id, left_out, 8);
    ck_assert_int_eq(copy_all(false), KIN_OK);
    ck_assert_uint_eq(count, 4);
    for (uint32_t i = 0; i < count; i++)
        ck_assert(!kin_has(&closet->base, empty.id, left_out[i].component));
    kin_rule rule = CLOSET_ALL(CLOSET_COIN, CLOSET_CROWN, CLOSET_NUMBER, CLOSET_LABEL);
    ck_assert_int_eq(closet_copy_components(closet, full, empty, rule, false), KIN_OK);
    ck_assert(!closet_has_coin(closet, empty) && closet_has_unique_crown(closet));
    ck_assert_str_eq(drops(), "");
}
END_TEST

START_TEST(cpy_11_err_01_a_copy_without_memory_changes_nothing)
{
    bool replaces = _i == 1;
    if (replaces)
        closet_add_coat(closet, empty, (Coat){.name = "old"});
    kin_status status = KIN_ERROR_NO_MEMORY;
    for (uint64_t request = 1; status == KIN_ERROR_NO_MEMORY; request++) {
        ck_assert(!closet_has_cell(closet, empty) && !closet_has_trunk(closet, empty) &&
                  !closet_is_locked(closet, empty));
        ck_assert_int_eq(closet_has_coat(closet, empty), replaces);
        guard_fail(&memory, request, true);
        status = copy_all(replaces);
        guard_fail(&memory, 0, false);
        if (status != KIN_OK)
            ck_assert_reported(&errors, KIN_ERROR_NO_MEMORY);
    }
    ck_assert_int_eq(status, KIN_OK);
    check_copied();
}
END_TEST

// Frees the strings of the source, and takes the component that is replaced next from the target.
static void free_coats(const kin_change *change, void *user)
{
    (void)change, (void)user;
    closet_replace_coat(closet, full, (Coat){.name = "other"});
    closet_remove_coat(closet, empty);
}

START_TEST(cpy_11_cmp_12_strings_are_those_of_the_beginning_though_a_listener_has_freed_them)
{
    closet_add_coat(closet, empty, (Coat){.name = "old"});
    kin_group_subscribe(closet_cells_group(closet), KIN_ADDED, free_coats, NULL);
    ck_assert_int_eq(copy_all(true), KIN_OK);
    ck_assert_str_eq(closet_get_coat(closet, empty)->name, "a name that is longer than anything");
}
END_TEST

Suite *runtime_copy_suite(void)
{
    Suite *suite = suite_create("runtime_copy");
    TCase *order = tcase_create("order");
    tcase_add_checked_fixture(order, begin_relay, relay_end);
    tcase_add_test(order, cpy_11_named_components_are_added_in_order_of_id);
    tcase_add_test(order, cpy_11_with_replace_components_are_replaced_and_set_flags_stay);
    tcase_add_test(order, cpy_11_without_replace_a_component_that_the_target_has_refuses_all);
    tcase_add_test(order, cpy_11_dead_entities_and_invalid_rules_are_refused);
    tcase_add_test(order, cpy_11_an_entity_may_be_copied_to_itself);
    tcase_add_test(order, cpy_11_the_values_are_those_of_the_beginning);
    tcase_add_test(order, cpy_11_a_component_that_a_listener_makes_impossible_ends_the_copy);
    tcase_add_test(order, cpy_11_a_component_that_a_listener_removes_is_added);
    tcase_add_test(order, cpy_11_a_target_that_a_listener_destroys_ends_the_copy);
    tcase_add_test(order, cpy_11_a_listener_may_copy_too);
    suite_add_tcase(suite, order);
    TCase *values = tcase_create("values");
    tcase_add_checked_fixture(values, begin_closet, closet_end);
    tcase_add_test(values, cpy_11_values_are_copied_wherever_they_are_kept);
    tcase_add_test(values, cpy_11_cpy_02_what_a_clone_leaves_out_is_left_out);
    tcase_add_loop_test(values, cpy_11_err_01_a_copy_without_memory_changes_nothing, 0, 2);
    tcase_add_test(values, cpy_11_cmp_12_strings_are_those_of_the_beginning_though_a_listener_has_freed_them);
    suite_add_tcase(suite, values);
    return suite;
}
