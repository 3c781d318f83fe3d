// Components: values and flags of entities, and the addresses of values (CMP, FLG).
#include "runtime/support/board_case.h"
#include "suites.h"

#include <check.h>
#include <pair/pair.h>
#include <string.h>
#include <wide/wide.h>

static bool is_at(board_entity entity, float x, float y)
{
    const Position *position = board_get_position(board, entity);
    return position != NULL && position->x == x && position->y == y;
}

// ---- values

START_TEST(cmp_01_components_are_independent_of_each_other)
{
    board_entity entity = board_create_entity(board), other = board_create_entity(board);
    board_add_position(board, entity, (Position){1, 2});
    board_add_health(board, entity, (Health){3});
    board_add_position(board, other, (Position){4, 5});
    ck_assert_uint_eq(board_remove_health(board, entity), KIN_OK);
    ck_assert(is_at(entity, 1, 2));
    ck_assert(is_at(other, 4, 5));
    ck_assert(!board_has_health(board, entity));
    ck_assert(!board_has_health(board, other));
    ck_assert(board_has_position(board, entity) && kin_has(&board->base, entity.id, BOARD_POSITION));
}
END_TEST

START_TEST(cmp_02_the_callers_value_is_copied_in)
{
    board_entity entity = board_create_entity(board);
    Position mine = {1, 2};
    board_add_position(board, entity, mine);
    mine.x = 9;
    ck_assert(is_at(entity, 1, 2));
    ck_assert_ptr_ne(board_get_position(board, entity), &mine);
}
END_TEST

START_TEST(cmp_03_an_added_component_has_no_value_of_a_former_one)
{
    board_entity entity = board_create_entity(board);
    Load full, empty = {{0}};
    memset(&full, 0xFF, sizeof full);
    board_add_load(board, entity, full);
    board_remove_load(board, entity);
    board_add_load(board, entity, empty);
    ck_assert_mem_eq(board_get_load(board, entity), &empty, sizeof empty);
    board_add_health(board, entity, (Health){1});
    board_destroy_entity(board, entity);
    entity = board_create_entity(board); // in the same slot
    board_add_health(board, entity, health_default());
    ck_assert_int_eq(board_get_health(board, entity)->points, 100);
}
END_TEST

START_TEST(cmp_04_adding_a_second_time_is_refused)
{
    board_entity entity = board_create_entity(board);
    ck_assert_uint_eq(board_add_position(board, entity, (Position){1, 2}), KIN_OK);
    ck_assert_uint_eq(board_add_position(board, entity, (Position){3, 4}), KIN_ERROR_HAS_COMPONENT);
    ck_assert_str_eq(board_errors.entries[0].component, "Position");
    ck_assert_uint_eq(board_errors.entries[0].entity, entity.id);
    ck_assert_reported(&board_errors, KIN_ERROR_HAS_COMPONENT);
    ck_assert(is_at(entity, 1, 2));
}
END_TEST

START_TEST(cmp_05_replace_writes_or_adds)
{
    board_entity entity = board_create_entity(board);
    ck_assert_uint_eq(board_replace_position(board, entity, (Position){1, 2}), KIN_OK);
    ck_assert(is_at(entity, 1, 2));
    ck_assert_uint_eq(board_replace_position(board, entity, (Position){3, 4}), KIN_OK);
    ck_assert(is_at(entity, 3, 4));
    ck_assert_uint_eq(kin_group_count(board_positions_group(board)), 1);
}
END_TEST

START_TEST(cmp_05_a_replace_that_adds_notifies_as_an_add_does)
{
    board_entity entity = board_create_entity(board);
    call_log_subscribe(board_positions_group(board), KIN_ADDED, "+");
    call_log_subscribe(board_positions_group(board), KIN_REMOVED, "-");
    call_log_subscribe(board_positions_group(board), KIN_MODIFIED, "~");
    board_replace_position(board, entity, (Position){1, 2});
    ck_assert_str_eq(call_log_labels(), "+ ");
    ck_assert_ptr_null(calls.calls[0].change.previous);
}
END_TEST

START_TEST(cmp_06_replacing_by_an_equal_value_notifies)
{
    board_entity entity = board_create_entity(board);
    board_add_position(board, entity, (Position){1, 2});
    call_log_subscribe(board_positions_group(board), KIN_MODIFIED, "~");
    board_replace_position(board, entity, (Position){1, 2});
    board_replace_position(board, entity, *board_get_position(board, entity));
    ck_assert_str_eq(call_log_labels(), "~ ~ ");
    ck_assert_mem_eq(calls.calls[0].previous, calls.calls[0].value, sizeof(Position));
}
END_TEST

