// Compressed files that are small, and large when they are decompressed: what reading them costs.
#include "../suites.h"
#include "base/base.h"
#include "file/file.h"
#include "past_case.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <zstd.h>

#define GIB ((size_t)1 << 30)
#define MIB ((size_t)1 << 20)

// The address sanitizer keeps released memory for a while.
#if defined __SANITIZE_ADDRESS__
#define QUARANTINE (64 * MIB)
#else
#define QUARANTINE 0
#endif

static buffer plain, file;
static past_context *reader;

static void setup(void)
{
    kin_context_options options = past_case_options();
    memset(&plain, 0, sizeof plain);
    memset(&file, 0, sizeof file);
    reader = past_context_create(&options);
    past_case_begin(12);
    past_case_write(&plain);
}

static void teardown(void)
{
    past_case_end();
    past_context_destroy(reader);
    buffer_release(&plain);
    buffer_release(&file);
}

static void compress(ZSTD_CCtx *zstd, const void *bytes, size_t size, ZSTD_EndDirective directive)
{
    static unsigned char packed[1 << 17];
    ZSTD_inBuffer in = {bytes, size, 0};
    size_t left;
    do {
        ZSTD_outBuffer out = {packed, sizeof packed, 0};
        left = ZSTD_compressStream2(zstd, &out, &in, directive);
        ck_assert(!ZSTD_isError(left));
        kin_sink sink = buffer_sink(&file);
        sink.write(packed, out.pos, sink.user);
    } while (directive == ZSTD_e_end ? left != 0 : in.pos < in.size);
}

// Compresses the first bytes of a save, then zeroes.
static void make_bomb(const void *begin, size_t size, size_t zeroes)
{
    static const unsigned char none[1 << 20];
    ZSTD_CCtx *zstd = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(zstd, ZSTD_c_windowLog, 23);
    compress(zstd, begin, size, ZSTD_e_continue);
    for (; zeroes > 0; zeroes -= sizeof none)
        compress(zstd, none, sizeof none, ZSTD_e_continue);
    compress(zstd, NULL, 0, ZSTD_e_end);
    ZSTD_freeCCtx(zstd);
}

static size_t peak(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (size_t)usage.ru_maxrss * 1024;
}

// Reads the bomb. Returns how many bytes the process grew by.
static size_t refuse_bomb(kin_status expected, const char *code)
{
    kin_snapshot *read = NULL;
    kin_read_options options = {.max_bytes = 2 * GIB};
    size_t before = peak();
    past_case_error[0] = '\0';
    kin_status status = kin_context_read(&reader->base, &read, buffer_source(&file), &options, NULL);
    ck_assert_msg(status == expected && strstr(past_case_error, code) != NULL, "%s", past_case_error);
    ck_assert_ptr_null(read);
    return peak() - before;
}

// Returns where the block behind the names begins.
static size_t end_of_names(void)
{
    size_t at = KIN__MAGIC_SIZE;
    for (int i = 0; i < 2; i++)
        at += KIN__BLOCK_HEAD + kin__little_read_32(plain.bytes + at + 4);
    return at;
}

// zstd looks back at up to 8 MiB.
START_TEST(fil_02_a_gibibyte_of_zeroes_costs_what_zstd_looks_back_at)
{
    make_bomb(plain.bytes, end_of_names(), GIB);
    ck_assert_uint_lt(file.size, MIB);
    ck_assert_uint_lt(refuse_bomb(KIN_ERROR_CORRUPT, "[K13"), 12 * MIB + QUARANTINE);
}
END_TEST

// The largest block is read whole before its sum shows that it is none: it costs its size, doubled once.
START_TEST(fil_02_a_block_of_zeroes_costs_no_more_than_the_largest_block)
{
    unsigned char begin[1 << 14], *head = begin + end_of_names();
    ck_assert_uint_lt(end_of_names() + KIN__BLOCK_HEAD, sizeof begin);
    memcpy(begin, plain.bytes, end_of_names());
    memset(head, 0, KIN__BLOCK_HEAD);
    memcpy(head, "COLM", 4);
    kin__little_write_32(head + 4, KIN__BLOCK_LIMIT);
    make_bomb(begin, end_of_names() + KIN__BLOCK_HEAD, GIB);
    ck_assert_uint_lt(refuse_bomb(KIN_ERROR_CORRUPT, "[K1303]"), 64 * MIB + 64 * MIB + 12 * MIB + QUARANTINE);
}
END_TEST

START_TEST(fil_02_a_block_that_claims_more_than_a_block_may_have_costs_nothing)
{
    unsigned char begin[1 << 14], *head = begin + end_of_names();
    memcpy(begin, plain.bytes, end_of_names());
    memset(head, 0, KIN__BLOCK_HEAD);
    memcpy(head, "COLM", 4);
    kin__little_write_32(head + 4, KIN__BLOCK_LIMIT + 1);
    make_bomb(begin, end_of_names() + KIN__BLOCK_HEAD, GIB);
    ck_assert_uint_lt(refuse_bomb(KIN_ERROR_CORRUPT, "[K1307]"), 12 * MIB + QUARANTINE);
}
END_TEST

Suite *save_bomb_suite(void)
{
    Suite *suite = suite_create("save_bomb");
    TCase *tests = tcase_create("bomb");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, fil_02_a_gibibyte_of_zeroes_costs_what_zstd_looks_back_at);
    tcase_add_test(tests, fil_02_a_block_of_zeroes_costs_no_more_than_the_largest_block);
    tcase_add_test(tests, fil_02_a_block_that_claims_more_than_a_block_may_have_costs_nothing);
    suite_add_tcase(suite, tests);
    return suite;
}
