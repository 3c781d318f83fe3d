// Rules: the list of what tests show each rule, made from a log.
#include "shell.h"
#include "suites.h"

#include <string.h>

static arena memory;

static void end(void)
{
    arena_release(&memory);
}

static shell_result list(const char *log)
{
    return shell_run(&memory, arena_format(&memory, "printf '%s' | tests/rules.sh /dev/stdin 2>&1", log));
}

START_TEST(a_test_shows_the_rules_that_its_name_begins_with)
{
    shell_result result =
        list("ok 1 - a.c:rules:cmp_01_cmp_02_both: Passed\\nok 2 - a.c:rules:of_ent_01_no: Passed\\n");
    ck_assert_int_ne(result.status, 0);
    ck_assert_ptr_nonnull(strstr(result.output, "CMP-01 one of a kind\n    cmp_01_cmp_02_both\n"));
    ck_assert_ptr_nonnull(strstr(result.output, "CMP-02 values are copied\n    cmp_01_cmp_02_both\n"));
    ck_assert_ptr_nonnull(strstr(result.output, "ENT-01 what a handle is\n    MISSING\n"));
}
END_TEST

START_TEST(a_test_that_failed_once_shows_nothing)
{
    shell_result result = list("ok 1 - a.c:rules:cmp_01_one: Passed\\nnot ok 2 - a.c:rules:cmp_01_one: b.c:7: no\\n"
                               "ok 3 - a.c:rules:cmp_01_one: Passed\\n");
    ck_assert_int_ne(result.status, 0);
    ck_assert_ptr_nonnull(strstr(result.output, "CMP-01 one of a kind\n    MISSING\n"));
}
END_TEST

START_TEST(nothing_is_missing_when_every_rule_has_a_test)
{
    const char *log =
        shell_expect(&memory, "awk '/^[A-Z]/ { gsub(\"-\", \"_\", $1); print \"ok 1 - a.c:b:\" tolower($1) "
                              "\"_is_so: Passed\" }' tests/rules.txt | tests/rules.sh /dev/stdin");
    ck_assert_ptr_nonnull(strstr(log, " 0 without a test"));
}
END_TEST

Suite *rules_suite(void)
{
    Suite *suite = suite_create("rules");
    TCase *tests = tcase_create("rules");
    tcase_set_timeout(tests, 30);
    tcase_add_checked_fixture(tests, NULL, end);
    tcase_add_test(tests, a_test_shows_the_rules_that_its_name_begins_with);
    tcase_add_test(tests, a_test_that_failed_once_shows_nothing);
    tcase_add_test(tests, nothing_is_missing_when_every_rule_has_a_test);
    suite_add_tcase(suite, tests);
    return suite;
}
