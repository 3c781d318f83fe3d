// A replace with one subscriber takes a direct path, without visible differences; and subscriptions that change during
// a notification.

#include "entity/entity.h"
#include "runtime/support/relay_case.h"
#include "suites.h"

static kin_subscription kept;

static kin_group *all_without(kin_component_id id, kin_component_id without)
{
    return kin_context_group(&relay->base, KIN_MATCHER(KIN_ALL(id), KIN_NONE(without)));
}

static void replace(relay_entity entity, int32_t value)
{
    ck_assert_int_eq(relay_replace_a(relay, entity, (A){value}), KIN_OK);
    ck_assert(kin__context_is_valid(&relay->base));
}

START_TEST(dsp_04_the_only_subscriber_is_shown_what_its_event_shows)
{
    static const struct {
        kin_group_event event;
        const char *calls_expected;
    } rows[] = {{KIN_ADDED, "=-,2 "}, {KIN_REMOVED, "=1,- "}, {KIN_MODIFIED, "=1,2 "}};
    relay_entity entity = relay_entity_with_a(1);
    kin_subscription subscription = relay_watch(relay_all(RELAY_A), rows[_i].event, "=");
    replace(entity, 2);
    kin_unsubscribe(subscription);
    replace(entity, 3);
    ck_assert_log(rows[_i].calls_expected);
}
END_TEST

START_TEST(dsp_04_one_of_several_events_is_called_for_each)
{
    relay_entity entity = relay_entity_with_a(1);
    relay_watch(relay_all(RELAY_A), KIN_ADDED_OR_REMOVED, "=");
    replace(entity, 2);
    ck_assert_log("=1,- =-,2 ");
}
END_TEST

START_TEST(grp_06_the_only_group_reports_no_entity_that_it_does_not_contain)
{
    relay_entity entity = relay_entity_with_a(1);
    relay_watch(kin_context_group(&relay->base, KIN_MATCHER(KIN_ALL(RELAY_A), KIN_NONE(RELAY_F))), KIN_MODIFIED, "~");
    relay_set_f(relay, entity, true);
    replace(entity, 2);
    ck_assert_log("");
    relay_set_f(relay, entity, false);
    replace(entity, 3);
    ck_assert_log("~ ");
}
END_TEST

// A group with an `only` rule watches all components, also those that its members never have.
START_TEST(grp_06_the_only_group_is_not_notified_of_a_component_that_its_members_do_not_have)
{
    kin_group *only = kin_context_group(&relay->base, KIN_MATCHER(KIN_ONLY(RELAY_B)));
    relay_entity entity = relay_entity_with_a(1);
    kin_collector *collector = kin_collector_create(&(kin_trigger){only, KIN_ADDED_OR_REMOVED}, 1);
    relay_add_b(relay, entity, (B){1});
    replace(entity, 2);
    ck_assert_uint_eq(kin_collector_count(collector), 0);
    kin_collector_destroy(collector);
    relay_watch(only, KIN_MODIFIED, "~");
    replace(entity, 3);
    ck_assert_log("");
    relay_remove_a(relay, entity);
    relay_replace_b(relay, entity, (B){2});
    ck_assert_log("~ ");
}
END_TEST

static void subscribe_another(const kin_change *change)
{
    relay_watch(change->group, KIN_MODIFIED, "second");
}

START_TEST(dsp_08_a_second_subscriber_added_meanwhile_is_notified_of_the_next_replace)
{
    relay_entity entity = relay_entity_with_a(1);
    relay_watch_and(relay_all(RELAY_A), KIN_MODIFIED, "first", subscribe_another, 1);
    replace(entity, 2);
    ck_assert_log("first ");
    replace(entity, 3);
    ck_assert_log("first second ");
}
END_TEST

static void unsubscribe_kept(const kin_change *change)
{
    (void)change;
    kin_unsubscribe(kept);
}

START_TEST(dsp_08_the_only_subscriber_may_end_itself)
{
    relay_entity entity = relay_entity_with_a(1);
    kept = relay_watch_and(relay_all(RELAY_A), KIN_MODIFIED, "only", unsubscribe_kept, 1);
    replace(entity, 2);
    replace(entity, 3);
    ck_assert_log("only ");
}
END_TEST

