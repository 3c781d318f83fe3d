#include "runtime/support/relay_case.h"
#include "suites.h"

// ---- order

START_TEST(dsp_02_groups_notify_in_order_of_creation_and_each_in_order_of_subscription)
{
    kin_group *all = relay_all(RELAY_A), *any = relay_any(RELAY_A, RELAY_B), *none = relay_none(RELAY_A);
    relay_watch(none, KIN_REMOVED, "none-");
    relay_watch(any, KIN_ADDED, "any+1");
    relay_watch(all, KIN_ADDED, "all+1");
    relay_watch(any, KIN_ADDED, "any+2");
    relay_watch(all, KIN_ADDED, "all+2");
    relay_entity_with_a(1);
    ck_assert_log("all+1 all+2 any+1 any+2 none- ");
}
END_TEST

static kin_collector *collector;

static void write_collected(const kin_change *change)
{
    (void)change;
    log_write("%u ", kin_collector_count(collector));
}

START_TEST(dsp_02_a_collector_has_its_place_among_the_listeners)
{
    kin_group *all = relay_all(RELAY_A);
    relay_watch_and(all, KIN_ADDED, "before", write_collected, 1);
    collector = kin_collector_create(&(kin_trigger){all, KIN_ADDED}, 1);
    relay_watch_and(all, KIN_ADDED, "behind", write_collected, 1);
    relay_entity_with_a(1);
    ck_assert_log("before 0 behind 1 ");
    kin_collector_destroy(collector);
}
END_TEST

static void write_state(const kin_change *change)
{
    relay_entity entity = relay_changed_entity(change);
    const A *a = relay_get_a(relay, entity);
    log_write("%d%d%d:%d ", kin_group_contains(relay_all(RELAY_A), entity.id),
              kin_group_contains(relay_any(RELAY_A, RELAY_B), entity.id),
              kin_group_contains(relay_none(RELAY_A), entity.id), a == NULL ? -1 : (int)a->value);
}

START_TEST(dsp_03_every_listener_sees_the_state_after_the_change)
{
    relay_watch_and(relay_all(RELAY_A), KIN_ADDED, "+", write_state, 1);
    relay_watch_and(relay_all(RELAY_A), KIN_REMOVED, "-", write_state, 1);
    relay_watch_and(relay_any(RELAY_A, RELAY_B), KIN_ADDED, "any+", write_state, 1);
    relay_watch_and(relay_none(RELAY_A), KIN_ADDED, "none+", write_state, 2);
    relay_entity entity = relay_entity_with_a(7);
    ck_assert_log("none+ 001:-1 + 110:7 any+ 110:7 ");
    relay_remove_a(relay, entity);
    ck_assert_log("- 001:-1 none+ 001:-1 ");
}
END_TEST

START_TEST(dsp_04_a_replace_notifies_removed_added_and_modified_group_by_group)
{
    kin_group *all = relay_all(RELAY_A), *any = relay_any(RELAY_A, RELAY_B);
    relay_entity entity = relay_entity_with_a(1);
    relay_watch(any, KIN_MODIFIED, "any~=");
    relay_watch(any, KIN_REMOVED, "any-=");
    relay_watch(all, KIN_MODIFIED, "all~=");
    relay_watch(all, KIN_ADDED, "all+=");
    relay_watch(all, KIN_ADDED_OR_REMOVED, "all*=");
    relay_watch(all, KIN_REMOVED, "all-=");
    relay_replace_a(relay, entity, (A){2});
    ck_assert_log("all*=1,- all-=1,- all+=-,2 all*=-,2 all~=1,2 any-=1,- any~=1,2 ");
}
END_TEST

