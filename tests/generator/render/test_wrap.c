// Wrap: breaks long lines of generated code.
#include "generator/render/internal.h"
#include "suites.h"

#include <check.h>
#include <string.h>

static arena memory;

static void end(void)
{
    arena_release(&memory);
}

static const char *repeated(const char *word, size_t count)
{
    text text = text_create(&memory);
    for (size_t i = 0; i < count; i++)
        text_append_string(&text, word);
    return text.bytes;
}

static const char *wrapped(const char *lines)
{
    text output = text_create(&memory);
    wrap_lines(&output, lines, strlen(lines));
    return output.bytes;
}

START_TEST(a_line_of_120_columns_stays_and_a_longer_one_is_broken)
{
    const char *whole = arena_format(&memory, "int f(%s, int b)", repeated("x", 106));
    ck_assert_uint_eq(strlen(whole), 120);
    ck_assert_str_eq(wrapped(whole), whole);
    const char *longer = arena_format(&memory, "int f(%s, int bb)\n", repeated("x", 106));
    ck_assert_str_eq(wrapped(longer), arena_format(&memory, "int f(%s,\n      int bb)\n", repeated("x", 106)));
}
END_TEST

START_TEST(code_is_broken_in_the_outermost_brackets_as_late_as_it_can_be)
{
    const char *start = repeated("x", 60), *middle = repeated("y", 40), *last = repeated("z", 30);
    ck_assert_str_eq(wrapped(arena_format(&memory, "    f(%s, g(a, %s, b), %s);\n", start, middle, last)),
                     arena_format(&memory, "    f(%s, g(a, %s, b),\n      %s);\n", start, middle, last));
}
END_TEST

START_TEST(a_call_without_a_comma_is_broken_after_its_bracket)
{
    const char *name = repeated("n", 100), *argument = repeated("a", 40);
    ck_assert_str_eq(wrapped(arena_format(&memory, "    %s(%s)\n", name, argument)),
                     arena_format(&memory, "    %s(\n        %s)\n", name, argument));
}
END_TEST

START_TEST(literals_and_directives_are_left_whole)
{
    const char *literal = arena_format(&memory, "x = \"%s\";\n", repeated("a, \\\", (", 40));
    ck_assert_str_eq(wrapped(literal), literal);
    const char *directive =
        arena_format(&memory, "#define x(%s) \\\n    y(%s)\n", repeated("a, ", 60), repeated("a, ", 60));
    ck_assert_str_eq(wrapped(directive), directive);
}
END_TEST

START_TEST(a_comment_is_broken_at_spaces_and_never_ends_in_a_backslash)
{
    const char *word = repeated("w", 108);
    ck_assert_str_eq(wrapped(arena_format(&memory, "    /// %s and the rest\n", word)),
                     arena_format(&memory, "    /// %s and\n    /// the rest\n", word));
    word = repeated("w", 112);
    ck_assert_str_eq(wrapped(arena_format(&memory, "// a %s \\ b c\n", word)),
                     arena_format(&memory, "// a %s\n// \\ b c\n", word));
    const char *unbroken = arena_format(&memory, "// %s\n", repeated("w", 200));
    ck_assert_str_eq(wrapped(unbroken), unbroken);
}
END_TEST

START_TEST(a_paragraph_of_a_comment_is_filled_if_one_of_its_lines_is_too_long)
{
    const char *word = repeated("w", 100);
    ck_assert_str_eq(wrapped(arena_format(&memory, "/// %s of too many letters\n/// and more\n///\n/// Next\n", word)),
                     arena_format(&memory, "/// %s of too many\n/// letters and more\n///\n/// Next\n", word));
    ck_assert_str_eq(wrapped("/// one\n/// two\n"), "/// one\n/// two\n");
    ck_assert_str_eq(wrapped(arena_format(&memory, "/// %s of too many letters\n/// - item\n", word)),
                     arena_format(&memory, "/// %s of too many\n/// letters\n/// - item\n", word));
    ck_assert_str_eq(wrapped(arena_format(&memory, "/// %s of too many letters\n/// 1. item\n", word)),
                     arena_format(&memory, "/// %s of too many\n/// letters\n/// 1. item\n", word));
}
END_TEST

START_TEST(an_item_of_a_comment_hangs_below_its_text)
{
    const char *word = repeated("w", 100);
    ck_assert_str_eq(wrapped(arena_format(&memory, "//   add_c  %s and then\n//          some\n//   b  c\n", word)),
                     arena_format(&memory, "//   add_c  %s and\n//          then some\n//   b  c\n", word));
}
END_TEST

