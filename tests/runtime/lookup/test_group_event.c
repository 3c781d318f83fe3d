// The events of groups: the changes that each reports, subscriptions, and missing groups (GRP-05 to GRP-08).
#include "runtime/support/board_case.h"
#include "suites.h"

#include <check.h>

START_TEST(grp_05_a_group_reports_changes_of_the_match_and_nothing_else)
{
    kin_group *group = board_movers_group(board);
    call_log_subscribe(group, KIN_ADDED, "+");
    call_log_subscribe(group, KIN_REMOVED, "-");
    call_log_subscribe(group, KIN_ADDED_OR_REMOVED, "*");
    board_entity entity = board_entity_at(1, 2);
    board_add_health(board, entity, health_default());
    ck_assert_uint_eq(calls.count, 0);
    board_add_velocity(board, entity, velocity_default());
    ck_assert_str_eq(call_log_labels(), "+ * ");
    board_set_frozen(board, entity, true);
    ck_assert_str_eq(call_log_labels(), "+ * - * ");
    board_remove_velocity(board, entity); // it was no member any more
    board_destroy_entity(board, entity);
    ck_assert_str_eq(call_log_labels(), "+ * - * ");
}
END_TEST

START_TEST(grp_05_an_any_rule_that_does_not_name_the_component_decides_too)
{
    kin_matcher m = KIN_MATCHER(KIN_ALL(BOARD_POSITION), KIN_ANY(BOARD_HEALTH, BOARD_VELOCITY));
    call_log_subscribe(board_group(board, m), KIN_ADDED_OR_REMOVED, "*");
    board_entity neither = board_entity_at(1, 2), either = board_create_entity(board);
    board_add_health(board, either, health_default());
    board_remove_position(board, neither);
    ck_assert_uint_eq(calls.count, 0);
    board_add_position(board, either, position_default());
    ck_assert_str_eq(call_log_labels(), "* ");
    board_remove_position(board, either);
    ck_assert_str_eq(call_log_labels(), "* * ");
}
END_TEST

START_TEST(grp_06_a_replace_is_reported_to_groups_that_name_the_component)
{
    const kin_matcher matchers[] = {KIN_MATCHER(KIN_ALL(BOARD_POSITION)),
                                    KIN_MATCHER(KIN_ANY(BOARD_PIECE, BOARD_POSITION)),
                                    KIN_MATCHER(KIN_ONLY(BOARD_POSITION)),
                                    KIN_MATCHER(KIN_NONE(BOARD_FROZEN)),
                                    KIN_MATCHER(KIN_ALL(BOARD_POSITION, BOARD_HEALTH)),
                                    KIN_MATCHER(KIN_NONE(BOARD_POSITION))};
    static const char *const labels[] = {"all", "any", "only", "other", "more", "none"};
    board_entity entity = board_entity_at(1, 2);
    for (int i = 0; i < 6; i++)
        call_log_subscribe(board_group(board, matchers[i]), KIN_MODIFIED, labels[i]);
    board_replace_position(board, entity, (Position){3, 4});
    ck_assert_str_eq(call_log_labels(), "all any only ");
    ck_assert_mem_eq(calls.calls[0].previous, (&(Position){1, 2}), sizeof(Position));
    ck_assert_mem_eq(calls.calls[0].value, (&(Position){3, 4}), sizeof(Position));
    ck_assert_uint_eq(calls.calls[0].change.component, BOARD_POSITION);
    ck_assert_ptr_eq(calls.calls[0].change.group, board_positions_group(board));
    ck_assert_ptr_eq(calls.calls[0].change.context, &board->base);
}
END_TEST

START_TEST(grp_07_the_report_names_the_excluded_component_that_decided)
{
    kin_group *group = board_group(board, KIN_MATCHER(KIN_ALL(BOARD_FROZEN), KIN_NONE(BOARD_POSITION)));
    call_log_subscribe(group, KIN_ADDED, "+");
    call_log_subscribe(group, KIN_REMOVED, "-");
    board_entity entity = board_entity_at(1, 2);
    board_set_frozen(board, entity, true);
    board_remove_position(board, entity);
    board_add_position(board, entity, (Position){3, 4});
    ck_assert_str_eq(call_log_labels(), "+ - ");
    ck_assert_uint_eq(calls.calls[0].change.component, BOARD_POSITION);
    ck_assert_mem_eq(calls.calls[0].previous, (&(Position){1, 2}), sizeof(Position));
    ck_assert_ptr_null(calls.calls[0].change.value);
    ck_assert_mem_eq(calls.calls[1].value, (&(Position){3, 4}), sizeof(Position));
    ck_assert_ptr_null(calls.calls[1].change.previous);
}
END_TEST

