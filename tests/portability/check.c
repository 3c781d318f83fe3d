#include "check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct test {
    struct test *next;
    const char *name;
    check_test *call;
    int64_t first, end;
} test;

struct TCase {
    TCase *next;
    const char *name;
    check_fixture *begin, *end;           // around each test
    check_fixture *begin_case, *end_case; // around all of them
    test *tests, **last;
};

struct Suite {
    Suite *next;
    const char *name;
    TCase *cases, **last;
};

struct SRunner {
    Suite *suites, **last;
    int checks;
};

// The running test, for the message of a failure.
static const char *running_suite = "", *running_test = "";
static int running_number;

static void *allocate(size_t size)
{
    void *made = calloc(1, size);
    if (made == NULL)
        ck_abort_msg("no memory for the tests themselves");
    return made;
}

// ---- suites

Suite *suite_create(const char *name)
{
    Suite *suite = allocate(sizeof *suite);
    suite->name = name;
    suite->last = &suite->cases;
    return suite;
}

void suite_add_tcase(Suite *suite, TCase *tests)
{
    *suite->last = tests;
    suite->last = &tests->next;
}

TCase *tcase_create(const char *name)
{
    TCase *tests = allocate(sizeof *tests);
    tests->name = name;
    tests->last = &tests->tests;
    return tests;
}

void tcase_add_checked_fixture(TCase *tests, check_fixture *begin, check_fixture *end)
{
    if (tests->begin != NULL || tests->end != NULL)
        ck_abort_msg("%s has two fixtures, of which only one would run here", tests->name);
    tests->begin = begin;
    tests->end = end;
}

void tcase_add_unchecked_fixture(TCase *tests, check_fixture *begin, check_fixture *end)
{
    if (tests->begin_case != NULL || tests->end_case != NULL)
        ck_abort_msg("%s has two fixtures, of which only one would run here", tests->name);
    tests->begin_case = begin;
    tests->end_case = end;
}

void check_add_test(TCase *tests, const char *name, check_test *call, int64_t first, int64_t end)
{
    test *added = allocate(sizeof *added);
    *added = (test){.name = name, .call = call, .first = first, .end = end};
    *tests->last = added;
    tests->last = &added->next;
}

// ---- running

SRunner *srunner_create(Suite *suite)
{
    SRunner *runner = allocate(sizeof *runner);
    runner->last = &runner->suites;
    if (suite != NULL)
        srunner_add_suite(runner, suite);
    return runner;
}

void srunner_add_suite(SRunner *runner, Suite *suite)
{
    *runner->last = suite;
    runner->last = &suite->next;
}

static void run_test(SRunner *runner, const TCase *tests, const test *test)
{
    running_test = test->name;
    for (int64_t number = test->first; number < test->end; number++) {
        running_number = (int)number;
        if (tests->begin != NULL)
            tests->begin();
        test->call((int)number);
        if (tests->end != NULL)
            tests->end();
        runner->checks++;
    }
}

static void run_case(SRunner *runner, const TCase *tests)
{
    if (tests->begin_case != NULL)
        tests->begin_case();
    for (const test *test = tests->tests; test != NULL; test = test->next)
        run_test(runner, tests, test);
    if (tests->end_case != NULL)
        tests->end_case();
}

void srunner_run_all(SRunner *runner, int mode)
{
    (void)mode;
    for (const Suite *suite = runner->suites; suite != NULL; suite = suite->next) {
        running_suite = suite->name;
        for (const TCase *tests = suite->cases; tests != NULL; tests = tests->next)
            run_case(runner, tests);
    }
    printf("100%%: Checks: %d, Failures: 0, Errors: 0\n", runner->checks);
}

int srunner_ntests_failed(SRunner *runner)
{
    (void)runner;
    return 0; // a failed test would have ended the program
}

static void free_case(TCase *tests)
{
    for (test *test = tests->tests, *next; test != NULL; test = next) {
        next = test->next;
        free(test);
    }
    free(tests);
}

void srunner_free(SRunner *runner)
{
    for (Suite *suite = runner->suites, *next; suite != NULL; suite = next) {
        next = suite->next;
        for (TCase *tests = suite->cases, *following; tests != NULL; tests = following) {
            following = tests->next;
            free_case(tests);
        }
        free(suite);
    }
    free(runner);
}

// ---- failures

void check_fail(const char *file, int line, const char *format, ...)
{
    va_list arguments;
    printf("%s:%d: %s: %s, %d: ", file, line, running_suite, running_test, running_number);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
    fflush(stdout);
    exit(EXIT_FAILURE);
}

void check_text(const char *file, int line, const char *what, const char *left, const char *right, bool equal)
{
    bool same = left != NULL && right != NULL ? strcmp(left, right) == 0 : left == right;
    if (same != equal)
        check_fail(file, line, "%s: \"%s\" and \"%s\"", what, left != NULL ? left : "(null)",
                   right != NULL ? right : "(null)");
}