START_TEST(dsp_04_a_replace_is_reported_to_groups_that_contain_the_entity_and_name_the_component)
{
    relay_watch(relay_all(RELAY_B), KIN_MODIFIED, "B");
    relay_watch(relay_none(RELAY_C), KIN_MODIFIED, "noC");
    relay_watch(kin_context_group(&relay->base, KIN_MATCHER(KIN_ALL(RELAY_A), KIN_NONE(RELAY_B))), KIN_MODIFIED,
                "AnoB");
    relay_watch(kin_context_group(&relay->base, KIN_MATCHER(KIN_ONLY(RELAY_A, RELAY_B))), KIN_MODIFIED, "onlyAB");
    relay_watch(kin_context_group(&relay->base, KIN_MATCHER(KIN_ONLY(RELAY_A))), KIN_MODIFIED, "onlyA");
    relay_entity entity = relay_entity_with_a(1);
    relay_touch_a(relay, entity);
    ck_assert_log("AnoB onlyA ");
    relay_add_b(relay, entity, (B){1});
    relay_touch_a(relay, entity);
    ck_assert_log("onlyAB ");
}
END_TEST

START_TEST(dsp_04_a_touch_shows_the_current_value_twice)
{
    relay_entity entity = relay_entity_with_a(1);
    relay_watch(relay_all(RELAY_A), KIN_MODIFIED, "~=");
    relay_edit_a(relay, entity)->value = 5;
    ck_assert_log("");
    relay_touch_a(relay, entity);
    ck_assert_log("~=5,5 ");
}
END_TEST

// ---- changes inside listeners

static void remove_a(const kin_change *change)
{
    relay_remove_a(relay, relay_changed_entity(change));
}

START_TEST(dsp_06_a_change_made_in_a_listener_runs_to_its_end)
{
    kin_group *a = relay_all(RELAY_A), *ab = relay_any(RELAY_A, RELAY_B);
    kin_group *abc = kin_context_group(&relay->base, KIN_MATCHER(KIN_ANY(RELAY_A, RELAY_B, RELAY_C)));
    relay_watch_and(a, KIN_ADDED, "A+", remove_a, 1);
    relay_watch(a, KIN_REMOVED, "A-");
    RELAY_WATCH(ab, "AB");
    RELAY_WATCH(abc, "ABC");
    relay_entity_with_a(1);
    ck_assert_log("A+ A- AB- ABC- AB+ ABC+ ");
}
END_TEST

static void replace_a(const kin_change *change)
{
    relay_replace_a(relay, relay_changed_entity(change), (A){20});
}

START_TEST(dsp_06_the_rest_of_a_replace_follows_the_changes_made_inside_of_it)
{
    relay_entity entity = relay_entity_with_a(1);
    kin_group *a = relay_all(RELAY_A);
    relay_watch_and(a, KIN_REMOVED, "-=", replace_a, 1);
    relay_watch(a, KIN_ADDED, "+=");
    relay_watch(a, KIN_MODIFIED, "~=");
    relay_replace_a(relay, entity, (A){10});
    ck_assert_log("-=1,- -=10,- +=-,20 ~=10,20 +=-,10 ~=1,10 ");
}
END_TEST

static void destroy(const kin_change *change)
{
    relay_destroy_entity(relay, relay_changed_entity(change));
}

START_TEST(dsp_07_calls_that_wait_for_an_entity_that_has_died_are_skipped)
{
    kin_group *a = relay_all(RELAY_A), *ab = relay_any(RELAY_A, RELAY_B);
    relay_watch_and(a, KIN_ADDED, "A+", destroy, 1);
    relay_watch(a, KIN_ADDED, "never");
    relay_watch(a, KIN_REMOVED, "A-");
    collector = kin_collector_create(&(kin_trigger){ab, KIN_ADDED}, 1);
    RELAY_WATCH(ab, "AB");
    relay_entity_with_a(1);
    ck_assert_log("A+ A- AB- ");
    ck_assert_uint_eq(kin_collector_count(collector), 0);
    kin_collector_destroy(collector);
}
END_TEST

