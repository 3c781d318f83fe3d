// Habits: what CONTRIBUTING names exists, and files have the format of .editorconfig.
#include "generator/scratch.h"
#include "shell.h"
#include "suites.h"

#include <string.h>

START_TEST(the_paths_in_contributing_exist)
{
    const char *command = "grep -o '`[^` ]*/[^` ]*`' CONTRIBUTING.md | tr -d '`' | grep -v '^build/' | sort -u |"
                          " while read -r path; do ls -d $path > /dev/null || echo \"$path\"; done";
    ck_assert_str_eq(shell_expect(scratch_arena(), command), "");
}
END_TEST

START_TEST(the_commands_that_readme_and_contributing_name_are_targets)
{
    const char *command =
        "grep -hoE '(`|^    |^)make( [a-z][a-z-]+)+( |`|$)' README.md"
        " CONTRIBUTING.md docs/*.md | sed 's/.*make //; s/`//' | tr ' ' '\\n' | sort -u | while read -r target; do"
        " grep -qE \"^[a-z -]*\\b$target:.*\" Makefile build.mk */*.mk */*/*.mk || echo \"$target\"; done";
    ck_assert_str_eq(shell_expect(scratch_arena(), command), "");
}
END_TEST

// Compares each golden file, and the expected messages of each case of tests/bad and tests/advice.
START_TEST(golden_files_are_what_make_golden_writes)
{
    const char *command = arena_format(
        scratch_arena(),
        "tests/tools/golden.sh %s/bin/kin %s/examples '%s' && for file in "
        "tests/golden/*.* tests/golden/examples/* tests/golden/saves/* tests/golden/swarm/* tests/bad/*/*.expected"
        " tests/advice/*.expected; do [ ${file%%.yaml} != $file ] || [ $file = "
        "tests/golden/small.png ] || cmp $file '%s'/$file; done",
        shell_build(), shell_build(), scratch_path("made"), scratch_path("made"));
    ck_assert_str_eq(shell_expect(scratch_arena(), command), "");
}
END_TEST

// Does only the part of `make mutants` that takes less than minutes: whether each mutant can still be made.
START_TEST(the_mutants_are_faults_of_these_sources)
{
    ck_assert_str_eq(shell_expect(scratch_arena(), "tests/tools/mutate.py check"), "");
}
END_TEST

START_TEST(files_have_no_spaces_at_ends_of_lines_and_end_in_a_line_break)
{
    const char *command = "git ls-files -s 2> /dev/null | sed -n 's/^100[^\t]*\t//p' | grep -vE "
                          "'^tests/(bad|fuzz|generator/source)|^inspector/page/vendor/.*css$|\\.(png|kin)$' |"
                          " xargs -r -d '\\n' sh -c 'grep -nHE \"[[:blank:]]$\" \"$@\";"
                          " grep -LPz \"\\\\n\\\\z\" \"$@\" | sed \"s/$/ ends without a line break/\"' sh";
    ck_assert_str_eq(shell_expect(scratch_arena(), command), "");
}
END_TEST

START_TEST(tests_write_below_the_folder_that_the_user_names)
{
    const char *command = "grep -rnE '\"/(tmp|dev/shm|var)/|tmpfile\\(\\)|tmpnam' tests --include=*.[ch] |"
                          " grep -v '^tests/test_habits.c'; true";
    ck_assert_str_eq(shell_expect(scratch_arena(), command), "");
}
END_TEST

// An unknown suite would otherwise run nothing, and pass.
START_TEST(a_missing_suite_is_reported)
{
    const char *command = arena_format(scratch_arena(), "%s/tests/check langauge -runtime_nothing", shell_build());
    shell_result result = shell_run(scratch_arena(), command);
    ck_assert_int_eq(result.status, 1);
    ck_assert_str_eq(result.output, "there is no suite langauge\n");
}
END_TEST

// The test of spaces and line breaks above checks that files have this format; clang-format checks it in `make lint`.
START_TEST(editors_get_the_format_that_is_tested)
{
    static const char *const said[] = {"root = true",
                                       "charset = utf-8",
                                       "end_of_line = lf",
                                       "insert_final_newline = true",
                                       "trim_trailing_whitespace = true",
                                       "max_line_length = 120",
                                       "indent_size = 4",
                                       "indent_style = tab"};
    static const char *const formatted[] = {"ColumnLimit: 120", "IndentWidth: 4"};
    const char *editors = shell_read(scratch_arena(), ".editorconfig"),
               *format = shell_read(scratch_arena(), ".clang-format");
    for (size_t i = 0; i < sizeof said / sizeof *said; i++)
        ck_assert_msg(strstr(editors, arena_format(scratch_arena(), "%s\n", said[i])) != NULL, "no %s", said[i]);
    for (size_t i = 0; i < sizeof formatted / sizeof *formatted; i++)
        ck_assert_msg(strstr(format, arena_format(scratch_arena(), "%s\n", formatted[i])) != NULL, "no %s",
                      formatted[i]);
}
END_TEST

START_TEST(contributing_says_how_to_build_test_bless_format_and_add)
{
    static const char *const said[] = {"\n| `make` |",
                                       "\n| `make check` |",
                                       "\n    make golden ",
                                       "\n    make generated ",
                                       "`make format`",
                                       "\n## Where things live\n",
                                       "\n**A template.**",
                                       "\n**A key of the language.**",
                                       "\n**A message.**",
                                       "\n**Advice.**",
                                       "\n**A rule of meaning.**"};
    const char *page = shell_read(scratch_arena(), "CONTRIBUTING.md");
    for (size_t i = 0; i < sizeof said / sizeof *said; i++)
        ck_assert_msg(strstr(page, said[i]) != NULL, "CONTRIBUTING lacks %s", said[i]);
}
END_TEST

START_TEST(the_workflow_runs_what_ci_runs)
{
    const char *workflow = shell_read(scratch_arena(), ".github/workflows/check.yml");
    ck_assert_ptr_nonnull(strstr(workflow, "\n      - run: .ci/run\n"));
    ck_assert_str_eq(shell_expect(scratch_arena(), "test -x .ci/run && bash -n .ci/run"), "");
}
END_TEST

Suite *habits_suite(void)
{
    Suite *suite = suite_create("habits");
    TCase *habits = tcase_create("habits");
    tcase_set_timeout(habits, 60);
    tcase_add_checked_fixture(habits, scratch_create, scratch_destroy);
    tcase_add_test(habits, the_paths_in_contributing_exist);
    tcase_add_test(habits, the_commands_that_readme_and_contributing_name_are_targets);
    if (shell_runs_all())
        tcase_add_test(habits, golden_files_are_what_make_golden_writes);
    tcase_add_test(habits, the_mutants_are_faults_of_these_sources);
    tcase_add_test(habits, files_have_no_spaces_at_ends_of_lines_and_end_in_a_line_break);
    tcase_add_test(habits, tests_write_below_the_folder_that_the_user_names);
    tcase_add_test(habits, a_missing_suite_is_reported);
    tcase_add_test(habits, editors_get_the_format_that_is_tested);
    tcase_add_test(habits, contributing_says_how_to_build_test_bless_format_and_add);
    tcase_add_test(habits, the_workflow_runs_what_ci_runs);
    suite_add_tcase(suite, habits);
    return suite;
}
