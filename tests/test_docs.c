// The manual: each page's blocks are built and run, its links lead to files and headings, and a site and the API
// reference are made of it if mkdocs-material and doxygen are installed.
#include "generator/scratch.h"
#include "shell.h"
#include "suites.h"

#include <glob.h>
#include <string.h>

static glob_t pages;

static void find_pages(void)
{
    glob("docs/*.md", 0, NULL, &pages);
}

static const char *blocks_of(const char *page)
{
    return arena_format(scratch_arena(), "BUILD='%s' COMPILER='%s' FLAGS='%s' tests/tools/blocks.sh '%s' '%s'",
                        shell_build(), shell_compiler(), shell_flags(), page, scratch_path("page"));
}

START_TEST(what_a_page_shows_builds_and_prints_what_it_says)
{
    if (strcmp(pages.gl_pathv[_i], "docs/building.md") == 0)
        return; // test_readme.c builds its projects
#ifdef TESTS_WITHOUT_INSPECTOR
    if (strcmp(pages.gl_pathv[_i], "docs/inspector.md") == 0)
        return;
#endif
    shell_expect(scratch_arena(), blocks_of(pages.gl_pathv[_i]));
}
END_TEST

// Pages with faults, and the message about each; NULL for correct pages, which show that nothing else fails.
static const struct {
    const char *page, *said;
} pages_with_faults[] = {
    {"```sh\necho cat\n```\n```text output\ncat\n```\n", NULL},
    {"```sh\necho cat\n```\n```text output\ndog\n```\n", "differs from the output of the commands"},
    {"```sh\nfalse\ntrue\n```\n", "false"},
    {"```c\nint main(void);\n```\n", "line 1: a block of c has no file name"},
    {"```sh\ntrue\n", "the last block is not closed"},
    {"```c main.c\nint main(void) { return 0 }\n```\n", "error"},
    {"```c cat.c\nint main(void)\n{\n    return 0;\n}\n```\n", "it is not run"},
    {"```c main.c\nint main(void)\n{\n    return 1;\n}\n```\n", "the program fails"},
    {"```c main.c\nint main(void)\n{\n    return 0;\n}\n```\n```text output\ndog\n```\n",
     "differs from the output of the program"},
    {"```c main.c\nint main(void)\n{\n    return 0;\n}\n```\n<!-- another program -->\n"
     "```c main.c\nint main(void)\n{\n    return 0;\n}\n```\n",
     NULL},
    {"```c main.c\nint main(void)\n{\n    return 1;\n}\n```\n<!-- another program -->\n"
     "```c main.c\nint main(void)\n{\n    return 0;\n}\n```\n",
     "the program fails"},
    {"```yaml town.yaml\nkin: 1\npackage: town\ncontexts: { game: {} }\ncomponents: { Cat: {} }\n```\n"
     "```c main.c\nint main(void)\n{\n    return 0;\n}\n```\n```cpp main.cpp\nint main()\n{\n    return 1;\n}\n```\n",
     "the program fails"},
    {"```c main.c\nint main(void)\n{\n    return 0;\n}\n```\n<!-- another program -->\n"
     "```sh\ntest ! -e main.c\necho cat\n```\n```text output\ncat\n```\n"
     "<!-- another program -->\n```sh\necho cat\n```\n```text output\ndog\n```\n",
     "differs from the output of the commands"},
};

START_TEST(a_page_that_does_not_do_what_it_says_is_reported)
{
    scratch_write("page.md", pages_with_faults[_i].page);
    shell_result result = shell_run(
        scratch_arena(), arena_format(scratch_arena(), "KIN_CHECK_ALL=yes %s", blocks_of(scratch_path("page.md"))));
    const char *said = pages_with_faults[_i].said;
    ck_assert_msg((result.status == 0) == (said == NULL), "%s", result.output);
    if (said != NULL)
        ck_assert_msg(strstr(result.output, said) != NULL, "%s is not in: %s", said, result.output);
}
END_TEST