START_TEST(cmp_07_remove_removes_the_component)
{
    board_entity entity = board_create_entity(board);
    ck_assert_refused(&board_errors, board_remove_position(board, entity), KIN_ERROR_NO_COMPONENT);
    board_add_position(board, entity, (Position){1, 2});
    ck_assert_uint_eq(board_remove_position(board, entity), KIN_OK);
    ck_assert(!board_has_position(board, entity));
    ck_assert_ptr_null(board_get_position(board, entity));
    ck_assert_refused(&board_errors, board_remove_position(board, entity), KIN_ERROR_NO_COMPONENT);
}
END_TEST

START_TEST(cmp_11_edit_notifies_no_subscriber_and_touch_notifies_as_a_replace_does)
{
    board_entity entity = board_create_entity(board);
    board_add_position(board, entity, (Position){1, 2});
    call_log_subscribe(board_positions_group(board), KIN_REMOVED, "-");
    call_log_subscribe(board_positions_group(board), KIN_ADDED, "+");
    call_log_subscribe(board_positions_group(board), KIN_MODIFIED, "~");
    board_edit_position(board, entity)->x = 8;
    ck_assert_uint_eq(calls.count, 0);
    ck_assert_uint_eq(board_touch_position(board, entity), KIN_OK);
    ck_assert_str_eq(call_log_labels(), "- + ~ ");
    ck_assert_ptr_null(calls.calls[0].change.value);
    ck_assert_ptr_null(calls.calls[1].change.previous);
    ck_assert_ptr_eq(calls.calls[2].change.previous, calls.calls[2].change.value);
    ck_assert_mem_eq(calls.calls[2].value, (&(Position){8, 2}), sizeof(Position));
}
END_TEST

// Runs without a listener, then with one.
START_TEST(cmp_11_touching_a_missing_component_is_refused)
{
    board_entity entity = board_create_entity(board);
    if (_i == 1)
        call_log_subscribe(board_positions_group(board), KIN_MODIFIED, "~");
    ck_assert_refused(&board_errors, board_touch_position(board, entity), KIN_ERROR_NO_COMPONENT);
    ck_assert_ptr_null(board_edit_position(board, entity));
    board_add_position(board, entity, (Position){1, 2});
    ck_assert_uint_eq(board_touch_position(board, entity), KIN_OK);
    ck_assert(is_at(entity, 1, 2));
    ck_assert_uint_eq(calls.count, (uint32_t)_i);
}
END_TEST

START_TEST(cmp_15_an_entity_field_stays_as_it_is_when_its_target_dies)
{
    board_entity entity = board_create_entity(board), target = board_create_entity(board);
    Everything value = everything_default();
    value.neighbour = target;
    value.anyone = target.id;
    board_add_everything(board, entity, value);
    board_destroy_entity(board, target);
    ck_assert(board_entity_equals(board_get_everything(board, entity)->neighbour, target));
    ck_assert_uint_eq(board_get_everything(board, entity)->anyone, target.id);
    ck_assert_uint_eq(kin_context_reusable_count(&board->base), 1); // not held
}
END_TEST

START_TEST(cmp_16_a_component_of_several_contexts_is_separate_in_each)
{
    pair_contexts *pair = pair_contexts_create(NULL);
    left_entity left = left_create_entity(pair->left);
    right_entity right = right_create_entity(pair->right);
    ck_assert_uint_eq(left.id, right.id);
    left_add_weight(pair->left, left, (Weight){1});
    ck_assert(!right_has_weight(pair->right, right));
    right_add_weight(pair->right, right, weight_default());
    ck_assert_int_eq(left_get_weight(pair->left, left)->grams, 1);
    ck_assert_int_eq(right_get_weight(pair->right, right)->grams, 5);
    ck_assert_uint_eq(LEFT_WEIGHT, 2);
    ck_assert_uint_eq(RIGHT_WEIGHT, 1);
    pair_contexts_destroy(pair);
}
END_TEST

START_TEST(without_memory_a_component_is_not_added)
{
    board_entity entity = board_create_entity(board);
    call_log_subscribe(board_positions_group(board), KIN_ADDED, "+");
    guard_fail(&board_memory, 1, true);
    ck_assert_refused(&board_errors, board_add_position(board, entity, (Position){1, 2}), KIN_ERROR_NO_MEMORY);
    ck_assert_refused(&board_errors, board_replace_position(board, entity, (Position){1, 2}), KIN_ERROR_NO_MEMORY);
    ck_assert_refused(&board_errors, board_set_frozen(board, entity, true), KIN_ERROR_NO_MEMORY);
    ck_assert(!board_has_position(board, entity) && !board_is_frozen(board, entity));
    ck_assert_uint_eq(calls.count, 0);
    guard_fail(&board_memory, 0, false);
    ck_assert_uint_eq(board_add_position(board, entity, (Position){1, 2}), KIN_OK);
}
END_TEST

