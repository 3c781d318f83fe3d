// List: the tables of `kin list`.
#include "generator/base/base.h"
#include "generator/describe/internal.h"
#include "generator/program.h"
#include "generator/reading.h"
#include "generator/scratch.h"
#include "shell.h"
#include "suites.h"

#include <check.h>
#include <string.h>

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

static const struct {
    const char *golden, *flag, *schema;
} goldens[] = {
    {"tests/golden/list_match_one.txt", "--", "schemas/match_one.yaml"},
    {"tests/golden/list_everything.txt", "--", "tests/schemas/everything.yaml"},
    {"tests/golden/list_harbour.txt", "--", "tests/schemas/harbour.yaml"},
    {"tests/golden/list_kinship.txt", "--", "tests/schemas/kinship.yaml"},
    {"tests/golden/list_gallery.txt", "--", "tests/schemas/gallery.yaml"},
    {"tests/golden/list_garage.txt", "--", "tests/schemas/garage.yaml"},
    {"tests/golden/list_nursery.txt", "--", "tests/schemas/nursery.yaml"},
    {"tests/golden/list_quarter.txt", "--", "tests/schemas/quarter.yaml"},
    {"tests/golden/saves/list.txt", "--", "tests/schemas/saves/veteran.yaml"},
    {"tests/golden/list_orrery.txt", "--", "tests/schemas/orrery.yaml"},
    {"tests/golden/schedule_orrery.txt", "--schedule", "tests/schemas/orrery.yaml"},
    {"tests/golden/list_stage.txt", "--", "tests/schemas/stage.yaml"},
    {"tests/golden/list_stage.json", "--json", "tests/schemas/stage.yaml"},
    {"tests/golden/schedule_stage.txt", "--schedule", "tests/schemas/stage.yaml"},
    {"tests/golden/list_quarter.json", "--json", "tests/schemas/quarter.yaml"},
    {"tests/golden/saves/list.json", "--json", "tests/schemas/saves/veteran.yaml"},
    {"tests/golden/list_arena.json", "--json", "schemas/arena.yaml"},
    {"tests/golden/list_world.txt", "--", "tests/golden/world.yaml"},
    {"tests/golden/list_world.json", "--json", "tests/golden/world.yaml"},
    {"tests/golden/schedule_world.txt", "--schedule", "tests/golden/world.yaml"},
    {"tests/golden/swarm/list.txt", "--", "tests/golden/swarm/swarm.yaml"},
    {"tests/golden/swarm/list.json", "--json", "tests/golden/swarm/swarm.yaml"},
    {"tests/golden/swarm/schedule.txt", "--schedule", "tests/golden/swarm/swarm.yaml"},
    {"tests/golden/relations_kinship.txt", "--relations", "tests/schemas/kinship.yaml"},
};

START_TEST(a_list_equals_its_golden_file)
{
    outcome outcome = RUN("list", goldens[_i].flag, goldens[_i].schema);
    check_outcome(outcome, 0, shell_read(reading_arena(), goldens[_i].golden), "");
}
END_TEST

START_TEST(a_drawing_of_a_schedule_equals_its_golden_file)
{
    outcome outcome = RUN("list", "--schedule", "--dot", "tests/golden/world.yaml");
    check_outcome(outcome, 0, shell_read(reading_arena(), "tests/golden/schedule_world.dot"), "");
    outcome = RUN("list", "--schedule", "--dot", "tests/golden/swarm/swarm.yaml");
    check_outcome(outcome, 0, shell_read(reading_arena(), "tests/golden/swarm/schedule.dot"), "");
}
END_TEST

START_TEST(a_drawing_of_relations_equals_its_golden_file)
{
    outcome outcome = RUN("list", "--relations", "--dot", "tests/schemas/kinship.yaml");
    check_outcome(outcome, 0, shell_read(reading_arena(), "tests/golden/relations_kinship.dot"), "");
}
END_TEST