// Commands that fail because something is missing, and the word by which its row in docs/getting-started.md is found.
static const struct {
    const char *command, *word;
} builds_that_fail[] = {
    {"cc main.c generated/town/*.c -lkin", "town/town.h"},
    {"CPATH= cc -nostdinc -isystem $(cc -print-file-name=include) -isystem /usr/include " // not where Kin is installed
     "-isystem /usr/include/$(cc -print-multiarch) -Igenerated main.c generated/town/*.c -lkin",
     "kin/kin.h"},
    {"sed -i s/game_add_position/game_add_click/ main.c; cc -Igenerated main.c generated/town/*.c -lkin",
     "game_add_click"},
    {"cc -Igenerated main.c -lkin", "game_context_create"},
    {"cc -Igenerated main.c generated/town/*.c", "kin_"},
    {"printf 'systems:\n  Walk: { in: simulation, group: moving }\n' >> town.yaml; kin generate -q town.yaml;"
     "cc -Igenerated main.c generated/town/*.c -lkin",
     "walk_update"},
    {"printf 'kin: 1\npackage: town\ncontexts: { game: {}, input: {} }\ncomponents: { Key: { contexts: [input] } }\n'"
     " > town.yaml; kin generate -q town.yaml; printf '#include \"town/town.h\"\nint main(void)\n"
     "{ return game_entity_is_alive(0, INPUT_NO_ENTITY); }\n' > main.c; cc -Igenerated main.c generated/town/*.c -lkin",
     "input_entity"},
};

START_TEST(what_compilers_say_of_a_build_that_lacks_something_is_in_the_first_page)
{
    const char *word = builds_that_fail[_i].word;
    const char *rows = strstr(shell_read(scratch_arena(), "docs/getting-started.md"), "## When it does not build");
    ck_assert_ptr_nonnull(strstr(rows, word));
    scratch_write("page.md", arena_format(scratch_arena(),
                                          "```sh\nkin init town\ncd town\nkin generate -q town.yaml\n"
                                          "if (%s) 2> said; then false; fi\ngrep '%s' said\n```\n",
                                          builds_that_fail[_i].command, word));
    shell_expect(scratch_arena(), blocks_of(scratch_path("page.md")));
}
END_TEST

START_TEST(links_between_pages_lead_to_files_and_headings)
{
    shell_expect(scratch_arena(), "tests/tools/links.sh *.md */README.md docs/*.md");
}
END_TEST

START_TEST(a_dead_link_is_reported_with_its_place)
{
    scratch_write(
        "page.md",
        "# A page\n\n[here](#a-page), [there](#another)\n[elsewhere](no.md), `[x](no)`\n<img src=\"no.png\">\n");
    shell_result result =
        shell_run(scratch_arena(), arena_format(scratch_arena(), "tests/tools/links.sh '%s'", scratch_path("page.md")));
    ck_assert_int_eq(result.status, 1);
    ck_assert_ptr_nonnull(strstr(result.output, "page.md has no heading another\n"));
    ck_assert_ptr_nonnull(strstr(result.output, "page.md:4: there is no no.md\n"));
    ck_assert_ptr_nonnull(strstr(result.output, "page.md:5: there is no no.png\n"));
    ck_assert_ptr_null(strstr(result.output, "a-page"));
}
END_TEST

START_TEST(the_list_of_pages_has_them_all)
{
    ck_assert_uint_gt(pages.gl_pathc, 10);
    const char *list = shell_read(scratch_arena(), "docs/README.md");
    for (size_t i = 0; i < pages.gl_pathc; i++) {
        const char *name = strrchr(pages.gl_pathv[i], '/') + 1;
        if (strcmp(name, "README.md") == 0)
            continue;
        ck_assert_msg(strstr(list, arena_format(scratch_arena(), "](%s)", name)) != NULL, "%s is not listed", name);
    }
}
END_TEST