START_TEST(one_of_two_that_is_left_is_the_only_one)
{
    relay_entity entity = relay_entity_with_a(1);
    kept = relay_watch_and(relay_all(RELAY_A), KIN_MODIFIED, "first", unsubscribe_kept, 1);
    relay_watch(relay_all(RELAY_A), KIN_MODIFIED, "second");
    replace(entity, 2);
    replace(entity, 3);
    ck_assert_log("first second second ");
}
END_TEST

static void replace_by_the_next(const kin_change *change)
{
    const A *value = change->value;
    relay_replace_a(relay, relay_changed_entity(change), (A){value->value + 1});
    const A *previous = change->previous;
    log_write("(%d,%d) ", (int)previous->value, (int)value->value);
}

START_TEST(dsp_09_nested_replaces_each_show_their_own_values)
{
    relay_entity entity = relay_entity_with_a(1);
    relay_watch_and(relay_all(RELAY_A), KIN_MODIFIED, "~", replace_by_the_next, 2);
    replace(entity, 2);
    ck_assert_log("~ ~ ~ (2,3) (1,2) ");
    ck_assert_int_eq(relay_get_a(relay, entity)->value, 4);
}
END_TEST

// Another subscriber replaces the only one during its call; its arguments stay the same.
static void give_the_place_to_another(const kin_change *change)
{
    kin_unsubscribe(kept);
    relay_watch(change->group, KIN_ADDED, "another=");
    ck_assert(kin__context_is_valid(&relay->base));
    const A *previous = change->previous, *value = change->value;
    log_write("(%d,%d) ", (int)previous->value, (int)value->value);
}

START_TEST(dsp_09_a_subscriber_that_becomes_the_only_one_meanwhile_leaves_the_shown_values_unchanged)
{
    relay_entity entity = relay_entity_with_a(1);
    kept = relay_watch_and(relay_all(RELAY_A), KIN_MODIFIED, "=", give_the_place_to_another, 1);
    replace(entity, 2);
    ck_assert_log("=1,2 (1,2) ");
    replace(entity, 3);
    ck_assert_log("another=-,3 ");
}
END_TEST

static void replace_the_other(const kin_change *change)
{
    relay_replace_b(relay, relay_changed_entity(change), (B){7});
    const A *previous = change->previous;
    log_write("(%d) ", (int)previous->value);
}

START_TEST(dsp_06_the_only_subscriber_of_another_component_is_notified_inside)
{
    relay_entity entity = relay_entity_with_a(1);
    relay_add_b(relay, entity, (B){6});
    relay_watch_and(relay_all(RELAY_A), KIN_MODIFIED, "a=", replace_the_other, 1);
    relay_watch(relay_all(RELAY_B), KIN_MODIFIED, "b=");
    replace(entity, 2);
    ck_assert_log("a=1,2 b=6,7 (1) ");
    ck_assert_int_eq(relay_replace_b(relay, entity, (B){8}), KIN_OK);
    ck_assert_log("b=7,8 ");
}
END_TEST

static kin_collector *collector;

static void collect_another(const kin_change *change)
{
    relay_replace_b(relay, relay_changed_entity(change), (B){7});
    ck_assert_uint_eq(kin_collector_count(collector), 1);
    ck_assert(kin__context_is_valid(&relay->base));
}

START_TEST(col_02_the_only_subscriber_may_be_a_collector_also_inside_a_listener)
{
    kin_group *group = all_without(RELAY_B, RELAY_F);
    relay_entity entity = relay_entity_with_a(1), other = relay_entity_with_a(1);
    relay_add_b(relay, entity, (B){6});
    relay_add_b(relay, other, (B){6});
    relay_set_f(relay, other, true);
    collector = kin_collector_create(&(kin_trigger){group, KIN_ADDED_OR_REMOVED}, 1);
    relay_watch_and(relay_all(RELAY_A), KIN_MODIFIED, "~", collect_another, 1);
    ck_assert_int_eq(relay_replace_b(relay, other, (B){7}), KIN_OK); // which the group does not contain
    ck_assert_uint_eq(kin_collector_count(collector), 0);
    replace(entity, 2);
    ck_assert_int_eq(relay_replace_b(relay, entity, (B){8}), KIN_OK);
    ck_assert_uint_eq(kin_collector_count(collector), 1);
    ck_assert_log("~ ");
    kin_collector_destroy(collector);
}
END_TEST

