// Subscriptions and collectors that begin and end while changes are notified.

#include "runtime/support/relay_case.h"
#include "suites.h"

static kin_collector *collector;

START_TEST(grp_08_a_listener_subscribed_twice_is_called_twice_and_unsubscribed_separately)
{
    kin_group *a = relay_all(RELAY_A);
    kin_subscription first = relay_watch(a, KIN_ADDED, "first"), second = relay_watch(a, KIN_ADDED, "second");
    relay_entity_with_a(1);
    ck_assert_log("first second ");
    kin_unsubscribe(first);
    kin_unsubscribe(first);
    relay_entity_with_a(1);
    ck_assert_log("second ");
    kin_unsubscribe(second);
    kin_unsubscribe((kin_subscription){0});
    relay_entity_with_a(1);
    ck_assert_log("");
}
END_TEST

START_TEST(grp_08_an_ended_subscription_does_not_end_one_made_later_in_its_place)
{
    kin_group *a = relay_all(RELAY_A);
    kin_subscription first = relay_watch(a, KIN_ADDED, "first");
    kin_unsubscribe(first);
    relay_watch(a, KIN_ADDED, "second");
    kin_unsubscribe(first);
    relay_entity_with_a(1);
    ck_assert_log("second ");
}
END_TEST

static kin_subscription ending;

static void end_it(const kin_change *change)
{
    (void)change;
    kin_unsubscribe(ending);
    kin_unsubscribe(ending);
}

START_TEST(dsp_08_a_subscription_that_has_ended_is_not_called_any_more)
{
    kin_group *a = relay_all(RELAY_A), *ab = relay_any(RELAY_A, RELAY_B);
    relay_watch_and(a, KIN_ADDED, "A+", end_it, 1);
    ending = relay_watch(ab, KIN_ADDED, "never");
    relay_watch(ab, KIN_ADDED, "AB+");
    relay_entity_with_a(1);
    ck_assert_log("A+ AB+ ");
}
END_TEST

START_TEST(dsp_08_a_listener_may_end_its_own_subscription)
{
    kin_group *a = relay_all(RELAY_A);
    ending = relay_watch_and(a, KIN_ADDED, "once", end_it, 1);
    relay_watch(a, KIN_ADDED, "always");
    relay_entity_with_a(1);
    relay_entity_with_a(2);
    ck_assert_log("once always always ");
}
END_TEST

static void begin_others(const kin_change *change)
{
    relay_watch(change->group, KIN_ADDED_OR_REMOVED, "same");
    relay_watch(relay_any(RELAY_A, RELAY_B), KIN_ADDED, "AB+");
    relay_watch(relay_any(RELAY_A, RELAY_C), KIN_ADDED, "AC+");
}

START_TEST(dsp_08_a_subscription_made_in_a_listener_is_not_called_for_that_change)
{
    kin_group *a = relay_all(RELAY_A), *ab = relay_any(RELAY_A, RELAY_B);
    relay_watch_and(a, KIN_ADDED, "A+", begin_others, 1);
    relay_watch(ab, KIN_ADDED, "first");
    relay_entity_with_a(1);
    ck_assert_log("A+ first ");
    relay_entity_with_a(1);
    ck_assert_log("A+ same first AB+ AC+ ");
}
END_TEST

static void begin_and_change(const kin_change *change)
{
    relay_watch(change->group, KIN_ADDED, "new");
    relay_remove_a(relay, relay_changed_entity(change));
    relay_add_a(relay, relay_changed_entity(change), (A){2});
    log_write("back ");
}

START_TEST(dsp_08_it_is_called_for_inner_changes_that_come_after_it)
{
    kin_group *a = relay_all(RELAY_A);
    relay_watch_and(a, KIN_ADDED, "A+", begin_and_change, 1);
    relay_watch(a, KIN_ADDED, "next");
    relay_entity_with_a(1);
    ck_assert_log("A+ A+ next new back next ");
}
END_TEST

static void end_and_begin_again(const kin_change *change)
{
    kin_unsubscribe(ending);
    ending = relay_watch(change->group, KIN_ADDED, "again");
}

