// Output: files reach the disk whole or not at all, and nobody else's file is touched.
#include "output.h"
#include "scratch.h"
#include "suites.h"

#include <check.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define MARK "/* " OUTPUT_MARK " */\n"

static output_report report;

static output_file file_of(const char *path, const char *content)
{
    return (output_file){path, content, strlen(content)};
}

static int run(const output_file *files, size_t count, bool is_check)
{
    report = output_report_create(scratch_arena());
    output_request request = {scratch_arena(), scratch_path("out"), files, count, is_check, NULL};
    return output_write(&request, &report);
}

// The text with the output directory's path for each `$`.
static const char *expand(const char *pattern)
{
    text expanded = text_create(scratch_arena());
    for (; *pattern != '\0'; pattern++) {
        if (*pattern == '$')
            text_append_string(&expanded, scratch_path("out"));
        else
            text_append(&expanded, pattern, 1);
    }
    return expanded.bytes;
}

static void check_report(const char *done, const char *faults)
{
    ck_assert_str_eq(report.done.bytes, expand(done));
    ck_assert_str_eq(report.faults.bytes, expand(faults));
}

START_TEST(missing_files_and_directories_are_made)
{
    output_file files[] = {file_of("a/b/one.h", MARK "1"), file_of("two.h", MARK "2")};
    ck_assert_int_eq(run(files, 2, false), 0);
    check_report("wrote $/a/b/one.h\nwrote $/two.h\nkin: 2 written, 0 unchanged\n", "");
    ck_assert_str_eq(scratch_read("out/a/b/one.h"), MARK "1");
    ck_assert_str_eq(scratch_read("out/two.h"), MARK "2");
    ck_assert_uint_eq(scratch_count("out"), 2);
    ck_assert_uint_eq(scratch_count("out/a/b"), 1);
}
END_TEST

START_TEST(no_files_are_nothing_to_do)
{
    ck_assert_int_eq(run(NULL, 0, false), 0);
    check_report("kin: 0 written, 0 unchanged\n", "");
}
END_TEST

START_TEST(an_equal_file_keeps_its_time_and_inode)
{
    output_file files[] = {file_of("same.h", MARK "1"), file_of("other.h", MARK "2")};
    ck_assert_int_eq(run(files, 2, false), 0);
    struct timespec past[2] = {{1000, 0}, {1000, 0}};
    ck_assert_int_eq(utimensat(AT_FDCWD, scratch_path("out/same.h"), past, 0), 0);
    struct stat before, after;
    ck_assert_int_eq(stat(scratch_path("out/same.h"), &before), 0);
    files[1] = file_of("other.h", MARK "3");
    ck_assert_int_eq(run(files, 2, false), 0);
    check_report("wrote $/other.h\nkin: 1 written, 1 unchanged\n", "");
    ck_assert_int_eq(stat(scratch_path("out/same.h"), &after), 0);
    ck_assert_int_eq(after.st_mtim.tv_sec, 1000);
    ck_assert_uint_eq(after.st_ino, before.st_ino);
    ck_assert_str_eq(scratch_read("out/other.h"), MARK "3");
}
END_TEST

START_TEST(a_file_of_any_size_around_the_buffer_is_compared_to_its_end)
{
    static const size_t sizes[] = {1024, 16383, 16384, 16385, 32768, 100000};
    char *content = arena_allocate(scratch_arena(), 100001);
    memset(content, 'x', 100000);
    memcpy(content, MARK, strlen(MARK));
    output_file file = {"x.h", content, sizes[_i]};
    ck_assert_int_eq(run(&file, 1, false), 0);
    ck_assert_int_eq(run(&file, 1, true), 0);
    file.size++;
    ck_assert_int_eq(run(&file, 1, true), 4);
    file.size -= 2;
    ck_assert_int_eq(run(&file, 1, true), 4);
    file.size++;
    content[file.size - 1] = 'y';
    ck_assert_int_eq(run(&file, 1, true), 4);
}
END_TEST

START_TEST(the_mode_is_what_the_umask_leaves)
{
    output_file file = file_of("x.h", MARK);
    mode_t old = umask(027);
    ck_assert_int_eq(run(&file, 1, false), 0);
    umask(old);
    struct stat status;
    ck_assert_int_eq(stat(scratch_path("out/x.h"), &status), 0);
    ck_assert_uint_eq(status.st_mode & 0777, 0640);
}
END_TEST

