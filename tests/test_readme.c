// README and the page about building: their blocks are extracted, built as they say, and run.
#include "generator/scratch.h"
#include "shell.h"
#include "suites.h"

#include <string.h>

// All blocks of the two pages, in order. A block without a test below is for people to read: habits checks whether its
// commands are targets.
enum { SCHEMA, OUTPUT, PROGRAM, CPP, FAULT, INSTALL, RUN, COMMANDS, README_BLOCKS };
enum { MAKEFILE, MAKE_RUN, CMAKE, CMAKE_RUN, MESON, MESON_TOWN, MESON_RUN, PAIR, BUILDING_BLOCKS };

static const struct {
    const char *path;
    int count;
    const char *languages[BUILDING_BLOCKS];
} pages[] = {
    {"README.md", README_BLOCKS, {"yaml", "text", "c", "cpp", "", "sh", "sh", "sh"}},
    {"docs/building.md", BUILDING_BLOCKS, {"make", "sh", "cmake", "sh", "meson", "meson", "sh", "sh"}},
};
enum { README, BUILDING, PAGES };

// The fence after `from`, or NULL.
static const char *find_fence(const char *from)
{
    const char *fence = strstr(from, "\n```");
    return fence == NULL ? NULL : fence + strlen("\n```");
}

// The text of a block, which must have its language.
static const char *block_of(int page, int block)
{
    const char *start = find_fence(shell_read(scratch_arena(), pages[page].path));
    for (int i = 0; i < 2 * block && start != NULL; i++)
        start = find_fence(start);
    ck_assert_msg(start != NULL, "%s has no block %d", pages[page].path, block);
    size_t length = strcspn(start, "\n");
    const char *language = arena_copy(scratch_arena(), start, length);
    ck_assert_msg(strcmp(language, pages[page].languages[block]) == 0, "block %d of %s is of '%s'", block,
                  pages[page].path, language);
    const char *end = find_fence(start);
    ck_assert_ptr_nonnull(end);
    return arena_copy(scratch_arena(), start + length + 1, (size_t)(end - start) - length - strlen("```") - 1);
}

START_TEST(the_page_has_these_blocks_and_no_others)
{
    int fences = 0;
    const char *page = shell_read(scratch_arena(), pages[_i].path);
    for (const char *at = find_fence(page); at != NULL; at = find_fence(at))
        fences++;
    ck_assert_int_eq(fences, 2 * pages[_i].count);
    for (int i = 0; i < pages[_i].count; i++)
        ck_assert_str_ne(block_of(_i, i), "");
}
END_TEST

START_TEST(readme_is_read_in_a_few_minutes)
{
    int lines = 0;
    for (const char *at = shell_read(scratch_arena(), "README.md"); *at != '\0'; at++)
        lines += *at == '\n';
    ck_assert_int_le(lines, 130);
}
END_TEST

static void write_town(void)
{
    scratch_write("town.yaml", block_of(README, SCHEMA));
    scratch_write("main.c", block_of(README, PROGRAM));
}

// Builds the program of README, and runs it last.
static void expect_output(const char *commands)
{
    const char *output = shell_expect(scratch_arena(), commands), *expected = block_of(README, OUTPUT);
    size_t length = strlen(output), expected_length = strlen(expected);
    ck_assert_msg(length >= expected_length && strcmp(output + length - expected_length, expected) == 0, "%s", output);
}

// Before the commands of a block: Kin is installed as README says, but below the scratch directory instead of
// /usr/local, and its packages are only compared with those of `make deps`. cc is the compiler of the build.
static const char *preparation(void)
{
    const char *prefix = scratch_path("prefix");
    shell_expect(scratch_arena(),
                 arena_format(scratch_arena(),
                              "set -e; make() { command " MAKE "-s PREFIX='%s' BUILD=%s CFLAGS='%s' \"$@\"; };"
                              " sudo() { if [ $1 = make ]; then \"$@\"; return; fi; shift 2; for package; do"
                              " grep -A1 ^DEBIAN_PACKAGES Makefile | grep -q \" $package \"; done; };\n%s",
                              prefix, shell_build(), shell_flags(), block_of(README, INSTALL)));
    return arena_format(scratch_arena(),
                        "set -e; cd '%s'; PATH='%s/bin':$PATH; export CPATH='%s/include' LIBRARY_PATH='%s/lib'"
                        " LD_LIBRARY_PATH='%s/lib'; cc() { command %s %s \"$@\"; };",
                        scratch_path(""), prefix, prefix, prefix, prefix, shell_compiler(), shell_flags());
}

