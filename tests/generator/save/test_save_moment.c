// Moments of recordings: which blocks they have, and which of them are known.
#include "generator/save/save.h"
#include "suites.h"

#include <check.h>
#include <string.h>

enum { COMPONENTS = 3 };

static kin__file_context contexts[] = {{.name = "game", .component_count = COMPONENTS},
                                       {.name = "scene", .component_count = 0}};
static const kin__file_schema schema = {.context_count = 2, .contexts = contexts};
static const save_place game = {SAVE_CONTEXT, 0, 0, 0, 0}, slots = {SAVE_SLOTS, 0, 0, 0, 0},
                        column = {SAVE_COLUMN, 0, 0, 1, 0}, scene = {SAVE_CONTEXT, 1, 0, 0, 0},
                        node = {SAVE_SYSTEM, 0, 0, 0, 0};

static arena memory;
static save_moment *moment;

static void setup(void)
{
    moment = save_moment_create(&memory, &schema);
}

static void release_memory(void)
{
    arena_release(&memory);
}

static void put(const save_place *place, const char *content)
{
    const unsigned char *bytes = (const unsigned char *)content;
    kin__decoder decoder = {bytes, bytes + strlen(content), false};
    ck_assert(save_moment_put(moment, place, &decoder));
}

// Puts a system whose path has three letters.
static void put_system(const char *path_and_state)
{
    char content[32] = "\3";
    strcpy(content + 2, path_and_state);
    const unsigned char *bytes = (const unsigned char *)content;
    kin__decoder decoder = {bytes, bytes + 2 + strlen(path_and_state), false};
    ck_assert(save_moment_put(moment, &node, &decoder));
}

// Checks the last letter of each block, in their order.
static void check_blocks(const save_moment *other, const char *expected)
{
    char letters[16] = "";
    save_place place;
    kin__decoder content;
    save_moment_begin(moment);
    while (save_moment_next(moment, other, &place, &content))
        strncat(letters, (const char *)content.end - 1, 1);
    ck_assert_str_eq(letters, expected);
}

START_TEST(blocks_are_in_the_order_of_a_file)
{
    put_system("abc1");
    put(&scene, "s");
    put(&column, "v");
    put(&game, "c");
    put(&slots, "a");
    put_system("abd2");
    check_blocks(NULL, "cavs12");
    put(&column, "longer than before: w");
    check_blocks(NULL, "caws12");
    save_moment_put(moment, &column, NULL);
    check_blocks(NULL, "cas12");
}
END_TEST

START_TEST(several_systems_may_have_one_path)
{
    put_system("abc1");
    put_system("abd2");
    save_moment_begin_pass(moment);
    put_system("abc3");
    put_system("abc4");
    check_blocks(NULL, "324");
    save_moment_begin_pass(moment);
    put_system("abc5");
    put_system("abc6");
    check_blocks(NULL, "526");
}
END_TEST

static void put_game(void)
{
    put(&game, "c");
    put(&slots, "a");
    put(&column, "v");
}

START_TEST(what_was_forgotten_is_known_when_it_is_put_again)
{
    save_place other_chunk = column, none = column;
    other_chunk.chunk = 1;
    none.component = 2;
    put_game();
    put(&other_chunk, "o");
    ck_assert(save_moment_knows(moment, &column) && save_moment_knows(moment, &none));
    save_moment_forget(moment, 0, 1);
    ck_assert(!save_moment_knows(moment, &column) && save_moment_knows(moment, &none));
    put(&column, "w");
    ck_assert(save_moment_knows(moment, &column) && !save_moment_knows(moment, &other_chunk));
    save_moment_put(moment, &other_chunk, NULL);
    ck_assert(save_moment_knows(moment, &other_chunk));
}
END_TEST

START_TEST(a_whole_state_makes_all_known)
{
    put_game();
    put_system("abc1");
    save_moment_forget(moment, 0, 1);
    save_moment_forget(moment, 0, COMPONENTS);
    save_moment_forget(moment, UINT32_MAX, UINT32_MAX);
    ck_assert(!save_moment_knows(moment, &node) && !save_moment_knows(moment, &slots));
    save_moment_clear(moment);
    put(&game, "d");
    put_system("abc2");
    check_blocks(moment, "d2");
    ck_assert(save_moment_knows(moment, &column) && save_moment_knows(moment, &slots));
}
END_TEST

// Without the slots, values are of unknown entities.
START_TEST(what_one_of_two_moments_does_not_know_is_left_out_of_both)
{
    save_moment *other;
    put_game();
    put(&scene, "s");
    put_system("abc1");
    other = moment;
    setup();
    put_game();
    put(&scene, "s");
    put_system("abc2");
    check_blocks(other, "cavs2");
    save_moment_forget(other, 0, 1);
    check_blocks(other, "cas2");
    save_moment_forget(moment, 0, COMPONENTS);
    check_blocks(other, "s2");
    save_moment_forget(other, UINT32_MAX, UINT32_MAX);
    check_blocks(other, "s");
    put(&slots, "b");
    check_blocks(other, "s"); // the context is unknown
    put(&game, "d");
    check_blocks(other, "dbs");
}
END_TEST

START_TEST(a_moment_has_a_limit)
{
    static const unsigned char content[1] = {0};
    kin__decoder decoder = {content, content + 1, false};
    moment->size = (1 << 30) - 1;
    ck_assert(save_moment_put(moment, &slots, &decoder));
    ck_assert(!save_moment_put(moment, &column, &decoder));
}
END_TEST

Suite *save_moment_suite(void)
{
    Suite *suite = suite_create("save_moment");
    TCase *cases = tcase_create("save_moment");
    tcase_add_checked_fixture(cases, setup, release_memory);
    tcase_add_test(cases, blocks_are_in_the_order_of_a_file);
    tcase_add_test(cases, several_systems_may_have_one_path);
    tcase_add_test(cases, what_was_forgotten_is_known_when_it_is_put_again);
    tcase_add_test(cases, a_whole_state_makes_all_known);
    tcase_add_test(cases, what_one_of_two_moments_does_not_know_is_left_out_of_both);
    tcase_add_test(cases, a_moment_has_a_limit);
    suite_add_tcase(suite, cases);
    return suite;
}
