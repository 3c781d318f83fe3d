// XXH64: known hashes on every machine, and on this one those of libxxhash at all lengths, alignments and seeds.
#include "base/base.h"
#include "suites.h"

#include <check.h>
#include <string.h>

#ifndef RUNTIME_ONLY
#define XXH_INLINE_ALL
#include <xxhash.h>
#endif

enum { LONGEST = 1000, ALIGNMENTS = 8 };

static unsigned char bytes[LONGEST + ALIGNMENTS];

static void fill(void)
{
    uint32_t random = 2654435761U;
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (unsigned char)(random >> 24);
        random = random * 1664525U + 1013904223U;
    }
}

static const struct {
    size_t size;
    uint64_t seed, hash;
} known[] = {
    {0, 0, UINT64_C(0xEF46DB3751D8E999)},
    {1, 0, UINT64_C(0x4FCE394CC88952D8)},
    {3, UINT64_C(0x123456789ABCDEF), UINT64_C(0xA1560C77C59C27B0)},
    {4, 0, UINT64_C(0x24C055FD1D1DFB4D)},
    {8, UINT64_C(0x123456789ABCDEF), UINT64_C(0x1C3A4F403BF86B2E)},
    {31, 0, UINT64_C(0xD9E2B06D5B5223FB)},
    {32, UINT64_C(0x123456789ABCDEF), UINT64_C(0xCC9347908258227A)},
    {33, 0, UINT64_C(0x10934891D19CED16)},
    {63, UINT64_C(0x123456789ABCDEF), UINT64_C(0x08CD1586517C2F83)},
    {64, 0, UINT64_C(0x87893927A3139376)},
    {100, UINT64_C(0x123456789ABCDEF), UINT64_C(0xE3726F53BD45DAC6)},
    {1000, 0, UINT64_C(0x08C9C688E8FEA76E)},
};

START_TEST(hashes_are_known)
{
    ck_assert_uint_eq(kin__xxh64_of(bytes, known[_i].size, known[_i].seed), known[_i].hash);
}
END_TEST

// Each split of the bytes into two parts, and single bytes, give the hash of the whole.
START_TEST(parts_give_the_hash_of_the_whole)
{
    for (size_t size = 0; size <= 200; size++) {
        uint64_t whole = kin__xxh64_of(bytes, size, 7);
        kin__xxh64 single = kin__xxh64_begin(7);
        for (size_t i = 0; i < size; i++)
            kin__xxh64_add(&single, bytes + i, 1);
        kin__xxh64_add(&single, NULL, 0);
        ck_assert_uint_eq(kin__xxh64_end(&single), whole);
        for (size_t first = 0; first <= size; first++) {
            kin__xxh64 hash = kin__xxh64_begin(7);
            kin__xxh64_add(&hash, bytes, first);
            kin__xxh64_add(&hash, bytes + first, size - first);
            ck_assert_uint_eq(kin__xxh64_end(&hash), whole);
        }
    }
}
END_TEST

#ifndef RUNTIME_ONLY
START_TEST(hashes_are_those_of_libxxhash)
{
    static const uint64_t seeds[] = {0, 1, UINT64_MAX};
    for (size_t size = 0; size <= LONGEST; size++)
        for (size_t offset = 0; offset < ALIGNMENTS; offset++)
            for (size_t seed = 0; seed < sizeof seeds / sizeof *seeds; seed++)
                ck_assert_uint_eq(kin__xxh64_of(bytes + offset, size, seeds[seed]),
                                  XXH64(bytes + offset, size, seeds[seed]));
}
END_TEST
#endif

Suite *runtime_xxh64_suite(void)
{
    Suite *suite = suite_create("runtime_xxh64");
    TCase *test = tcase_create("xxh64");
    tcase_add_checked_fixture(test, fill, NULL);
    tcase_add_loop_test(test, hashes_are_known, 0, sizeof known / sizeof *known);
    tcase_add_test(test, parts_give_the_hash_of_the_whole);
#ifndef RUNTIME_ONLY
    tcase_add_test(test, hashes_are_those_of_libxxhash);
#endif
    suite_add_tcase(suite, test);
    return suite;
}
