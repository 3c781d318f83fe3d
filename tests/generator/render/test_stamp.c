// Stamp: files of different layouts do not compile together, and a changed doc changes only the files that contain it.
#include "generator/program.h"
#include "generator/scratch.h"
#include "shell.h"
#include "suites.h"

#include <check.h>
#include <string.h>

static const char first[] = "kin: 1\n"
                            "package: pair\n"
                            "contexts: { game: { default: true }, menu: {} }\n"
                            "types: { Way: { fields: { by: { type: float, doc: How far. } } } }\n"
                            "components:\n"
                            "  Frozen: { doc: Cold. }\n"
                            "  Cell: { fields: { x: { type: int32, doc: To the right., unit: cells } } }\n"
                            "  Step: { fields: { way: Way } }\n"
                            "  Open: { contexts: [menu] }\n"
                            "  Name: { contexts: [game, menu], fields: { text: { type: string, doc: To read. } } }\n"
                            "groups: { cells: { context: game, all: [Cell], doc: All. } }\n"
                            "systems: { Walk: { in: simulation, group: cells, writes: [Cell], roles: [update] } }\n";

static void generate(const char *directory, const char *schema, const char *templates)
{
    scratch_write("pair.yaml", schema);
    scratch_write("templates/none", "");
    if (templates != NULL)
        scratch_write("templates/package.h.mustache", templates);
    check_outcome(RUN("generate", "-q", "-o", scratch_path(directory), "--templates", scratch_path("templates"),
                      scratch_path("pair.yaml")),
                  0, "", "");
}

// Returns the schema `first` with `old` replaced by `new`.
static const char *with(const char *old, const char *new)
{
    const char *at = strstr(first, old);
    ck_assert_ptr_nonnull(at);
    return arena_format(scratch_arena(), "%.*s%s%s", (int)(at - first), first, new, at + strlen(old));
}

static shell_result compile(const char *directory)
{
    return shell_run(scratch_arena(),
                     arena_format(scratch_arena(),
                                  "for file in '%s'/pair/*.c '%s'/pair/*.h; do"
                                  " gcc -std=c17 -fsyntax-only -Iruntime/include -Isave/include -x c \"$file\" ||"
                                  " exit 1; done",
                                  scratch_path(directory), scratch_path(directory)));
}

static const char *const files[] = {
    "pair.h",      "pair.c",      "pair_types.h", "pair_game.h",  "pair_game.c",
    "pair_menu.h", "pair_menu.c", "pair_world.h", "pair_world.c", "pair_save.h",
};

enum { FILE_COUNT = sizeof files / sizeof *files };

static void copy(const char *name, const char *from, const char *to)
{
    scratch_write(arena_format(scratch_arena(), "%s/pair/%s", to, name),
                  scratch_read(arena_format(scratch_arena(), "%s/pair/%s", from, name)));
}

static bool is_changed(const char *name)
{
    const char *before = scratch_read(arena_format(scratch_arena(), "one/pair/%s", name));
    return strcmp(before, scratch_read(arena_format(scratch_arena(), "two/pair/%s", name))) != 0;
}

static void begin_mixture(void)
{
    shell_expect(scratch_arena(), arena_format(scratch_arena(), "rm -rf '%s'; cp -r '%s' '%s'", scratch_path("mixed"),
                                               scratch_path("two"), scratch_path("mixed")));
}

static void expect_mismatch(const char *mixed)
{
    shell_result result = compile("mixed");
    ck_assert_msg(result.status != 0, "%s may be of another schema", mixed);
    ck_assert_msg(strstr(result.output, "come from different runs of kin; generate package 'pair' again") != NULL, "%s",
                  result.output);
}

// Compiles the second set with one file of the first in its place, for each file that differs; none may compile.
static void expect_no_mixture(size_t changed)
{
    for (size_t i = 0; i < FILE_COUNT; i++) {
        if (!is_changed(files[i]))
            continue;
        begin_mixture();
        copy(files[i], "one", "mixed");
        expect_mismatch(files[i]);
        outcome checked = RUN("generate", "--check", "-o", scratch_path("mixed"), "--templates",
                              scratch_path("templates"), scratch_path("pair.yaml"));
        ck_assert_int_eq(checked.status, 4);
        ck_assert_ptr_nonnull(strstr(checked.output, arena_format(scratch_arena(), "/%s\n", files[i])));
        changed--;
    }
    ck_assert_uint_eq(changed, 0);
}

