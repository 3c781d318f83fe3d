// Init: a new project, created by the program itself, built by make with the real compiler, and run.
#include "generator/program.h"
#include "generator/reading.h"
#include "generator/scratch.h"
#include "generator/verbs/verbs.h"
#include "shell.h"
#include "suites.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void begin(void)
{
    reading_begin();
    scratch_create();
}

static void end(void)
{
    scratch_destroy();
    reading_end();
}

static const char *in_scratch(const char *command)
{
    const char *whole = arena_format(scratch_arena(), "cd '%s'; export CC='%s' CFLAGS='%s -Wall -Wextra -Werror'; %s",
                                     scratch_path(""), shell_compiler(), shell_flags(), command);
    return shell_expect(scratch_arena(), whole);
}

static void install(void)
{
    const char *prefix = scratch_path("prefix");
    shell_expect(scratch_arena(), arena_format(scratch_arena(), "make -s install PREFIX='%s' BUILD=%s CFLAGS='%s'",
                                               prefix, shell_build(), shell_flags()));
}

static void expect_part(const char *output, const char *part)
{
    ck_assert_msg(strstr(output, part) != NULL, "no '%s' in '%s'", part, output);
}

#define PLACES "the cat is at 4, 2\nthe dog is at 3, 0 and sleeps\n"

START_TEST(a_new_project_builds_and_runs_where_kin_is_installed)
{
    install();
    in_scratch("PATH=$PWD/prefix/bin:$PATH; kin init 'a walk' > said; cd 'a walk'; " MAKE "> ../first; " MAKE
               "-q build/a_walk; kin check a_walk.yaml; " MAKE "clean; ls -A > ../left");
    ck_assert_str_eq(scratch_read("said"), "wrote a walk/a_walk.yaml\n"
                                           "wrote a walk/main.c\n"
                                           "wrote a walk/Makefile\n"
                                           "wrote a walk/.gitignore\n"
                                           "wrote a walk/.vscode/extensions.json\n"
                                           "Build and run it: cd 'a walk' && make\n");
    expect_part(scratch_read("first"), PLACES);
    ck_assert_str_eq(scratch_read("left"), ".gitignore\n.vscode\nMakefile\na_walk.yaml\nmain.c\n");
}
END_TEST

START_TEST(a_new_project_with_content_builds_and_runs_where_kin_is_installed)
{
    install();
    in_scratch(
        "PATH=$PWD/prefix/bin:$PATH; kin init --content 'a walk' > said; cd 'a walk'; " MAKE "> ../first; " MAKE
        "-q build/a_walk build/content.kinc; kin check a_walk.yaml content; "
        "sed -i 's/speed: .3, 0./speed: [4, 1]/' content/animals.yaml; touch -d '1 minute' content/animals.yaml; " MAKE
        "> ../second; " MAKE "clean; ls -A > ../left");
    ck_assert_str_eq(scratch_read("said"), "wrote a walk/a_walk.yaml\n"
                                           "wrote a walk/main.c\n"
                                           "wrote a walk/Makefile\n"
                                           "wrote a walk/.gitignore\n"
                                           "wrote a walk/.vscode/extensions.json\n"
                                           "wrote a walk/content/animals.yaml\n"
                                           "Build and run it: cd 'a walk' && make\n");
    expect_part(scratch_read("first"), PLACES);
    expect_part(scratch_read("second"), "the cat is at 4, 2\nthe dog is at 4, 1 and sleeps\n");
    ck_assert_ptr_null(strstr(scratch_read("second"), " -c ")); // a change of content compiles nothing
    ck_assert_str_eq(scratch_read("left"), ".gitignore\n.vscode\nMakefile\na_walk.yaml\ncontent\nmain.c\n");
}
END_TEST

// In C++, with content and without; the program has a file in C too, and a package with the name of a function of C.
START_TEST(a_new_project_in_cpp_builds_and_runs_where_kin_is_installed)
{
    const char *flags = _i == 0 ? "" : "--content";
    install();
    in_scratch(arena_format(scratch_arena(),
                            "case $CC in *clang*) export CXX=clang++ ;; *) export CXX=g++ ;; esac; "
                            "PATH=$PWD/prefix/bin:$PATH; kin init --face cpp %s time > said; cd time; "
                            "printf 'int one(void);\\nint one(void)\\n{\\n    return 1;\\n}\\n' > one.c; " MAKE
                            "CXXFLAGS=\"$CFLAGS -O0 -Wall -Wextra -Wconversion -Werror\" > ../first; " MAKE
                            "-q build/time; nm build/time | grep ' T one'; " MAKE "clean; ls -A > ../left",
                            flags));
    expect_part(scratch_read("said"), "wrote time/main.cpp\n");
    expect_part(scratch_read("first"), PLACES);
    ck_assert_ptr_null(strstr(scratch_read("left"), "build"));
}
END_TEST

