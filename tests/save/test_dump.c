// kin dump of files that programs write.
#include "../suites.h"
#include "generator/program.h"
#include "generator/scratch.h"
#include "past_case.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *path;

static void setup(void)
{
    scratch_create();
    path = scratch_path("past.kin");
}

static void write_past(uint32_t count, const kin_write_options *options)
{
    past_case_begin(count);
    ck_assert_int_eq(kin_snapshot_write_path(past_snapshot, path, options), KIN_OK);
}

static const char *dump(const char *flag)
{
    outcome outcome = run((arguments){{"dump", flag, path}});
    ck_assert_str_eq(outcome.messages, "");
    ck_assert_int_eq(outcome.status, 0);
    return outcome.output;
}

START_TEST(snp_27_the_hash_of_a_file_is_that_of_the_snapshot)
{
    for (uint32_t count = 0; count < 1500; count = 3 * count + 7) {
        write_past(count, NULL);
        char expected[32];
        snprintf(expected, sizeof expected, "%016" PRIx64 "\n", kin_snapshot_hash(past_snapshot));
        ck_assert_str_eq(dump("--hash"), expected);
        past_case_end();
    }
}
END_TEST

Suite *save_dump_suite(void)
{
    Suite *suite = suite_create("save_dump");
    TCase *tests = tcase_create("dump");
    tcase_add_checked_fixture(tests, setup, scratch_destroy);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, snp_27_the_hash_of_a_file_is_that_of_the_snapshot);
    suite_add_tcase(suite, tests);
    return suite;
}
