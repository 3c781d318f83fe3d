// Output: which files are written, removed and left alone, and what is reported.
#include "generator/output_case.h"
#include "generator/render/internal.h"
#include "generator/scratch.h"
#include "suites.h"

#include <check.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

START_TEST(missing_files_and_directories_are_created)
{
    generated_file files[] = {file_of("one.h", MARK "1"), file_of("two.h", MARK "2")};
    ck_assert_int_eq(run_output(files, 2, OUTPUT_WRITE), 0);
    expect_report("wrote $/one.h\nwrote $/two.h\nwrote $/.kin-manifest\nkin: 3 written, 0 removed, 0 unchanged\n", "");
    expect_file("one.h", MARK "1");
    expect_file("two.h", MARK "2");
    ck_assert_uint_eq(scratch_count("out"), 3);
    output_request request = {.arena = scratch_arena(), .directory = scratch_path("deep/er"), .files = files};
    request.count = 1;
    diagnostics diagnostics = diagnostics_create(scratch_arena());
    output_report report = output_report_create(&diagnostics);
    ck_assert_int_eq(output_write(&request, &report), 0);
    ck_assert_str_eq(scratch_read("deep/er/one.h"), MARK "1");
}
END_TEST

START_TEST(an_unchanged_file_keeps_its_time_and_inode)
{
    generated_file files[] = {file_of("same.h", MARK "1"), file_of("other.h", MARK "2")};
    write_output(files, 2);
    struct timespec past[2] = {{1000, 0}, {1000, 0}};
    ck_assert_int_eq(utimensat(AT_FDCWD, scratch_path("out/same.h"), past, 0), 0);
    struct stat before, after;
    ck_assert_int_eq(stat(scratch_path("out/same.h"), &before), 0);
    files[1] = file_of("other.h", MARK "3");
    write_output(files, 2);
    expect_report("wrote $/other.h\nwrote $/.kin-manifest\nkin: 2 written, 0 removed, 1 unchanged\n", "");
    ck_assert_int_eq(stat(scratch_path("out/same.h"), &after), 0);
    ck_assert_int_eq(after.st_mtim.tv_sec, 1000);
    ck_assert_uint_eq(after.st_ino, before.st_ino);
    expect_file("other.h", MARK "3");
}
END_TEST

START_TEST(a_file_of_any_size_is_compared_to_its_end)
{
    static const size_t sizes[] = {511, 512, 513, 16384, 100000};
    char *content = arena_allocate(scratch_arena(), 100002);
    memset(content, 'x', 100001);
    memcpy(content, MARK, strlen(MARK));
    generated_file file = {"x.h", content, sizes[_i]};
    write_output(&file, 1);
    ck_assert_int_eq(run_output(&file, 1, OUTPUT_CHECK), 0);
    file.size++;
    ck_assert_int_eq(run_output(&file, 1, OUTPUT_CHECK), 4);
    file.size -= 2;
    ck_assert_int_eq(run_output(&file, 1, OUTPUT_CHECK), 4);
    file.size++;
    content[file.size - 1] = 'y';
    ck_assert_int_eq(run_output(&file, 1, OUTPUT_CHECK), 4);
    write_output(&file, 1);
    ck_assert_int_eq(run_output(&file, 1, OUTPUT_CHECK), 0);
}
END_TEST

START_TEST(the_mode_of_files_obeys_the_umask)
{
    generated_file file = file_of("x.h", MARK);
    mode_t old = umask(027);
    write_output(&file, 1);
    umask(old);
    struct stat status;
    ck_assert_int_eq(stat(scratch_path("out/x.h"), &status), 0);
    ck_assert_uint_eq(status.st_mode & 0777, 0640);
}
END_TEST

START_TEST(files_that_only_the_last_run_wrote_are_removed)
{
    generated_file files[] = {file_of("a.h", MARK "1"), file_of("b.h", MARK "2"), file_of("c.h", MARK "3")};
    write_output(files, 3);
    scratch_write("out/mine.h", MARK "mine");
    write_output(files, 1);
    expect_report("removed $/b.h\nremoved $/c.h\nwrote $/.kin-manifest\nkin: 1 written, 2 removed, 1 unchanged\n", "");
    expect_file("b.h", NULL);
    expect_file("mine.h", MARK "mine");
    ck_assert_uint_eq(scratch_count("out"), 3);
    write_output(files, 2);
    ck_assert_int_eq(unlink(scratch_path("out/b.h")), 0);
    write_output(files, 1);
    expect_report("wrote $/.kin-manifest\nkin: 1 written, 0 removed, 1 unchanged\n", "");
}
END_TEST

START_TEST(a_check_lists_the_changes_and_writes_nothing)
{
    generated_file files[] = {file_of("a.h", MARK "1"), file_of("b.h", MARK "2")};
    ck_assert_int_eq(run_output(files, 2, OUTPUT_CHECK), 4);
    expect_report("would add $/a.h\nwould add $/b.h\nwould add $/.kin-manifest\n"
                  "kin: 3 would be written, 0 removed, 0 unchanged\n",
                  "");
    ck_assert_uint_eq(scratch_count(""), 0);
    write_output(files, 2);
    ck_assert_int_eq(run_output(files, 2, OUTPUT_CHECK), 0);
    expect_report("kin: 0 would be written, 0 removed, 3 unchanged\n", "");
    files[0] = file_of("a.h", MARK "new");
    ck_assert_int_eq(run_output(files, 1, OUTPUT_CHECK), 4);
    expect_report("would change $/a.h\nwould remove $/b.h\nwould change $/.kin-manifest\n"
                  "kin: 2 would be written, 1 removed, 0 unchanged\n",
                  "");
    expect_file("a.h", MARK "1");
    expect_file("b.h", MARK "2");
}
END_TEST

