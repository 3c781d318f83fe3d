// README: what it shows is taken out of it, built as it says, and run.
#include "generator/scratch.h"
#include "shell.h"
#include "suites.h"

#include <stdio.h>
#include <string.h>

// The first block of a language: "```yaml" to "```".
static const char *block_of(const char *page, const char *language)
{
    const char *fence = arena_format(scratch_arena(), "\n```%s\n", language);
    const char *start = strstr(page, fence);
    ck_assert_msg(start != NULL, "README has no block of %s", language);
    start += strlen(fence);
    const char *end = strstr(start, "```");
    ck_assert_ptr_nonnull(end);
    return arena_copy(scratch_arena(), start, (size_t)(end - start));
}

// Before the commands of a block: Kin is installed, below the scratch directory in place of /usr/local, and cc is the
// compiler of the build.
static const char *preparation(void)
{
    const char *prefix = scratch_path("prefix");
    shell_expect(scratch_arena(), arena_format(scratch_arena(), "make -s install PREFIX='%s' BUILD=%s CFLAGS='%s'",
                                               prefix, shell_build(), shell_flags()));
    return arena_format(scratch_arena(),
                        "set -e; cd '%s'; PATH='%s/bin':$PATH; export CPATH='%s/include' LIBRARY_PATH='%s/lib'"
                        " LD_LIBRARY_PATH='%s/lib'; cc() { command %s %s \"$@\"; };",
                        scratch_path(""), prefix, prefix, prefix, prefix, shell_compiler(), shell_flags());
}

// What README shows of projects is what tests/install builds in all ways; here it builds the program of README.
static const struct {
    const char *tool, *language, *file, *source, *commands;
} projects[] = {
    {"make", "make", "Makefile", "make/Makefile", "env -u MAKEFLAGS -u MFLAGS make -s -I prefix/include && ./town"},
    {"cmake", "cmake", "CMakeLists.txt", "cmake/CMakeLists.txt",
     "cmake -DCMAKE_PREFIX_PATH=$PWD/prefix -B b && cmake --build b && b/town"},
    {"meson", "meson", "meson.build", "meson/meson.build",
     "cp -r \"$OLDPWD/tests/install/meson/meson\" .; export PKG_CONFIG_PATH=$PWD/prefix/lib/pkgconfig;"
     "meson setup b && ninja -C b && b/town"},
};

START_TEST(the_projects_that_readme_shows_build_what_it_shows)
{
    if (shell_run(scratch_arena(), arena_format(scratch_arena(), "command -v %s", projects[_i].tool)).status != 0) {
        printf("readme: skipped what needs %s, as there is none\n", projects[_i].tool);
        return;
    }
    const char *page = shell_read(scratch_arena(), "README.md"), *block = block_of(page, projects[_i].language);
    const char *folder = "tests/install/";
    ck_assert_str_eq(block,
                     shell_read(scratch_arena(), arena_format(scratch_arena(), "%s%s", folder, projects[_i].source)));
    ck_assert_ptr_nonnull(strstr(page, shell_read(scratch_arena(), "tests/install/meson/meson/town/meson.build")));
    scratch_write("town.yaml", block_of(page, "yaml"));
    scratch_write("main.c", block_of(page, "c"));
    scratch_write(projects[_i].file, block);
    const char *commands = arena_format(scratch_arena(), "%s\nexport CC='%s' CFLAGS='%s'; %s", preparation(),
                                        shell_compiler(), shell_flags(), projects[_i].commands);
    const char *output = shell_expect(scratch_arena(), commands);
    ck_assert_msg(strstr(output, "the cat is at 4\n") != NULL, "%s", output);
}
END_TEST

START_TEST(the_pair_of_files_that_readme_shows_builds_what_it_shows)
{
    const char *page = shell_read(scratch_arena(), "README.md");
    const char *copy = arena_format(scratch_arena(), "make -s amalgamation BUILD=%s && cp -r %s/amalgamation/kin '%s'",
                                    shell_build(), shell_build(), scratch_path(""));
    shell_expect(scratch_arena(), copy);
    scratch_write("town.yaml", block_of(page, "yaml"));
    scratch_write("main.c", block_of(page, "c"));
    const char *block = block_of(strstr(page, "`make amalgamation`"), "sh");
    const char *commands =
        arena_format(scratch_arena(), "%s\nrm -r prefix/include prefix/lib\n%s", preparation(), block);
    const char *output = shell_expect(scratch_arena(), commands);
    ck_assert_msg(strstr(output, "the cat is at 4\n") != NULL, "%s", output);
}
END_TEST

START_TEST(what_readme_shows_builds_and_prints_what_it_says)
{
    const char *page = shell_read(scratch_arena(), "README.md");
    scratch_write("town.yaml", block_of(page, "yaml"));
    scratch_write("main.c", block_of(page, "c"));
    const char *output =
        shell_expect(scratch_arena(), arena_format(scratch_arena(), "%s\n%s", preparation(), block_of(page, "sh")));
    ck_assert_ptr_nonnull(strstr(output, "the cat is at 4\n"));
    ck_assert_ptr_nonnull(strstr(page, "This prints `the cat is at 4`."));
}
END_TEST

START_TEST(the_fault_that_readme_shows_is_what_kin_says)
{
    const char *page = shell_read(scratch_arena(), "README.md");
    const char *yaml = block_of(page, "yaml"), *right = strstr(yaml, "x: float");
    ck_assert_ptr_nonnull(right);
    char *wrong = arena_copy(scratch_arena(), yaml, strlen(yaml));
    memcpy(wrong + (right - yaml), "x: flaot", strlen("x: flaot"));
    scratch_write("town.yaml", wrong);
    shell_result result =
        shell_run(scratch_arena(), arena_format(scratch_arena(), "%s\nkin check town.yaml", preparation()));
    ck_assert_int_eq(result.status, 1);
    ck_assert_msg(strstr(page, result.output) != NULL, "README does not show: %s", result.output);
}
END_TEST

START_TEST(the_commands_that_readme_names_are_targets)
{
    const char *help = shell_expect(scratch_arena(), "make -s help");
    static const char *const targets[] = {"all",       "demo",         "check", "check-sanitize", "check-generated",
                                          "generated", "lint",         "deps",  "install",        "bench",
                                          "play",      "demo-arena",   "help",  "uninstall",      "dist",
                                          "deb",       "amalgamation", "docs",  "docs-api"};
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
        ck_assert_msg(strstr(help, arena_format(scratch_arena(), "  %s ", targets[i])) != NULL, "no target %s",
                      targets[i]);
}
END_TEST

Suite *readme_suite(void)
{
    Suite *suite = suite_create("readme");
    TCase *shown = tcase_create("shown");
    tcase_set_timeout(shown, 60);
    tcase_add_checked_fixture(shown, scratch_create, scratch_destroy);
    tcase_add_test(shown, what_readme_shows_builds_and_prints_what_it_says);
    tcase_add_loop_test(shown, the_projects_that_readme_shows_build_what_it_shows, 0,
                        sizeof projects / sizeof *projects);
    tcase_add_test(shown, the_pair_of_files_that_readme_shows_builds_what_it_shows);
    tcase_add_test(shown, the_fault_that_readme_shows_is_what_kin_says);
    tcase_add_test(shown, the_commands_that_readme_names_are_targets);
    suite_add_tcase(suite, shown);
    return suite;
}