// tests/install builds these projects in all ways; this builds the program of README.
static const struct {
    int block, run;
    const char *tool, *file, *source, *before;
} projects[] = {
    {MAKEFILE, MAKE_RUN, "make", "Makefile", "make/Makefile", "make() { " MAKE "-s -I prefix/include; }"},
    {CMAKE, CMAKE_RUN, "cmake", "CMakeLists.txt", "cmake/CMakeLists.txt", "export CMAKE_PREFIX_PATH=$PWD/prefix"},
    {MESON, MESON_RUN, "meson", "meson.build", "meson/meson.build",
     "mkdir -p meson/town; mv town.build meson/town/meson.build; export PKG_CONFIG_PATH=$PWD/prefix/lib/pkgconfig"},
};

START_TEST(the_projects_of_the_page_build_what_readme_shows)
{
    if (!shell_has(scratch_arena(), projects[_i].tool))
        return;
    const char *block = block_of(BUILDING, projects[_i].block);
    const char *town = block_of(BUILDING, MESON_TOWN);
    const char *folder = "tests/install/";
    ck_assert_str_eq(block,
                     shell_read(scratch_arena(), arena_format(scratch_arena(), "%s%s", folder, projects[_i].source)));
    ck_assert_str_eq(town, shell_read(scratch_arena(), "tests/install/meson/meson/town/meson.build"));
    write_town();
    scratch_write(projects[_i].file, block);
    scratch_write("town.build", town);
    expect_output(arena_format(scratch_arena(), "%s\nexport CC='%s' CFLAGS='%s'; %s\n%s", preparation(),
                               shell_compiler(), shell_flags(), projects[_i].before,
                               block_of(BUILDING, projects[_i].run)));
}
END_TEST

START_TEST(the_pair_of_files_builds_what_readme_shows)
{
    const char *copy = arena_format(scratch_arena(), MAKE "-s amalgamation BUILD=%s && cp -r %s/amalgamation/kin '%s'",
                                    shell_build(), shell_build(), scratch_path(""));
    shell_expect(scratch_arena(), copy);
    write_town();
    expect_output(arena_format(scratch_arena(), "%s\nrm -r prefix/include prefix/lib\n%s", preparation(),
                               block_of(BUILDING, PAIR)));
}
END_TEST

START_TEST(what_readme_shows_builds_and_prints_what_it_says)
{
    write_town();
    expect_output(arena_format(scratch_arena(), "%s\n%s", preparation(), block_of(README, RUN)));
}
END_TEST

START_TEST(the_program_in_cpp_prints_the_same)
{
    write_town();
    scratch_write("main.cpp", block_of(README, CPP));
    const char *compiler = strstr(shell_compiler(), "clang") != NULL ? "clang++" : "g++";
    expect_output(arena_format(scratch_arena(),
                               "%s\nkin generate -q --face cpp town.yaml; cc -Igenerated -c generated/town/*.c; "
                               "%s -std=c++17 -Wall -Wextra -Werror %s -Igenerated main.cpp *.o -lkin -o town; ./town",
                               preparation(), compiler, shell_flags()));
}
END_TEST

START_TEST(the_fault_that_readme_shows_is_what_kin_says)
{
    const char *yaml = block_of(README, SCHEMA), *right = strstr(yaml, "x: float");
    ck_assert_ptr_nonnull(right);
    char *wrong = arena_copy(scratch_arena(), yaml, strlen(yaml));
    memcpy(wrong + (right - yaml), "x: flaot", strlen("x: flaot"));
    scratch_write("town.yaml", wrong);
    shell_result result =
        shell_run(scratch_arena(), arena_format(scratch_arena(), "%s\nkin check town.yaml", preparation()));
    ck_assert_int_eq(result.status, 1);
    ck_assert_str_eq(result.output, block_of(README, FAULT));
}
END_TEST

Suite *readme_suite(void)
{
    Suite *suite = suite_create("readme");
    TCase *shown = tcase_create("shown");
    tcase_set_timeout(shown, 60);
    tcase_add_checked_fixture(shown, scratch_create, scratch_destroy);
    tcase_add_loop_test(shown, the_page_has_these_blocks_and_no_others, 0, PAGES);
    tcase_add_test(shown, readme_is_read_in_a_few_minutes);
    tcase_add_test(shown, what_readme_shows_builds_and_prints_what_it_says);
    tcase_add_loop_test(shown, the_projects_of_the_page_build_what_readme_shows, 0, sizeof projects / sizeof *projects);
    tcase_add_test(shown, the_pair_of_files_builds_what_readme_shows);
    tcase_add_test(shown, the_program_in_cpp_prints_the_same);
    tcase_add_test(shown, the_fault_that_readme_shows_is_what_kin_says);
    suite_add_tcase(suite, shown);
    return suite;
}