// ---- addresses

static const uint32_t slots[] = {0, 1, 63, 64, 65, 511, 512, 513, 1023};

enum { SLOT_CASES = sizeof slots / sizeof *slots, FILLED = 1024 };

START_TEST(cmp_10_get_and_edit_give_the_same_address_from_add_to_remove)
{
    board_entity entities[FILLED], entity;
    board_fill(board, FILLED, entities);
    entity = entities[slots[_i]];
    board_add_load(board, entity, (Load){{slots[_i], 7}});
    const Load *address = board_get_load(board, entity);
    ck_assert_uint_eq((uintptr_t)address % _Alignof(Load), 0);
    board_replace_load(board, entity, (Load){{slots[_i], 8}});
    board_set_frozen(board, entity, true);
    for (uint32_t i = 0; i < FILLED; i++)
        if (i != slots[_i] && i % 3 == 0)
            board_destroy_entity(board, entities[i]);
        else if (i != slots[_i])
            board_add_load(board, entities[i], (Load){{i, 9}});
    board_fill(board, FILLED, entities);
    ck_assert_ptr_eq(board_get_load(board, entity), address);
    ck_assert_ptr_eq(board_edit_load(board, entity), address);
    ck_assert_ptr_eq(board_get_load_unchecked(board, entity), address);
    ck_assert_uint_eq(address->words[0], slots[_i]);
    ck_assert_uint_eq(address->words[1], 8);
    ck_assert_uint_eq(address->words[8], 0);
}
END_TEST

START_TEST(components_of_all_slots_keep_their_own_values)
{
    board_entity entities[FILLED];
    board_fill(board, FILLED, entities);
    for (uint32_t i = 0; i < FILLED; i++) {
        board_add_initial(board, entities[i], (Initial){(uint8_t)(i * 3)});
        board_add_load(board, entities[i], (Load){{[0] = i, [8] = ~(uint64_t)i}});
    }
    ck_assert_uint_eq(board_remove_initial(board, entities[slots[_i]]), KIN_OK);
    for (uint32_t i = 0; i < FILLED; i++) {
        ck_assert_uint_eq(board_get_load(board, entities[i])->words[0], i);
        ck_assert_uint_eq(board_get_load(board, entities[i])->words[8], ~(uint64_t)i);
        ck_assert(board_has_initial(board, entities[i]) == (i != slots[_i]));
        if (i != slots[_i])
            ck_assert_uint_eq(board_get_initial(board, entities[i])->letter, (uint8_t)(i * 3));
    }
}
END_TEST

START_TEST(components_beyond_the_first_word_of_a_row_work)
{
    more_context *more = more_context_create(NULL);
    more_entity entity = more_create_entity(more);
    ck_assert_uint_eq(MORE_COMPONENT_COUNT, 70);
    more_add_c66(more, entity, (C66){66});
    more_add_c69(more, entity, (C69){69});
    more_set_c64(more, entity, true);
    for (kin_component_id id = 0; id < MORE_COMPONENT_COUNT; id++)
        ck_assert(kin_has(&more->base, entity.id, id) == (id == MORE_C64 || id == MORE_C66 || id == MORE_C69));
    ck_assert_uint_eq(more_get_c69(more, entity)->value, 69);
    ck_assert_uint_eq(more_remove_c69(more, entity), KIN_OK);
    ck_assert_uint_eq(more_get_c66(more, entity)->value, 66);
    ck_assert(more_is_c64(more, entity) && !more_has_c69(more, entity));
    more_destroy_entity(more, entity);
    entity = more_create_entity(more); // slot 0 again, whose row linked the free slots
    for (kin_component_id id = 0; id < MORE_COMPONENT_COUNT; id++)
        ck_assert(!kin_has(&more->base, entity.id, id));
    more_context_destroy(more);
}
END_TEST