START_TEST(a_package_without_relations_has_an_empty_list_and_drawing)
{
    scratch_write("tiny.yaml", tiny);
    check_outcome(RUN("list", "--relations", scratch_path("tiny.yaml")), 0, "package tiny: 0 relations\n", "");
    check_outcome(RUN("list", "--dot", "--relations", scratch_path("tiny.yaml")), 0,
                  "digraph \"tiny\" {\n  node [shape=box]\n}\n", "");
}
END_TEST

START_TEST(a_package_without_systems_has_an_empty_schedule)
{
    scratch_write("tiny.yaml", tiny);
    check_outcome(RUN("list", "--schedule", scratch_path("tiny.yaml")), 0, "package tiny: 0 systems in 0 nodes\n", "");
    check_outcome(RUN("list", "--dot", "--schedule", scratch_path("tiny.yaml")), 0,
                  "digraph \"tiny\" {\n  node [shape=box]\n}\n", "");
}
END_TEST

static const char *tables_of(const char *rest)
{
    const package *package = reading_package_in_game(rest);
    reading_expect_nothing();
    text out = text_create(reading_arena());
    list_append_tables(&out, package);
    return out.bytes;
}

static void expect_part(const char *tables, const char *part)
{
    ck_assert_msg(strstr(tables, part) != NULL, "no\n%s\nin\n%s", part, tables);
}

START_TEST(an_empty_package_is_a_head_and_its_contexts)
{
    ck_assert_str_eq(tables_of(""), "package arena: 1 context\n"
                                    "Sizes are bytes on 64-bit machines.\n"
                                    "\n"
                                    "context game, the default\n");
}
END_TEST

START_TEST(a_size_that_only_the_compiler_knows_is_a_question_mark)
{
    const char *tables = tables_of("types:\n"
                                   "  Thing: { opaque: struct thing, header: thing.h }\n"
                                   "components:\n"
                                   "  Known: { fields: { a: int8, b: int32 } }\n"
                                   "  Unknown: { fields: { a: int8, b: Thing } }\n");
    expect_part(tables, "Sizes are bytes on 64-bit machines; only the compiler knows a size shown as '?'.\n");
    expect_part(tables, "  id  component  size  padding  layout  fields\n"
                        "   0  Known         8        3  column  a int8, b int32\n"
                        "   1  Unknown       ?           column  a int8, b Thing\n");
}
END_TEST

START_TEST(long_cells_continue_below_and_docs_end_after_two_lines)
{
    const char *tables =
        tables_of("components:\n"
                  "  Long:\n"
                  "    doc: \"one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
                  "fifteen sixteen seventeen eighteen nineteen twenty twentyone\\nmore\"\n"
                  "    fields: { first_field: int32, second_field: int32, third_field: int32, last_one: bool }\n");
    expect_part(tables, "   0  Long         16        3  column  first_field int32, second_field int32,\n"
                        "                                        third_field int32, last_one bool\n"
                        "                                        one two three four five six seven eight\n"
                        "                                        nine ten eleven twelve thirteen fourt...\n");
}
END_TEST

START_TEST(column_widths_count_characters_not_bytes)
{
    static const table_column columns[] = {{"name", false}, {"n", true}, {"empty", false}, {"last", false}};
    table table = table_create(reading_arena(), columns, 4);
    static const char *const names[] = {"\303\244\303\266\303\274", "abcdef"};
    for (size_t i = 0; i < 2; i++)
        table_append(&table, (table_row){.cells = {names[i], i == 0 ? "" : "12", "", i == 0 ? "x" : ""}});
    text out = text_create(reading_arena());
    table_print(&table, &out);
    ck_assert_str_eq(out.bytes, "  name     n  last\n"
                                "  \303\244\303\266\303\274         x\n"
                                "  abcdef  12\n");
}
END_TEST