START_TEST(col_03_a_collector_with_several_triggers_of_a_group_is_its_only_subscriber)
{
    kin_group *group = relay_all(RELAY_A);
    relay_entity entity = relay_entity_with_a(1);
    collector = kin_collector_create((kin_trigger[]){{group, KIN_ADDED}, {group, KIN_MODIFIED}}, 2);
    ck_assert_uint_gt(relay->base.components[RELAY_A].replace_path, KIN__PATH_LIBRARY);
    replace(entity, 2);
    ck_assert_uint_eq(kin_collector_count(collector), 1);
    kin_collector *second = kin_collector_create(&(kin_trigger){group, KIN_MODIFIED}, 1);
    ck_assert_uint_eq(relay->base.components[RELAY_A].replace_path, KIN__PATH_LIBRARY);
    kin_collector_clear(collector);
    replace(entity, 3);
    ck_assert_uint_eq(kin_collector_count(collector), 1);
    ck_assert_uint_eq(kin_collector_count(second), 1);
    kin_collector_destroy(second);
    kin_collector_destroy(collector);
}
END_TEST

// The numbers of collected entities among 1,024 slots: a few are removed one by one, many by clearing every word.
static const uint32_t collected_counts[] = {1, 2, 4, 5, 64, 600};

START_TEST(col_03_cleared_entities_are_collected_again_few_or_many)
{
    relay_entity entities[600];
    for (uint32_t i = 0; i < 600; i++)
        entities[i] = relay_entity_with_a(1);
    collector = kin_collector_create(&(kin_trigger){relay_all(RELAY_A), KIN_MODIFIED}, 1);
    for (int32_t round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < 2 * collected_counts[_i]; i++)
            relay_replace_a(relay, entities[i * 7 % collected_counts[_i]], (A){round});
        ck_assert_uint_eq(kin_collector_count(collector), collected_counts[_i]);
        kin_collector_clear(collector);
        ck_assert_uint_eq(kin_collector_count(collector), 0);
    }
    kin_collector_destroy(collector);
}
END_TEST

START_TEST(cmp_05_with_an_only_subscriber_a_replace_of_a_missing_component_adds_or_is_refused)
{
    relay_entity entity = relay_create_entity(relay), dead = relay_create_entity(relay);
    relay_destroy_entity(relay, dead);
    relay_watch(relay_all(RELAY_A), KIN_MODIFIED, "~");
    replace(entity, 2);
    ck_assert_int_eq(relay_replace_a(relay, dead, (A){2}), KIN_ERROR_NOT_ALIVE);
    ck_assert_log("!NOT_ALIVE ");
    replace(entity, 3);
    ck_assert_log("~ ");
}
END_TEST

START_TEST(dsp_04_a_listener_of_the_entity_is_called_after_the_only_subscriber)
{
    relay_entity entity = relay_entity_with_a(1), other = relay_entity_with_a(1);
    relay_watch(relay_all(RELAY_A), KIN_MODIFIED, "group");
    kin_subscription own = relay_watch_entity(entity, KIN_COMPONENT_REPLACED, "own", NULL);
    replace(entity, 2);
    replace(other, 2);
    ck_assert_log("group own group ");
    kin_unsubscribe(own);
    replace(entity, 3);
    ck_assert_log("group ");
}
END_TEST

// ---- groups that begin and end to watch while a change is notified

static kin_group *groups[3];

static void watch_the_first(const kin_change *change)
{
    (void)change;
    relay_watch(groups[0], KIN_ADDED, "first");
    ck_assert(kin__context_is_valid(&relay->base));
}

START_TEST(dsp_08_an_older_group_that_begins_to_watch_does_not_make_others_notify_twice)
{
    groups[0] = relay_all(RELAY_A);
    groups[1] = all_without(RELAY_A, RELAY_F);
    groups[2] = all_without(RELAY_A, RELAY_G);
    relay_watch_and(groups[1], KIN_ADDED, "second", watch_the_first, 1);
    relay_watch(groups[2], KIN_ADDED, "third");
    relay_entity_with_a(1);
    ck_assert_log("second third ");
    relay_entity_with_a(1);
    ck_assert_log("first second third ");
}
END_TEST

