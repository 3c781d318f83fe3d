// Advice: warnings about valid schemas that can be improved. tests/advice has schemas that cause each warning, and the
// expected texts.
#include "generator/read/read.h"
#include "generator/reading.h"
#include "shell.h"
#include "suites.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static void advise(const char *path)
{
    const source *source = source_load(reading_arena(), reading_diagnostics(), path);
    ck_assert_ptr_nonnull(source);
    const package *package = package_read(reading_arena(), reading_diagnostics(), source);
    ck_assert_ptr_nonnull(package);
    advice_give(reading_arena(), reading_diagnostics(), package);
}

static void advise_in_game(const char *rest)
{
    advice_give(reading_arena(), reading_diagnostics(), reading_package_in_game(rest));
}

START_TEST(all_advice_has_a_place_and_a_hint)
{
    advise("tests/advice/everything.yaml");
    ck_assert_str_eq(reading_printed(), shell_read(reading_arena(), "tests/advice/everything.expected"));
    ck_assert_int_eq(diagnostics_exit_status(reading_diagnostics()), 0);
}
END_TEST

START_TEST(advice_on_content_is_about_groups_that_lack_origin)
{
    advise("tests/advice/content.yaml");
    ck_assert_str_eq(reading_printed(), shell_read(reading_arena(), "tests/advice/content.expected"));
}
END_TEST

START_TEST(advice_on_relations_is_about_cleanups_and_indices)
{
    advise("tests/advice/relations.yaml");
    ck_assert_str_eq(reading_printed(), shell_read(reading_arena(), "tests/advice/relations.expected"));
}
END_TEST

START_TEST(fnd_20_advice_does_not_blame_what_off_leaves_out)
{
    advise("tests/advice/off.yaml");
    ck_assert_str_eq(reading_printed(), shell_read(reading_arena(), "tests/advice/off.expected"));
}
END_TEST

START_TEST(advice_on_saves_is_about_files_and_merges)
{
    advise("tests/advice/saves.yaml");
    ck_assert_str_eq(reading_printed(), shell_read(reading_arena(), "tests/advice/saves.expected"));
}
END_TEST

START_TEST(advice_on_parallel_systems_is_about_use_and_commands)
{
    advise("tests/advice/parallel.yaml");
    ck_assert_str_eq(reading_printed(), shell_read(reading_arena(), "tests/advice/parallel.expected"));
}
END_TEST

START_TEST(advice_on_blueprints_is_about_entities_that_exclude_each_other)
{
    advise("tests/advice/children_exclude.yaml");
    ck_assert_str_eq(reading_printed(), shell_read(reading_arena(), "tests/advice/children_exclude.expected"));
}
END_TEST

START_TEST(a_package_without_keys_for_saves_gets_no_advice_on_them)
{
    static const char schema[] =
        "contexts: { game: { default: true }, menu: {} }\n"
        "types: { Sprite: { opaque: void * } }\n"
        "components: { A: { fields: { sprite: Sprite, of: entity } }, B: { contexts: [menu] } }\n";
    advice_give(reading_arena(), reading_diagnostics(),
                reading_package(arena_format(reading_arena(), "kin: 1\npackage: p\n%s", schema)));
    reading_expect_nothing();
    advice_give(reading_arena(), reading_diagnostics(),
                reading_package(arena_format(reading_arena(), "kin: 1\npackage: p\nversion: 1\n%s", schema)));
    ck_assert_uint_eq(diagnostics_warning_count(reading_diagnostics()), 2);
}
END_TEST

START_TEST(the_schemas_of_the_examples_need_no_advice)
{
    advise("schemas/arena.yaml");
    advise("schemas/match_one.yaml");
    reading_expect_nothing();
}
END_TEST

START_TEST(values_over_256_bytes_are_large_unless_the_component_is_unique)
{
    advise_in_game("components:\n"
                   "  A: { fields: { a: \"uint8[256]\" } }\n"
                   "  B: { fields: { a: \"uint8[257]\" }, unique: true }\n");
    reading_expect_nothing();
    reading_begin();
    advise_in_game("components: { A: { fields: { a: \"uint8[257]\" } } }\n");
    ck_assert_ptr_nonnull(strstr(reading_printed(), "component 'A' takes 257 bytes"));
    ck_assert_uint_eq(diagnostics_warning_count(reading_diagnostics()), 1);
}
END_TEST

