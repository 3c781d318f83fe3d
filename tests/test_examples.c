// Examples: each is run, and what it prints compared with tests/golden.
#include "shell.h"
#include "suites.h"

#include <string.h>

static arena memory;

static void end(void)
{
    arena_release(&memory);
}

static const char *play(const char *arguments)
{
    return shell_expect(&memory, arena_format(&memory, "%s/examples/arena/arena %s", shell_build(), arguments));
}

START_TEST(the_arena_prints_the_same_lines_for_the_same_seed_everywhere)
{
    ck_assert_msg(strcmp(play("1"), shell_read(&memory, "tests/golden/arena.txt")) == 0,
                  "examples/arena prints something else than tests/golden/arena.txt");
    ck_assert(strcmp(play("7"), play("7")) == 0);
}
END_TEST

START_TEST(the_books_of_the_arena_balance_whatever_the_seed)
{
    for (int seed = 2; seed < 12; seed++)
        ck_assert_ptr_null(strstr(play(arena_format(&memory, "%d", seed)), "WRONG"));
}
END_TEST

Suite *examples_suite(void)
{
    Suite *suite = suite_create("examples");
    TCase *played = tcase_create("played");
    tcase_set_timeout(played, 60);
    tcase_add_checked_fixture(played, NULL, end);
    tcase_add_test(played, the_arena_prints_the_same_lines_for_the_same_seed_everywhere);
    tcase_add_test(played, the_books_of_the_arena_balance_whatever_the_seed);
    suite_add_tcase(suite, played);
    return suite;
}
