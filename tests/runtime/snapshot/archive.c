#include "runtime/snapshot/archive.h"

#include <stdio.h>
#include <string.h>

crypt_context *crypt;
kin_snapshot *first, *second, *third;

void archive_begin(void)
{
    kin_context_options options = case_options(NULL);
    first = second = third = NULL;
    crypt = crypt_context_create(&options);
    ck_assert_ptr_nonnull(crypt);
}

void archive_end(void)
{
    case_check(&crypt->base);
    kin_snapshot_destroy(first);
    kin_snapshot_destroy(second);
    kin_snapshot_destroy(third);
    crypt_context_destroy(crypt);
    guard_end(&memory);
}

void archive_save(kin_snapshot **snapshot)
{
    ck_assert_int_eq(crypt_save(crypt, snapshot), KIN_OK);
}

typedef struct lines {
    char text[8192];
    size_t length;
} lines;

static bool append_line(const kin_difference *difference, void *user)
{
    lines *lines = user;
    char *at = lines->text + lines->length;
    size_t room = sizeof lines->text - lines->length, length = kin_difference_describe(difference, at, room);
    ck_assert_uint_lt(length + 1, room);
    memcpy(at + length, "\n", 2);
    lines->length += length + 1;
    return true;
}

void ck_differences(const char *expected)
{
    lines lines = {0};
    archive_save(&second);
    uint64_t count = kin_snapshot_compare(first, second, append_line, &lines);
    ck_assert_str_eq(lines.text, expected);
    ck_assert_uint_eq(kin_snapshot_compare(first, second, NULL, NULL), count);
    ck_assert_uint_eq(kin_snapshot_compare(second, first, NULL, NULL), count);
    ck_assert_uint_eq(kin_snapshot_compare(first, first, NULL, NULL), 0);
}
