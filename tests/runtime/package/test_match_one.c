// Match-One, chapter 20 of the rules: the game played frame by frame, with the calls of each system and listener.
#include "runtime/support/match_case.h"
#include "suites.h"

#include <inttypes.h>
#include <stdio.h>

#define FRAME_0                                                                                                        \
    "board(1) fill(1) view(4 5 6 7 8 9 10 11 12) "                                                                     \
    "4@0,0 5@1,0 6@2,0 7@0,1 8@1,1 9@2,1 10@0,2 11@1,2 12@2,2 score=0 "

static one_game_entity at(int32_t x, int32_t y)
{
    return one_game_entity_with_cell(match_game, x, y);
}

static bool lies_at(one_game_entity piece, int32_t x, int32_t y)
{
    const one_Position *position = one_game_get_position(match_game, piece);
    return position != NULL && position->x == x && position->y == y;
}

static kin_group *marked(void)
{
    return kin_context_group(&match_game->base, KIN_MATCHER(KIN_ALL(ONE_GAME_DESTROYED)));
}

// Plays frame 0, and clears the log.
static void begin_with_frame_0(void)
{
    match_begin();
    match_frame();
    log_begin();
}

START_TEST(one_01_creation_indices_follow_the_order_of_making_and_slots_are_one_less)
{
    ck_assert_uint_eq(one_game_unique_board_entity(match_game).id, match_piece(1, 0).id);
    ck_assert_uint_eq(one_game_unique_score_entity(match_game).id, match_piece(2, 1).id);
    ck_assert(one_game_entity_is_alive(match_game, match_piece(3, 2)));
    for (int32_t y = 0; y < 3; y++)
        for (int32_t x = 0; x < 3; x++)
            ck_assert_uint_eq(at(x, y).id, match_piece((uint64_t)(4 + 3 * y + x), (uint64_t)(3 + 3 * y + x)).id);
    ck_assert_log("");
}
END_TEST

START_TEST(one_02_frame_0_reports_nine_positions_in_order_of_creation_then_the_score)
{
    match_frame();
    ck_assert_log(FRAME_0);
    ck_assert_uint_eq(one_game_entity_count(match_game), 12);
    ck_assert_uint_eq(kin_group_count(one_game_standing_group(match_game)), 9);
}
END_TEST

// As soon as piece 5 is marked its cell is free, and the piece stays alive in its place.
static void on_mark(const kin_change *change, void *user)
{
    (void)user;
    one_game_entity piece = one_game_entity_of(change->entity);
    ck_assert_uint_eq(piece.id, match_piece(5, 4).id);
    ck_assert_uint_eq(at(1, 0).id, ONE_GAME_NO_ENTITY.id);
    ck_assert(one_game_entity_is_alive(match_game, piece) && lies_at(piece, 1, 0));
    log_write("marked ");
}

START_TEST(one_03_a_marked_piece_frees_its_cell_at_once_and_lives_until_cleanup)
{
    kin_group_subscribe(marked(), KIN_ADDED, on_mark, NULL);
    one_input_set_unique_click(match_input, (one_Click){1, 0});
    ck_assert_uint_eq(one_input_set_unique_click(match_input, (one_Click){2, 0}).id, ONE_INPUT_NO_ENTITY.id);
    ck_assert_log("!UNIQUE ");
    kin_systems_execute(match_systems, 1.0);
    ck_assert(lies_at(match_piece(5, 4), 1, 0) && one_game_is_destroyed(match_game, match_piece(5, 4)));
    kin_systems_cleanup(match_systems);
    ck_assert(!one_game_entity_is_alive(match_game, match_piece(5, 4)));
    ck_assert_log("process(1) marked fall(5) fill(5) +13@1,2 score(5) view(13) 8@1,0 11@1,1 13@1,2 score=1 ");
}
END_TEST

static void on_move(const kin_change *change, void *user)
{
    (void)user;
    const one_Position *position = change->value;
    ck_assert_uint_eq(at(position->x, position->y).id, change->entity);
    log_write("moved ");
}

