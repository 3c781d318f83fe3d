// The end of contexts and of all their entities: destroying all, reset and destruction (CTX-05 to CTX-10).
#include "runtime/support/board_case.h"
#include "suites.h"

#include <check.h>
#include <string.h>

static kin_collector *collect(kin_group *group, kin_group_event event)
{
    kin_trigger trigger = {group, event};
    kin_collector *collector = kin_collector_create(&trigger, 1);
    ck_assert_ptr_nonnull(collector);
    return collector;
}

// ---- destroying all

static kin_entity doomed, heir;

static void destroy_doomed(const kin_change *change, void *user)
{
    (void)user;
    board_entity entity = board_entity_of(doomed);
    if (change->entity != doomed && board_entity_is_alive(board_context_of(change->context), entity))
        board_destroy_entity(board_context_of(change->context), entity);
}

START_TEST(ctx_05_destroy_all_goes_by_slot_and_skips_dead_entities)
{
    board_entity made[4];
    for (int i = 0; i < 4; i++)
        made[i] = board_piece(board);
    doomed = made[2].id;
    call_log_subscribe(board_pieces(), KIN_REMOVED, "-");
    kin_group_subscribe(board_pieces(), KIN_REMOVED, destroy_doomed, NULL);
    ck_assert_uint_eq(board_destroy_all_entities(board), KIN_OK);
    const int order[] = {0, 2, 1, 3};
    ck_assert_uint_eq(calls.count, 4);
    for (int i = 0; i < 4; i++)
        ck_assert_uint_eq(calls.calls[i].change.entity, made[order[i]].id);
    ck_assert_uint_eq(board_entity_count(board), 0);
}
END_TEST

static void make_heir(const kin_change *change, void *user)
{
    uint32_t *left = user;
    if ((*left)-- > 0)
        heir = board_piece(board_context_of(change->context)).id;
    else
        *left = 0;
}

START_TEST(ctx_05_entities_made_by_listeners_in_destroy_all_are_destroyed_too)
{
    uint32_t left = 3;
    board_piece(board);
    board_piece(board);
    kin_group_subscribe(board_pieces(), KIN_REMOVED, make_heir, &left);
    ck_assert_uint_eq(board_destroy_all_entities(board), KIN_OK);
    ck_assert_uint_eq(kin_entity_creation_index(heir), 5);
    ck_assert_uint_eq(board_entity_count(board), 0);
    ck_assert_uint_eq(kin_group_count(board_pieces()), 0);
}
END_TEST

// The heir gets slot 1, but did not exist when the round began: the entity in slot 2 is destroyed first.
START_TEST(ctx_05_entities_made_by_listeners_are_destroyed_in_a_later_round)
{
    uint32_t left = 1;
    board_entity made[] = {board_piece(board), board_piece(board), board_piece(board)};
    board_destroy_entity(board, made[1]);
    kin_group_subscribe(board_pieces(), KIN_REMOVED, make_heir, &left);
    call_log_subscribe(board_pieces(), KIN_REMOVED, "-");
    ck_assert_uint_eq(board_destroy_all_entities(board), KIN_OK);
    const kin_entity order[] = {made[0].id, made[2].id, heir};
    ck_assert_uint_eq(kin_entity_slot(heir), 1);
    ck_assert_uint_eq(calls.count, 3);
    for (int i = 0; i < 3; i++)
        ck_assert_uint_eq(calls.calls[i].change.entity, order[i]);
}
END_TEST

START_TEST(ctx_06_destroy_all_reports_what_is_still_held)
{
    kin_collector *collector = collect(board_pieces(), KIN_ADDED_OR_REMOVED);
    board_piece(board);
    board_piece(board);
    board_create_entity(board);
    for (int i = 0; i < 2; i++) {
        ck_assert_uint_eq(board_destroy_all_entities(board), KIN_ERROR_RETAINED);
        ck_assert_ptr_nonnull(strstr(board_errors.entries[0].message, "2 "));
        ck_assert_reported(&board_errors, KIN_ERROR_RETAINED);
        ck_assert_uint_eq(board_entity_count(board), 0);
        ck_assert_uint_eq(kin_context_retained_count(&board->base), 2);
    }
    kin_collector_clear(collector);
    ck_assert_uint_eq(board_destroy_all_entities(board), KIN_OK);
    ck_assert_uint_eq(kin_context_retained_count(&board->base), 0);
    kin_collector_destroy(collector);
}
END_TEST