// The tasks of readers, and the heading that has the answer.
static const struct {
    const char *page, *heading;
} tasks[] = {
    {"getting-started.md", "# Getting started"},
    {"schema.md", "# The schema language"},
    {"contexts-and-entities.md", "# Contexts and entities"},
    {"groups-and-indices.md", "## Groups"},
    {"reacting.md", "# Reacting to changes"},
    {"reacting.md", "## Events"},
    {"groups-and-indices.md", "## Indices"},
    {"systems-and-worlds.md", "# Systems and worlds"},
    {"browser.md", "# In a browser"},
    {"recipes.md", "## Cooldowns and timers"},
    {"recipes.md", "## Areas"},
    {"recipes.md", "## State machines"},
    {"recipes.md", "## Pools of particles"},
    {"recipes.md", "## Random numbers"},
    {"recipes.md", "## Turns"},
    {"systems-and-worlds.md", "## Let an engine run nodes"},
    {"memory-errors-and-tests.md", "## Testing a system"},
    {"memory-errors-and-tests.md", "## Errors"},
    {"memory-errors-and-tests.md", "## Memory"},
    {"memory-errors-and-tests.md", "## In a debugger"},
    {"speed.md", "# Speed"},
    {"from-entitas.md", "## What is different"},
    {"from-flecs.md", "## What Kin does not have"},
    {"from-entt.md", "## What Kin does not have"},
    {"rules.md", "# Rules of meaning"},
    {"rules.md", "## Terms"},
    {"design.md", "# Design"},
};

START_TEST(each_task_has_its_page_and_heading)
{
    const char *page = shell_read(scratch_arena(), arena_format(scratch_arena(), "docs/%s", tasks[_i].page));
    const char *heading = arena_format(scratch_arena(), "\n%s\n", tasks[_i].heading);
    ck_assert_msg(strstr(arena_format(scratch_arena(), "\n%s", page), heading) != NULL, "%s has no %s", tasks[_i].page,
                  tasks[_i].heading);
}
END_TEST

// The rows of the tables about ownership in memory-errors-and-tests.md, and a test that shows each.
static const struct {
    const char *row, *test;
} ownership[] = {
    {"a pointer from `get` or `edit`", "cmp_10_get_and_edit_give_the_same_address_from_add_to_remove"},
    {"a pointer to a [shared value](lists-and-shared-values.md#shared-values)",
     "shr_01_the_address_stays_until_the_last_entity_has_lost_the_value"},
    {"a `string` in a component", "cmp_12_a_string_is_copied_in"},
    {"the elements of a [list](lists-and-shared-values.md#lists)",
     "lst_04_a_list_moves_only_when_it_needs_more_room_and_the_room_doubles"},
    {"an opaque value with `drop`",
     "cmp_13_a_value_is_dropped_once_when_it_is_removed_replaced_or_its_entity_destroyed"},
    {"`game_entities`, arrays of groups, indices, collectors", "grp_03_the_array_stays_as_it_is_until_the_next_call"},
    {"`previous` and `value` in a listener",
     "cmp_14_no_value_is_dropped_before_the_outermost_change_has_been_reported"},
    {"a group", "grp_01_a_group_is_made_once_with_all_that_match_by_then"},
    {"a context of `town_contexts` or of a world", "wld_05_nothing_destroys_the_contexts_while_a_world_is_on_them"},
    {"a collector, a `kin_systems`", "sys_09_destroying_systems_releases_all_without_tear_down"},
    {"`kin_error` and its strings", "err_03_an_error_has_the_names_of_the_schema_and_the_entity"},
    {"`add`, `replace`, `ensure`, `set_unique`, `replace_unique`",
     "cmp_13_a_value_stays_the_callers_when_a_listener_makes_its_set_fail"},
    {"`readd`", "cmp_13_the_value_of_a_refused_adding_again_is_the_callers_and_the_old_one_is_dropped"},
    {"`remove`, `stash`, `edit`, `touch`", "cpy_07_stash_has_the_checks_of_remove"},
    {"`restore`", "cpy_07_idx_03_a_key_that_was_taken_meanwhile_refuses_the_restoring_and_keeps_the_value"},
    {"`restore_or_add`", "cpy_10_cmp_13_the_caller_owns_the_value_when_the_stashed_one_is_restored"},
    {"`clone`", "cpy_05_a_step_that_a_listener_makes_impossible_ends_the_clone"},
    {"`spawn`", "cpy_05_a_spawn_is_refused_when_a_listener_destroys_its_entity"},
    {"`spawn_…_with`", "cpy_09_cmp_13_when_refused_midway_the_caller_owns_the_given_values"},
    {"`spawn_many`, with or without values", "cpy_05_cmp_13_a_batch_refused_midway_returns_every_value"},
    {"`apply`", "cpy_06_an_entity_that_a_listener_destroys_gets_no_more"},
    {"`copy_components`", "cpy_11_a_component_that_a_listener_makes_impossible_ends_the_copy"},
};

