// Rules: the list of the tests that show each rule of docs/rules.md, made from a log.
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
    return shell_run(&memory, arena_format(&memory, "printf '%s' | tests/tools/rules.sh /dev/stdin 2>&1", log));
}

// A log in which each rule has one test, passed, and then `more`.
static shell_result list_all_and(const char *more)
{
    return shell_run(&memory,
                     arena_format(&memory,
                                  "{ sed -n 's/^- \\*\\*\\([A-Z]*\\)-\\([0-9]*\\) .*/ok 1 - a.c:b:\\L\\1_\\2_is_so: "
                                  "Passed/p' docs/rules.md; printf '%s'; } | tests/tools/rules.sh /dev/stdin 2>&1",
                                  more));
}

START_TEST(a_test_shows_the_rules_that_its_name_begins_with)
{
    shell_result result =
        list("ok 1 - a.c:rules:cmp_01_cmp_02_both: Passed\\nok 2 - a.c:rules:of_ent_01_no: Passed\\n");
    ck_assert_int_ne(result.status, 0);
    ck_assert_ptr_nonnull(strstr(result.output, "CMP-01 One of each component\n    cmp_01_cmp_02_both\n"));
    ck_assert_ptr_nonnull(strstr(result.output, "CMP-02 Values are copied\n    cmp_01_cmp_02_both\n"));
    ck_assert_ptr_nonnull(strstr(result.output, "ENT-01 Handles\n    MISSING\n"));
}
END_TEST

START_TEST(a_test_that_failed_once_shows_nothing)
{
    shell_result result = list("ok 1 - a.c:rules:cmp_01_one: Passed\\nnot ok 2 - a.c:rules:cmp_01_one: b.c:7: no\\n"
                               "ok 3 - a.c:rules:cmp_01_one: Passed\\n");
    ck_assert_int_ne(result.status, 0);
    ck_assert_ptr_nonnull(strstr(result.output, "CMP-01 One of each component\n    MISSING\n"));
}
END_TEST

START_TEST(no_test_is_missing_when_every_rule_has_one)
{
    shell_result result = list_all_and("");
    ck_assert_msg(result.status == 0, "%s", result.output);
    ck_assert_ptr_nonnull(strstr(result.output, " 0 without a test"));
    ck_assert_ptr_nonnull(strstr(result.output, "ONE-12 "));
}
END_TEST

START_TEST(a_test_of_an_unknown_rule_is_reported)
{
    shell_result result = list_all_and("ok 1 - a.c:rules:cmp_99_one: Passed\\n");
    ck_assert_int_ne(result.status, 0);
    ck_assert_ptr_nonnull(strstr(result.output, "CMP-99 is not a rule of the page\n    cmp_99_one\n"));
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
    tcase_add_test(tests, no_test_is_missing_when_every_rule_has_one);
    tcase_add_test(tests, a_test_of_an_unknown_rule_is_reported);
    suite_add_tcase(suite, tests);
    return suite;
}