START_TEST(a_check_names_what_would_change_and_writes_nothing)
{
    output_file files[] = {file_of("a.h", MARK "1"), file_of("b.h", MARK "2")};
    ck_assert_int_eq(run(files, 2, true), 4);
    check_report("would write $/a.h\nwould write $/b.h\nkin: 2 would be written, 0 unchanged\n", "");
    ck_assert_uint_eq(scratch_count(""), 0);
    scratch_write("out/a.h", MARK "1");
    scratch_write("out/b.h", MARK "old");
    ck_assert_int_eq(run(files, 2, true), 4);
    check_report("would write $/b.h\nkin: 1 would be written, 1 unchanged\n", "");
    ck_assert_str_eq(scratch_read("out/b.h"), MARK "old");
    scratch_write("out/b.h", MARK "2");
    ck_assert_int_eq(run(files, 2, true), 0);
    check_report("kin: 0 would be written, 2 unchanged\n", "");
}
END_TEST

// `count` times 'x', then the mark.
static const char *late_mark(size_t count)
{
    char *content = arena_allocate(scratch_arena(), count + 1);
    memset(content, 'x', count);
    return arena_format(scratch_arena(), "%s%s", content, OUTPUT_MARK);
}

#define REFUSAL(path)                                                                                                  \
    "kin: '" path "' was not made by kin and stays as it is: move it away, or choose another directory with -o\n"

START_TEST(the_file_of_somebody_else_is_kept_and_nothing_is_written)
{
    const char *contents[] = {"", "Generated by ki", "int main(void);\n",
                              late_mark(OUTPUT_MARK_SIZE - strlen(OUTPUT_MARK) + 1)};
    for (size_t i = 0; i < sizeof contents / sizeof *contents; i++) {
        output_file files[] = {file_of("a.h", MARK "1"), file_of("b.h", MARK "2"), file_of("c.h", MARK "3")};
        scratch_write("out/b.h", contents[i]);
        scratch_write("out/c.h", "mine");
        ck_assert_int_eq(run(files, 3, false), 3);
        check_report("", REFUSAL("$/b.h") REFUSAL("$/c.h"));
        ck_assert_str_eq(scratch_read("out/b.h"), contents[i]);
        ck_assert_uint_eq(scratch_count("out"), 2);
        ck_assert_int_eq(run(files, 3, true), 3);
    }
}
END_TEST

START_TEST(a_file_with_the_mark_at_the_last_place_is_replaced)
{
    scratch_write("out/a.h", late_mark(OUTPUT_MARK_SIZE - strlen(OUTPUT_MARK)));
    output_file file = file_of("a.h", MARK);
    ck_assert_int_eq(run(&file, 1, false), 0);
    ck_assert_str_eq(scratch_read("out/a.h"), MARK);
}
END_TEST

START_TEST(a_symbolic_link_is_neither_followed_nor_replaced)
{
    scratch_write("out/target.h", MARK "target");
    ck_assert_int_eq(symlink("target.h", scratch_path("out/a.h")), 0);
    output_file file = file_of("a.h", MARK "new");
    ck_assert_int_eq(run(&file, 1, false), 3);
    check_report("", REFUSAL("$/a.h"));
    ck_assert_str_eq(scratch_read("out/target.h"), MARK "target");
}
END_TEST

START_TEST(a_directory_and_a_pipe_in_the_way_are_kept)
{
    scratch_write("out/x", "");
    ck_assert_int_eq(mkdir(scratch_path("out/a.h"), 0777), 0);
    ck_assert_int_eq(mkfifo(scratch_path("out/b.h"), 0666), 0);
    output_file files[] = {file_of("a.h", MARK), file_of("b.h", MARK)};
    ck_assert_int_eq(run(files, 2, false), 3);
    check_report("", REFUSAL("$/a.h") REFUSAL("$/b.h"));
}
END_TEST

START_TEST(a_file_where_a_directory_must_be_is_told)
{
    scratch_write("out/a", "");
    output_file files[] = {file_of("a/b.h", MARK), file_of("a/c.h", MARK)};
    ck_assert_int_eq(run(files, 2, false), 3);
    check_report("", "kin: cannot write '$/a/b.h': Not a directory\n");
}
END_TEST

START_TEST(a_directory_that_may_not_be_written_is_told)
{
    if (geteuid() == 0) {
        printf("skipped: root may write everywhere\n");
        return;
    }
    ck_assert_int_eq(mkdir(scratch_path("out"), 0555), 0);
    output_file file = file_of("a.h", MARK);
    ck_assert_int_eq(run(&file, 1, false), 3);
    check_report("", "kin: cannot write '$/a.h': Permission denied\n");
}
END_TEST

