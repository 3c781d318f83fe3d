// Relations against a second implementation: games of family_game.h, with listeners and without.
//
// KIN_STEPS says how many steps are played, by default a hundredth of KIN_MODEL_OPERATIONS; KIN_MODEL_SEED which ones.
#include "family_game.h"
#include "runtime/support/environment.h"
#include "suites.h"

#include <check.h>

enum { GAMES = 4 }; // of each kind

START_TEST(rel_01_snp_01_random_operations_leave_what_a_second_implementation_has)
{
    uint64_t otherwise = environment_number("KIN_MODEL_OPERATIONS", 2000000) / 100;
    family_game_play(&(family_game){.seed = environment_seed((uint32_t)_i % GAMES, GAMES),
                                    .steps = environment_steps(otherwise, 2 * GAMES),
                                    .is_quiet = _i >= GAMES});
}
END_TEST

Suite *runtime_relation_random_suite(void)
{
    Suite *suite = suite_create("runtime_relation_random");
    TCase *tests = tcase_create("random");
    tcase_set_timeout(tests, 0);
    tcase_add_loop_test(tests, rel_01_snp_01_random_operations_leave_what_a_second_implementation_has, 0, 2 * GAMES);
    suite_add_tcase(suite, tests);
    return suite;
}
