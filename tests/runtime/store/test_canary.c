// The checked build after a write past a column (ERR-05). Each case runs in a child process, which must abort.
#include "runtime/support/board_case.h"
#include "runtime/support/stderr_of.h"
#include "suites.h"

#include <attic/attic.h>

#include <string.h>

enum { CHUNK = 512, COUNT = 700 };

static board_entity entities[COUNT];

static void begin(void)
{
    board_begin();
    board_fill(board, COUNT, entities);
    for (uint32_t i = 0; i < COUNT; i++)
        board_replace_position(board, entities[i], (Position){(float)i, 0});
}

// Writes the second field of the value after the last one of the first chunk.
static void write_past(void)
{
    board_edit_position(board, entities[CHUNK - 1])[1].y = 1;
}

static void write_in_a_run(void)
{
    for (board_positions_iter it = board_positions_iterate(board); board_positions_next(&it);)
        for (uint32_t i = 0; i <= it.count; i++)
            it.position[i].x = 0;
}

static void write_in_a_block(void)
{
    for (board_positions_iter it = board_positions_iterate(board); board_positions_next_block(&it);)
        for (uint32_t i = 0; i <= 64; i++)
            it.position[i].x = 0;
}

static void write_and_begin_a_loop(void)
{
    write_past();
    board_positions_iter it = board_positions_iterate(board);
    board_positions_next(&it);
}

static void write_and_list(void)
{
    write_past();
    uint32_t count;
    kin_group_entities(board_positions_group(board), &count);
}

static void write_and_change_another_component(void)
{
    write_past();
    board_set_frozen(board, entities[3], true);
    board_add_load(board, entities[3], load_default());
}

static void write_and_destroy_an_entity(void)
{
    write_past();
    board_destroy_entity(board, entities[3]);
}

static void write_and_trim(void)
{
    write_past();
    kin_context_trim(&board->base);
}

static void write_and_destroy_the_context(void)
{
    write_past();
    board_context_destroy(board);
}

static void (*const writes[])(void) = {
    write_in_a_run,
    write_in_a_block,
    write_and_begin_a_loop,
    write_and_list,
    write_and_destroy_an_entity,
    write_and_change_another_component,
    write_and_trim,
    write_and_destroy_the_context,
};

static void check_abort(void (*write)(void), const char *expected)
{
    const char *text = stderr_of_abort(write);
    if (text != NULL)
        ck_assert_msg(strncmp(text, expected, strlen(expected)) == 0, "%s", text);
}

START_TEST(err_05_a_write_past_a_column_stops_the_checked_build)
{
    check_abort(writes[_i], "kin: board: the memory after a column of Position was overwritten; ");
}
END_TEST

// Writes the last field of a value that is larger than a cache line.
static void write_past_large_values(void)
{
    for (uint32_t i = 0; i < CHUNK; i++)
        board_add_load(board, entities[i], load_default());
    board_edit_load(board, entities[CHUNK - 1])[1].words[8] = 1;
    board_set_frozen(board, entities[3], true);
    board_remove_load(board, entities[3]);
}

START_TEST(err_05_a_write_past_large_values_is_found_in_each_of_their_fields)
{
    check_abort(write_past_large_values, "kin: board: the memory after a column of Load ");
}
END_TEST

static void write_past_owned_values(void)
{
    attic_context *attic = attic_context_create(NULL);
    attic_entity last = ATTIC_NO_ENTITY;
    for (uint32_t i = 0; i < CHUNK; i++) {
        last = attic_create_entity(attic);
        attic_add_name(attic, last, (Name){.value = "rope"});
    }
    Name *name = (Name *)(uintptr_t)attic_get_name(attic, last);
    name[1].length = 7;
    attic_set_mark(attic, last, true);
    attic_remove_name(attic, last);
}

START_TEST(err_05_a_write_past_values_with_owned_memory_does_not_reach_its_blocks)
{
    check_abort(write_past_owned_values, "kin: attic: the memory after a column of Name ");
}
END_TEST

static void write_the_last_values(void)
{
    for (board_positions_iter it = board_positions_iterate(board); board_positions_next(&it);)
        memset(it.position, 0xFF, it.count * sizeof *it.position);
    board_destroy_entity(board, entities[CHUNK - 1]);
    kin_context_trim(&board->base);
}

START_TEST(err_05_a_write_to_the_last_value_of_a_column_is_no_damage)
{
    ck_assert_str_eq(stderr_of(write_the_last_values), "");
}
END_TEST

Suite *runtime_canary_suite(void)
{
    Suite *suite = suite_create("runtime_canary");
    TCase *rules = tcase_create("rules");
    tcase_add_checked_fixture(rules, begin, board_end);
    tcase_add_loop_test(rules, err_05_a_write_past_a_column_stops_the_checked_build, 0,
                        (int)(sizeof writes / sizeof *writes));
    tcase_add_test(rules, err_05_a_write_past_large_values_is_found_in_each_of_their_fields);
    tcase_add_test(rules, err_05_a_write_past_values_with_owned_memory_does_not_reach_its_blocks);
    tcase_add_test(rules, err_05_a_write_to_the_last_value_of_a_column_is_no_damage);
    suite_add_tcase(suite, rules);
    return suite;
}
