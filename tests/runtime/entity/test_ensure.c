// Functions that add a component only where it is missing: ensure (CMP-17), and restore or add (CPY-10).
#include "entity/entity.h"
#include "runtime/support/board_case.h"
#include "runtime/support/case.h"
#include "runtime/support/drops.h"
#include "suites.h"

#include <closet/closet.h>

CASE(closet)

static closet_entity one, dead;

static void begin(void)
{
    drops();
    closet_begin();
    one = closet_create_entity(closet);
    dead = closet_create_entity(closet);
    closet_destroy_entity(closet, dead);
}

// ---- ensure

START_TEST(cmp_17_ensure_adds_a_missing_component_with_its_default)
{
    board_begin();
    board_entity entity = board_create_entity(board);
    call_log_subscribe(board_positions_group(board), KIN_ADDED, "+");
    call_log_subscribe(board_positions_group(board), KIN_MODIFIED, "~");
    const Position *position = board_ensure_position(board, entity);
    ck_assert(position != NULL && position->x == 0 && position->y == 1);
    ck_assert_ptr_eq(position, board_get_position(board, entity));
    ck_assert_str_eq(call_log_labels(), "+ ");
    ck_assert_int_eq(board_ensure_health(board, entity)->points, 100);
    board_end();
}
END_TEST

START_TEST(cmp_17_ensure_returns_the_component_that_the_entity_has_and_calls_nothing)
{
    closet_add_cell(closet, one, (Cell){3, 4});
    call_log_subscribe(closet_cells_group(closet), KIN_ADDED_OR_REMOVED, "c");
    const Cell *cell = closet_get_cell(closet, one);
    ck_assert_ptr_eq(closet_ensure_cell(closet, one), cell);
    ck_assert(cell->x == 3 && cell->y == 4 && calls.count == 0);
}
END_TEST

START_TEST(cmp_17_ensure_works_wherever_values_are_kept)
{
    Trail trail = {9, 9};
    ck_assert_ptr_null(closet_ensure_trunk(closet, one)->name);
    ck_assert_ptr_eq(closet_ensure_trunk(closet, one), closet_get_trunk(closet, one));
    ck_assert(closet_ensure_trail(closet, one, &trail) && trail.x == 0 && trail.length == 0);
    closet_replace_trail(closet, one, (Trail){2, 5});
    ck_assert(closet_ensure_trail(closet, one, &trail) && trail.x == 2 && trail.length == 5);
    ck_assert_int_eq(closet_ensure_coin(closet, one)->token.number, 0);
}
END_TEST

START_TEST(cmp_17_ensure_is_refused_as_add_is)
{
    Trail trail = {9, 9};
    closet_set_unique_crown(closet, (Crown){7});
    ck_assert_ptr_null(closet_ensure_crown(closet, one));
    ck_assert_reported(&errors, KIN_ERROR_UNIQUE);
    closet_add_number(closet, closet_create_entity(closet), number_default());
    ck_assert_ptr_null(closet_ensure_number(closet, one));
    ck_assert_reported(&errors, KIN_ERROR_DUPLICATE_KEY);
    ck_assert_ptr_null(closet_ensure_cell(closet, dead));
    ck_assert_reported(&errors, KIN_ERROR_NOT_ALIVE);
    ck_assert(!closet_ensure_trail(closet, CLOSET_NO_ENTITY, &trail) && trail.x == 9);
    ck_assert_reported(&errors, KIN_ERROR_NOT_ALIVE);
}
END_TEST

static void remove_cell(const kin_change *change, void *user)
{
    (void)user;
    closet_remove_cell(closet, closet_entity_of(change->entity));
}

static void ensure_cell(const kin_change *change, void *user)
{
    (void)user;
    ck_assert_ptr_nonnull(closet_ensure_cell(closet, closet_entity_of(change->entity)));
}

START_TEST(cmp_17_ensure_returns_null_if_a_listener_removes_the_component)
{
    kin_subscription removing = kin_group_subscribe(closet_cells_group(closet), KIN_ADDED, remove_cell, NULL);
    ck_assert_ptr_null(closet_ensure_cell(closet, one));
    kin_unsubscribe(removing);
    kin_group_subscribe(closet_coats_group(closet), KIN_ADDED, ensure_cell, NULL);
    ck_assert_ptr_nonnull(closet_ensure_coat(closet, one));
    ck_assert(closet_has_cell(closet, one));
}
END_TEST

START_TEST(cmp_17_err_01_without_memory_nothing_is_added)
{
    guard_fail(&memory, 1, true);
    ck_assert_ptr_null(closet_ensure_trunk(closet, one));
    guard_fail(&memory, 0, false);
    ck_assert_reported(&errors, KIN_ERROR_NO_MEMORY);
    ck_assert(!closet_has_trunk(closet, one));
}
END_TEST

// ---- stashed values

