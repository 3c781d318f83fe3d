// Diagnostics: the printed text, its order and the exit status.
#include "generator/reading.h"
#include "generator/source/source.h"
#include "suites.h"

#include <check.h>
#include <string.h>

// Returns the span of the first `word` in the source.
static span place_of(const source *source, const char *word)
{
    const char *found = strstr(source->bytes, word);
    ck_assert_ptr_nonnull(found);
    size_t start = (size_t)(found - source->bytes);
    return (span){source, start, start + strlen(word)};
}

static void report(const char *text, const char *word, const char *message)
{
    diagnostic_error(reading_diagnostics(), CODE_UNKNOWN_TYPE, place_of(reading_source(text), word), "%s", message);
}

START_TEST(an_error_shows_its_line_and_carets_followed_by_the_hint)
{
    report("a: 1\nfields:\n  x: flaot # here\n", "flaot", "unknown type 'flaot'");
    diagnostic_hint(reading_diagnostics(), "did you mean '%s'?", "float");
    ck_assert_str_eq(reading_printed(), "test.yaml:3:6: error: unknown type 'flaot' [K0401]\n"
                                        "    3 |   x: flaot # here\n"
                                        "      |      ^^^^^ did you mean 'float'?\n");
}
END_TEST

START_TEST(notes_follow_their_error)
{
    const source *source = reading_source("first\nsecond\nthird\n");
    diagnostic_error(reading_diagnostics(), CODE_UNKNOWN_TYPE, place_of(source, "third"), "third is wrong");
    diagnostic_note(reading_diagnostics(), place_of(source, "first"), "because of this");
    diagnostic_note(reading_diagnostics(), place_of(source, "second"), "and this");
    diagnostic_error(reading_diagnostics(), CODE_UNKNOWN_TYPE, place_of(source, "second"), "second is wrong");
    ck_assert_str_eq(reading_printed(), "test.yaml:2:1: error: second is wrong [K0401]\n"
                                        "    2 | second\n"
                                        "      | ^^^^^^\n"
                                        "test.yaml:3:1: error: third is wrong [K0401]\n"
                                        "    3 | third\n"
                                        "      | ^^^^^\n"
                                        "test.yaml:1:1: note: because of this\n"
                                        "test.yaml:2:1: note: and this\n");
}
END_TEST

START_TEST(errors_are_sorted_by_file_and_place_then_by_time_of_report)
{
    source first = *reading_source("ab\n"), second = *reading_source("ab\n");
    first.path = "first.yaml";
    first.order = 1;
    second.path = "second.yaml";
    second.order = 2;
    diagnostics *diagnostics = reading_diagnostics();
    diagnostic_error(diagnostics, CODE_UNKNOWN_TYPE, (span){&second, 0, 1}, "one");
    diagnostic_error(diagnostics, CODE_UNKNOWN_TYPE, (span){&first, 1, 2}, "two");
    diagnostic_error(diagnostics, CODE_UNKNOWN_TYPE, (span){&first, 0, 1}, "three");
    diagnostic_error(diagnostics, CODE_UNKNOWN_TYPE, (span){&first, 0, 2}, "four");
    diagnostic_system_error(diagnostics, CODE_FILE_UNREADABLE, "five");
    ck_assert_str_eq(reading_printed(), "kin: error: five [K0101]\n"
                                        "first.yaml:1:1: error: three [K0401]\n    1 | ab\n      | ^\n"
                                        "first.yaml:1:1: error: four [K0401]\n    1 | ab\n      | ^^\n"
                                        "first.yaml:1:2: error: two [K0401]\n    1 | ab\n      |  ^\n"
                                        "second.yaml:1:1: error: one [K0401]\n    1 | ab\n      | ^\n");
}
END_TEST

