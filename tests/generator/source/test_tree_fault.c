// YAML errors: each is reported in kin's own words, on the line to fix.
#include "generator/reading.h"
#include "generator/source/internal.h"
#include "suites.h"

#include <check.h>
#include <string.h>

typedef struct fault_case {
    const char *text;
    const char *first_line; // after "test.yaml:"
} fault_case;

// One case for each problem of libyaml 0.2.5 that can occur; those that tree_scan catches first are in `problems` only.
static const fault_case cases[] = {
    // Scanning: characters, keys and colons.
    {"a: @b\n", "1:4: error: '@' cannot begin a plain scalar; quote the whole scalar [K0219]"},
    {"a: %b\n", "1:4: error: '%' cannot begin a plain scalar; quote the whole scalar [K0219]"},
    {"a: b\nc\n", "2:1: error: missing ':' after 'c' [K0212]"},
    {"a: b\nc\nd: e\n", "2:1: error: missing ':' after 'c' [K0212]"},
    {"a: b\n\"c d\"\ne: f\n", "2:1: error: missing ':' after '\"c d\"' [K0212]"},
    {"a: b\n\"c\nd: e\"\n", "2:1: error: unclosed quote [K0215]"},
    {"a: - b\n", "1:4: error: list begins on the line of its key [K0221]"},
    {"a: ? b\n", "1:4: error: '?' before a key is not supported; write the key alone [K0210]"},
    {"a:\n- b\n -c: d\n", "3:2: error: '-c' is indented below a key that already has a value [K0220]"},
    // Anchors, aliases and tags.
    {"a: & b\n", "1:4: error: anchors are not supported [K0204]"},
    {"a: *\n", "1:4: error: aliases are not supported [K0204]"},
    {"a: !<x\n", "1:4: error: tags are not supported [K0205]"},
    {"a: !x,y z\n", "1:4: error: tags are not supported [K0205]"},
    {"a: !<>\n", "1:4: error: tags are not supported [K0205]"},
    {"a: !a%zz x\n", "1:4: error: tags are not supported [K0205]"},
    {"a: !%FF x\n", "1:4: error: tags are not supported [K0205]"},
    {"a: !%C3%28 x\n", "1:4: error: tags are not supported [K0205]"},
    {"a: !e!x y\n", "1:4: error: tags are not supported [K0205]"},
    // Block scalars.
    {"a: |0\n  x\n", "1:5: error: indentation of a block scalar must be 1 to 9, found 0 [K0223]"},
    {"a: |x\n", "1:5: error: unexpected content after '|' [K0223]"},
    {"a: >2 = 3\n", "1:7: error: unexpected content after '>' [K0223]"},
    {"a: |\n\tx\n", "2:1: error: tab used for indentation; use spaces [K0209]"},
    {"a: b\n\tc\n", "2:1: error: tab used for indentation; use spaces [K0209]"},
    // Quotes and escapes.
    {"a: 'b\n---\n", "1:4: error: unclosed quote [K0215]"},
    {"a: \"b\n", "1:4: error: unclosed quote [K0215]"},
    {"a: \"b\nc: \"d\"\n", "1:4: error: unclosed quote [K0215]"},
    {"a: 'b\nc: d\ne: 'f'\n", "1:4: error: unclosed quote [K0215]"},
    {"a: [\"b\n, c]\nd: \"e\"\n", "1:5: error: unclosed quote [K0215]"},
    {"a: \"\\q\"\n", "1:5: error: unknown escape '\\q' [K0222]"},
    {"a: \"\\xg\"\n", "1:5: error: '\\x' requires 2 hexadecimal digits [K0222]"},
    {"a: \"\\u12\"\n", "1:5: error: '\\u' requires 4 hexadecimal digits [K0222]"},
    {"a: \"\\U1\"\n", "1:5: error: '\\U' requires 8 hexadecimal digits [K0222]"},
    {"a: \"\\uD800\"\n", "1:5: error: '\\uD800' is not a valid character [K0222]"},
    {"a: \"\\U00110000\"\n", "1:5: error: '\\U00110000' is not a valid character [K0222]"},
    // Brackets and braces.
    {"[a:,b]\n", "1:2: error: missing space after 'a:' [K0213]"},
    {"{a:}\n", "1:2: error: missing space after 'a:' [K0213]"},
    {"a: [b,\n", "1:4: error: unclosed '[' [K0216]"},
    {"a: [b,\n---\nc\n", "1:4: error: unclosed '[' [K0216]"},
    {"a: {b: c,\n...\n", "1:4: error: unclosed '{' [K0216]"},
    {"a: {b: ]}\n", "1:4: error: unclosed '{' [K0216]"},
    {"a: {b: [c, d}\n", "1:8: error: unclosed '[' [K0216]"},
    {"a: [b, c\nd: [e]\n", "1:4: error: unclosed '[' [K0216]"},
    {"a: {b: c, d: {e: f}\ng: {h: i}\n", "1:4: error: unclosed '{' [K0216]"},
    {"a: [b: c: d]\n", "1:9: error: missing ',' or ']' before this [K0217]"},
    {"a: ]\n", "1:4: error: unmatched ']' [K0218]"},
    {"a: ,\n", "1:4: error: missing value before this [K0217]"},
    {"a: [- b]\n", "1:5: error: '- ' is not allowed inside '[ ]' and '{ }' [K0221]"},
    // Documents.
    {"%YAML 1.2\na: b\n", "2:1: error: missing '---' between the directive and the schema [K0208]"},
    {"a: b\n...\nc: d\n", "3:1: error: content after the end of the document; a schema is one document [K0208]"},
};

