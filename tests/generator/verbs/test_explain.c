// Explain: every code of diagnostics has an explanation with correct examples, is reported by some source file, and has
// a test of its exact text.
#include "generator/base/base.h"
#include "generator/program.h"
#include "generator/read/read.h"
#include "generator/reading.h"
#include "generator/render/render.h"
#include "generator/scratch.h"
#include "generator/source/source.h"
#include "shell.h"
#include "suites.h"

#include <check.h>
#include <stdbool.h>
#include <string.h>

static const struct {
    diagnostic_code code;
    const char *name, *title;
} codes[] = {
#define ENTRY(name, number, title) {name, #name, title},
    DIAGNOSTIC_CODES(ENTRY)
#undef ENTRY
};

enum { CODE_COUNT = sizeof codes / sizeof codes[0] };

static void begin(void)
{
    scratch_create();
    reading_begin();
}

static void end(void)
{
    reading_end();
    scratch_destroy();
}

static const char *code_text(int index)
{
    return diagnostic_code_text(scratch_arena(), codes[index].code);
}

START_TEST(every_code_is_explained)
{
    outcome outcome = RUN("explain", code_text(_i));
    const mustache_template *text = mustache_library_find(&explanations, code_text(_i));
    ck_assert_msg(text != NULL, "there is no text of %s", code_text(_i));
    const char *expected = arena_format(scratch_arena(), "%s: %s\n\n%s", code_text(_i), codes[_i].title, text->bytes);
    check_outcome(outcome, 0, expected, "");
}
END_TEST

START_TEST(every_explanation_belongs_to_a_code)
{
    ck_assert_uint_eq(explanations.count, CODE_COUNT);
}
END_TEST

START_TEST(all_codes_are_listed_by_number)
{
    const char *list = RUN("explain").output;
    for (int i = 0; i < CODE_COUNT; i++) {
        const char *line = arena_format(scratch_arena(), "%s  %s\n", code_text(i), codes[i].title);
        ck_assert_msg(strncmp(list, line, strlen(line)) == 0, "not %s", line);
        list += strlen(line);
    }
    ck_assert_str_eq(list, "\nRun 'kin explain CODE' for details about a code.\n");
}
END_TEST

START_TEST(a_code_is_found_with_a_small_letter_and_an_unknown_one_is_refused)
{
    ck_assert_int_eq(RUN("explain", "k0401").status, 0);
    check_outcome(RUN("explain", "K0491"), 2, "",
                  "kin: unknown code 'K0491'; did you mean 'K0401'?\nRun 'kin explain' for a list of all codes.\n");
    check_outcome(RUN("explain", "everything"), 2, "",
                  "kin: unknown code 'everything'\nRun 'kin explain' for a list of all codes.\n");
    check_outcome(RUN("explain", ""), 2, "", "kin: unknown code ''\nRun 'kin explain' for a list of all codes.\n");
    check_outcome(RUN("explain", "K0401", "K0402"), 2, "", "kin: 'explain' takes one code\nTry 'kin help explain'.\n");
}
END_TEST

// ---- examples

// Returns the block below the heading, which is indented by four spaces, without the indentation.
static const char *example_below(const char *heading, const char *explanation)
{
    const char *at = strstr(explanation, heading);
    ck_assert_msg(at != NULL, "no '%s' in: %s", heading, explanation);
    text example = text_create(scratch_arena());
    for (at += strlen(heading); strncmp(at, "    ", 4) == 0; at = strchr(at, '\n') + 1)
        text_append(&example, at + 4, strcspn(at + 4, "\n") + 1);
    ck_assert_uint_gt(example.size, 0);
    return example.bytes;
}

static bool has_line(const char *example, const char *beginning)
{
    const char *found = strstr(example, beginning);
    return found != NULL && (found == example || found[-1] == '\n');
}

