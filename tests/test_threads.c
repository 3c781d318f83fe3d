// Threads under the thread sanitizer: contexts of their own, snapshots that another thread writes, and pieces of a
// shared context.
#include "shell.h"
#include "suites.h"

#include <string.h>

// Runs the program with its arguments, also where the sanitizer finds addresses too random.
static shell_result run(arena *memory, const char *arguments)
{
    const char *program = arena_format(memory, "%s/tests/threads/threads%s", shell_build(), arguments);
    shell_result result = shell_run(memory, program);
    if (strstr(result.output, "unexpected memory mapping") != NULL)
        result = shell_run(memory, arena_format(memory, "setarch -R %s", program));
    return result;
}

// Plays a scene of tests/threads/scenes.h.
static void check_scene(const char *arguments)
{
    arena memory = {0};
    shell_result result = run(&memory, arguments);
    ck_assert_msg(result.status == 0, "%s", result.output);
    arena_release(&memory);
}

START_TEST(det_03_contexts_in_threads_of_their_own_share_nothing)
{
    check_scene(" play");
}
END_TEST

START_TEST(snp_12_another_thread_writes_snapshots)
{
    check_scene(" saves");
}
END_TEST

START_TEST(par_06_snapshots_are_written_and_none_is_made_while_a_context_is_shared)
{
    check_scene(" shared-saves");
}
END_TEST

START_TEST(par_01_pieces_on_any_threads_and_executors_give_the_same)
{
    check_scene(" pieces");
}
END_TEST

START_TEST(par_06_refused_calls_of_several_threads_write_nothing)
{
    check_scene(" refusals");
}
END_TEST

START_TEST(par_07_queries_of_several_threads_write_nothing)
{
    check_scene(" queries");
}
END_TEST

START_TEST(cmd_12_threads_record_commands_while_they_share_a_context)
{
    check_scene(" commands");
}
END_TEST

START_TEST(par_14_several_contexts_use_one_pool)
{
    check_scene(" pool");
}
END_TEST

static const struct {
    const char *arguments, *function;
} races[] = {
    {" race sum", "add_to_one_sum"},
    {" race read", "read_what_others_write"},
    {" race change", "replace_one_value"},
};

START_TEST(par_12_the_sanitizer_reports_planted_races)
{
    arena memory = {0};
    shell_result result = run(&memory, races[_i].arguments);
    ck_assert_int_ne(result.status, 0);
    ck_assert_ptr_nonnull(strstr(result.output, "data race"));
    ck_assert_ptr_nonnull(strstr(result.output, races[_i].function));
    arena_release(&memory);
}
END_TEST

Suite *threads_suite(void)
{
    Suite *suite = suite_create("threads");
    TCase *tests = tcase_create("threads");
    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, det_03_contexts_in_threads_of_their_own_share_nothing);
    tcase_add_test(tests, snp_12_another_thread_writes_snapshots);
    tcase_add_test(tests, par_06_snapshots_are_written_and_none_is_made_while_a_context_is_shared);
    tcase_add_test(tests, par_01_pieces_on_any_threads_and_executors_give_the_same);
    tcase_add_test(tests, par_06_refused_calls_of_several_threads_write_nothing);
    tcase_add_test(tests, par_07_queries_of_several_threads_write_nothing);
    tcase_add_test(tests, cmd_12_threads_record_commands_while_they_share_a_context);
    tcase_add_test(tests, par_14_several_contexts_use_one_pool);
    tcase_add_loop_test(tests, par_12_the_sanitizer_reports_planted_races, 0, sizeof races / sizeof *races);
    suite_add_tcase(suite, tests);
    return suite;
}
