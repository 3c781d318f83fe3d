// Output faults: whichever system call fails or is the last before a kill, every file has its whole old or new content,
// and the next run completes the set.
#include "generator/faults.h"
#include "generator/output_case.h"
#include "generator/reading.h"
#include "generator/scratch.h"
#include "suites.h"

#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// The files of the old and the new set with their contents; NULL: the set lacks the file.
static const struct {
    const char *name, *old, *new;
} contents[] = {
    {"added.h", NULL, MARK "added"},   {"changed.h", MARK "one", MARK "another"}, {"gone.h", MARK "gone", NULL},
    {"gone_too.h", MARK "gone", NULL}, {"same.h", MARK "same", MARK "same"},      {"swapped.h", MARK "one", MARK "two"},
};

enum { FILE_COUNT = sizeof contents / sizeof *contents };

static generated_file dependencies = {"", "out/a/a.h: a.yaml b.yaml\n", 25};

static diagnostics diagnostics_of_run;
static output_report report;

// Writes the old or the new set.
static int run_set(bool is_new)
{
    generated_file files[FILE_COUNT];
    output_request request = {.arena = scratch_arena(), .directory = scratch_path("deep/out"), .files = files};
    for (size_t i = 0; i < FILE_COUNT; i++) {
        const char *content = is_new ? contents[i].new : contents[i].old;
        if (content != NULL)
            files[request.count++] = file_of(contents[i].name, content);
    }
    dependencies.path = scratch_path("made/deps");
    request.depfile = is_new ? &dependencies : NULL;
    diagnostics_of_run = diagnostics_create(scratch_arena());
    report = output_report_create(&diagnostics_of_run);
    return output_write(&request, &report);
}

static const char *content_of(size_t i)
{
    return scratch_read(arena_format(scratch_arena(), "deep/out/%s", contents[i].name));
}

static bool is_same(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static void begin_old(void)
{
    ck_assert_int_eq(run_set(false), 0);
    unlink(scratch_path("made/deps"));
}

static void expect_old_or_new(int at)
{
    for (size_t i = 0; i < FILE_COUNT; i++) {
        const char *found = content_of(i);
        ck_assert_msg(is_same(found, contents[i].old) || is_same(found, contents[i].new), "after call %d '%s' is '%s'",
                      at, contents[i].name, found == NULL ? "gone" : found);
    }
    const char *found = scratch_read("made/deps");
    ck_assert_msg(found == NULL || strcmp(found, dependencies.bytes) == 0, "after call %d: '%s'", at, found);
}

static void expect_new(int at)
{
    for (size_t i = 0; i < FILE_COUNT; i++)
        ck_assert_msg(is_same(content_of(i), contents[i].new), "after call %d: '%s'", at, contents[i].name);
    ck_assert_str_eq(scratch_read("made/deps"), dependencies.bytes);
    ck_assert_uint_eq(scratch_count("deep/out"), 5);
    ck_assert_uint_eq(scratch_count("made"), 1);
}

static void expect_repair(int at)
{
    int status = run_set(true);
    ck_assert_msg(status == 0, "after call %d: %s", at, reading_print(report.diagnostics));
    expect_new(at);
}

static const int faults[] = {ENOSPC, EACCES, EMFILE, EIO, EROFS};

// A run may ignore a harmless failure, such as one of closing a file that it only read.
START_TEST(a_failed_call_is_reported_and_leaves_every_file_whole)
{
    bool is_hit = true;
    int failures = 0;
    for (int at = 0; is_hit; at++) {
        begin_old();
        faults_arm(at, faults[_i]);
        int status = run_set(true);
        is_hit = faults_disarm();
        if (status == 0)
            expect_new(at);
        else {
            ck_assert_int_eq(status, 3);
            ck_assert_ptr_nonnull(strstr(reading_print(report.diagnostics), strerror(faults[_i])));
            ck_assert_str_eq(report.done.bytes, "");
            failures++;
        }
        expect_old_or_new(at);
        expect_repair(at);
    }
    ck_assert_int_gt(failures, 30);
}
END_TEST

// In an empty directory: the failed run leaves only files of kin.
START_TEST(a_first_run_that_fails_does_not_stop_the_second)
{
    bool is_hit = true;
    for (int at = 0; is_hit; at++) {
        faults_arm(at, faults[_i]);
        run_set(true);
        is_hit = faults_disarm();
        expect_repair(at);
        scratch_destroy();
        scratch_create();
    }
}
END_TEST

// Returns whether the run completed before the kill.
static bool run_until(int at)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        faults_arm(at, FAULT_KILL);
        _exit(run_set(true));
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    return WIFEXITED(status);
}

START_TEST(a_run_that_is_killed_at_any_call_leaves_every_file_whole)
{
    bool is_ended = false;
    int at = 0;
    for (; !is_ended; at++) {
        begin_old();
        is_ended = run_until(at);
        expect_old_or_new(at);
        expect_repair(at);
    }
    ck_assert_int_gt(at, 60);
}
END_TEST

// Kills several runs, each at a later call; the last run completes and removes what they left.
START_TEST(leftovers_of_several_killed_runs_are_repaired_too)
{
    begin_old();
    for (int at = 0; !run_until(at); at++)
        expect_old_or_new(at);
    expect_repair(0);
}
END_TEST

START_TEST(the_old_files_are_written_again_after_a_killed_run)
{
    begin_old();
    run_until(50 + _i);
    expect_old_or_new(50 + _i);
    ck_assert_int_eq(run_set(false), 0);
    for (size_t i = 0; i < FILE_COUNT; i++)
        ck_assert(is_same(content_of(i), contents[i].old));
}
END_TEST

Suite *output_fault_suite(void)
{
    Suite *suite = suite_create("output_fault");
    TCase *cases = tcase_create("output_fault");
    tcase_set_timeout(cases, 60);
    tcase_add_checked_fixture(cases, scratch_create, scratch_destroy);
    tcase_add_loop_test(cases, a_failed_call_is_reported_and_leaves_every_file_whole, 0, 5);
    tcase_add_loop_test(cases, a_first_run_that_fails_does_not_stop_the_second, 0, 5);
    tcase_add_test(cases, a_run_that_is_killed_at_any_call_leaves_every_file_whole);
    tcase_add_test(cases, leftovers_of_several_killed_runs_are_repaired_too);
    tcase_add_loop_test(cases, the_old_files_are_written_again_after_a_killed_run, 0, 30);
    suite_add_tcase(suite, cases);
    return suite;
}