START_TEST(an_error_is_reported_on_the_line_to_fix)
{
    ck_assert_ptr_null(reading_tree(cases[_i].text));
    const char *printed = reading_printed();
    const char *line = arena_copy(reading_arena(), printed, strcspn(printed, "\n"));
    ck_assert_str_eq(line, arena_format(reading_arena(), "test.yaml:%s", cases[_i].first_line));
    ck_assert_uint_eq(diagnostics_error_count(reading_diagnostics()), 1);
}
END_TEST

// All problems that the scanner, parser and reader of libyaml 0.2.5 report.
static const char *const problems[] = {
    "found character that cannot start any token",
    "could not find expected ':'",
    "block sequence entries are not allowed in this context",
    "mapping keys are not allowed in this context",
    "mapping values are not allowed in this context",
    "found unknown directive name",
    "did not find expected comment or line break",
    "could not find expected directive name",
    "found unexpected non-alphabetical character",
    "did not find expected digit or '.' character",
    "found extremely long version number",
    "did not find expected version number",
    "did not find expected whitespace",
    "did not find expected whitespace or line break",
    "did not find expected alphabetic or numeric character",
    "did not find the expected '>'",
    "did not find expected '!'",
    "did not find expected tag URI",
    "did not find URI escaped octet",
    "found an incorrect leading UTF-8 octet",
    "found an incorrect trailing UTF-8 octet",
    "found an indentation indicator equal to 0",
    "found a tab character where an indentation space is expected",
    "found unexpected document indicator",
    "found unexpected end of stream",
    "found unknown escape character",
    "did not find expected hexdecimal number",
    "found invalid Unicode character escape code",
    "found unexpected ':'",
    "found a tab character that violates indentation",
    "did not find expected <document start>",
    "found undefined tag handle",
    "did not find expected node content",
    "did not find expected '-' indicator",
    "did not find expected key",
    "did not find expected ',' or ']'",
    "did not find expected ',' or '}'",
    "found duplicate %YAML directive",
    "found incompatible YAML document",
    "found duplicate %TAG directive",
    "invalid leading UTF-8 octet",
    "incomplete UTF-8 octet sequence",
    "invalid trailing UTF-8 octet",
    "invalid length of a UTF-8 sequence",
    "invalid Unicode character",
    "incomplete UTF-16 character",
    "unexpected low surrogate area",
    "incomplete UTF-16 surrogate pair",
    "expected low surrogate area",
    "control characters are not allowed",
};

START_TEST(every_problem_of_libyaml_has_a_message_of_kin)
{
    const source *source = reading_source("key: [a, \"b\", c]\nnext: 1\n");
    for (size_t index = 0; index <= 24; index++) {
        yaml_parser_t parser = {.error = YAML_SCANNER_ERROR, .problem = problems[_i], .context = "while reading"};
        parser.problem_mark.index = index;
        parser.context_mark.index = index / 2;
        reading_begin();
        tree_report_fault(reading_diagnostics(), &parser, source, (tree_surroundings){.open = {source, 5, 6}});
        const char *printed = reading_printed();
        ck_assert_uint_eq(diagnostics_error_count(reading_diagnostics()), 1);
        ck_assert_msg(strstr(printed, problems[_i]) == NULL, "%s", printed);
        ck_assert_msg(strstr(printed, "invalid YAML") == NULL, "%s", problems[_i]);
    }
}
END_TEST

START_TEST(an_unknown_problem_is_reported_without_libyamls_words)
{
    yaml_parser_t parser = {.error = YAML_PARSER_ERROR, .problem = "found something new"};
    tree_report_fault(reading_diagnostics(), &parser, reading_source("a: b\n"), (tree_surroundings){0});
    ck_assert_str_eq(reading_printed(), "test.yaml:1:1: error: invalid YAML [K0217]\n"
                                        "    1 | a: b\n"
                                        "      | ^\n");
}
END_TEST

START_TEST(running_out_of_memory_is_a_system_failure)
{
    yaml_parser_t parser = {.error = YAML_MEMORY_ERROR};
    tree_report_fault(reading_diagnostics(), &parser, reading_source("a: b\n"), (tree_surroundings){0});
    ck_assert_int_eq(diagnostics_exit_status(reading_diagnostics()), 3);
}
END_TEST

Suite *tree_fault_suite(void)
{
    Suite *suite = suite_create("tree_fault");
    TCase *tests = tcase_create("tree_fault");
    tcase_add_checked_fixture(tests, reading_begin, reading_end);
    tcase_add_loop_test(tests, an_error_is_reported_on_the_line_to_fix, 0, sizeof cases / sizeof *cases);
    tcase_add_loop_test(tests, every_problem_of_libyaml_has_a_message_of_kin, 0, sizeof problems / sizeof *problems);
    tcase_add_test(tests, an_unknown_problem_is_reported_without_libyamls_words);
    tcase_add_test(tests, running_out_of_memory_is_a_system_failure);
    suite_add_tcase(suite, tests);
    return suite;
}
