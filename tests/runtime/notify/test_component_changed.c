// KIN_COMPONENT_CHANGED: one call for each change of any entity (CTX-12), and back to the fast paths without it.

#include "entity/entity.h"
#include "runtime/support/relay_case.h"
#include "suites.h"

static relay_entity one, other;

// ---- a listener that writes what it is shown: entity, event, component, previous and value

static void write_value(const void *value)
{
    if (value == NULL)
        log_write("-");
    else
        log_write("%d", (int)((const A *)value)->value);
}

static void report(const kin_change *change, void *user)
{
    static const char signs[] = {
        [KIN_COMPONENT_ADDED] = '+', [KIN_COMPONENT_REMOVED] = '-', [KIN_COMPONENT_REPLACED] = '~'};
    (void)user;
    ck_assert_ptr_null(change->group);
    ck_assert_ptr_eq(change->context, &relay->base);
    ck_assert_uint_lt(change->component, RELAY_COMPONENT_COUNT);
    ck_assert_uint_le(change->event, KIN_COMPONENT_REPLACED);
    ck_assert(kin__context_is_valid(change->context));
    log_write("%u%c%s:", (unsigned)kin_entity_creation_index(change->entity), signs[change->event],
              change->context->info->components[change->component].name);
    write_value(change->previous);
    log_write(",");
    write_value(change->value);
    log_write(" ");
}

static kin_subscription subscribe(void)
{
    return kin_context_subscribe(&relay->base, KIN_COMPONENT_CHANGED, report, NULL);
}

static void begin(void)
{
    relay_begin();
    one = relay_entity_with_a(1);
    other = relay_entity_with_a(2);
}

static bool is_watched(void)
{
    uint32_t watchers = 0;
    for (uint32_t i = 0; i <= RELAY_COMPONENT_COUNT; i++)
        watchers |= relay->base.components[i].watchers | (relay->base.components[i].replace_path != 0);
    for (uint32_t i = 0; i < relay->base.info->blueprint_count; i++)
        watchers |= relay->base.blueprints[i].watchers;
    return watchers != 0;
}

// ---- what is notified

START_TEST(ctx_12_each_change_of_each_entity_is_one_call)
{
    subscribe();
    relay_add_b(relay, one, (B){3});
    relay_replace_b(relay, one, (B){4});
    relay_replace_a(relay, other, (A){5});
    relay_touch_a(relay, other);
    relay_remove_b(relay, one);
    relay_replace_c(relay, one, (C){6});
    ck_assert_log("1+B:-,3 1~B:3,4 2~A:2,5 2~A:5,5 1-B:4,- 1+C:-,6 ");
    relay_readd_a(relay, one, (A){7});
    ck_assert_log("1-A:1,- 1+A:-,7 ");
}
END_TEST

START_TEST(ctx_12_the_event_tells_the_changes_of_a_flag_apart)
{
    subscribe();
    relay_set_f(relay, one, true);
    relay_set_f(relay, one, true);
    relay_set_f(relay, one, false);
    ck_assert_log("1+F:-,- 1-F:-,- ");
}
END_TEST

START_TEST(ctx_12_what_changes_no_component_calls_nothing)
{
    subscribe();
    relay_entity empty = relay_create_entity(relay);
    relay_edit_a(relay, one)->value = 9;
    relay_remove_all_components(relay, empty);
    relay_destroy_entity(relay, empty);
    ck_assert_log("");
    ck_assert_int_eq(relay_remove_b(relay, one), KIN_ERROR_NO_COMPONENT);
    ck_assert_log("!NO_COMPONENT ");
}
END_TEST

START_TEST(ctx_12_spawns_and_clones_call_for_each_component)
{
    subscribe();
    relay_spawn_trio(relay);
    ck_assert_log("3+A:-,1 3+C:-,3 3+F:-,- ");
    relay_entity made[2];
    ck_assert_int_eq(relay_spawn_many_single(relay, 2, made), KIN_OK);
    ck_assert_log("4+C:-,0 5+C:-,0 ");
    relay_clone_entity(relay, one);
    ck_assert_log("6+A:-,1 ");
    relay_apply_trio(relay, other);
    ck_assert_log("2~A:2,1 2+C:-,3 2+F:-,- ");
}
END_TEST

START_TEST(ctx_12_destroying_and_resetting_call_for_each_component)
{
    relay_set_f(relay, one, true);
    subscribe();
    relay_destroy_entity(relay, one);
    ck_assert_log("1-A:1,- 1-F:-,- ");
    relay_entity_with_a(3);
    kin_group_destroy_entities(relay_all(RELAY_A));
    ck_assert_log("3+A:-,3 3-A:3,- 2-A:2,- ");
    relay_entity_with_a(4);
    ck_assert_int_eq(relay_context_reset(relay), KIN_OK);
    relay_entity_with_a(5);
    ck_assert_log("4+A:-,4 4-A:4,- 1+A:-,5 ");
}
END_TEST