START_TEST(a_list_shows_the_planned_action_for_each_file)
{
    generated_file old[] = {file_of("a.h", MARK "1"), file_of("b.h", MARK "2"), file_of("c.h", MARK "3")};
    generated_file new[] = {file_of("d.h", MARK "4"), file_of("b.h", MARK "new"), file_of("a.h", MARK "1")};
    write_output(old, 3);
    ck_assert_int_eq(run_output(new, 3, OUTPUT_LIST), 0);
    expect_report("A $/d.h\nM $/b.h\n= $/a.h\nD $/c.h\nM $/.kin-manifest\n", "");
    expect_file("b.h", MARK "2");
    expect_file("d.h", NULL);
}
END_TEST

START_TEST(a_diff_shows_added_changed_and_removed_files_and_the_manifest_last)
{
    generated_file old[] = {file_of("a.h", MARK "1\n"), file_of("b.h", MARK "2\n")};
    generated_file new[] = {file_of("a.h", MARK "one\n"), file_of("c.h", MARK)};
    write_output(old, 2);
    ck_assert_int_eq(run_output(old, 2, OUTPUT_DIFF), 0);
    expect_report("", "");
    ck_assert_int_eq(run_output(new, 2, OUTPUT_DIFF), 4);
    expect_report("--- $/a.h\n+++ $/a.h\n@@ -1,2 +1,2 @@\n /* Generated by kin */\n-1\n+one\n"
                  "--- /dev/null\n+++ $/c.h\n@@ -0,0 +1,1 @@\n+/* Generated by kin */\n"
                  "--- $/b.h\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-/* Generated by kin */\n-2\n"
                  "--- $/.kin-manifest\n+++ $/.kin-manifest\n@@ -1,5 +1,5 @@\n"
                  " # Written by kin, which knows by it what it wrote here. Do not edit.\n kin-manifest 1\n"
                  "-1b2d185e3054562e 25 a.h\n-e75fbb0cfa8cd09e 25 b.h\n-end 8491ef0955dc2e74\n"
                  "+ea3df8e5b0ffa5a2 27 a.h\n+2f438316496856b7 23 c.h\n+end 9c57a3378eff86cb\n",
                  "");
}
END_TEST

START_TEST(leftovers_of_a_killed_run_are_removed)
{
    scratch_write("out/.a.h.kin-new", "half");
    scratch_write("out/..kin-manifest.kin-new", "half");
    scratch_write("out/.gone.h.kin-new", "half");
    scratch_write("out/..kin-new", "foreign");
    generated_file file = file_of("a.h", MARK);
    ck_assert_int_eq(run_output(&file, 1, OUTPUT_CHECK), 4);
    ck_assert_uint_eq(scratch_count("out"), 4);
    write_output(&file, 1);
    ck_assert_uint_eq(scratch_count("out"), 3);
    scratch_write("out/.a.h.kin-new", "half");
    write_output(&file, 1);
    expect_file(".a.h.kin-new", NULL);
    expect_file("..kin-new", "foreign");
}
END_TEST

START_TEST(slashes_after_the_directory_are_not_repeated)
{
    ck_assert_str_eq(output_path(scratch_arena(), "out//", "a.h"), "out/a.h");
    ck_assert_str_eq(output_path(scratch_arena(), "//", "a.h"), "/a.h");
    ck_assert_str_eq(output_path(scratch_arena(), ".", "a.h"), "./a.h");
}
END_TEST

#ifndef NDEBUG
static const char *const escapes[] = {"", "/a.h", "../a.h", "a/b.h", "..", ".", ".a.h", "a/", "a b", "a\n"};

START_TEST(a_path_that_leaves_the_directory_is_an_assertion_failure)
{
    fclose(stderr);
    arena arena = {0};
    generated_file file = file_of(escapes[_i], MARK);
    output_request request = {
        .arena = &arena, .directory = "never-made", .files = &file, .count = 1, .mode = OUTPUT_CHECK};
    diagnostics diagnostics = diagnostics_create(&arena);
    output_report report = output_report_create(&diagnostics);
    output_write(&request, &report);
}
END_TEST
#endif

Suite *output_suite(void)
{
    Suite *suite = suite_create("output");
    TCase *cases = tcase_create("output");
    tcase_add_checked_fixture(cases, scratch_create, scratch_destroy);
    tcase_add_test(cases, missing_files_and_directories_are_created);
    tcase_add_test(cases, an_unchanged_file_keeps_its_time_and_inode);
    tcase_add_loop_test(cases, a_file_of_any_size_is_compared_to_its_end, 0, 5);
    tcase_add_test(cases, the_mode_of_files_obeys_the_umask);
    tcase_add_test(cases, files_that_only_the_last_run_wrote_are_removed);
    tcase_add_test(cases, a_check_lists_the_changes_and_writes_nothing);
    tcase_add_test(cases, a_list_shows_the_planned_action_for_each_file);
    tcase_add_test(cases, a_diff_shows_added_changed_and_removed_files_and_the_manifest_last);
    tcase_add_test(cases, leftovers_of_a_killed_run_are_removed);
    tcase_add_test(cases, slashes_after_the_directory_are_not_repeated);
    suite_add_tcase(suite, cases);
#ifndef NDEBUG
    TCase *mistakes = tcase_create("mistakes");
    tcase_add_loop_test_raise_signal(mistakes, a_path_that_leaves_the_directory_is_an_assertion_failure, SIGABRT, 0,
                                     sizeof escapes / sizeof *escapes);
    suite_add_tcase(suite, mistakes);
#endif
    return suite;
}
