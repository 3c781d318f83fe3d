// The suites of the pool and of shared contexts in a program of their own, which is built with the thread sanitizer.
#include "suites.h"

#include <check.h>
#include <stdlib.h>

int main(void)
{
    SRunner *runner = srunner_create(pool_suite());
    srunner_add_suite(runner, runtime_piece_suite());
    srunner_add_suite(runner, runtime_share_suite());
    srunner_add_suite(runner, runtime_share_refusals_suite());
    srunner_add_suite(runner, runtime_index_copy_suite());
    srunner_add_suite(runner, runtime_commands_suite());
    srunner_add_suite(runner, runtime_commands_listener_suite());
    srunner_add_suite(runner, runtime_commands_memory_suite());
    srunner_add_suite(runner, runtime_commands_random_suite());
    srunner_add_suite(runner, runtime_parallel_suite());
    srunner_add_suite(runner, runtime_jobs_suite());
    srunner_add_suite(runner, runtime_jobs_memory_suite());
    srunner_add_suite(runner, runtime_access_suite());
    srunner_add_suite(runner, runtime_branches_suite());
    srunner_add_suite(runner, runtime_same_suite());
    srunner_add_suite(runner, runtime_serial_suite());
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
