// The suites of the inspector that have a server, in a program of their own, which is built with the thread sanitizer.
#include "suites.h"

#include <check.h>
#include <stdlib.h>

int main(void)
{
    SRunner *runner = srunner_create(inspect_http_suite());
    srunner_add_suite(runner, inspect_stream_suite());
    srunner_add_suite(runner, inspect_threads_suite());
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
