// Cleanup, chapter 15 of the rules: what `cleanup` in a schema removes or destroys at the end of a frame.
#include "entity/entity.h"
#include "runtime/support/case.h"
#include "suites.h"

#include <solo/solo.h>

#include <stdio.h>
#include <string.h>

CASE(solo)

static kin_systems *systems;

static void begin(void)
{
    solo_begin();
    systems = solo_cleanup_systems(solo);
    ck_assert_ptr_nonnull(systems);
}

static void end(void)
{
    kin_systems_destroy(systems);
    solo_end();
}

static solo_entity create_clicked(int32_t x)
{
    solo_entity made = solo_create_entity(solo);
    solo_add_click(solo, made, (Click){x});
    return made;
}

START_TEST(cln_01_cleanup_systems_run_only_in_the_cleanup_phase_one_for_each_component)
{
    solo_entity clicked = create_clicked(1), gone = solo_create_entity(solo);
    solo_set_gone(solo, gone, true);
    kin_systems_initialize(systems);
    kin_systems_execute(systems, 1.0);
    kin_systems_tear_down(systems);
    ck_assert(solo_has_click(solo, clicked) && solo_entity_is_alive(solo, gone));
    ck_assert_int_eq(kin_systems_set_enabled(systems, "Gone", false), KIN_OK); // named after its component
    kin_systems_cleanup(systems);
    ck_assert(!solo_has_click(solo, clicked) && solo_entity_is_alive(solo, gone));
    ck_assert_refused(&errors, kin_systems_set_enabled(systems, "Score", false), KIN_ERROR_INVALID);
}
END_TEST

START_TEST(cln_02_cleanup_removes_the_component_from_all_entities_or_destroys_them)
{
    enum { COUNT = 1100 };
    solo_entity made[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        made[i] = create_clicked((int32_t)i);
        solo_set_gone(solo, made[i], i % 3 == 0);
    }
    kin_systems_cleanup(systems);
    ck_assert_uint_eq(kin_group_count(solo_clicked_group(solo)), 0);
    for (uint32_t i = 0; i < COUNT; i++)
        ck_assert_int_eq(solo_entity_is_alive(solo, made[i]), i % 3 != 0);
    ck_assert(kin__context_is_valid(&solo->base));
}
END_TEST

static solo_entity third;

// Called when the first of three entities is cleaned up: removes the component from the second, destroys the third,
// reuses its slot, and creates a fourth.
static void meddle(const kin_change *change, void *user)
{
    (void)user;
    solo_context *context = solo_context_of(change->context);
    if (kin_entity_slot(change->entity) != 0)
        return;
    solo_entity second = solo_entities(context, &(uint32_t){0})[1];
    solo_remove_click(context, second);
    solo_destroy_entity(context, third);
    create_clicked(30);
    create_clicked(40);
}

START_TEST(cln_03_cleanup_visits_the_entities_of_its_start_and_checks_each_again)
{
    create_clicked(1);
    create_clicked(2);
    third = create_clicked(3);
    kin_subscription subscription = kin_group_subscribe(solo_clicked_group(solo), KIN_REMOVED, meddle, NULL);
    kin_systems_cleanup(systems);
    uint32_t count = 0;
    const solo_entity *left = solo_clicked_entities(solo, &count);
    ck_assert_uint_eq(count, 2);
    ck_assert_uint_eq(kin_entity_slot(left[0].id), kin_entity_slot(third.id));
    ck_assert_int_eq(solo_get_click(solo, left[0])->x, 30);
    ck_assert_int_eq(solo_get_click(solo, left[1])->x, 40);
    kin_unsubscribe(subscription);
    kin_systems_cleanup(systems);
    ck_assert_uint_eq(kin_group_count(solo_clicked_group(solo)), 0);
}
END_TEST

static void reset(const kin_change *change, void *user)
{
    (void)user;
    solo_context_reset(solo_context_of(change->context));
    create_clicked(7);
}

START_TEST(a_reset_in_a_listener_ends_the_cleanup)
{
    create_clicked(1);
    create_clicked(2);
    kin_subscription subscription = kin_group_subscribe(solo_gone_group(solo), KIN_REMOVED, reset, NULL);
    solo_set_gone(solo, create_clicked(3), true);
    kin_systems_set_enabled(systems, "Click", false);
    kin_systems_cleanup(systems);
    ck_assert_uint_eq(solo_entity_count(solo), 1);
    ck_assert_uint_eq(kin_group_count(solo_clicked_group(solo)), 1);
    kin_unsubscribe(subscription);
}
END_TEST

START_TEST(ctx_09_systems_of_a_context_that_ended_stay_and_do_nothing)
{
    create_clicked(1);
    solo_context_destroy(solo);
    kin_systems_cleanup(systems);
    kin_systems_destroy(systems);
    guard_end(&memory);
    begin();
}
END_TEST

START_TEST(no_memory_for_the_systems_is_reported_once_and_leaves_nothing)
{
    char bytes[64];
    kin_systems *made = NULL;
    for (uint64_t fail = 0; made == NULL; fail++) {
        uint32_t blocks = memory.block_count;
        guard_fail(&memory, fail + 1, true);
        made = solo_cleanup_systems(solo);
        guard_fail(&memory, 0, false);
        if (made != NULL)
            break;
        snprintf(bytes, sizeof bytes, "no memory for %zu bytes; ", memory.refused);
        ck_assert_ptr_nonnull(strstr(errors.entries[0].message, bytes));
        ck_assert_reported(&errors, KIN_ERROR_NO_MEMORY);
        ck_assert_uint_eq(memory.block_count, blocks);
        ck_assert_uint_lt(fail, 100);
    }
    kin_systems_destroy(made);
}
END_TEST

Suite *runtime_cleanup_suite(void)
{
    Suite *suite = suite_create("runtime_cleanup");
    TCase *rules = tcase_create("rules");
    tcase_add_checked_fixture(rules, begin, end);
    tcase_add_test(rules, cln_01_cleanup_systems_run_only_in_the_cleanup_phase_one_for_each_component);
    tcase_add_test(rules, cln_02_cleanup_removes_the_component_from_all_entities_or_destroys_them);
    tcase_add_test(rules, cln_03_cleanup_visits_the_entities_of_its_start_and_checks_each_again);
    tcase_add_test(rules, a_reset_in_a_listener_ends_the_cleanup);
    tcase_add_test(rules, ctx_09_systems_of_a_context_that_ended_stay_and_do_nothing);
    tcase_add_test(rules, no_memory_for_the_systems_is_reported_once_and_leaves_nothing);
    suite_add_tcase(suite, rules);
    return suite;
}
