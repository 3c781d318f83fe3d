// Diff: the exact text of small diffs, and applying random diffs yields the second file.
#include "generator/render/internal.h"

#include "generator/scratch.h"
#include "suites.h"

#include <check.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static diff_side side_of(const char *bytes)
{
    return (diff_side){bytes, bytes == NULL ? 0 : strlen(bytes)};
}

static const char *diff_of(const char *before, const char *after)
{
    text output = text_create(scratch_arena());
    diff_append(&output, "f", side_of(before), side_of(after));
    return output.bytes;
}

#define NAMES "--- f\n+++ f\n"

static const struct {
    const char *before, *after, *diff;
} small[] = {
    {"", "", ""},
    {"a\n", "a\n", ""},
    {NULL, "a\n", "--- /dev/null\n+++ f\n@@ -0,0 +1,1 @@\n+a\n"},
    {"a\n", NULL, "--- f\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a\n"},
    {"a\nb\nc\n", "a\nc\n", NAMES "@@ -1,3 +1,2 @@\n a\n-b\n c\n"},
    {"a\nc\n", "a\nb\nc\n", NAMES "@@ -1,2 +1,3 @@\n a\n+b\n c\n"},
    {"a\nb\n", "b\na\n", NAMES "@@ -1,2 +1,2 @@\n-a\n b\n+a\n"},
    {"a", "a\n", NAMES "@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n"},
    {"1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n",
     NAMES "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n"},
    {"a\n1\n2\n3\n4\n5\n6\nb\n", "A\n1\n2\n3\n4\n5\n6\nB\n",
     NAMES "@@ -1,8 +1,8 @@\n-a\n+A\n 1\n 2\n 3\n 4\n 5\n 6\n-b\n+B\n"},
    {"a\n1\n2\n3\n4\n5\n6\n7\nb\n", "A\n1\n2\n3\n4\n5\n6\n7\nB\n",
     NAMES "@@ -1,4 +1,4 @@\n-a\n+A\n 1\n 2\n 3\n@@ -6,4 +6,4 @@\n 5\n 6\n 7\n-b\n+B\n"},
};

START_TEST(a_small_diff_is_the_shortest)
{
    ck_assert_str_eq(diff_of(small[_i].before, small[_i].after), small[_i].diff);
}
END_TEST

START_TEST(a_path_with_a_space_ends_in_a_tab)
{
    text output = text_create(scratch_arena());
    diff_append(&output, "a b", side_of("x\n"), side_of("y\n"));
    ck_assert_str_eq(output.bytes, "--- a b\t\n+++ a b\t\n@@ -1,1 +1,1 @@\n-x\n+y\n");
}
END_TEST

static uint32_t next_number(uint32_t *state)
{
    *state = *state * 1664525 + 1013904223;
    return *state >> 16;
}

// Lines of few kinds, so that both files share some.
static const char *random_lines(uint32_t *state, size_t count, uint32_t kinds)
{
    text text = text_create(scratch_arena());
    for (size_t i = 0; i < count; i++)
        text_append_format(&text, "%u\n", next_number(state) % kinds);
    return text.bytes;
}

// Applies the diff to `before`, hunk by hunk.
static const char *applied(const char *before, const char *diff)
{
    text result = text_create(scratch_arena());
    const char *line = strstr(diff, "@@");
    size_t at = 1;
    while (line != NULL && *line != '\0') {
        size_t first = 0;
        if (line[0] == '@' && sscanf(line, "@@ -%zu,", &first) == 1)
            while (at < first) {
                size_t size = strcspn(before, "\n") + 1;
                text_append(&result, before, size);
                before += size;
                at++;
            }
        size_t size = strcspn(line, "\n") + 1;
        if (line[0] == '+' || line[0] == ' ')
            text_append(&result, line + 1, size - 1);
        if (line[0] == '-' || line[0] == ' ') {
            ck_assert_msg(strncmp(before, line + 1, size - 1) == 0, "'%s' is not '%.*s'", before, (int)size, line);
            before += size - 1;
            at++;
        }
        line += size;
    }
    text_append_string(&result, before);
    return result.bytes;
}

START_TEST(applying_a_diff_to_one_side_gives_the_other)
{
    uint32_t state = (uint32_t)_i;
    const char *before = random_lines(&state, next_number(&state) % 60 + 1, 1 + (uint32_t)_i % 9);
    const char *after = random_lines(&state, next_number(&state) % 60 + 1, 1 + (uint32_t)_i % 9);
    ck_assert_str_eq(applied(before, diff_of(before, after)), after);
}
END_TEST

START_TEST(files_that_differ_too_much_are_replaced_as_a_whole)
{
    uint32_t state = 1;
    const char *before = random_lines(&state, 3000, 60000), *after = random_lines(&state, 3000, 60000);
    const char *diff = diff_of(before, after);
    ck_assert_str_eq(applied(before, diff), after);
}
END_TEST

Suite *diff_suite(void)
{
    Suite *suite = suite_create("diff");
    TCase *cases = tcase_create("diff");
    tcase_add_checked_fixture(cases, scratch_create, scratch_destroy);
    tcase_add_loop_test(cases, a_small_diff_is_the_shortest, 0, sizeof small / sizeof *small);
    tcase_add_test(cases, a_path_with_a_space_ends_in_a_tab);
    tcase_add_loop_test(cases, applying_a_diff_to_one_side_gives_the_other, 0, 40);
    tcase_add_test(cases, files_that_differ_too_much_are_replaced_as_a_whole);
    suite_add_tcase(suite, cases);
    return suite;
}
