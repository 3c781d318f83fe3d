#include "runtime/snapshot/archive.h"

#include "entity/entity.h"
#include "runtime/support/guard.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

crypt_context *crypt;
kin_snapshot *first, *second, *third;
error_log archive_errors;

static guard memory;

void archive_begin(void)
{
    kin_context_options options = {
        .allocator = guard_begin(&memory), .on_error = error_log_append, .error_user = &archive_errors};
    error_log_clear(&archive_errors);
    first = second = third = NULL;
    crypt = crypt_context_create(&options);
    ck_assert_ptr_nonnull(crypt);
}

void archive_end(void)
{
    ck_assert(kin__context_is_valid(&crypt->base));
    ck_assert_uint_eq(archive_errors.count, 0);
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