static const struct {
    const char *lines, *wrapped;
} bodies[] = {
    {"int f(void)\n{\n    return 1;\n}\nint g;\n", "int f(void) { return 1; }\nint g;\n"},
    {"int f(void)\n    KIN__BODY(1)\nint g;\n", "int f(void) KIN__BODY(1)\nint g;\n"},
    {"int f(void)\n{\n    return 1;\n}", "int f(void) { return 1; }"},
    {"int f(void)\n{\n    a();\n    b();\n}\n", NULL},
    {"int f(void)\n{\n    if (a)\n        b();\n}\n", NULL},
    {"int f(void)\n{\n}\n", NULL},
    {"int f(void)\n{\n", NULL},
    {"int f(void)\n{\n    return 1;", NULL},
    {"struct f\n{\n    int a;\n}\n", NULL},
    {"// f(void)\n{\n    return 1;\n}\n", NULL},
    {"#define F(void)\n{\n    return 1;\n}\n", NULL},
    {"    f(void)\n{\n    return 1;\n}\n", NULL},
};

START_TEST(a_body_of_one_statement_stands_beside_the_head_of_its_function)
{
    const char *expected = bodies[_i].wrapped != NULL ? bodies[_i].wrapped : bodies[_i].lines;
    ck_assert_str_eq(wrapped(bodies[_i].lines), expected);
}
END_TEST

START_TEST(a_body_without_room_beside_the_head_stands_below)
{
    const char *head = repeated("x", 100);
    ck_assert_str_eq(wrapped(arena_format(&memory, "%s()\n{\n    return 1;\n}\n", head)),
                     arena_format(&memory, "%s() { return 1; }\n", head));
    head = repeated("x", 105);
    ck_assert_str_eq(wrapped(arena_format(&memory, "%s()\n{\n    return 1;\n}\n", head)),
                     arena_format(&memory, "%s()\n    { return 1; }\n", head));
    ck_assert_str_eq(wrapped(arena_format(&memory, "%s(int a, int b, int c)\n    KIN__BODY\n", head)),
                     arena_format(&memory, "%s(int a, int b,\n%*sint c)\n    KIN__BODY\n", head, 106, ""));
    const char *body = arena_format(&memory, "int f()\n{\n    return %s;\n}\n", repeated("y", 105));
    ck_assert_str_eq(wrapped(body), body);
}
END_TEST

START_TEST(lines_that_are_not_valid_code_stay_or_do_no_harm)
{
    static const char *const lines[] = {"", "\n", "\n\n", "x", "'", "\"", "//", "   "};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        ck_assert_str_eq(wrapped(lines[i]), lines[i]);
    const char *open = repeated("(", 200), *closed = repeated(")", 200), *commas = repeated(", ", 200);
    ck_assert_str_eq(wrapped(closed), closed);
    ck_assert_ptr_nonnull(wrapped(open));
    ck_assert_ptr_nonnull(wrapped(commas));
    ck_assert_ptr_nonnull(wrapped(arena_format(&memory, "'%s", repeated("\\", 201))));
}
END_TEST

Suite *wrap_suite(void)
{
    Suite *suite = suite_create("wrap");
    TCase *tests = tcase_create("wrap");
    tcase_add_checked_fixture(tests, NULL, end);
    tcase_add_test(tests, a_line_of_120_columns_stays_and_a_longer_one_is_broken);
    tcase_add_test(tests, code_is_broken_in_the_outermost_brackets_as_late_as_it_can_be);
    tcase_add_test(tests, a_call_without_a_comma_is_broken_after_its_bracket);
    tcase_add_test(tests, literals_and_directives_are_left_whole);
    tcase_add_test(tests, a_comment_is_broken_at_spaces_and_never_ends_in_a_backslash);
    tcase_add_test(tests, a_paragraph_of_a_comment_is_filled_if_one_of_its_lines_is_too_long);
    tcase_add_test(tests, an_item_of_a_comment_hangs_below_its_text);
    tcase_add_loop_test(tests, a_body_of_one_statement_stands_beside_the_head_of_its_function, 0,
                        sizeof bodies / sizeof *bodies);
    tcase_add_test(tests, a_body_without_room_beside_the_head_stands_below);
    tcase_add_test(tests, lines_that_are_not_valid_code_stay_or_do_no_harm);
    suite_add_tcase(suite, tests);
    return suite;
}
