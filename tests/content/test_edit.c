// Editing content in its text (CNT-31, CNT-32): one value changes, all other bytes stay.
#include "generator/base/base.h"
#include "generator/content/content.h"
#include "generator/reading.h"
#include "generator/scratch.h"
#include "suites.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

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

// Splits "prefabs/Fast/Health" into keys.
static content_path path_of(const char *path)
{
    const char **keys = arena_allocate(reading_arena(), 16 * sizeof *keys);
    size_t count = 0;
    for (const char *at = path; count < 16;) {
        size_t size = strcspn(at, "/");
        keys[count++] = arena_copy(reading_arena(), at, size);
        if (at[size] == '\0')
            break;
        at += size + 1;
    }
    return (content_path){keys, count};
}

static const char *edit(const char *before, const char *path, const char *value)
{
    text out = text_create(reading_arena());
    const source *source = source_from_bytes(reading_arena(), "test.yaml", before, strlen(before));
    if (!content_edit(reading_diagnostics(), source, path_of(path), value, &out))
        return NULL;
    return out.bytes;
}

static const struct {
    const char *before, *path, *value, *after;
} edits[] = {
    // a value that is there
    {"content: 1 # one\nprefabs:\n  A: { x: 0.5, y: 2 } # note\n", "prefabs/A/x", "0.25",
     "content: 1 # one\nprefabs:\n  A: { x: 0.25, y: 2 } # note\n"},
    {"prefabs:\n  A:\n    x: \"old\"   # note\n    y: 1\n", "prefabs/A/x", "'new'",
     "prefabs:\n  A:\n    x: 'new'   # note\n    y: 1\n"},
    {"p: [1, 2, 3]\n", "p/1", "7", "p: [1, 7, 3]\n"},
    {"p: [[1, 2], [3, 4]]\n", "p/1/0", "9", "p: [[1, 2], [9, 4]]\n"},
    {"l:\n  - A: { x: 1 }\n  - B: { x: 2 } # b\n", "l/1/B/x", "3", "l:\n  - A: { x: 1 }\n  - B: { x: 3 } # b\n"},
    {"p:\r\n  x: 1\r\n  y: 2\r\n", "p/x", "10", "p:\r\n  x: 10\r\n  y: 2\r\n"},
    // a key that is missing
    {"p: { x: 1 } # note\n", "p/y", "2", "p: { x: 1, y: 2 } # note\n"},
    {"p: {x: 1}\n", "p/y", "2", "p: {x: 1, y: 2}\n"},
    {"p: {}\n", "p/y", "2", "p: { y: 2 }\n"},
    {"p: {\n  x: 1 # one\n}\n", "p/y", "2", "p: {\n  x: 1, y: 2 # one\n}\n"},
    {"p:\n  x: 1 # one\nq: 3\n", "p/y", "2", "p:\n  x: 1 # one\n  y: 2\nq: 3\n"},
    {"p:\r\n  x: 1\r\nq: 3\r\n", "p/y", "2", "p:\r\n  x: 1\r\n  y: 2\r\nq: 3\r\n"},
    {"p:\n    x: 1", "p/y", "2", "p:\n    x: 1\n    y: 2"},
    {"p:\n  x:\n    deep: [1,\n      2] # end\n# tail\n", "p/y", "2",
     "p:\n  x:\n    deep: [1,\n      2] # end\n  y: 2\n# tail\n"},
    {"p:\n  x: 1\n", "p/Gun/at/y", "2", "p:\n  x: 1\n  Gun: { at: { y: 2 } }\n"},
    {"p: { A: { x: 1 } }\n", "p/B/C", "2", "p: { A: { x: 1 }, B: { C: 2 } }\n"},
    {"l:\n  - A:\n      x: 1\n    as: one\n", "l/0/y", "2", "l:\n  - A:\n      x: 1\n    as: one\n    y: 2\n"},
    {"p:\n  A:\n  B: {}\n", "p/A/x", "2", "p:\n  A: { x: 2 }\n  B: {}\n"},
    {"p:\n", "p/x", "2", "p: { x: 2 }\n"},
};

enum { EDITS = sizeof edits / sizeof *edits };

START_TEST(cnt_31_one_value_changes_and_all_other_bytes_stay)
{
    const char *after = edit(edits[_i].before, edits[_i].path, edits[_i].value);
    ck_assert_ptr_nonnull(after);
    ck_assert_str_eq(after, edits[_i].after);
    ck_assert_str_eq(edit(after, edits[_i].path, edits[_i].value), after);
    reading_expect_nothing();
}
END_TEST

START_TEST(cnt_31_a_path_through_a_scalar_or_to_a_missing_item_is_refused)
{
    ck_assert_ptr_null(edit("p: 3\n", "p/x", "2"));
    ck_assert_ptr_null(edit("p: [1, 2]\n", "p/2", "2"));
    ck_assert_ptr_null(edit("p: [1, 2]\n", "p/x", "2"));
    ck_assert_ptr_null(edit("p: [1, 2\n", "p/0", "2"));
}
END_TEST

START_TEST(cnt_32_a_file_that_changed_on_disk_is_not_replaced)
{
    scratch_write("a.yaml", "p: { x: 1 }\n");
    const source *source = source_load(reading_arena(), reading_diagnostics(), scratch_path("a.yaml"));
    text out = text_create(reading_arena());
    ck_assert(content_edit(reading_diagnostics(), source, path_of("p/x"), "2", &out));
    ck_assert(content_replace(reading_diagnostics(), source, &out));
    ck_assert_str_eq(scratch_read("a.yaml"), "p: { x: 2 }\n");
    ck_assert(!content_replace(reading_diagnostics(), source, &out));
    ck_assert_ptr_nonnull(strstr(reading_printed(), "has changed since it was read; nothing was saved"));
    ck_assert_uint_eq(scratch_count(""), 1);
}
END_TEST

Suite *content_edit_suite(void)
{
    Suite *suite = suite_create("content_edit");
    TCase *cases = tcase_create("edit");
    tcase_add_checked_fixture(cases, begin, end);
    tcase_add_loop_test(cases, cnt_31_one_value_changes_and_all_other_bytes_stay, 0, EDITS);
    tcase_add_test(cases, cnt_31_a_path_through_a_scalar_or_to_a_missing_item_is_refused);
    tcase_add_test(cases, cnt_32_a_file_that_changed_on_disk_is_not_replaced);
    suite_add_tcase(suite, cases);
    return suite;
}
