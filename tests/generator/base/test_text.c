// Text: a byte buffer that grows at its end and is always followed by a NUL.
#include "generator/base/base.h"
#include "suites.h"

#include <check.h>
#include <string.h>

static arena memory;

static void release_memory(void)
{
    arena_release(&memory);
}

START_TEST(a_new_text_is_empty)
{
    text made = text_create(&memory);
    ck_assert_uint_eq(made.size, 0);
    ck_assert_str_eq(made.bytes, "");
}
END_TEST

// Sizes around the first capacity and its doubles.
static const size_t sizes[] = {0, 1, 254, 255, 256, 257, 511, 512, 513, 5000};

START_TEST(a_text_of_any_size_ends_in_a_nul)
{
    char *filling = arena_allocate(&memory, sizes[_i] + 1);
    memset(filling, 'x', sizes[_i]);
    text whole = text_create(&memory), stepwise = text_create(&memory), formatted = text_create(&memory);
    text_append(&whole, filling, sizes[_i]);
    for (size_t i = 0; i < sizes[_i]; i++)
        text_append_string(&stepwise, "x");
    text_append_format(&formatted, "%s", filling);
    ck_assert_str_eq(whole.bytes, filling);
    ck_assert_str_eq(stepwise.bytes, filling);
    ck_assert_str_eq(formatted.bytes, filling);
    ck_assert_uint_eq(whole.size, sizes[_i]);
    ck_assert_uint_eq(stepwise.size, sizes[_i]);
    ck_assert_uint_eq(formatted.size, sizes[_i]);
}
END_TEST

START_TEST(bytes_may_hold_a_nul)
{
    text made = text_create(&memory);
    text_append(&made, "a\0b", 3);
    text_append_string(&made, "c");
    ck_assert_uint_eq(made.size, 4);
    ck_assert_mem_eq(made.bytes, "a\0bc", 5);
}
END_TEST

START_TEST(a_format_is_appended_to_the_existing_text)
{
    text made = text_create(&memory);
    text_append_string(&made, "one ");
    text_append_format(&made, "%d %s", 2, "three");
    ck_assert_str_eq(made.bytes, "one 2 three");
}
END_TEST

static const struct {
    const char *bytes, *escaped;
} escapes[] = {
    {"", ""},
    {"plain ~", "plain ~"},
    {"\x1B[2J\n\t\x7F", "\\x1b[2J\\x0a\\x09\\x7f"},
    {"\xC3\xA4 \xF0\x9F\x9A\x80", "\xC3\xA4 \xF0\x9F\x9A\x80"},
    {"\xC2\x9B \xE2\x80\xAE \xEF\xBB\xBF", "\\xc2\\x9b \\xe2\\x80\\xae \\xef\\xbb\\xbf"},
    {"\x9B \xC0\x9B \xE2\x82", "\\x9b \\xc0\\x9b \\xe2\\x82"},
};

START_TEST(unprintable_bytes_are_escaped)
{
    ck_assert_str_eq(text_escaped(&memory, escapes[_i].bytes), escapes[_i].escaped);
}
END_TEST

Suite *text_suite(void)
{
    Suite *suite = suite_create("text");
    TCase *cases = tcase_create("text");
    tcase_add_checked_fixture(cases, NULL, release_memory);
    tcase_add_test(cases, a_new_text_is_empty);
    tcase_add_loop_test(cases, a_text_of_any_size_ends_in_a_nul, 0, sizeof sizes / sizeof *sizes);
    tcase_add_test(cases, bytes_may_hold_a_nul);
    tcase_add_loop_test(cases, unprintable_bytes_are_escaped, 0, sizeof escapes / sizeof *escapes);
    tcase_add_test(cases, a_format_is_appended_to_the_existing_text);
    suite_add_tcase(suite, cases);
    return suite;
}