// Adds the keys that every schema needs if the example leaves them out.
static const char *complete(const char *example)
{
    if (has_line(example, "kin:") || has_line(example, "package:"))
        return example;
    return arena_format(scratch_arena(), "kin: 1\npackage: example\n%s%s", example,
                        has_line(example, "contexts:") ? "" : "contexts: { game: {} }\n");
}

static void read_example(const char *example)
{
    const char *whole = complete(example);
    const source *source = source_from_bytes(scratch_arena(), scratch_path("root.yaml"), whole, strlen(whole));
    const package *package = package_read(scratch_arena(), reading_diagnostics(), source);
    advice_give(scratch_arena(), reading_diagnostics(), package);
}

static bool is_reported(diagnostic_code code)
{
    for (const diagnostic *item = reading_diagnostics()->first; item != NULL; item = item->next)
        if (item->code == code)
            return true;
    return false;
}

// Returns false for examples that cannot be read as a schema: commands, and text with an ellipsis.
static bool is_schema(const char *example)
{
    return example[0] != '$' && strstr(example, "\xE2\x80\xA6") == NULL;
}

START_TEST(the_wrong_example_reports_the_code_and_the_right_one_does_not)
{
    const char *explanation = mustache_library_find(&explanations, code_text(_i))->bytes;
    scratch_write("shared/math.yaml", "kin: 1\n");
    scratch_write("shared/one.yaml", "kin: 1\ninclude: [one.yaml]\n");
    scratch_write("shared/root.yaml", "kin: 1\npackage: other\n");
    const char *wrong = example_below("\n\nWrong:\n", explanation), *right = example_below("\n\nRight:\n", explanation);
    if (is_schema(wrong)) {
        read_example(wrong);
        ck_assert_msg(is_reported(codes[_i].code), "%s: %s", code_text(_i), reading_printed());
    }
    reading_begin();
    if (is_schema(right)) {
        read_example(right);
        ck_assert_uint_eq(diagnostics_error_count(reading_diagnostics()), 0);
        ck_assert_msg(!is_reported(codes[_i].code), "%s: %s", code_text(_i), reading_printed());
    }
}
END_TEST

// ---- where a code is reported, and where it is tested

static void expect_each(const char *command, bool is_name)
{
    const char *found = shell_expect(scratch_arena(), command);
    for (int i = 0; i < CODE_COUNT; i++) {
        const char *wanted = is_name ? codes[i].name : arena_format(scratch_arena(), "%s\n", code_text(i));
        ck_assert_msg(strstr(found, wanted) != NULL, "%s (%s) is nowhere", codes[i].name, code_text(i));
    }
}

START_TEST(every_code_is_reported_by_some_source_file)
{
    expect_each("cat generator/*/*.c", true);
}
END_TEST

START_TEST(every_code_has_a_case_with_the_exact_text)
{
    expect_each("cat tests/bad/*/*.expected tests/bad/run/*/*.expected tests/advice/*.expected |"
                "sed -n 's/.* \\[\\(K[0-9]*\\)\\]$/\\1/p; s/^{\"code\": \"\\(K[0-9]*\\)\".*/\\1/p'",
                false);
}
END_TEST

Suite *explain_suite(void)
{
    Suite *suite = suite_create("explain");
    TCase *cases = tcase_create("explain");
    tcase_add_checked_fixture(cases, begin, end);
    tcase_add_loop_test(cases, every_code_is_explained, 0, CODE_COUNT);
    tcase_add_test(cases, every_explanation_belongs_to_a_code);
    tcase_add_test(cases, all_codes_are_listed_by_number);
    tcase_add_test(cases, a_code_is_found_with_a_small_letter_and_an_unknown_one_is_refused);
    tcase_add_loop_test(cases, the_wrong_example_reports_the_code_and_the_right_one_does_not, 0, CODE_COUNT);
    tcase_add_test(cases, every_code_is_reported_by_some_source_file);
    tcase_add_test(cases, every_code_has_a_case_with_the_exact_text);
    suite_add_tcase(suite, cases);
    return suite;
}