enum { OWNERSHIP_COUNT = sizeof ownership / sizeof *ownership };

START_TEST(each_row_about_ownership_has_a_test)
{
    const char *page = shell_read(scratch_arena(), "docs/memory-errors-and-tests.md");
    const char *row = strstr(page, "| what | owner | valid until |"), *end = strstr(page, "Strings are always copied");
    size_t count = 0;
    for (; row < end; row = strchr(row, '\n') + 1)
        count += *row == '|';
    ck_assert_uint_eq(count, OWNERSHIP_COUNT + 4); // two rows of heads, and two of dashes
    for (size_t i = 0; i < OWNERSHIP_COUNT; i++) {
        const char *cell = arena_format(scratch_arena(), "\n| %s | ", ownership[i].row);
        ck_assert_msg(strstr(page, cell) != NULL, "no row has: %s", ownership[i].row);
        const char *find = "grep -rqF 'START_TEST(%s)' tests/runtime";
        shell_expect(scratch_arena(), arena_format(scratch_arena(), find, ownership[i].test));
    }
}
END_TEST

static void make_docs(const char *target)
{
    shell_expect(scratch_arena(), arena_format(scratch_arena(), MAKE "-s %s BUILD=%s DOCS='%s'", target, shell_build(),
                                               scratch_path("docs")));
}

START_TEST(a_site_is_made_of_all_pages_and_its_links_stay_within_it)
{
    if (!shell_has(scratch_arena(), "mkdocs") || !shell_has(scratch_arena(), "doxygen"))
        return;
    make_docs("docs");
    // Four pages of other folders, and one for addresses that do not exist.
    shell_expect(scratch_arena(), arena_format(scratch_arena(), "cd '%s' && test $(ls *.html | wc -l) = %u",
                                               scratch_path("docs"), (unsigned)pages.gl_pathc + 5));
    shell_expect(scratch_arena(),
                 arena_format(scratch_arena(), "tests/tools/site_links.py '%s'", scratch_path("docs")));
    const char *index = scratch_read("docs/index.html");
    ck_assert_ptr_nonnull(strstr(index, "href=\"getting-started.html\""));
    ck_assert_ptr_nonnull(strstr(index, "href=\"api/index.html\""));
    ck_assert_ptr_nonnull(strstr(scratch_read("docs/search/search_index.js"), "recipes.html#turns"));
    const char *with_tabs = scratch_read("docs/lists-and-shared-values.html");
    ck_assert_ptr_nonnull(strstr(with_tabs, ">C</label><label for=\"__tabbed_1_2\">C++</label>"));
    ck_assert_ptr_null(strstr(with_tabs, "<summary>C++"));
}
END_TEST

START_TEST(a_dead_link_of_the_site_is_reported)
{
    scratch_write("site/a.html", "<a href=\"b.html#there\"></a> <a href=\"https://no\"></a> <a href=\"#a\"></a>");
    scratch_write("site/b.html", "<p id=\"there\"><a href=\"c.html\"></a><a href=\"a.html#b\"></a></p>");
    shell_result result = shell_run(
        scratch_arena(), arena_format(scratch_arena(), "tests/tools/site_links.py '%s'", scratch_path("site")));
    ck_assert_int_eq(result.status, 1);
    ck_assert_str_eq(result.output, "a.html: a.html has no anchor a\n"
                                    "b.html: there is no c.html\n"
                                    "b.html: a.html has no anchor b\n");
}
END_TEST

START_TEST(everything_public_is_described_in_the_api_reference)
{
    if (!shell_has(scratch_arena(), "doxygen"))
        return;
    make_docs("docs-api");
    ck_assert_ptr_nonnull(strstr(scratch_read("docs/api/group_8h.html"), "kin_group_subscribe"));
    ck_assert_ptr_nonnull(strstr(scratch_read("docs/api/entity_8h.html"), "kin_entity_slot"));
    ck_assert_ptr_nonnull(strstr(scratch_read("docs/api/index.html"), "One header for each concept"));
    ck_assert_ptr_nonnull(strstr(scratch_read("docs/api/menudata.js"), "../index.html"));
}
END_TEST