// ---- reset

START_TEST(ctx_07_after_a_reset_handles_are_those_of_a_new_context)
{
    board_entity first[1100], again[1100];
    board_fill(board, 1100, first);
    for (int i = 0; i < 1100; i += 3)
        board_destroy_entity(board, first[(i * 7) % 1100]);
    ck_assert_uint_eq(board_context_reset(board), KIN_OK);
    ck_assert_uint_eq(board_entity_count(board), 0);
    ck_assert(!board_entity_is_alive(board, first[1]));
    board_fill(board, 1100, again);
    for (int i = 0; i < 1100; i++)
        ck_assert(board_entity_equals(again[i], first[i])); // CTX-08 too
}
END_TEST

START_TEST(ctx_07_a_reset_skips_held_slots)
{
    kin_collector *collector = collect(board_pieces(), KIN_ADDED);
    board_entity held = board_piece(board); // in slot 0
    board_create_entity(board);
    ck_assert_refused(&board_errors, board_context_reset(board), KIN_ERROR_RETAINED);
    board_entity next = board_create_entity(board);
    ck_assert_uint_eq(next.id, (kin_entity)1 << 24 | 1);
    ck_assert(!board_entity_is_alive(board, held));
    kin_collector_clear(collector); // CTX-08: holders may still release their entities
    ck_assert_uint_eq(kin_context_retained_count(&board->base), 0);
    ck_assert_uint_eq(board_create_entity(board).id, (kin_entity)2 << 24 | 0);
    kin_collector_destroy(collector);
}
END_TEST

START_TEST(ctx_07_groups_subscriptions_and_collectors_stay_and_work)
{
    kin_group *group = board_pieces();
    call_log_subscribe(group, KIN_ADDED, "+");
    kin_collector *collector = collect(group, KIN_ADDED);
    ck_assert_uint_eq(board_context_reset(board), KIN_OK);
    board_entity entity = board_piece(board);
    ck_assert_ptr_eq(board_pieces(), group);
    ck_assert(kin_group_contains(group, entity.id));
    ck_assert_str_eq(call_log_labels(), "+ ");
    ck_assert_uint_eq(kin_collector_count(collector), 1);
    kin_collector_destroy(collector);
}
END_TEST

static void reset_once(const kin_change *change, void *user)
{
    bool *done = user;
    if (!*done) {
        *done = true;
        ck_assert_uint_eq(board_context_reset(board_context_of(change->context)), KIN_OK);
        board_piece(board_context_of(change->context));
    }
}

// The first piece is being destroyed: its slot is skipped. DET-02 and CTX-07 in the middle of destroy_all.
START_TEST(ctx_08_a_reset_does_not_clear_collectors)
{
    kin_collector *collector = collect(board_pieces(), KIN_ADDED);
    board_entity piece = board_piece(board);
    ck_assert_refused(&board_errors, board_context_reset(board), KIN_ERROR_RETAINED);
    uint32_t count = 0;
    ck_assert_uint_eq(kin_collector_entities(collector, &count)[0], piece.id);
    ck_assert_uint_eq(count, 1);
    ck_assert(!board_entity_is_alive(board, piece));
    ck_assert_uint_eq(kin_entity_slot(board_create_entity(board).id), 1); // the collector's slot is skipped
    kin_collector_clear(collector);
    ck_assert_uint_eq(board_context_reset(board), KIN_OK);
    ck_assert_uint_eq(board_create_entity(board).id, piece.id); // an equal handle that means another entity
    kin_collector_destroy(collector);
}
END_TEST

START_TEST(ctx_10_a_listener_may_reset_the_context)
{
    bool done = false;
    for (int i = 0; i < 3; i++)
        board_piece(board);
    kin_group_subscribe(board_pieces(), KIN_REMOVED, reset_once, &done);
    ck_assert_uint_eq(board_destroy_entity(board, board_entity_of((kin_entity)1 << 24)), KIN_OK);
    uint32_t count = 0;
    const board_entity *entities = board_entities(board, &count);
    ck_assert_uint_eq(count, 1);
    ck_assert_uint_eq(entities[0].id, (kin_entity)1 << 24 | 1);
    ck_assert_uint_eq(board_create_entity(board).id, (kin_entity)2 << 24 | 0); // freed since, so freed last
    ck_assert_uint_eq(board_create_entity(board).id, (kin_entity)3 << 24 | 2);
}
END_TEST