START_TEST(padding_is_reported_from_an_eighth_of_the_value_and_four_bytes_on)
{
    static const struct {
        const char *fields;
        bool is_reported;
    } cases[] = {
        {"a: bool, b: int16, c: bool", false},                  // 6 to 4
        {"a: bool, b: int32, c: bool", true},                   // 12 to 8
        {"a: bool, b: int64, c: bool, d: \"int64[5]\"", true},  // 64 to 56
        {"a: bool, b: int64, c: bool, d: \"int64[6]\"", false}, // 72 to 64
        {"a: int64, b: bool", false},                           // no order is smaller
        {"a: bool, b: Unknown, c: bool", false},                // only the compiler knows the size
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        reading_begin();
        advise_in_game(arena_format(reading_arena(),
                                    "types: { Unknown: { opaque: struct token, header: schemas/sprite.h } }\n"
                                    "components: { A: { fields: { %s } }, B: { fields: { u: Unknown } } }\n",
                                    cases[i].fields));
        bool is_reported = strstr(reading_printed(), "reordering its fields") != NULL;
        ck_assert_msg(is_reported == cases[i].is_reported, "%s: %s", cases[i].fields, reading_printed());
    }
}
END_TEST

START_TEST(a_schema_with_errors_gets_no_advice)
{
    advise_in_game("types: { Spare: { values: [A] } }\ncomponents: { A: { fields: { a: flaot } } }\n");
    ck_assert_uint_eq(diagnostics_warning_count(reading_diagnostics()), 0);
    ck_assert_uint_eq(diagnostics_error_count(reading_diagnostics()), 1);
}
END_TEST

START_TEST(the_program_prints_advice_and_continues_even_when_quiet)
{
    const char *expected = shell_read(reading_arena(), "tests/advice/everything.expected");
    const char *program = getenv("KIN") == NULL ? "build/bin/kin" : getenv("KIN");
    const char *folder = arena_format(reading_arena(), "%s/advice", shell_build());
    const char *schema = "tests/advice/everything.yaml";
    const char *commands[] = {
        arena_format(reading_arena(), "%s check %s", program, schema),
        arena_format(reading_arena(), "rm -rf %s && %s generate -q -o %s %s && test -f %s/arena/arena.h", folder,
                     program, folder, schema, folder),
    };
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        ck_assert_str_eq(shell_expect(reading_arena(), commands[i]), expected);
}
END_TEST

// The folders of schemas that are generated, of which some get other advice on purpose.
START_TEST(no_schema_of_this_repository_has_names_of_platforms)
{
    const char *program = getenv("KIN") == NULL ? "build/bin/kin" : getenv("KIN");
    const char *command = "for schema in schemas/*.yaml bench/*.yaml examples/*/*.yaml tests/schemas/*.yaml"
                          " tests/schemas/*/*.yaml tests/fuzz/*/*.yaml; do %s check $schema; done 2>&1 | grep K1001; :";
    ck_assert_str_eq(shell_expect(reading_arena(), arena_format(reading_arena(), command, program)), "");
}
END_TEST

// An included file inside the folder of the root file is part of one package; another one may be shared by several.
START_TEST(unused_declarations_get_advice_only_inside_the_folder_of_the_root_file)
{
    const char *program = getenv("KIN") == NULL ? "build/bin/kin" : getenv("KIN");
    const char *command = "%s check -I tests/advice/included tests/advice/outside/root.yaml";
    ck_assert_str_eq(shell_expect(reading_arena(), arena_format(reading_arena(), command, program)), "");
    advise("tests/advice/included.yaml");
    ck_assert_str_eq(reading_printed(), shell_read(reading_arena(), "tests/advice/included.expected"));
}
END_TEST

Suite *advice_suite(void)
{
    Suite *suite = suite_create("advice");
    TCase *tests = tcase_create("advice");
    tcase_add_checked_fixture(tests, reading_begin, reading_end);
    tcase_add_test(tests, all_advice_has_a_place_and_a_hint);
    tcase_add_test(tests, no_schema_of_this_repository_has_names_of_platforms);
    tcase_add_test(tests, advice_on_relations_is_about_cleanups_and_indices);
    tcase_add_test(tests, advice_on_content_is_about_groups_that_lack_origin);
    tcase_add_test(tests, fnd_20_advice_does_not_blame_what_off_leaves_out);
    tcase_add_test(tests, advice_on_saves_is_about_files_and_merges);
    tcase_add_test(tests, advice_on_parallel_systems_is_about_use_and_commands);
    tcase_add_test(tests, advice_on_blueprints_is_about_entities_that_exclude_each_other);
    tcase_add_test(tests, a_package_without_keys_for_saves_gets_no_advice_on_them);
    tcase_add_test(tests, the_schemas_of_the_examples_need_no_advice);
    tcase_add_test(tests, values_over_256_bytes_are_large_unless_the_component_is_unique);
    tcase_add_test(tests, padding_is_reported_from_an_eighth_of_the_value_and_four_bytes_on);
    tcase_add_test(tests, a_schema_with_errors_gets_no_advice);
    tcase_add_test(tests, the_program_prints_advice_and_continues_even_when_quiet);
    tcase_add_test(tests, unused_declarations_get_advice_only_inside_the_folder_of_the_root_file);
    suite_add_tcase(suite, tests);
    return suite;
}