START_TEST(dsp_08_a_subscription_that_is_ended_and_made_again_waits_for_the_next_change)
{
    kin_group *a = relay_all(RELAY_A);
    relay_watch_and(a, KIN_ADDED, "A+", end_and_begin_again, 1);
    ending = relay_watch(a, KIN_ADDED, "never");
    relay_entity_with_a(1);
    ck_assert_log("A+ ");
    relay_entity_with_a(1);
    ck_assert_log("A+ again ");
}
END_TEST

static void pause_collector(const kin_change *change)
{
    (void)change;
    kin_collector_deactivate(collector);
}

static void restart_collector(const kin_change *change)
{
    (void)change;
    kin_collector_deactivate(collector);
    kin_collector_activate(collector);
}

START_TEST(dsp_08_a_collector_that_was_deactivated_or_activated_meanwhile_does_not_collect)
{
    relay_act *const acts[] = {pause_collector, restart_collector};
    kin_group *a = relay_all(RELAY_A);
    relay_watch_and(a, KIN_ADDED, "A+", acts[_i], 1);
    collector = kin_collector_create(&(kin_trigger){a, KIN_ADDED}, 1);
    relay_watch(a, KIN_ADDED, "next");
    relay_entity_with_a(1);
    ck_assert_log("A+ next ");
    ck_assert_uint_eq(kin_collector_count(collector), 0);
    relay_entity_with_a(1);
    ck_assert_uint_eq(kin_collector_count(collector), (uint32_t)_i);
    kin_collector_destroy(collector);
}
END_TEST

static void destroy_collector(const kin_change *change)
{
    (void)change;
    kin_collector_destroy(collector);
}

START_TEST(dsp_08_a_collector_may_be_destroyed_in_a_listener)
{
    kin_group *a = relay_all(RELAY_A);
    relay_watch_and(a, KIN_ADDED, "A+", destroy_collector, 1);
    collector = kin_collector_create(&(kin_trigger){a, KIN_ADDED}, 1);
    relay_watch(a, KIN_ADDED, "next");
    relay_entity_with_a(1);
    relay_entity_with_a(1);
    ck_assert_log("A+ next A+ next ");
}
END_TEST

// No group watches A: there are no masks, and a walk must not read any.
START_TEST(a_change_that_no_group_watches_still_notifies_listeners_of_the_entity)
{
    relay_entity entity = relay_create_entity(relay);
    relay_watch_entity(entity, KIN_COMPONENT_ADDED, "added", NULL);
    relay_watch_entity(entity, KIN_COMPONENT_REPLACED, "replaced", NULL);
    relay_watch_entity(entity, KIN_COMPONENT_REMOVED, "removed", NULL);
    ck_assert_int_eq(relay_add_a(relay, entity, (A){1}), KIN_OK);
    ck_assert_int_eq(relay_replace_a(relay, entity, (A){2}), KIN_OK);
    ck_assert_int_eq(relay_remove_a(relay, entity), KIN_OK);
    ck_assert_log("added replaced removed ");
}
END_TEST

Suite *runtime_dispatch_subscription_suite(void)
{
    Suite *suite = suite_create("runtime_dispatch_subscription");
    TCase *tests = tcase_create("dispatch_subscription");
    tcase_add_checked_fixture(tests, relay_begin, relay_end);
    tcase_add_test(tests, grp_08_a_listener_subscribed_twice_is_called_twice_and_unsubscribed_separately);
    tcase_add_test(tests, grp_08_an_ended_subscription_does_not_end_one_made_later_in_its_place);
    tcase_add_test(tests, dsp_08_a_subscription_that_has_ended_is_not_called_any_more);
    tcase_add_test(tests, dsp_08_a_listener_may_end_its_own_subscription);
    tcase_add_test(tests, dsp_08_a_subscription_made_in_a_listener_is_not_called_for_that_change);
    tcase_add_test(tests, dsp_08_it_is_called_for_inner_changes_that_come_after_it);
    tcase_add_test(tests, dsp_08_a_subscription_that_is_ended_and_made_again_waits_for_the_next_change);
    tcase_add_loop_test(tests, dsp_08_a_collector_that_was_deactivated_or_activated_meanwhile_does_not_collect, 0, 2);
    tcase_add_test(tests, dsp_08_a_collector_may_be_destroyed_in_a_listener);
    tcase_add_test(tests, a_change_that_no_group_watches_still_notifies_listeners_of_the_entity);
    suite_add_tcase(suite, tests);
    return suite;
}