START_TEST(the_last_component_of_a_full_row_works)
{
    full_context *full = full_context_create(NULL);
    less_context *less = less_context_create(NULL);
    full_entity in_full = full_create_entity(full);
    less_entity in_less = less_create_entity(less);
    ck_assert_uint_eq(FULL_C69, 63);
    ck_assert_uint_eq(LESS_C69, 62);
    full_add_c69(full, in_full, (C69){1});
    less_add_c69(less, in_less, (C69){2});
    ck_assert(kin_matches(&full->base, KIN_MATCHER(KIN_ONLY(FULL_C69)), in_full.id));
    ck_assert(kin_matches(&less->base, KIN_MATCHER(KIN_ONLY(LESS_C69)), in_less.id));
    ck_assert(!kin_has(&full->base, in_full.id, FULL_COMPONENT_COUNT));
    ck_assert(!kin_has(&full->base, in_full.id, 65535));
    ck_assert_uint_eq(full_get_c69(full, in_full)->value + less_get_c69(less, in_less)->value, 3);
    full_context_destroy(full);
    less_context_destroy(less);
}
END_TEST

// ---- flags

START_TEST(flg_01_a_flag_is_set_or_not_and_notifies_like_any_component)
{
    kin_group *frozen = board_group(board, KIN_MATCHER(KIN_ALL(BOARD_FROZEN)));
    call_log_subscribe(frozen, KIN_ADDED, "+");
    call_log_subscribe(frozen, KIN_REMOVED, "-");
    board_entity entity = board_create_entity(board);
    ck_assert(!board_is_frozen(board, entity));
    ck_assert_uint_eq(board_set_frozen(board, entity, true), KIN_OK);
    ck_assert(board_is_frozen(board, entity) && kin_has(&board->base, entity.id, BOARD_FROZEN));
    ck_assert_uint_eq(board_set_frozen(board, entity, false), KIN_OK);
    ck_assert(!board_is_frozen(board, entity));
    ck_assert_str_eq(call_log_labels(), "+ - ");
    for (int i = 0; i < 2; i++) // GRP-07
        ck_assert(calls.calls[i].change.previous == NULL && calls.calls[i].change.value == NULL);
}
END_TEST

START_TEST(flg_02_setting_a_flag_to_its_current_state_notifies_no_subscriber)
{
    kin_group *frozen = board_group(board, KIN_MATCHER(KIN_ALL(BOARD_FROZEN)));
    call_log_subscribe(frozen, KIN_ADDED_OR_REMOVED, "!");
    call_log_subscribe(frozen, KIN_MODIFIED, "!");
    board_entity entity = board_create_entity(board);
    ck_assert_uint_eq(board_set_frozen(board, entity, false), KIN_OK);
    ck_assert_uint_eq(calls.count, 0);
    board_set_frozen(board, entity, true);
    ck_assert_uint_eq(board_set_frozen(board, entity, true), KIN_OK);
    ck_assert_uint_eq(calls.count, 1);
    ck_assert(board_is_frozen(board, entity));
}
END_TEST

Suite *runtime_component_suite(void)
{
    Suite *suite = suite_create("runtime_component");
    TCase *rules = tcase_create("rules");
    tcase_add_checked_fixture(rules, board_begin, board_end);
    tcase_add_test(rules, cmp_01_components_are_independent_of_each_other);
    tcase_add_test(rules, cmp_02_the_callers_value_is_copied_in);
    tcase_add_test(rules, cmp_03_an_added_component_has_no_value_of_a_former_one);
    tcase_add_test(rules, cmp_04_adding_a_second_time_is_refused);
    tcase_add_test(rules, cmp_05_replace_writes_or_adds);
    tcase_add_test(rules, cmp_05_a_replace_that_adds_notifies_as_an_add_does);
    tcase_add_test(rules, cmp_06_replacing_by_an_equal_value_notifies);
    tcase_add_test(rules, cmp_07_remove_removes_the_component);
    tcase_add_loop_test(rules, cmp_10_get_and_edit_give_the_same_address_from_add_to_remove, 0, SLOT_CASES);
    tcase_add_loop_test(rules, components_of_all_slots_keep_their_own_values, 0, SLOT_CASES);
    tcase_add_test(rules, components_beyond_the_first_word_of_a_row_work);
    tcase_add_test(rules, the_last_component_of_a_full_row_works);
    tcase_add_test(rules, cmp_11_edit_notifies_no_subscriber_and_touch_notifies_as_a_replace_does);
    tcase_add_loop_test(rules, cmp_11_touching_a_missing_component_is_refused, 0, 2);
    tcase_add_test(rules, cmp_15_an_entity_field_stays_as_it_is_when_its_target_dies);
    tcase_add_test(rules, cmp_16_a_component_of_several_contexts_is_separate_in_each);
    tcase_add_test(rules, without_memory_a_component_is_not_added);
    tcase_add_test(rules, flg_01_a_flag_is_set_or_not_and_notifies_like_any_component);
    tcase_add_test(rules, flg_02_setting_a_flag_to_its_current_state_notifies_no_subscriber);
    suite_add_tcase(suite, rules);
    return suite;
}