static const struct {
    const char *old, *new;
    size_t changed;
} layouts[] = {
    {"  Open: { contexts: [menu] }\n", "  Open: { contexts: [menu] }\n  New: {}\n", 3}, // of game, and world.h
    {"  Open: { contexts: [menu] }\n", "  Open: { contexts: [menu] }\n  New: { contexts: [menu] }\n", 2},
    {"{ by: {", "{ up: float, by: {", 8},
    {"{ text: {", "{ more: int32, text: {", 5},
    {"roles: [update]", "roles: [update, draw]", 2},
};

START_TEST(a_file_of_another_layout_does_not_compile_and_a_check_names_it)
{
    generate("one", first, NULL);
    ck_assert_int_eq(compile("one").status, 0);
    generate("two", with(layouts[_i].old, layouts[_i].new), NULL);
    ck_assert_int_eq(compile("two").status, 0);
    expect_no_mixture(layouts[_i].changed);
}
END_TEST

// All files of one context are old, and of two contexts with a component both define it.
START_TEST(a_component_of_two_contexts_has_one_layout_in_both)
{
    generate("one", first, NULL);
    generate("two", with("{ text: {", "{ more: int32, text: {"), NULL);
    begin_mixture();
    copy("pair_menu.h", "one", "mixed");
    copy("pair_menu.c", "one", "mixed");
    expect_mismatch("the context menu");
}
END_TEST

START_TEST(a_file_of_another_template_does_not_compile)
{
    generate("one", first, NULL);
    generate(
        "two", first,
        "{{> mark}}\n#pragma once\n{{#contexts}}\n#include \"{{package}}_{{file}}.h\"\n{{/contexts}}\n{{> stamp}}\n"
        "{{> contexts}}\n#ifndef KIN_WITHOUT_WORLD\n#include \"{{package}}_world.h\"\n#endif\n");
    ck_assert_int_eq(compile("two").status, 0);
    expect_no_mixture(FILE_COUNT);
}
END_TEST

static const struct {
    const char *old, *new, *changed;
} docs[] = {
    {"Cold.", "\"Very cold, one might say.\"", "pair_game.h pair_game.c"},
    {"Frozen: { doc: Cold. }", "Frozen: {}", "pair_game.h pair_game.c"},
    {"All.", "\"All of them.\"", "pair_game.h pair_game.c"},
    {"To the right.", "Eastward.", "pair_game.h pair_game.c"},
    {"unit: cells", "unit: metres", "pair_game.h pair_game.c"},
    {"To read.", "To be shown.", "pair_game.h pair_game.c pair_menu.h pair_menu.c"},
    {"How far.", "How many cells.", "pair_types.h pair_game.c"},
    {"menu: {}", "menu: { doc: What can be chosen. }", "pair_menu.h pair_menu.c"},
};

START_TEST(a_doc_changes_only_the_files_that_contain_it)
{
    generate("one", first, NULL);
    generate("two", with(docs[_i].old, docs[_i].new), NULL);
    for (size_t i = 0; i < FILE_COUNT; i++) {
        bool is_expected = strstr(docs[_i].changed, files[i]) != NULL;
        ck_assert_msg(is_changed(files[i]) == is_expected, "%s is %s", files[i], is_expected ? "unchanged" : "changed");
    }
}
END_TEST

Suite *stamp_suite(void)
{
    Suite *suite = suite_create("stamp");
    TCase *cases = tcase_create("stamp");
    tcase_set_timeout(cases, 60);
    tcase_add_checked_fixture(cases, scratch_create, scratch_destroy);
    tcase_add_loop_test(cases, a_file_of_another_layout_does_not_compile_and_a_check_names_it, 0,
                        sizeof layouts / sizeof *layouts);
    tcase_add_test(cases, a_component_of_two_contexts_has_one_layout_in_both);
    tcase_add_test(cases, a_file_of_another_template_does_not_compile);
    tcase_add_loop_test(cases, a_doc_changes_only_the_files_that_contain_it, 0, sizeof docs / sizeof *docs);
    suite_add_tcase(suite, cases);
    return suite;
}