START_TEST(a_disk_that_takes_no_more_leaves_every_file_as_it_was)
{
    signal(SIGXFSZ, SIG_IGN);
    scratch_write("out/a.h", MARK "old");
    char *large = arena_allocate(scratch_arena(), 5001);
    memset(large, 'x', 5000);
    output_file files[] = {file_of("a.h", MARK "new"), file_of("b.h", large)};
    struct rlimit limit, small;
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
    small = limit;
    small.rlim_cur = 4096;
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
    int status = run(files, 2, false);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    ck_assert_int_eq(status, 3);
    check_report("", "kin: cannot write '$/b.h': File too large\n");
    ck_assert_str_eq(scratch_read("out/a.h"), MARK "old");
    ck_assert_uint_eq(scratch_count("out"), 1);
}
END_TEST

START_TEST(what_a_killed_run_left_is_not_in_the_way)
{
    scratch_write(arena_format(scratch_arena(), "out/.a.h.%ld-0.kin", (long)getpid()), "half");
    output_file file = file_of("a.h", MARK);
    ck_assert_int_eq(run(&file, 1, false), 0);
    ck_assert_str_eq(scratch_read("out/a.h"), MARK);
}
END_TEST

START_TEST(slashes_behind_the_directory_are_not_repeated)
{
    output_file file = file_of("a.h", MARK);
    report = output_report_create(scratch_arena());
    output_request request = {scratch_arena(), scratch_path("out//"), &file, 1, false, NULL};
    ck_assert_int_eq(output_write(&request, &report), 0);
    check_report("wrote $/a.h\nkin: 1 written, 0 unchanged\n", "");
}
END_TEST

#ifndef NDEBUG
static const char *const escapes[] = {"", "/a.h", "../a.h", "a/../b.h", "..", ".", "./a.h", "a//b.h", "a/", "a/.."};

START_TEST(a_path_that_leaves_the_directory_is_a_mistake_of_ours)
{
    fclose(stderr);
    arena arena = {0};
    output_file file = file_of(escapes[_i], MARK);
    output_request request = {&arena, "never-made", &file, 1, true, NULL};
    report = output_report_create(&arena);
    output_write(&request, &report);
}
END_TEST
#endif

static void add_failures(TCase *cases)
{
    tcase_add_test(cases, the_file_of_somebody_else_is_kept_and_nothing_is_written);
    tcase_add_test(cases, a_symbolic_link_is_neither_followed_nor_replaced);
    tcase_add_test(cases, a_directory_and_a_pipe_in_the_way_are_kept);
    tcase_add_test(cases, a_file_where_a_directory_must_be_is_told);
    tcase_add_test(cases, a_directory_that_may_not_be_written_is_told);
    tcase_add_test(cases, a_disk_that_takes_no_more_leaves_every_file_as_it_was);
}

Suite *output_suite(void)
{
    Suite *suite = suite_create("output");
    TCase *cases = tcase_create("output");
    tcase_add_checked_fixture(cases, scratch_create, scratch_destroy);
    tcase_add_test(cases, missing_files_and_directories_are_made);
    tcase_add_test(cases, no_files_are_nothing_to_do);
    tcase_add_test(cases, an_equal_file_keeps_its_time_and_inode);
    tcase_add_loop_test(cases, a_file_of_any_size_around_the_buffer_is_compared_to_its_end, 0, 6);
    tcase_add_test(cases, the_mode_is_what_the_umask_leaves);
    tcase_add_test(cases, a_check_names_what_would_change_and_writes_nothing);
    tcase_add_test(cases, a_file_with_the_mark_at_the_last_place_is_replaced);
    tcase_add_test(cases, what_a_killed_run_left_is_not_in_the_way);
    tcase_add_test(cases, slashes_behind_the_directory_are_not_repeated);
    add_failures(cases);
    suite_add_tcase(suite, cases);
#ifndef NDEBUG
    TCase *mistakes = tcase_create("mistakes");
    tcase_add_loop_test_raise_signal(mistakes, a_path_that_leaves_the_directory_is_a_mistake_of_ours, SIGABRT, 0,
                                     sizeof escapes / sizeof *escapes);
    suite_add_tcase(suite, mistakes);
#endif
    return suite;
}
