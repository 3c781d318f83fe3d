// Shelves: columns of one component side by side in blocks, given again after a trim.
#include "runtime/support/board_case.h"
#include "suites.h"

#include "store/store.h"

#include <check.h>
#include <stdlib.h>

enum { COUNT = 40 * 512 };

static board_entity entities[COUNT];

static void begin(void)
{
    board_begin();
    board_fill(board, COUNT, entities);
}

static void give_positions(uint32_t first_chunk, uint32_t end_chunk)
{
    for (uint32_t slot = first_chunk * 512; slot < end_chunk * 512; slot++)
        board_replace_position(board, entities[slot], (Position){(float)slot, 0});
}

static void take_positions(uint32_t first_chunk, uint32_t end_chunk)
{
    for (uint32_t slot = first_chunk * 512; slot < end_chunk * 512; slot++)
        board_remove_position(board, entities[slot]);
    kin_context_trim(&board->base);
}

static const char *column(uint32_t chunk)
{
    return (const char *)kin__chunk_column(&board->base, chunk, BOARD_POSITION);
}

static size_t allocated(void)
{
    return kin_context_memory(&board->base).columns.allocated;
}

START_TEST(most_columns_follow_the_one_before)
{
    uint32_t apart = 0;
    give_positions(0, 40);
    ptrdiff_t distance = column(39) - column(38);
    for (uint32_t chunk = 1; chunk < 40; chunk++)
        apart += column(chunk) - column(chunk - 1) != distance;
    ck_assert_uint_le(apart, 20);
}
END_TEST

START_TEST(a_fifth_of_the_columns_at_most_is_unused)
{
    size_t none = allocated();
    give_positions(0, 1);
    size_t one = allocated() - none;
    for (uint32_t chunk = 1; chunk < 40; chunk++) {
        give_positions(chunk, chunk + 1);
        ck_assert_uint_le((allocated() - none) * 4, one * (chunk + 1) * 5 + one);
    }
}
END_TEST

// One entity of each chunk has a position.
START_TEST(blocks_of_a_large_world_have_four_mebibytes_at_most)
{
    enum { CHUNKS = 8000, MOST = 4 << 20 };
    if (getenv("KIN_SWEEP_COUNTS") != NULL) // the sweep would fail each of its 16,000 requests for memory
        return;
    for (uint32_t slot = COUNT; slot < CHUNKS * 512; slot++) {
        board_entity entity = board_create_entity(board);
        if (slot % 512 == 0)
            board_add_position(board, entity, (Position){1, 2});
    }
    give_positions(0, 40);
    size_t size = (size_t)(column(CHUNKS - 1) - column(CHUNKS - 2));
    size_t adjacent = size;
    size_t most = 0;
    for (uint32_t chunk = 41; chunk < CHUNKS; chunk++) {
        adjacent = column(chunk) - column(chunk - 1) == (ptrdiff_t)size ? adjacent + size : size;
        most = adjacent > most ? adjacent : most;
    }
    ck_assert_uint_le(most, MOST);
    ck_assert_uint_gt(most, MOST - 2 * size);
}
END_TEST

START_TEST(trimmed_columns_are_given_again)
{
    give_positions(0, 40);
    const char *last = column(39);
    take_positions(38, 40);
    size_t rest = allocated();
    give_positions(39, 40);
    ck_assert_uint_eq(allocated(), rest);
    ck_assert_ptr_eq(column(39), last);
    give_positions(38, 39);
    ck_assert_uint_eq(allocated(), rest);
    for (uint32_t slot = 0; slot < COUNT; slot++)
        if (board_get_position(board, entities[slot])->x != (float)slot)
            ck_abort_msg("the position in slot %u is wrong", slot);
}
END_TEST

START_TEST(a_trim_releases_the_blocks_without_columns_in_use)
{
    size_t none = allocated();
    give_positions(0, 40);
    size_t all = allocated();
    take_positions(0, 20);
    ck_assert_uint_lt(allocated(), all * 2 / 3);
    take_positions(20, 40);
    ck_assert_uint_eq(allocated(), none);
}
END_TEST

Suite *runtime_shelf_suite(void)
{
    Suite *suite = suite_create("runtime_shelf");
    TCase *rules = tcase_create("rules");
    tcase_set_timeout(rules, 60);
    tcase_add_checked_fixture(rules, begin, board_end);
    tcase_add_test(rules, most_columns_follow_the_one_before);
    tcase_add_test(rules, a_fifth_of_the_columns_at_most_is_unused);
    tcase_add_test(rules, blocks_of_a_large_world_have_four_mebibytes_at_most);
    tcase_add_test(rules, trimmed_columns_are_given_again);
    tcase_add_test(rules, a_trim_releases_the_blocks_without_columns_in_use);
    suite_add_tcase(suite, rules);
    return suite;
}
