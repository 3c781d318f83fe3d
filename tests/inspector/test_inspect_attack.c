// Attacks over sockets, by a program of Python.
#include "http_case.h"
#include "suites.h"

#include "inspector/inspector.h"

START_TEST(ins_28_attacks_harm_neither_the_game_nor_other_viewers)
{
    const char *command = arena_format(
        &http_memory,
        "command -v python3 > /dev/null || { echo ok; exit 0; }; python3 tests/inspector/attack.py %u " TOKEN,
        (unsigned)http_port);
    ck_assert_str_eq(shell_expect(&http_memory, command), "ok\n");
    ck_assert_uint_lt(atomic_load(&inspector->service.heap.used), 8 * 1024 * 1024);
}
END_TEST

Suite *inspect_attack_suite(void)
{
    Suite *suite = suite_create("inspect_attack");
    TCase *tests = tcase_create("inspect_attack");
    tcase_set_timeout(tests, 120);
    tcase_add_checked_fixture(tests, http_begin, http_end);
    tcase_add_test(tests, ins_28_attacks_harm_neither_the_game_nor_other_viewers);
    suite_add_tcase(suite, tests);
    return suite;
}
