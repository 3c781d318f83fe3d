// Strings of users in messages are safe for a terminal, on one line and limited in length.

#include "runtime/support/relay_case.h"
#include "runtime/support/stderr_of.h"
#include "suites.h"

#include <kin/generated/world.h>
#include <kin/profile.h>

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name, *shown;
} cases[] = {
    {"plain", "plain"},
    {"", ""},
    {"\x1B[2Jred\x1B[31m", "\\x1b[2Jred\\x1b[31m"},
    {"two\nlines\r\t\x01", "two\\x0alines\\x0d\\x09\\x01"},
    {"\x7F \x1F ~", "\\x7f \\x1f ~"},
    {"\xC2\x9B"
     "31m",
     "\\xc2\\x9b31m"}, // CSI as one character
    {"\xC2\x80 \xC2\xA0", "\\xc2\\x80 \xC2\xA0"},
    {"\xC3\xA4 \xE2\x82\xAC \xF0\x9F\x9A\x80", "\xC3\xA4 \xE2\x82\xAC \xF0\x9F\x9A\x80"},
    {"\xE2\x80\xAE"
     "desrever \xE2\x81\xA6",
     "\\xe2\\x80\\xaedesrever \\xe2\\x81\\xa6"}, // marks of the writing direction
    {"\xE2\x80\xA8 \xEF\xBB\xBF \xD8\x9C", "\\xe2\\x80\\xa8 \\xef\\xbb\\xbf \\xd8\\x9c"},
    {"\x9B \xFF \xC3", "\\x9b \\xff \\xc3"},                                              // begin no character
    {"\xC0\x9B \xE0\x82\x9B \xED\xA0\x80", "\\xc0\\x9b \\xe0\\x82\\x9b \\xed\\xa0\\x80"}, // overlong, surrogate
    {"\xF4\x90\x80\x80 \xE2\x82", "\\xf4\\x90\\x80\\x80 \\xe2\\x82"}, // after the last code point, cut off
    {"forty-eight bytes are shown of a name, not more.", "forty-eight bytes are shown of a name, not more."},
    {"forty-eight bytes are shown of a name, not more.!", "forty-eight bytes are shown of a name, not more...."},
    {"no character is cut in two, nor is one lost:    \xC3\xA4", "no character is cut in two, nor is one lost:    ..."},
    {"\x1B\x1B\x1B\x1B\x1B\x1B\x1B\x1B\x1B\x1B\x1B\x1B\x1B\x1B\x1B\x1B\x1B\x1B\x1B\x1B\x1B\x1B\x1B\x1B\x1B"
     "\x1B\x1B\x1B\x1B\x1B\x1B\x1B\x1B\x1B\x1B\x1B\x1B\x1B\x1B\x1B\x1B\x1B\x1B\x1B\x1B\x1B\x1B\x1B\x1B\x1B",
     "\\x1b\\x1b\\x1b\\x1b\\x1b\\x1b\\x1b\\x1b\\x1b\\x1b\\x1b\\x1b\\x1b\\x1b\\x1b\\x1b"
     "\\x1b\\x1b\\x1b\\x1b\\x1b\\x1b\\x1b\\x1b\\x1b\\x1b\\x1b\\x1b\\x1b\\x1b\\x1b\\x1b"
     "\\x1b\\x1b\\x1b\\x1b\\x1b\\x1b\\x1b\\x1b\\x1b\\x1b\\x1b\\x1b\\x1b\\x1b\\x1b\\x1b..."},
};

static char message[512];

static void keep(const kin_error *error, void *user)
{
    (void)user;
    snprintf(message, sizeof message, "%s", error->message);
}

START_TEST(err_04_a_name_of_the_user_is_escaped_and_cut)
{
    kin_systems *systems = kin_systems_create("systems", &(kin_context_options){.on_error = keep});
    ck_assert_int_eq(kin_systems_remove(systems, cases[_i].name), KIN_ERROR_INVALID);
    char expected[512];
    snprintf(
        expected, sizeof expected,
        "cannot remove a system: the collection contains no system or collection named '%s'; use a name that was added",
        cases[_i].shown);
    ck_assert_str_eq(message, expected);
    kin_systems_destroy(systems);
}
END_TEST

static void refuse_by_default(void)
{
    kin_timing timing;
    kin_systems_remove(NULL, "\x1B[2J");
    kin_systems_set_enabled(NULL, NULL, true);
    kin_systems_dropped(NULL, "\x1B]0;title\x07");
    kin_systems_timing(NULL, "a\nkin: b", KIN_ROLE_EXECUTE, &timing);
}

START_TEST(err_04_no_name_of_the_user_reaches_the_terminal_as_it_is)
{
    const char *said = stderr_of(refuse_by_default);
    size_t lines = 0;
    for (const char *at = said; *at != '\0'; at++) {
        ck_assert_msg(*at == '\n' || (*at >= ' ' && *at <= '~'), "%s", said);
        lines += *at == '\n';
    }
    ck_assert_uint_eq(lines, 4);
    ck_assert_ptr_nonnull(strstr(said, "'\\x1b[2J'"));
    ck_assert_ptr_nonnull(strstr(said, "'NULL'"));
    ck_assert_ptr_nonnull(strstr(said, "'\\x1b]0;title\\x07'"));
    ck_assert_ptr_nonnull(strstr(said, "'a\\x0akin: b'"));
}
END_TEST

Suite *runtime_escape_suite(void)
{
    Suite *suite = suite_create("runtime_escape");
    TCase *tests = tcase_create("escape");
    tcase_add_loop_test(tests, err_04_a_name_of_the_user_is_escaped_and_cut, 0, sizeof cases / sizeof *cases);
    tcase_add_test(tests, err_04_no_name_of_the_user_reaches_the_terminal_as_it_is);
    suite_add_tcase(suite, tests);
    return suite;
}