START_TEST(grp_08_subscriptions_of_one_group_are_independent)
{
    kin_group *group = board_positions_group(board);
    kin_subscription first = call_log_subscribe(group, KIN_ADDED, "a");
    call_log_subscribe(group, KIN_ADDED, "a");
    board_entity_at(1, 2);
    ck_assert_str_eq(call_log_labels(), "a a ");
    kin_unsubscribe(first);
    kin_unsubscribe(first);
    kin_unsubscribe((kin_subscription){0});
    board_entity_at(1, 2);
    ck_assert_str_eq(call_log_labels(), "a a a ");
    call_log_subscribe(group, KIN_ADDED, "b"); // may use the place of the first one
    kin_unsubscribe(first);
    board_entity_at(1, 2);
    ck_assert_str_eq(call_log_labels(), "a a a a b ");
}
END_TEST

START_TEST(without_memory_a_subscription_is_refused)
{
    kin_group *group = board_group(board, KIN_MATCHER(KIN_ALL(BOARD_POSITION, BOARD_PIECE), KIN_NONE(BOARD_LOAD)));
    kin_subscription made = {0};
    uint32_t refused = 0;
    for (; made.subscriber == NULL; refused++) {
        guard_fail(&board_memory, refused + 1, true);
        made = call_log_subscribe(group, KIN_ADDED, "+");
        if (made.subscriber == NULL)
            ck_assert_reported(&board_errors, KIN_ERROR_NO_MEMORY);
    }
    ck_assert_uint_gt(refused, 1);
    guard_fail(&board_memory, 0, false);
    board_set_piece(board, board_entity_at(1, 2), true);
    ck_assert_str_eq(call_log_labels(), "+ ");
}
END_TEST

START_TEST(a_missing_group_contains_no_entity)
{
    uint32_t count = 9;
    kin_entity copy = 0;
    board_entity entity = board_entity_at(1, 2);
    ck_assert_uint_eq(kin_group_count(NULL), 0);
    ck_assert(!kin_group_contains(NULL, entity.id));
    ck_assert_ptr_null(kin_group_entities(NULL, &count));
    ck_assert_uint_eq(count, 0);
    ck_assert_uint_eq(kin_group_copy_entities(NULL, &copy, 1), 0);
}
END_TEST

START_TEST(grp_08_subscribing_no_listener_is_refused)
{
    kin_subscription none = kin_group_subscribe(board_positions_group(board), KIN_ADDED, NULL, NULL);
    ck_assert_reported(&board_errors, KIN_ERROR_INVALID);
    ck_assert_ptr_null(none.subscriber);
    ck_assert_uint_eq(none.serial, 0);
    call_log_subscribe(board_positions_group(board), (kin_group_event)4, "?");
    ck_assert_reported(&board_errors, KIN_ERROR_INVALID);
}
END_TEST

static void make_a_group(const kin_change *change, void *user)
{
    (void)user;
    board_context *context = board_context_of(change->context);
    kin_group *made = board_group(context, KIN_MATCHER(KIN_ANY(BOARD_POSITION), KIN_NONE(BOARD_LOAD)));
    ck_assert(kin_group_contains(made, change->entity));
    call_log_subscribe(made, KIN_ADDED_OR_REMOVED, "made");
}

START_TEST(grp_01_a_group_made_in_a_listener_does_not_report_the_change_under_way)
{
    kin_subscription making = kin_group_subscribe(board_positions_group(board), KIN_ADDED, make_a_group, NULL);
    board_entity entity = board_entity_at(1, 2);
    ck_assert_uint_eq(calls.count, 0);
    kin_unsubscribe(making);
    board_remove_position(board, entity);
    ck_assert_str_eq(call_log_labels(), "made ");
}
END_TEST

Suite *runtime_group_event_suite(void)
{
    Suite *suite = suite_create("runtime_group_event");
    TCase *tests = tcase_create("events");
    tcase_add_checked_fixture(tests, board_begin, board_end);
    tcase_add_test(tests, grp_05_a_group_reports_changes_of_the_match_and_nothing_else);
    tcase_add_test(tests, grp_05_an_any_rule_that_does_not_name_the_component_decides_too);
    tcase_add_test(tests, grp_06_a_replace_is_reported_to_groups_that_name_the_component);
    tcase_add_test(tests, grp_07_the_report_names_the_excluded_component_that_decided);
    tcase_add_test(tests, grp_08_subscriptions_of_one_group_are_independent);
    tcase_add_test(tests, without_memory_a_subscription_is_refused);
    tcase_add_test(tests, a_missing_group_contains_no_entity);
    tcase_add_test(tests, grp_08_subscribing_no_listener_is_refused);
    tcase_add_test(tests, grp_01_a_group_made_in_a_listener_does_not_report_the_change_under_way);
    suite_add_tcase(suite, tests);
    return suite;
}