START_TEST(cpy_10_has_stashed_is_true_from_the_stash_to_the_restore)
{
    ck_assert(!closet_has_stashed_cell(closet, one));
    closet_add_cell(closet, one, (Cell){3, 4});
    ck_assert(!closet_has_stashed_cell(closet, one));
    closet_stash_cell(closet, one);
    ck_assert(closet_has_stashed_cell(closet, one) && !closet_has_stashed_coat(closet, one));
    closet_restore_cell(closet, one);
    ck_assert(!closet_has_stashed_cell(closet, one));
}
END_TEST

START_TEST(cpy_10_an_add_and_the_end_of_the_entity_discard_the_stashed_value)
{
    closet_add_cell(closet, one, (Cell){3, 4});
    closet_stash_cell(closet, one);
    closet_add_cell(closet, one, (Cell){5, 6});
    ck_assert(!closet_has_stashed_cell(closet, one));
    closet_stash_cell(closet, one);
    closet_destroy_entity(closet, one);
    ck_assert(!closet_has_stashed_cell(closet, one) && !closet_has_stashed_cell(closet, CLOSET_NO_ENTITY));
}
END_TEST

START_TEST(cpy_10_restore_or_add_restores_what_is_stashed_and_adds_otherwise)
{
    ck_assert_int_eq(closet_restore_or_add_cell(closet, one, (Cell){1, 2}), KIN_OK);
    ck_assert_int_eq(closet_get_cell(closet, one)->x, 1);
    closet_stash_cell(closet, one);
    ck_assert_int_eq(closet_restore_or_add_cell(closet, one, (Cell){8, 9}), KIN_OK);
    ck_assert_int_eq(closet_get_cell(closet, one)->x, 1);
    ck_assert(!closet_has_stashed_cell(closet, one));
}
END_TEST

START_TEST(cpy_10_restore_or_add_is_refused_as_add_or_restore_is)
{
    closet_add_number(closet, one, (Number){4});
    ck_assert_refused(&errors, closet_restore_or_add_number(closet, one, (Number){5}), KIN_ERROR_HAS_COMPONENT);
    closet_stash_number(closet, one);
    closet_add_number(closet, closet_create_entity(closet), (Number){4});
    ck_assert_refused(&errors, closet_restore_or_add_number(closet, one, (Number){5}), KIN_ERROR_DUPLICATE_KEY);
    ck_assert(closet_has_stashed_number(closet, one) && !closet_has_number(closet, one));
    ck_assert_refused(&errors, closet_restore_or_add_number(closet, dead, (Number){5}), KIN_ERROR_NOT_ALIVE);
}
END_TEST

START_TEST(cpy_10_cmp_13_the_caller_owns_the_value_when_the_stashed_one_is_restored)
{
    ck_assert_int_eq(closet_restore_or_add_coin(closet, one, (Coin){{1}}), KIN_OK);
    closet_stash_coin(closet, one);
    ck_assert_int_eq(closet_restore_or_add_coin(closet, one, (Coin){{2}}), KIN_OK);
    ck_assert_int_eq(closet_get_coin(closet, one)->token.number, 1);
    closet_destroy_entity(closet, one);
    ck_assert_str_eq(drops(), "1 ");
}
END_TEST

Suite *runtime_ensure_suite(void)
{
    Suite *suite = suite_create("runtime_ensure");
    TCase *ensure = tcase_create("ensure");
    tcase_add_checked_fixture(ensure, begin, closet_end);
    tcase_add_test(ensure, cmp_17_ensure_adds_a_missing_component_with_its_default);
    tcase_add_test(ensure, cmp_17_ensure_returns_the_component_that_the_entity_has_and_calls_nothing);
    tcase_add_test(ensure, cmp_17_ensure_works_wherever_values_are_kept);
    tcase_add_test(ensure, cmp_17_ensure_is_refused_as_add_is);
    tcase_add_test(ensure, cmp_17_ensure_returns_null_if_a_listener_removes_the_component);
    tcase_add_test(ensure, cmp_17_err_01_without_memory_nothing_is_added);
    suite_add_tcase(suite, ensure);
    TCase *stash = tcase_create("stash");
    tcase_add_checked_fixture(stash, begin, closet_end);
    tcase_add_test(stash, cpy_10_has_stashed_is_true_from_the_stash_to_the_restore);
    tcase_add_test(stash, cpy_10_an_add_and_the_end_of_the_entity_discard_the_stashed_value);
    tcase_add_test(stash, cpy_10_restore_or_add_restores_what_is_stashed_and_adds_otherwise);
    tcase_add_test(stash, cpy_10_restore_or_add_is_refused_as_add_or_restore_is);
    tcase_add_test(stash, cpy_10_cmp_13_the_caller_owns_the_value_when_the_stashed_one_is_restored);
    suite_add_tcase(suite, stash);
    return suite;
}