// ---- order

START_TEST(ctx_12_it_is_the_last_call_of_a_change)
{
    subscribe();
    relay_watch_entity(one, KIN_COMPONENT_ADDED, "own+", NULL);
    relay_watch_entity(one, KIN_COMPONENT_REPLACED, "own~", NULL);
    relay_watch_entity(one, KIN_COMPONENT_REMOVED, "own-", NULL);
    relay_watch(relay_all(RELAY_B), KIN_ADDED_OR_REMOVED, "B");
    relay_add_b(relay, one, (B){1});
    ck_assert_log("B own+ 1+B:-,1 ");
    relay_replace_b(relay, one, (B){2});
    ck_assert_log("B B own~ 1~B:1,2 ");
    relay_destroy_entity(relay, one);
    ck_assert_log("own- 1-A:1,- B own- 1-B:2,- ");
}
END_TEST

START_TEST(dsp_07_a_change_of_an_entity_that_has_died_since_is_not_reported)
{
    subscribe();
    relay_watch_entity(one, KIN_COMPONENT_ADDED, "own", destroy_it);
    relay_add_b(relay, one, (B){1});
    ck_assert_log("own 1-A:1,- 1-B:1,- ");
}
END_TEST

static void change_b(const kin_change *change)
{
    relay_replace_b(relay, relay_changed_entity(change), (B){8});
}

START_TEST(dsp_06_a_nested_change_is_reported_before_the_outer_one)
{
    subscribe();
    relay_watch_and(relay_all(RELAY_B), KIN_ADDED, "B", change_b, 1);
    relay_add_b(relay, one, (B){1});
    ck_assert_log("B B 1~B:1,8 1+B:-,1 ");
}
END_TEST

static void subscribe_more(const kin_change *change)
{
    (void)change;
    subscribe();
}

START_TEST(dsp_08_a_listener_that_began_after_the_change_is_not_called_for_it)
{
    relay_watch_and(relay_all(RELAY_B), KIN_ADDED, "B", subscribe_more, 1);
    relay_add_b(relay, one, (B){1});
    ck_assert_log("B ");
    relay_remove_b(relay, one);
    ck_assert_log("1-B:1,- ");
}
END_TEST

static kin_subscription own;

static void end_own(const kin_change *change, void *user)
{
    report(change, user);
    kin_unsubscribe(own);
    relay_replace_a(relay, relay_entity_of(change->entity), (A){6});
}

START_TEST(dsp_08_a_listener_may_end_itself_and_change_more)
{
    own = kin_context_subscribe(&relay->base, KIN_COMPONENT_CHANGED, end_own, NULL);
    relay_replace_a(relay, one, (A){5});
    ck_assert_log("1~A:1,5 ");
    ck_assert(!is_watched());
}
END_TEST

// ---- subscribing

START_TEST(ctx_12_without_listeners_left_changes_take_the_fast_paths_again)
{
    ck_assert(!is_watched());
    kin_subscription first = subscribe(), second = subscribe();
    ck_assert_uint_eq(relay->base.blueprints[0].watchers, 1);
    ck_assert_uint_eq(relay->base.components[RELAY_A].watchers, 1);
    ck_assert(kin__context_is_valid(&relay->base));
    kin_unsubscribe(first);
    relay_replace_a(relay, one, (A){3});
    ck_assert_log("1~A:1,3 ");
    kin_unsubscribe(second);
    kin_unsubscribe(second);
    ck_assert(!is_watched());
    ck_assert(kin__context_is_valid(&relay->base));
    relay_replace_a(relay, one, (A){4});
    relay_spawn_trio(relay);
    ck_assert_log("");
}
END_TEST

START_TEST(ctx_12_listeners_of_one_entity_and_of_all_end_separately)
{
    kin_subscription all = subscribe();
    kin_subscription of_one = relay_watch_entity(one, KIN_COMPONENT_REPLACED, "own", NULL);
    kin_unsubscribe(all);
    relay_replace_a(relay, one, (A){3});
    ck_assert_log("own ");
    ck_assert_uint_eq(relay->base.blueprints[0].watchers, 0);
    all = subscribe();
    kin_unsubscribe(of_one);
    relay_replace_a(relay, one, (A){4});
    ck_assert_log("1~A:3,4 ");
    kin_unsubscribe(all);
    ck_assert(!is_watched());
}
END_TEST