START_TEST(carets_stand_below_the_marked_text)
{
    static const struct {
        const char *text, *word, *place, *excerpt;
    } cases[] = {
        {"a\tb\tcd", "cd", "1:5", "    1 | a\tb\tcd\n      |  \t \t^^\n"},
        {"\xC3\x9C: x\xFFyz", "yz", "1:6", "    1 | \xC3\x9C: x?yz\n      |      ^^\n"},
        {"a\x1B[31mb", "b", "1:7", "    1 | a?[31mb\n      |       ^\n"},
        {"\xE2\x80\xAE"
         "ab",
         "ab", "1:2", "    1 | ?ab\n      |  ^^\n"},
        {"a: [b,\n c]", "[b,\n c]", "1:4", "    1 | a: [b,\n      |    ^^^\n"},
        {"a:\r\nb:", ":\r\nb", "1:2", "    1 | a:\n      |  ^\n"},
        {"\xEF\xBB\xBF"
         "ab",
         "b", "1:2", "    1 | ab\n      |  ^\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        reading_begin();
        report(cases[i].text, cases[i].word, "wrong");
        const char *expected =
            arena_format(reading_arena(), "test.yaml:%s: error: wrong [K0401]\n%s", cases[i].place, cases[i].excerpt);
        ck_assert_str_eq(reading_printed(), expected);
    }
}
END_TEST

START_TEST(a_place_at_the_end_has_one_caret)
{
    const source *source = reading_source("a:\n");
    diagnostic_error(reading_diagnostics(), CODE_UNKNOWN_TYPE, (span){source, 2, 2}, "nothing here");
    diagnostic_error(reading_diagnostics(), CODE_UNKNOWN_TYPE, (span){source, 3, 3}, "nor here");
    ck_assert_str_eq(reading_printed(), "test.yaml:1:3: error: nothing here [K0401]\n    1 | a:\n      |   ^\n"
                                        "test.yaml:2:1: error: nor here [K0401]\n    2 | \n      | ^\n");
}
END_TEST

// Returns a line of `before` letters, the word and `after` letters.
static const char *line_around(size_t before, const char *word, size_t after)
{
    char *line = arena_allocate(reading_arena(), before + strlen(word) + after + 1);
    memset(line, 'a', before);
    strcpy(line + before, word);
    memset(line + before + strlen(word), 'b', after);
    return line;
}

START_TEST(a_line_of_200_columns_is_shown_whole_and_a_longer_one_is_cut_around_the_carets)
{
    static const struct {
        size_t before, after;
        const char *prefix, *suffix;
        size_t shown_before, shown_after;
    } cases[] = {
        {100, 99, "", "", 100, 99},        // 200 columns
        {100, 100, "...", "", 99, 100},    // 201
        {50, 400, "", "...", 50, 149},     // the word is near the start
        {400, 400, "...", "...", 99, 100}, // in the middle
        {400, 10, "...", "", 99, 10},      // near the end
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        reading_begin();
        report(line_around(cases[i].before, "X", cases[i].after), "X", "wrong");
        const char *shown = line_around(cases[i].shown_before, "X", cases[i].shown_after);
        const char *expected =
            arena_format(reading_arena(), "test.yaml:1:%zu: error: wrong [K0401]\n    1 | %s%s%s\n      | %*s^\n",
                         cases[i].before + 1, cases[i].prefix, shown, cases[i].suffix,
                         (int)(cases[i].shown_before + strlen(cases[i].prefix)), "");
        ck_assert_str_eq(reading_printed(), expected);
    }
}
END_TEST

START_TEST(carets_end_where_a_cut_line_does)
{
    report(line_around(0, "X", 400), line_around(0, "X", 400), "wrong");
    const char *printed = reading_printed();
    size_t carets = 0;
    for (const char *byte = printed; *byte != '\0'; byte++)
        carets += *byte == '^';
    ck_assert_uint_eq(carets, 200);
}
END_TEST

START_TEST(messages_are_safe_to_print_and_of_bounded_length)
{
    report("ab", "a", "bad \x1B[31m \xFF and \xE2\x80\xAE there");
    ck_assert_str_eq(
        reading_printed(),
        "test.yaml:1:1: error: bad \\x1b[31m \\xff and \\xe2\\x80\\xae there [K0401]\n    1 | ab\n      | ^\n");

    reading_begin();
    report("ab", "a", line_around(5000, "", 0));
    ck_assert_uint_lt(strlen(reading_printed()), 1200);
    ck_assert_ptr_nonnull(strstr(reading_printed(), "aaa... [K0401]\n"));
}
END_TEST

static size_t count_of(const char *word, const char *printed)
{
    size_t count = 0;
    for (const char *at = strstr(printed, word); at != NULL; at = strstr(at + 1, word))
        count++;
    return count;
}

static const struct {
    size_t limit, errors, warnings, shown_errors, shown_warnings;
    const char *last;
} cuts[] = {
    {20, 20, 0, 20, 0, ""},
    {20, 21, 0, 20, 0, "kin: note: 1 more error is not shown; --max-errors 0 shows all [K0002]\n"},
    {20, 27, 0, 20, 0, "kin: note: 7 more errors are not shown; --max-errors 0 shows all [K0002]\n"},
    {20, 19, 2, 19, 1, "kin: note: 1 more warning is not shown; --max-errors 0 shows all [K0002]\n"},
    {3, 5, 1, 3, 0, "kin: note: 2 more errors and 1 more warning are not shown; --max-errors 0 shows all [K0002]\n"},
    {3, 0, 5, 0, 3, "kin: note: 2 more warnings are not shown; --max-errors 0 shows all [K0002]\n"},
    {0, 100, 100, 100, 100, ""},
};

START_TEST(at_most_the_limit_is_printed_errors_before_warnings_and_the_rest_is_counted)
{
    diagnostics *diagnostics = reading_diagnostics();
    diagnostics->options.limit = cuts[_i].limit;
    span place = {reading_source("ab"), 0, 1};
    for (size_t i = 0; i < cuts[_i].warnings; i++)
        diagnostic_warning(diagnostics, CODE_PADDING, place, "odd");
    for (size_t i = 0; i < cuts[_i].errors; i++)
        diagnostic_error(diagnostics, CODE_UNKNOWN_TYPE, place, "wrong");
    const char *printed = reading_printed(), *more = strstr(printed, "kin:");
    ck_assert_uint_eq(count_of("error: wrong", printed), cuts[_i].shown_errors);
    ck_assert_uint_eq(count_of("warning: odd", printed), cuts[_i].shown_warnings);
    ck_assert_str_eq(more == NULL ? "" : more, cuts[_i].last);
}
END_TEST

// A binary file may have an error in every byte: errors beyond the limit are counted, not kept.
START_TEST(invalid_bytes_are_counted_to_the_end_and_kept_up_to_the_limit)
{
    static const struct {
        size_t limit, kept;
    } cases[] = {{20, 20}, {3, 3}, {0, 1000}, {5000, 1000}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        reading_begin();
        diagnostics *diagnostics = reading_diagnostics();
        diagnostics->options.limit = cases[i].limit;
        char *bytes = arena_allocate(reading_arena(), 3001);
        memset(bytes, '\a', 3000);
        ck_assert_ptr_null(tree_parse(reading_arena(), diagnostics, reading_source(bytes)));
        ck_assert_uint_eq(diagnostics_error_count(diagnostics), 3000);
        ck_assert_uint_eq(diagnostics->count, cases[i].kept);
        ck_assert_uint_eq(count_of("error: ", reading_printed()), cases[i].kept);
    }
}
END_TEST

START_TEST(the_most_severe_diagnostic_decides_the_exit_status)
{
    diagnostics *diagnostics = reading_diagnostics();
    span place = {reading_source("ab"), 0, 1};
    ck_assert_int_eq(diagnostics_exit_status(diagnostics), 0);
    diagnostic_warning(diagnostics, CODE_PADDING, place, "odd");
    ck_assert_int_eq(diagnostics_exit_status(diagnostics), 0);
    ck_assert_uint_eq(diagnostics_warning_count(diagnostics), 1);
    diagnostic_error(diagnostics, CODE_UNKNOWN_TYPE, place, "wrong");
    ck_assert_int_eq(diagnostics_exit_status(diagnostics), 1);
    diagnostic_system_error(diagnostics, CODE_FILE_UNREADABLE, "disk full");
    ck_assert_int_eq(diagnostics_exit_status(diagnostics), 3);
    diagnostic_error(diagnostics, CODE_UNKNOWN_TYPE, place, "wrong again");
    ck_assert_int_eq(diagnostics_exit_status(diagnostics), 3);
    ck_assert_uint_eq(diagnostics_error_count(diagnostics), 3);
    ck_assert_ptr_nonnull(strstr(reading_printed(), "test.yaml:1:1: warning: odd [K1005]\n"));
}
END_TEST

START_TEST(a_failure_to_print_is_reported)
{
    report("ab", "a", "wrong");
    FILE *file = fopen("/dev/null", "r");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(diagnostics_print(reading_diagnostics(), file), EOF);
    fclose(file);
}
END_TEST

Suite *diagnostic_suite(void)
{
    Suite *suite = suite_create("diagnostic");
    TCase *tests = tcase_create("diagnostic");
    tcase_add_checked_fixture(tests, reading_begin, reading_end);
    tcase_add_test(tests, an_error_shows_its_line_and_carets_followed_by_the_hint);
    tcase_add_test(tests, notes_follow_their_error);
    tcase_add_test(tests, errors_are_sorted_by_file_and_place_then_by_time_of_report);
    tcase_add_test(tests, carets_stand_below_the_marked_text);
    tcase_add_test(tests, a_place_at_the_end_has_one_caret);
    tcase_add_test(tests, a_line_of_200_columns_is_shown_whole_and_a_longer_one_is_cut_around_the_carets);
    tcase_add_test(tests, carets_end_where_a_cut_line_does);
    tcase_add_test(tests, messages_are_safe_to_print_and_of_bounded_length);
    tcase_add_loop_test(tests, at_most_the_limit_is_printed_errors_before_warnings_and_the_rest_is_counted, 0,
                        sizeof cuts / sizeof cuts[0]);
    tcase_add_test(tests, invalid_bytes_are_counted_to_the_end_and_kept_up_to_the_limit);
    tcase_add_test(tests, the_most_severe_diagnostic_decides_the_exit_status);
    tcase_add_test(tests, a_failure_to_print_is_reported);
    suite_add_tcase(suite, tests);
    return suite;
}