START_TEST(dsp_08_a_group_that_ceases_to_watch_does_not_have_others_left_out)
{
    groups[0] = relay_all(RELAY_A);
    groups[1] = all_without(RELAY_A, RELAY_F);
    groups[2] = all_without(RELAY_A, RELAY_G);
    kept = relay_watch_and(groups[0], KIN_ADDED, "first", unsubscribe_kept, 1);
    relay_watch(groups[1], KIN_ADDED, "second");
    relay_watch(groups[2], KIN_ADDED, "third");
    relay_entity_with_a(1);
    relay_entity_with_a(1);
    ck_assert_log("first second third second third ");
}
END_TEST

static void take_b_and_watch(const kin_change *change)
{
    relay_remove_b(relay, relay_changed_entity(change));
    watch_the_first(change);
}

// The row is that of the change, also if the walk starts again because the list has changed.
START_TEST(dsp_06_what_a_change_alters_is_settled_before_the_first_call)
{
    groups[0] = relay_all(RELAY_A);
    groups[1] = all_without(RELAY_A, RELAY_F);
    groups[2] = kin_context_group(&relay->base, KIN_MATCHER(KIN_ALL(RELAY_A, RELAY_B)));
    relay_watch_and(groups[1], KIN_ADDED, "second", take_b_and_watch, 1);
    relay_watch(groups[2], KIN_ADDED, "third+");
    relay_watch(groups[2], KIN_REMOVED, "third-");
    relay_entity entity = relay_create_entity(relay);
    relay_add_b(relay, entity, (B){1});
    relay_add_a(relay, entity, (A){1});
    ck_assert_log("second third- third+ ");
}
END_TEST

static void add_cases(TCase *cases)
{
    tcase_add_loop_test(cases, dsp_04_the_only_subscriber_is_shown_what_its_event_shows, 0, 3);
    tcase_add_test(cases, dsp_04_one_of_several_events_is_called_for_each);
    tcase_add_test(cases, grp_06_the_only_group_reports_no_entity_that_it_does_not_contain);
    tcase_add_test(cases, grp_06_the_only_group_is_not_notified_of_a_component_that_its_members_do_not_have);
    tcase_add_test(cases, dsp_08_a_second_subscriber_added_meanwhile_is_notified_of_the_next_replace);
    tcase_add_test(cases, dsp_08_the_only_subscriber_may_end_itself);
    tcase_add_test(cases, one_of_two_that_is_left_is_the_only_one);
    tcase_add_test(cases, dsp_09_nested_replaces_each_show_their_own_values);
    tcase_add_test(cases, dsp_09_a_subscriber_that_becomes_the_only_one_meanwhile_leaves_the_shown_values_unchanged);
    tcase_add_test(cases, dsp_06_the_only_subscriber_of_another_component_is_notified_inside);
    tcase_add_test(cases, col_03_a_collector_with_several_triggers_of_a_group_is_its_only_subscriber);
    tcase_add_test(cases, col_02_the_only_subscriber_may_be_a_collector_also_inside_a_listener);
    tcase_add_loop_test(cases, col_03_cleared_entities_are_collected_again_few_or_many, 0, 6);
    tcase_add_test(cases, cmp_05_with_an_only_subscriber_a_replace_of_a_missing_component_adds_or_is_refused);
    tcase_add_test(cases, dsp_04_a_listener_of_the_entity_is_called_after_the_only_subscriber);
    tcase_add_test(cases, dsp_08_an_older_group_that_begins_to_watch_does_not_make_others_notify_twice);
    tcase_add_test(cases, dsp_08_a_group_that_ceases_to_watch_does_not_have_others_left_out);
    tcase_add_test(cases, dsp_06_what_a_change_alters_is_settled_before_the_first_call);
}

Suite *runtime_direct_suite(void)
{
    Suite *suite = suite_create("runtime_direct");
    TCase *cases = tcase_create("solo");
    tcase_add_checked_fixture(cases, relay_begin, relay_end);
    add_cases(cases);
    suite_add_tcase(suite, cases);
    return suite;
}
