// Threads: contexts in threads of their own, and snapshots that another thread writes, under the thread sanitizer.
#include "shell.h"
#include "suites.h"

#include <string.h>

START_TEST(det_03_snp_12_threads_share_nothing_but_snapshots)
{
    arena memory = {0};
    const char *program = arena_format(&memory, "%s/tests/threads/threads", shell_build());
    shell_result result = shell_run(&memory, program);
    if (strstr(result.output, "unexpected memory mapping") !=
        NULL) // the sanitizer's message if addresses are too random
        result = shell_run(&memory, arena_format(&memory, "setarch -R %s", program));
    ck_assert_msg(result.status == 0, "%s", result.output);
    arena_release(&memory);
}
END_TEST

Suite *threads_suite(void)
{
    Suite *suite = suite_create("threads");
    TCase *tests = tcase_create("threads");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, det_03_snp_12_threads_share_nothing_but_snapshots);
    suite_add_tcase(suite, tests);
    return suite;
}
