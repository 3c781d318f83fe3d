// The saves of tests/saves can all be read. Those in 0.1.0 were written by that release; those in 1 are written as
// they are there. KIN_GOLDEN=write writes them again, which each release needs, as saves have its version.
#include "../suites.h"
#include "golden.h"
#include "past_make.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static kin_context *context;
static buffer file;

static const char *const folders[] = {"1", "0.1.0"};
static const char *folder;

static void make_path(char path[64], int number, const char *suffix)
{
    snprintf(path, 64, "tests/saves/%s/%s.%s", folder, golden_names[number], suffix);
}

static void put(int number, uint64_t hash)
{
    char path[64];
    make_path(path, number, "kin");
    FILE *to = fopen(path, "wb");
    ck_assert_ptr_nonnull(to);
    ck_assert_uint_eq(fwrite(file.bytes, 1, file.size, to), file.size);
    fclose(to);
    make_path(path, number, "hash");
    to = fopen(path, "wb");
    ck_assert_ptr_nonnull(to);
    fprintf(to, "%016" PRIx64 "\n", hash);
    fclose(to);
}

static size_t get(int number, const char *suffix, char *bytes, size_t capacity)
{
    char path[64];
    make_path(path, number, suffix);
    FILE *from = fopen(path, "rb");
    ck_assert_msg(from != NULL, "%s", path);
    size_t size = fread(bytes, 1, capacity - 1, from);
    fclose(from);
    bytes[size] = '\0';
    return size;
}

static uint64_t get_hash(int number)
{
    char text[32];
    get(number, "hash", text, sizeof text);
    return strtoull(text, NULL, 16);
}

static void teardown(void)
{
    golden_destroy(context);
    buffer_release(&file);
}

START_TEST(fil_01_a_state_is_written_as_on_every_machine)
{
    static char expected[1 << 16];
    folder = folders[0];
    memset(&file, 0, sizeof file);
    context = golden_create(_i, true);
    uint64_t hash = golden_write(context, &file);
    const char *write = getenv("KIN_GOLDEN");
    if (write != NULL && strcmp(write, "write") == 0)
        put(_i, hash);
    ck_assert_uint_eq(hash, get_hash(_i));
    ck_assert_uint_eq(get(_i, "kin", expected, sizeof expected), file.size);
    ck_assert_mem_eq(expected, file.bytes, file.size);
}
END_TEST

START_TEST(evo_11_files_of_this_format_are_read_for_ever)
{
    char path[64];
    int number = _i % GOLDEN_SAVES;
    kin_snapshot *read = NULL;
    folder = folders[_i / GOLDEN_SAVES];
    memset(&file, 0, sizeof file);
    context = golden_create(number, false);
    make_path(path, number, "kin");
    ck_assert_msg(kin_context_read_path(context, &read, path, NULL, NULL) == KIN_OK, "%s", past_case_error);
    ck_assert_uint_eq(kin_snapshot_hash(read), get_hash(number));
    kin_snapshot_destroy(read);
}
END_TEST

Suite *save_golden_suite(void)
{
    Suite *suite = suite_create("save_golden");
    TCase *tests = tcase_create("golden");
    tcase_add_checked_fixture(tests, NULL, teardown);
    tcase_add_loop_test(tests, fil_01_a_state_is_written_as_on_every_machine, 0, GOLDEN_SAVES);
    tcase_add_loop_test(tests, evo_11_files_of_this_format_are_read_for_ever, 0,
                        GOLDEN_SAVES * (int)(sizeof folders / sizeof *folders));
    suite_add_tcase(suite, tests);
    return suite;
}