START_TEST(one_04_pieces_fall_upward_in_order_and_the_new_one_gets_a_new_slot)
{
    kin_group_subscribe(one_game_standing_group(match_game), KIN_MODIFIED, on_move, NULL);
    match_click(1, 0);
    ck_assert_log("process(1) fall(5) moved moved fill(5) +13@1,2 score(5) view(13) 8@1,0 11@1,1 13@1,2 score=1 ");
    ck_assert_uint_eq(at(1, 0).id, match_piece(8, 7).id);
    ck_assert_uint_eq(at(1, 1).id, match_piece(11, 10).id);
    ck_assert_uint_eq(at(1, 2).id, match_piece(13, 12).id);
}
END_TEST

START_TEST(one_05_score_runs_once_events_notify_in_order_and_cleanup_leaves_twelve)
{
    match_click(1, 0);
    ck_assert_log("process(1) fall(5) fill(5) +13@1,2 score(5) view(13) 8@1,0 11@1,1 13@1,2 score=1 ");
    ck_assert(!one_game_entity_is_alive(match_game, match_piece(5, 4)));
    ck_assert(!one_input_has_unique_click(match_input));
    ck_assert_uint_eq(one_game_entity_count(match_game), 12);
    ck_assert_uint_eq(one_input_entity_count(match_input), 0);
}
END_TEST

START_TEST(one_06_a_frame_without_a_click_executes_and_reports_nothing)
{
    match_click(1, 0);
    log_begin();
    match_frame();
    ck_assert_log("");
}
END_TEST

START_TEST(one_07_the_next_new_piece_gets_the_slot_freed_last_and_another_handle)
{
    match_click(1, 0);
    match_frame();
    log_begin();
    match_click(2, 0);
    ck_assert_log("process(2) fall(6) fill(6) +14@2,2 score(6) view(14) 9@2,0 12@2,1 14@2,2 score=2 ");
    ck_assert_uint_eq(at(2, 2).id, match_piece(14, 4).id);
    ck_assert(!one_game_entity_is_alive(match_game, match_piece(5, 4)));
    ck_assert(!one_game_entity_equals(at(2, 2), match_piece(5, 4)));
}
END_TEST

START_TEST(one_08_three_marked_in_a_frame_are_one_run_of_score_and_one_event)
{
    one_game_set_destroyed(match_game, at(2, 1), true);
    one_game_set_destroyed(match_game, at(0, 0), true);
    one_game_set_destroyed(match_game, at(0, 1), true);
    match_frame();
    ck_assert_log("fall(9 4 7) fill(9 4 7) +13@0,1 +14@0,2 +15@2,2 score(9 4 7) view(13 14 15) "
                  "10@0,0 12@2,1 13@0,1 14@0,2 15@2,2 score=3 ");
}
END_TEST

START_TEST(one_09_a_narrower_board_marks_all_outside_while_they_leave_the_group)
{
    one_game_replace_unique_board(match_game, (one_Board){2, 3});
    match_frame();
    ck_assert_log("board(1) fall(6 9 12) fill(1 6 9 12) score(6 9 12) score=3 ");
    for (int32_t y = 0; y < 3; y++)
        ck_assert_uint_eq(at(2, y).id, ONE_GAME_NO_ENTITY.id);
    ck_assert_uint_eq(kin_group_count(one_game_standing_group(match_game)), 6);
    ck_assert_uint_eq(one_game_entity_count(match_game), 9);
}
END_TEST

static void on_release(const kin_change *change, void *user)
{
    (void)change, (void)user;
    log_write("released ");
}

START_TEST(one_10_the_slot_of_a_retained_piece_waits_until_its_release)
{
    int view = 0;
    one_game_entity fading = at(1, 0);
    one_game_retain_entity(match_game, fading, &view);
    kin_entity_subscribe(&match_game->base, fading.id, KIN_ENTITY_RELEASED, on_release, NULL);
    match_click(1, 0);
    ck_assert_uint_eq(kin_context_retained_count(&match_game->base), 1);
    ck_assert_uint_eq(kin_context_reusable_count(&match_game->base), 0);
    log_begin();
    ck_assert_int_eq(one_game_release_entity(match_game, fading, &view), KIN_OK);
    ck_assert_log("released ");
    ck_assert_uint_eq(kin_context_reusable_count(&match_game->base), 1);
    match_click(2, 0);
    ck_assert_uint_eq(at(2, 2).id, match_piece(14, kin_entity_slot(fading.id)).id);
}
END_TEST

static void on_burst(one_input_context *input, one_input_entity entity, void *user)
{
    (void)user;
    ck_assert(one_input_is_burst(input, entity));
    log_write("on ");
}