START_TEST(headers_state_the_cost_of_functions_and_the_ownership_of_results)
{
    shell_expect(scratch_arena(), "tests/tools/described.sh --each runtime/include/kin/*.h");
    shell_expect(scratch_arena(),
                 arena_format(scratch_arena(), "tests/tools/described.sh '%s'/generated/*/*.h", shell_build()));
}
END_TEST

// Headers with faults, and the message about each; NULL for correct headers.
static const struct {
    const char *flag, *header, *said;
} headers_with_faults[] = {
    {"--each", "/// Ends it. Cost: none.\nvoid cat_end(void);\n", NULL},
    {"--each", "/// Cats. Cost: none.\n#ifndef CAT_H\n\n/// Ends it.\nvoid cat_end(void);\n", NULL},
    {"--each", "/// Ends it.\nvoid cat_end(void);\n", "cat_end does not say what it costs"},
    {"--each", "/// Ends it. Cost: none.\n\nvoid cat_end(void);\n", "cat_end is not described"},
    {"--each", "/// Feeds it. Cost: none.\nkin_status cat_feed(void);\n", "which errors there may be"},
    {"", "// Cost: none.\n\n/// Finds it.\nstatic inline cat *cat_find(void)\n", "whose its pointer is"},
    {"", "// Cats.\n\n/// Ends it.\nvoid cat_end(void);\n", "cat_end does not say what it costs"},
    {"", "// Cost: none.\n\n/// Feeds it.\nkin_status cat_feed(void);\n", "what happens to errors"},
    {"", "// Cost: none, on_error.\n//\n//   add_c   adds it\n\nkin_status game_add_a(void);\n", NULL},
    {"", "// Cost: none, on_error.\n//\n//   add_c   adds it\n\nkin_status game_sub_a(void);\n",
     "game_sub_a is not described"},
    {"", "// Cost: none.\n", "no functions"},
};

START_TEST(a_header_that_says_too_little_is_reported)
{
    scratch_write("cat.h", headers_with_faults[_i].header);
    shell_result result = shell_run(scratch_arena(), arena_format(scratch_arena(), "tests/tools/described.sh %s '%s'",
                                                                  headers_with_faults[_i].flag, scratch_path("cat.h")));
    const char *said = headers_with_faults[_i].said;
    ck_assert_msg((result.status == 0) == (said == NULL), "%s", result.output);
    if (said != NULL)
        ck_assert_msg(strstr(result.output, said) != NULL, "%s is not in: %s", said, result.output);
}
END_TEST

Suite *docs_suite(void)
{
    find_pages();
    Suite *suite = suite_create("docs");
    TCase *shown = tcase_create("shown");
    tcase_set_timeout(shown, 60);
    tcase_add_checked_fixture(shown, scratch_create, scratch_destroy);
    tcase_add_loop_test(shown, what_a_page_shows_builds_and_prints_what_it_says, 0, (int)pages.gl_pathc);
    tcase_add_loop_test(shown, a_page_that_does_not_do_what_it_says_is_reported, 0,
                        sizeof pages_with_faults / sizeof *pages_with_faults);
    tcase_add_loop_test(shown, what_compilers_say_of_a_build_that_lacks_something_is_in_the_first_page, 0,
                        sizeof builds_that_fail / sizeof *builds_that_fail);
    tcase_add_test(shown, links_between_pages_lead_to_files_and_headings);
    tcase_add_test(shown, a_dead_link_is_reported_with_its_place);
    tcase_add_test(shown, the_list_of_pages_has_them_all);
    tcase_add_test(shown, each_row_about_ownership_has_a_test);
    tcase_add_loop_test(shown, each_task_has_its_page_and_heading, 0, sizeof tasks / sizeof *tasks);
    if (shell_runs_all())
        tcase_add_test(shown, a_site_is_made_of_all_pages_and_its_links_stay_within_it);
    tcase_add_test(shown, a_dead_link_of_the_site_is_reported);
    tcase_add_test(shown, everything_public_is_described_in_the_api_reference);
    tcase_add_test(shown, headers_state_the_cost_of_functions_and_the_ownership_of_results);
    tcase_add_loop_test(shown, a_header_that_says_too_little_is_reported, 0,
                        sizeof headers_with_faults / sizeof *headers_with_faults);
    suite_add_tcase(suite, shown);
    return suite;
}