START_TEST(a_new_project_can_use_posix_and_the_mathematical_library)
{
    install();
    in_scratch("PATH=$PWD/prefix/bin:$PATH; kin init walk > said; cd walk; "
               "printf '#include <math.h>\\n#include <time.h>\\ndouble now(void);\\ndouble now(void)\\n{\\n"
               "    struct timespec t;\\n    clock_gettime(CLOCK_MONOTONIC, &t);\\n"
               "    return sin((double)t.tv_nsec);\\n}\\n' > now.c; " MAKE
               " CFLAGS=\"$CFLAGS -O0 -Wall -Wextra -Werror\" > ../first");
    expect_part(scratch_read("first"), PLACES);
}
END_TEST

START_TEST(a_call_of_an_undeclared_function_does_not_compile)
{
    install();
    in_scratch("PATH=$PWD/prefix/bin:$PATH; kin init walk > said; cd walk; "
               "printf 'int now(void);\\nint now(void)\\n{\\n    return later();\\n}\\n' > now.c; "
               "! " MAKE " CFLAGS=-O0 build/now.o > ../first 2>&1");
    expect_part(scratch_read("first"), "error: ");
    expect_part(scratch_read("first"), "later");
}
END_TEST

START_TEST(an_edit_of_the_schema_is_generated_and_built)
{
    install();
    const char *output =
        in_scratch("PATH=$PWD/prefix/bin:$PATH; kin init walk > said; cd walk; " MAKE "> ../first; "
                   "sed -i 's/  Asleep:/  Awake: {}\\n  Asleep:/' walk.yaml; touch -d '1 minute' walk.yaml;"
                   "sed -i 's/game_set_asleep(game, dog, true)/game_set_awake(game, dog, true)/' main.c; " MAKE);
    expect_part(output, "wrote generated/walk/walk.h");
    expect_part(output, "the dog is at 6, 0\n");
}
END_TEST

// As after `make` in a clone: nothing is installed, and kin is run by its path.
static void expect_built(const char *flag)
{
    shell_expect(scratch_arena(),
                 arena_format(scratch_arena(), "make -s all BUILD=%s CFLAGS='%s'", shell_build(), shell_flags()));
    char *kin = realpath(arena_format(scratch_arena(), "%s/bin/kin", shell_build()), NULL);
    ck_assert_ptr_nonnull(kin);
    const char *output =
        in_scratch(arena_format(scratch_arena(),
                                "'%s' init %s walk > said;"
                                "eval \"$(sed -n 's/^Build and run it: //p' said | sed 's/&& make/\\&\\& " MAKE "/')\"",
                                kin, flag));
    expect_part(output, PLACES);
    expect_part(scratch_read("said"), "Build and run it: cd walk && make KIN=/");
    free(kin);
}

START_TEST(a_new_project_builds_with_a_kin_that_was_only_built)
{
    expect_built("");
}
END_TEST

START_TEST(a_new_project_with_content_builds_with_a_kin_that_was_only_built)
{
    expect_built("--content");
}
END_TEST

START_TEST(a_new_project_restores_deleted_outputs_and_builds_nothing_twice)
{
    install();
    const char *output = in_scratch("PATH=$PWD/prefix/bin:$PATH; kin init walk > said; cd walk; " MAKE
                                    "> ../first; rm generated/walk/walk_save.h;"
                                    "touch walk.yaml; " MAKE "; ! " MAKE " | grep -e '-c' -e kin");
    expect_part(output, "wrote generated/walk/walk_save.h\nkin: 1 written, 0 removed, 3 unchanged\n");
    ck_assert_ptr_null(strstr(output, "-c generated"));
}
END_TEST

START_TEST(a_project_reports_a_missing_kin_with_a_hint)
{
    ck_assert_int_eq(RUN("init", scratch_path("walk")).status, 0);
    shell_result result = shell_run(
        scratch_arena(), arena_format(scratch_arena(), "cd '%s/walk' && " MAKE "KIN=no-kin", scratch_path("")));
    ck_assert_int_eq(result.status, 2);
    expect_part(result.output, "cannot find 'no-kin' with its library and headers; set its path: make KIN=");
}
END_TEST

static const char *const files[] = {"walk/walk.yaml", "walk/main.c", "walk/Makefile"};

