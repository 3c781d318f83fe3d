// kin-inspect for a person: what it says beside results, and how long it waits and follows.
#include "command_case.h"
#include "suites.h"

#include <string.h>

// ---- numbers

START_TEST(ins_20_numbers_are_shown_as_the_game_gives_them)
{
    static const double numbers[] = {135.5567, 0.1, 1e-7, 1.9040000000000015, 123456789.25, 1e300};
    static const char *const texts[] = {"135.5567", "0.1", "1e-07", "1.9040000000000015", "123456789.25", "1e+300"};
    if (!command_is_built())
        return;
    game_stop();
    people_entity citizen = people_create_entity(town->contexts->people);
    people_add_step(town->contexts->people, citizen, (Step){0});
    game_start();
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const char *value = arena_format(&http_memory, "{\"x\":1,\"y\":%s}", texts[i]);
        game_stop();
        people_replace_step(town->contexts->people, citizen, (Step){.x = 1, .y = numbers[i]});
        game_start();
        ck_assert_str_eq(command_run("query -c people Step --fields Step", 0),
                         arena_format(&http_memory, "1:0\t\t{\"Step\":%s}\n", value));
        ck_assert_ptr_nonnull(strstr(command_run("query -c people Step --fields Step --json", 0), value));
    }
}
END_TEST

Suite *inspect_terminal_suite(void)
{
    Suite *suite = suite_create("inspect_terminal");
    TCase *tests = tcase_create("inspect_terminal");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, command_begin, command_end);
    tcase_add_test(tests, ins_20_numbers_are_shown_as_the_game_gives_them);
    suite_add_tcase(suite, tests);
    return suite;
}