START_TEST(dsp_07_waiting_calls_of_a_replace_are_skipped_too)
{
    relay_entity entity = relay_entity_with_a(1);
    kin_group *a = relay_all(RELAY_A);
    relay_watch_and(a, KIN_REMOVED, "-=", destroy, 1);
    relay_watch(a, KIN_ADDED, "+=");
    relay_watch(a, KIN_MODIFIED, "~=");
    relay_replace_a(relay, entity, (A){10});
    ck_assert_log("-=1,- -=10,- ");
}
END_TEST

static void reset_and_make_it_again(const kin_change *change)
{
    relay_context_reset(relay);
    ck_assert_uint_eq(relay_create_entity(relay).id, change->entity);
}

START_TEST(dsp_07_calls_are_skipped_also_when_a_reset_gave_an_equal_handle_out)
{
    kin_group *a = relay_all(RELAY_A);
    relay_watch_and(a, KIN_ADDED, "A+", reset_and_make_it_again, 1);
    relay_watch(a, KIN_ADDED, "never");
    relay_watch(relay_any(RELAY_A, RELAY_B), KIN_ADDED, "never");
    relay_entity entity = relay_entity_with_a(1);
    ck_assert_log("A+ ");
    ck_assert(relay_entity_is_alive(relay, entity));
    ck_assert(!relay_has_a(relay, entity));
}
END_TEST

static void refused(const kin_change *change)
{
    ck_assert_int_eq(relay_add_a(relay, relay_changed_entity(change), (A){9}), KIN_ERROR_HAS_COMPONENT);
    ck_assert_int_eq(relay_remove_b(relay, relay_changed_entity(change)), KIN_ERROR_NO_COMPONENT);
}

START_TEST(dsp_11_a_refused_operation_in_a_listener_does_not_disturb_the_outer_change)
{
    kin_group *a = relay_all(RELAY_A);
    relay_watch_and(a, KIN_ADDED, "+=", refused, 1);
    relay_watch(a, KIN_ADDED, "next=");
    relay_entity entity = relay_entity_with_a(1);
    ck_assert_log("+=-,1 !HAS_COMPONENT !NO_COMPONENT next=-,1 ");
    ck_assert_int_eq(relay_get_a(relay, entity)->value, 1);
}
END_TEST

Suite *runtime_dispatch_suite(void)
{
    Suite *suite = suite_create("runtime_dispatch");
    TCase *tests = tcase_create("dispatch");
    tcase_add_checked_fixture(tests, relay_begin, relay_end);
    tcase_add_test(tests, dsp_02_groups_notify_in_order_of_creation_and_each_in_order_of_subscription);
    tcase_add_test(tests, dsp_02_a_collector_has_its_place_among_the_listeners);
    tcase_add_test(tests, dsp_03_every_listener_sees_the_state_after_the_change);
    tcase_add_test(tests, dsp_04_a_replace_notifies_removed_added_and_modified_group_by_group);
    tcase_add_test(tests, dsp_04_a_replace_is_reported_to_groups_that_contain_the_entity_and_name_the_component);
    tcase_add_test(tests, dsp_04_a_touch_shows_the_current_value_twice);
    tcase_add_test(tests, dsp_06_a_change_made_in_a_listener_runs_to_its_end);
    tcase_add_test(tests, dsp_06_the_rest_of_a_replace_follows_the_changes_made_inside_of_it);
    tcase_add_test(tests, dsp_07_calls_that_wait_for_an_entity_that_has_died_are_skipped);
    tcase_add_test(tests, dsp_07_waiting_calls_of_a_replace_are_skipped_too);
    tcase_add_test(tests, dsp_07_calls_are_skipped_also_when_a_reset_gave_an_equal_handle_out);
    tcase_add_test(tests, dsp_11_a_refused_operation_in_a_listener_does_not_disturb_the_outer_change);
    suite_add_tcase(suite, tests);
    return suite;
}