START_TEST(an_existing_file_stops_the_run_and_nothing_is_written)
{
    scratch_write(files[_i], "mine\n");
    outcome outcome = RUN("init", scratch_path("walk"));
    const char *message = arena_format(
        scratch_arena(), "kin: error: '%s' already exists; nothing was written [K0910]\n", scratch_path(files[_i]));
    check_outcome(outcome, 3, "", message);
    ck_assert_str_eq(scratch_read(files[_i]), "mine\n");
    ck_assert_uint_eq(scratch_count("walk"), 1);
}
END_TEST

START_TEST(a_dangling_link_counts_as_an_existing_file)
{
    ck_assert_int_eq(mkdir(scratch_path("walk"), 0777), 0);
    ck_assert_int_eq(symlink(scratch_path("elsewhere"), scratch_path("walk/main.c")), 0);
    ck_assert_int_eq(RUN("init", scratch_path("walk")).status, 3);
    ck_assert_uint_eq(scratch_count("walk"), 1);
    ck_assert_ptr_null(scratch_read("elsewhere"));
}
END_TEST

START_TEST(an_existing_gitignore_is_kept)
{
    scratch_write("walk/.gitignore", "mine\n");
    outcome outcome = RUN("init", scratch_path("walk"));
    ck_assert_int_eq(outcome.status, 0);
    expect_part(outcome.output, arena_format(scratch_arena(), "kept %s\n", scratch_path("walk/.gitignore")));
    ck_assert_str_eq(scratch_read("walk/.gitignore"), "mine\n");
    ck_assert_uint_eq(scratch_count("walk"), 5);
}
END_TEST

START_TEST(a_folder_that_cannot_be_created_is_reported)
{
    scratch_write("file", "mine\n");
    const char *folder = scratch_path("file/walk");
    outcome outcome = RUN("init", folder);
    check_outcome(
        outcome, 3, "",
        arena_format(scratch_arena(), "kin: error: cannot create directory '%s': Not a directory [K0901]\n", folder));
}
END_TEST

static const struct {
    const char *folder, *package;
} names[] = {
    {"walk", "walk"},   {"My-Game", "my_game"}, {"HTTPServer", "http_server"}, {"int", "my_int"},
    {"kin", "my_kin"},  {"game", "game"},       {"a b  c", "a_b_c"},           {"", "my_game"},
    {"...", "my_game"}, {"1", "my_game"},       {"\303\244", "my_game"},
};

START_TEST(a_package_is_named_after_the_folder_if_possible)
{
    ck_assert_str_eq(init_package_name(reading_arena(), names[_i].folder, false), names[_i].package);
}
END_TEST

START_TEST(a_name_that_is_too_long_is_replaced_by_the_default)
{
    char folder[200];
    memset(folder, 'x', sizeof folder - 1);
    folder[sizeof folder - 1] = '\0';
    ck_assert_str_eq(init_package_name(reading_arena(), folder, false), "my_game");
}
END_TEST

Suite *init_suite(void)
{
    Suite *suite = suite_create("init");
    TCase *tests = tcase_create("init");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_test(tests, a_new_project_builds_and_runs_where_kin_is_installed);
    tcase_add_test(tests, a_new_project_with_content_builds_and_runs_where_kin_is_installed);
    tcase_add_loop_test(tests, a_new_project_in_cpp_builds_and_runs_where_kin_is_installed, 0,
                        shell_runs_all() ? 2 : 1);
    if (shell_runs_all()) {
        tcase_add_test(tests, a_new_project_with_content_builds_with_a_kin_that_was_only_built);
        tcase_add_test(tests, a_new_project_can_use_posix_and_the_mathematical_library);
        tcase_add_test(tests, a_call_of_an_undeclared_function_does_not_compile);
    }
    tcase_add_test(tests, an_edit_of_the_schema_is_generated_and_built);
    tcase_add_test(tests, a_new_project_builds_with_a_kin_that_was_only_built);
    tcase_add_test(tests, a_new_project_restores_deleted_outputs_and_builds_nothing_twice);
    tcase_add_test(tests, a_project_reports_a_missing_kin_with_a_hint);
    tcase_add_loop_test(tests, an_existing_file_stops_the_run_and_nothing_is_written, 0, sizeof files / sizeof *files);
    tcase_add_test(tests, a_dangling_link_counts_as_an_existing_file);
    tcase_add_test(tests, an_existing_gitignore_is_kept);
    tcase_add_test(tests, a_folder_that_cannot_be_created_is_reported);
    tcase_add_loop_test(tests, a_package_is_named_after_the_folder_if_possible, 0, sizeof names / sizeof *names);
    tcase_add_test(tests, a_name_that_is_too_long_is_replaced_by_the_default);
    suite_add_tcase(suite, tests);
    return suite;
}