static void on_burst_removed(one_input_context *input, one_input_entity entity, void *user)
{
    (void)user;
    log_write("off(%s) ", one_input_entity_is_alive(input, entity) ? "alive" : "dead");
}

START_TEST(one_11_burst_on_and_off_in_a_frame_reports_only_removed)
{
    one_input_entity lamp = one_input_create_entity(match_input);
    one_input_add_any_burst_listener(match_input, lamp, on_burst, NULL);
    one_input_add_any_burst_removed_listener(match_input, lamp, on_burst_removed, NULL);
    one_input_set_unique_burst(match_input, true);
    one_input_set_unique_burst(match_input, true);
    one_input_set_unique_burst(match_input, false);
    match_frame();
    ck_assert_log("off(dead) ");
    one_input_set_unique_burst(match_input, true);
    match_frame();
    ck_assert_log("on ");
    one_input_set_unique_burst(match_input, false);
    match_frame();
    ck_assert_log("off(dead) ");
}
END_TEST

// Plays frames 0 to 3; then compares the board: all handles, calls and arrays that a player could see.
static const char *play_four_frames(char *text, size_t size)
{
    match_frame();
    match_click(1, 0);
    match_frame();
    match_click(2, 0);
    uint32_t count = 0;
    const one_game_entity *entities = one_game_entities(match_game, &count);
    for (uint32_t i = 0; i < count; i++)
        log_write("%" PRIx64 " ", entities[i].id);
    snprintf(text, size, "%s", log_text());
    log_begin();
    return text;
}

START_TEST(one_12_after_destroy_all_release_and_reset_the_same_game_is_played_again)
{
    int view = 0;
    char first[2048], second[2048];
    play_four_frames(first, sizeof first);
    one_game_entity shown = at(0, 0);
    one_game_retain_entity(match_game, shown, &view);
    ck_assert_int_eq(one_game_destroy_all_entities(match_game), KIN_ERROR_RETAINED);
    ck_assert_uint_eq(one_game_entity_count(match_game), 0);
    ck_assert(!one_game_entity_is_alive(match_game, shown));
    ck_assert_log("!RETAINED ");
    ck_assert_int_eq(one_game_release_entity(match_game, shown, &view), KIN_OK);
    kin_systems_clear_reactive(match_systems);
    ck_assert_int_eq(one_match_contexts_reset(match), KIN_OK);
    match_start();
    ck_assert_str_eq(play_four_frames(second, sizeof second), first);
}
END_TEST

Suite *runtime_match_one_suite(void)
{
    Suite *suite = suite_create("runtime_match_one");
    TCase *first = tcase_create("frame 0"), *later = tcase_create("later frames");
    tcase_add_checked_fixture(first, match_begin, match_end);
    tcase_add_test(first, one_01_creation_indices_follow_the_order_of_making_and_slots_are_one_less);
    tcase_add_test(first, one_02_frame_0_reports_nine_positions_in_order_of_creation_then_the_score);
    tcase_add_test(first, one_12_after_destroy_all_release_and_reset_the_same_game_is_played_again);
    tcase_add_checked_fixture(later, begin_with_frame_0, match_end);
    tcase_add_test(later, one_03_a_marked_piece_frees_its_cell_at_once_and_lives_until_cleanup);
    tcase_add_test(later, one_04_pieces_fall_upward_in_order_and_the_new_one_gets_a_new_slot);
    tcase_add_test(later, one_05_score_runs_once_events_notify_in_order_and_cleanup_leaves_twelve);
    tcase_add_test(later, one_06_a_frame_without_a_click_executes_and_reports_nothing);
    tcase_add_test(later, one_07_the_next_new_piece_gets_the_slot_freed_last_and_another_handle);
    tcase_add_test(later, one_08_three_marked_in_a_frame_are_one_run_of_score_and_one_event);
    tcase_add_test(later, one_09_a_narrower_board_marks_all_outside_while_they_leave_the_group);
    tcase_add_test(later, one_10_the_slot_of_a_retained_piece_waits_until_its_release);
    tcase_add_test(later, one_11_burst_on_and_off_in_a_frame_reports_only_removed);
    suite_add_tcase(suite, first);
    suite_add_tcase(suite, later);
    return suite;
}
