// Doc: the Markdown page that describes a package.
#include "generator/program.h"
#include "generator/scratch.h"
#include "shell.h"
#include "suites.h"

#include <check.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
    const char *golden, *schema;
} goldens[] = {
    {"tests/golden/doc_world.md", "tests/golden/world.yaml"},
    {"tests/golden/doc_everything.md", "tests/schemas/everything.yaml"},
    {"tests/golden/doc_harbour.md", "tests/schemas/harbour.yaml"},
    {"tests/golden/doc_kinship.md", "tests/schemas/kinship.yaml"},
    {"tests/golden/doc_gallery.md", "tests/schemas/gallery.yaml"},
    {"tests/golden/doc_garage.md", "tests/schemas/garage.yaml"},
    {"tests/golden/swarm/doc.md", "tests/golden/swarm/swarm.yaml"},
    {"tests/golden/doc_quarter.md", "tests/schemas/quarter.yaml"},
    {"tests/golden/saves/doc.md", "tests/schemas/saves/veteran.yaml"},
};

static void expect_part(const char *page, const char *part)
{
    ck_assert_msg(strstr(page, part) != NULL, "no '%s' in '%s'", part, page);
}

START_TEST(a_page_equals_its_golden_file)
{
    check_outcome(RUN("doc", goldens[_i].schema), 0, shell_read(scratch_arena(), goldens[_i].golden), "");
}
END_TEST

START_TEST(a_page_has_all_properties_of_a_field)
{
    scratch_write("arena.yaml", "kin: 1\npackage: arena\ncontexts: { game: {} }\ncomponents:\n"
                                "  Cell: { fields: { x: { type: int32, default: 3, unit: cells, index: multi,\n"
                                "    doc: \"Left | right.\\nNever up.\" }, y: \"int8[2]\" } }\n");
    const char *page = RUN("doc", scratch_path("arena.yaml")).output;
    expect_part(page, "\n| field | type | unit | default | |\n|---|---|---|---|---|\n"
                      "| `x` | `int32` | cells | 3 | Left \\| right. Never up. Indexed: multi. |\n"
                      "| `y` | `int8[2]` |  |  |  |\n");
    expect_part(page, "\n### Cell\n\nIn `game`. 8 bytes, column.\n");
}
END_TEST

START_TEST(a_size_of_one_is_one_byte)
{
    scratch_write("tiny.yaml", "kin: 1\npackage: tiny\ncontexts: { game: {} }\n"
                               "types: { Side: { fields: { on: bool } } }\n"
                               "components: { Door: { fields: { open: bool } } }\n"
                               "messages: { Knock: { fields: { loud: bool } } }\n");
    const char *page = RUN("doc", scratch_path("tiny.yaml")).output;
    expect_part(page, "\n### Side\n\nStruct, 1 byte.\n");
    expect_part(page, "\n### Door\n\nIn `game`. 1 byte, column.\n");
    expect_part(page, "\n### Knock\n\n1 byte.\n");
}
END_TEST

START_TEST(docs_are_text_in_a_page_whatever_they_contain)
{
    scratch_write(
        "tiny.yaml",
        "kin: 1\npackage: tiny\ncontexts: { game: {} }\ncomponents:\n"
        "  Door:\n    doc: \"*/ ?\?/ <script>x</script> &amp; & [a](b) `<code>` `half\\n# head\\n===\\n    code\\n"
        "> q\\n- item\\n~~~\\n```\\nend\\\\\"\n"
        "    fields: { x: { type: float, unit: \"<b> | s\", doc: \"a | b <i>\\nc\" },"
        " s: { type: \"string[7]\", default: \"<x>|\" } }\n");
    const char *page = RUN("doc", scratch_path("tiny.yaml")).output;
    expect_part(page, "\n*/ ?\?/ \\<script>x\\</script> \\&amp; & \\[a](b) `<code>` \\`half\n\\# head\n\\===\ncode\n"
                      "\\> q\n- item\n\\~~~\n\\`\\`\\`\nend\\\\\n");
    expect_part(page, "| `x` | `float` | \\<b> \\| s |  | a \\| b \\<i> c |\n");
    expect_part(page, "| `s` | `string[7]` |  | \"\\<x>\\|\" |  |\n");
}
END_TEST