// At a group that one listener waits for, replaces are direct calls; here the library must call the second listener.
START_TEST(ctx_12_a_direct_replace_calls_the_context_too)
{
    relay_watch(relay_all(RELAY_A), KIN_MODIFIED, "A~=");
    relay_replace_a(relay, one, (A){3});
    kin_subscription all = subscribe();
    relay_replace_a(relay, one, (A){4});
    kin_unsubscribe(all);
    relay_replace_a(relay, one, (A){5});
    ck_assert_log("A~=1,3 A~=3,4 1~A:3,4 A~=4,5 ");
}
END_TEST

START_TEST(grp_08_without_memory_or_a_listener_nothing_is_subscribed)
{
    kin_subscription none = kin_context_subscribe(&relay->base, KIN_COMPONENT_CHANGED, NULL, NULL);
    ck_assert_ptr_null(none.subscriber);
    uint32_t failures = 0;
    for (bool failed = true; failed; failures++) {
        guard_fail(&relay_memory, failures + 1, true);
        failed = subscribe().subscriber == NULL;
        guard_fail(&relay_memory, 0, false);
        ck_assert(is_watched() == !failed);
        ck_assert(kin__context_is_valid(&relay->base));
    }
    ck_assert_uint_ge(failures, 3);
    ck_assert_log("!INVALID !NO_MEMORY !NO_MEMORY ");
}
END_TEST

START_TEST(dsp_12_reporting_removals_needs_no_memory)
{
    subscribe();
    relay_set_f(relay, other, true);
    log_begin();
    guard_fail(&relay_memory, 1, true);
    relay_remove_a(relay, one);
    relay_destroy_entity(relay, one);
    relay_destroy_entity(relay, other);
    ck_assert(!guard_has_failed(&relay_memory));
    ck_assert_log("1-A:1,- 2-A:2,- 2-F:-,- ");
}
END_TEST

static void check_no_event(const kin_change *change)
{
    ck_assert_uint_eq(change->event, 0);
}

START_TEST(ctx_12_in_calls_of_groups_and_entities_event_is_0)
{
    subscribe();
    relay_watch_and(relay_all(RELAY_A), KIN_REMOVED, "A", check_no_event, 9);
    relay_watch_and(relay_all(RELAY_F), KIN_REMOVED, "F", check_no_event, 9);
    relay_watch_entity(one, KIN_COMPONENT_REMOVED, "own", check_no_event);
    relay_watch_context(KIN_ENTITY_WAS_DESTROYED, "was", check_no_event);
    relay_set_f(relay, one, true);
    relay_destroy_entity(relay, one);
    ck_assert_log("1+F:-,- A own 1-A:1,- F own 1-F:-,- was ");
}
END_TEST

Suite *runtime_component_changed_suite(void)
{
    Suite *suite = suite_create("runtime_component_changed");
    TCase *calls = tcase_create("calls");
    tcase_add_checked_fixture(calls, begin, relay_end);
    tcase_add_test(calls, ctx_12_each_change_of_each_entity_is_one_call);
    tcase_add_test(calls, ctx_12_the_event_tells_the_changes_of_a_flag_apart);
    tcase_add_test(calls, ctx_12_what_changes_no_component_calls_nothing);
    tcase_add_test(calls, ctx_12_spawns_and_clones_call_for_each_component);
    tcase_add_test(calls, ctx_12_destroying_and_resetting_call_for_each_component);
    tcase_add_test(calls, ctx_12_it_is_the_last_call_of_a_change);
    tcase_add_test(calls, dsp_07_a_change_of_an_entity_that_has_died_since_is_not_reported);
    tcase_add_test(calls, dsp_06_a_nested_change_is_reported_before_the_outer_one);
    tcase_add_test(calls, dsp_08_a_listener_that_began_after_the_change_is_not_called_for_it);
    tcase_add_test(calls, dsp_08_a_listener_may_end_itself_and_change_more);
    tcase_add_test(calls, ctx_12_in_calls_of_groups_and_entities_event_is_0);
    suite_add_tcase(suite, calls);

    TCase *subscriptions = tcase_create("subscriptions");
    tcase_add_checked_fixture(subscriptions, begin, relay_end);
    tcase_add_test(subscriptions, ctx_12_without_listeners_left_changes_take_the_fast_paths_again);
    tcase_add_test(subscriptions, ctx_12_listeners_of_one_entity_and_of_all_end_separately);
    tcase_add_test(subscriptions, ctx_12_a_direct_replace_calls_the_context_too);
    tcase_add_test(subscriptions, grp_08_without_memory_or_a_listener_nothing_is_subscribed);
    tcase_add_test(subscriptions, dsp_12_reporting_removals_needs_no_memory);
    suite_add_tcase(suite, subscriptions);
    return suite;
}