// ---- ended

static void end_context(const kin_change *change, void *user)
{
    (void)user;
    board_context_destroy(board_context_of(change->context));
}

START_TEST(ctx_10_a_context_cannot_be_destroyed_in_a_listener_of_its_own)
{
    kin_group_subscribe(board_pieces(), KIN_ADDED, end_context, NULL);
    board_entity entity = board_piece(board);
    ck_assert_reported(&board_errors, KIN_ERROR_INVALID);
    ck_assert(board_is_piece(board, entity));
}
END_TEST

START_TEST(ctx_09_destroying_a_context_calls_no_listener_and_frees_all)
{
    guard memory;
    kin_context_options options = {.allocator = guard_begin(&memory)};
    board_context *other = board_context_create(&options);
    kin_group *group = board_group(other, KIN_MATCHER(KIN_ALL(BOARD_PIECE)));
    call_log_subscribe(group, KIN_ADDED_OR_REMOVED, "!");
    kin_collector *collector = collect(group, KIN_ADDED);
    board_piece(other);
    call_log_clear();
    board_context_destroy(other);
    ck_assert_uint_eq(calls.count, 0);
    ck_assert_uint_eq(kin_collector_count(collector), 0);
    kin_collector_destroy(collector);
    guard_end(&memory);
}
END_TEST

START_TEST(ctx_13_a_context_that_ends_before_a_subscription_of_cpp_reports_it)
{
    for (int outlives = 0; outlives < 2; outlives++) {
        kin_context_options options = {.on_error = error_log_append, .error_user = &board_errors};
        board_context *other = board_context_create(&options);
        kin_group *group = board_group(other, KIN_MATCHER(KIN_ALL(BOARD_PIECE)));
        kin_subscription subscription = kin_group_subscribe(group, KIN_ADDED, destroy_doomed, NULL);
        kin__subscription_scope(subscription, true);
        if (!outlives) {
            kin__subscription_scope(subscription, false);
            kin_unsubscribe(subscription);
        }
        board_context_destroy(other);
        if (outlives)
            ck_assert_ptr_nonnull(strstr(board_errors.entries[0].message, "a kin::subscription outlives the context"));
    }
    kin__subscription_scope((kin_subscription){0}, true);
    ck_assert_reported(&board_errors, KIN_ERROR_INVALID);
}
END_TEST

Suite *runtime_context_end_suite(void)
{
    Suite *suite = suite_create("runtime_context_end");
    TCase *tests = tcase_create("end");
    tcase_add_checked_fixture(tests, board_begin, board_end);
    tcase_add_test(tests, ctx_05_destroy_all_goes_by_slot_and_skips_dead_entities);
    tcase_add_test(tests, ctx_05_entities_made_by_listeners_in_destroy_all_are_destroyed_too);
    tcase_add_test(tests, ctx_05_entities_made_by_listeners_are_destroyed_in_a_later_round);
    tcase_add_test(tests, ctx_06_destroy_all_reports_what_is_still_held);
    tcase_add_test(tests, ctx_07_after_a_reset_handles_are_those_of_a_new_context);
    tcase_add_test(tests, ctx_07_a_reset_skips_held_slots);
    tcase_add_test(tests, ctx_07_groups_subscriptions_and_collectors_stay_and_work);
    tcase_add_test(tests, ctx_10_a_listener_may_reset_the_context);
    tcase_add_test(tests, ctx_08_a_reset_does_not_clear_collectors);
    tcase_add_test(tests, ctx_10_a_context_cannot_be_destroyed_in_a_listener_of_its_own);
    tcase_add_test(tests, ctx_09_destroying_a_context_calls_no_listener_and_frees_all);
    tcase_add_test(tests, ctx_13_a_context_that_ends_before_a_subscription_of_cpp_reports_it);
    suite_add_tcase(suite, tests);
    return suite;
}