// Checks that all lines of a table have the same number of bars.
START_TEST(the_rows_of_tables_have_as_many_cells_as_their_headings)
{
    const char *command = arena_format(
        scratch_arena(),
        "for file in schemas/*.yaml tests/schemas/*.yaml tests/schemas/saves/*.yaml; do %s doc $file 2> /dev/null; "
        "done | sed 's/\\\\|//g' |"
        "awk -F'|' '!/^\\|/ { cells = 0; next } cells > 0 && NF != cells { print; bad = 1 }"
        " { cells = NF; rows++ } END { exit bad || rows < 100 }'",
        program());
    ck_assert_str_eq(shell_expect(scratch_arena(), command), "");
}
END_TEST

START_TEST(a_page_is_written_to_the_given_file_and_overwritten)
{
    scratch_write("tiny.yaml", tiny);
    const char *page = RUN("doc", scratch_path("tiny.yaml")).output;
    check_outcome(RUN("doc", "-o", scratch_path("docs/tiny.md"), scratch_path("tiny.yaml")), 0, "", "");
    ck_assert_str_eq(scratch_read("docs/tiny.md"), page);
    scratch_write("docs/tiny.md", arena_format(scratch_arena(), "%s\nold\n", page));
    check_outcome(RUN("doc", "-o", scratch_path("docs/tiny.md"), scratch_path("tiny.yaml")), 0, "", "");
    ck_assert_str_eq(scratch_read("docs/tiny.md"), page);
    ck_assert_uint_eq(scratch_count("docs"), 1);
}
END_TEST

START_TEST(a_file_that_is_not_a_page_is_never_overwritten)
{
    scratch_write("tiny.yaml", tiny);
    scratch_write("README.md", "# Mine\n");
    ck_assert_int_eq(symlink("README.md", scratch_path("link.md")), 0);
    static const char *const names[] = {"README.md", "link.md", "tiny.yaml"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *path = scratch_path(names[i]);
        check_outcome(
            RUN("doc", "-o", path, scratch_path("tiny.yaml")), 3, "",
            arena_format(scratch_arena(),
                         "kin: error: '%s' was not written by kin doc; move it, or choose another file [K0904]\n",
                         path));
    }
    ck_assert_str_eq(scratch_read("README.md"), "# Mine\n");
    ck_assert_str_eq(scratch_read("tiny.yaml"), tiny);
}
END_TEST

START_TEST(a_schema_with_errors_gets_no_page)
{
    scratch_write("wrong.yaml", "kin: 1\npackage: wrong\n");
    outcome outcome = RUN("doc", "-o", scratch_path("wrong.md"), scratch_path("wrong.yaml"));
    ck_assert_int_eq(outcome.status, 1);
    ck_assert_str_eq(outcome.output, "");
    expect_part(outcome.messages, "schema has no contexts");
    ck_assert_int_ne(access(scratch_path("wrong.md"), F_OK), 0);
}
END_TEST

START_TEST(a_page_that_cannot_be_written_is_reported)
{
    scratch_write("tiny.yaml", tiny);
    const char *path = scratch_path("tiny.yaml/tiny.md");
    check_outcome(RUN("doc", "-o", path, scratch_path("tiny.yaml")), 3, "",
                  arena_format(scratch_arena(), "kin: error: cannot write '%s': Not a directory [K0901]\n", path));
}
END_TEST

Suite *doc_suite(void)
{
    Suite *suite = suite_create("doc");
    TCase *tests = tcase_create("doc");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, scratch_create, scratch_destroy);
    tcase_add_loop_test(tests, a_page_equals_its_golden_file, 0, sizeof goldens / sizeof *goldens);
    tcase_add_test(tests, a_page_has_all_properties_of_a_field);
    tcase_add_test(tests, a_size_of_one_is_one_byte);
    tcase_add_test(tests, docs_are_text_in_a_page_whatever_they_contain);
    tcase_add_test(tests, the_rows_of_tables_have_as_many_cells_as_their_headings);
    tcase_add_test(tests, a_page_is_written_to_the_given_file_and_overwritten);
    tcase_add_test(tests, a_file_that_is_not_a_page_is_never_overwritten);
    tcase_add_test(tests, a_schema_with_errors_gets_no_page);
    tcase_add_test(tests, a_page_that_cannot_be_written_is_reported);
    suite_add_tcase(suite, tests);
    return suite;
}