START_TEST(a_text_is_cut_between_characters)
{
    ck_assert_str_eq(table_cut(reading_arena(), NULL, 10), "");
    ck_assert_str_eq(table_cut(reading_arena(), "abc  \ndef", 10), "abc");
    ck_assert_str_eq(table_cut(reading_arena(), "abcdefghij", 10), "abcdefghij");
    ck_assert_str_eq(table_cut(reading_arena(), "abcdefghijk", 10), "abcdefg...");
    ck_assert_str_eq(table_cut(reading_arena(), "\303\244\303\244\303\244\303\244\303\244", 4), "\303\244...");
}
END_TEST

static void expect_widths(const char *tables)
{
    while (*tables != '\0') {
        size_t size = strcspn(tables, "\n");
        ck_assert_msg(utf8_count(tables, size) <= TABLE_WIDTH, "wider than %d: %.*s", TABLE_WIDTH, (int)size, tables);
        ck_assert_msg(size == 0 || tables[size - 1] != ' ', "ends in a space: %.*s", (int)size, tables);
        tables += size + 1;
    }
}

START_TEST(the_tables_of_the_examples_fit_a_terminal_of_80_columns)
{
    expect_widths(RUN("list", "schemas/match_one.yaml").output);
    expect_widths(RUN("list", "schemas/arena.yaml").output);
    expect_widths(RUN("list", "tests/schemas/wide.yaml").output);
    expect_widths(RUN("list", "tests/golden/world.yaml").output);
    expect_widths(RUN("list", "--schedule", "tests/golden/world.yaml").output);
}
END_TEST

START_TEST(standard_input_is_listed_and_tables_of_a_wrong_schema_are_empty)
{
    outcome listed = run_with_input((arguments){{"list", "-"}}, tiny);
    ck_assert_int_eq(listed.status, 0);
    ck_assert_ptr_eq(strstr(listed.output, "package tiny: 1 context, 2 components\n"), listed.output);
    outcome wrong = run_with_input((arguments){{"list", "-"}}, "kin: 1\n");
    ck_assert_int_eq(wrong.status, 1);
    ck_assert_str_eq(wrong.output, "");
    ck_assert_ptr_nonnull(strstr(wrong.messages, "<stdin>:1:1: error: "));
    wrong = run_with_input((arguments){{"list", "--json", "-"}}, "kin: 1\n");
    ck_assert_int_eq(wrong.status, 1);
    ck_assert_ptr_nonnull(strstr(wrong.output, "\"diagnostics\": [\n"));
    ck_assert_ptr_nonnull(strstr(wrong.messages, "<stdin>:1:1: error: "));
    ck_assert_int_eq(RUN("list", scratch_path("missing.yaml")).status, 3);
}
END_TEST

Suite *list_suite(void)
{
    Suite *suite = suite_create("list");
    TCase *tests = tcase_create("list");
    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_loop_test(tests, a_list_equals_its_golden_file, 0, sizeof goldens / sizeof *goldens);
    tcase_add_test(tests, a_drawing_of_a_schedule_equals_its_golden_file);
    tcase_add_test(tests, a_drawing_of_relations_equals_its_golden_file);
    tcase_add_test(tests, a_package_without_relations_has_an_empty_list_and_drawing);
    tcase_add_test(tests, a_package_without_systems_has_an_empty_schedule);
    tcase_add_test(tests, an_empty_package_is_a_head_and_its_contexts);
    tcase_add_test(tests, a_size_that_only_the_compiler_knows_is_a_question_mark);
    tcase_add_test(tests, long_cells_continue_below_and_docs_end_after_two_lines);
    tcase_add_test(tests, column_widths_count_characters_not_bytes);
    tcase_add_test(tests, a_text_is_cut_between_characters);
    tcase_add_test(tests, the_tables_of_the_examples_fit_a_terminal_of_80_columns);
    tcase_add_test(tests, standard_input_is_listed_and_tables_of_a_wrong_schema_are_empty);
    suite_add_tcase(suite, tests);
    return suite;
}
