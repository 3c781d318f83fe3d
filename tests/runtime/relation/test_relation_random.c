// Relations against a second implementation: games of family_game.h, with listeners and without.
//
// KIN_MODEL_OPERATIONS says how many operations are played, divided by 200; KIN_MODEL_SEED which ones.
#include "family_game.h"
#include "suites.h"

#include <check.h>
#include <stdlib.h>

enum { GAMES = 4 }; // of each kind

static uint64_t number_from(const char *variable, uint64_t otherwise)
{
    const char *text = getenv(variable);
    return text != NULL ? strtoull(text, NULL, 10) : otherwise;
}

START_TEST(rel_01_random_operations_leave_what_a_second_implementation_has)
{
    uint64_t operations = number_from("KIN_MODEL_OPERATIONS", 2000000), seed = number_from("KIN_MODEL_SEED", 0);
    family_game_play(&(family_game){
        .seed = seed * GAMES + (uint64_t)(_i % GAMES), .steps = operations / 200 / GAMES, .is_quiet = _i >= GAMES});
}
END_TEST

Suite *runtime_relation_random_suite(void)
{
    Suite *suite = suite_create("runtime_relation_random");
    TCase *tests = tcase_create("random");
    tcase_set_timeout(tests, 0);
    tcase_add_loop_test(tests, rel_01_random_operations_leave_what_a_second_implementation_has, 0, 2 * GAMES);
    suite_add_tcase(suite, tests);
    return suite;
}
