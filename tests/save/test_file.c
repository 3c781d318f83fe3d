// Files that are replaced as a whole: with each system call failing, and the process killed at each.
#include "../generator/faults.h"
#include "../suites.h"
#include "file/file.h"
#include "shell.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[256], path[300], beside[320];

static void setup(void)
{
    snprintf(folder, sizeof folder, "%s/kin-test-save-XXXXXX", shell_scratch());
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/town.kin", folder);
    snprintf(beside, sizeof beside, "%s.new", path);
}

static void teardown(void)
{
    remove(path);
    remove(beside);
    rmdir(folder);
}

static kin_status put(const char *to, const char *text, kin__fault *fault)
{
    kin__file file;
    *fault = (kin__fault){KIN_OK, ""};
    if (kin__file_begin(&file, to, fault)) {
        kin_sink sink = kin__file_sink(&file);
        if (sink.write(text, strlen(text), sink.user))
            sink.write("!", 1, sink.user);
    }
    kin__file_end(&file);
    return fault->status;
}

static const char *content(void)
{
    static char text[64];
    FILE *file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

START_TEST(a_file_is_made_and_replaced)
{
    kin__fault fault;
    ck_assert_int_eq(put(path, "one", &fault), KIN_OK);
    ck_assert_str_eq(content(), "one!");
    ck_assert_int_eq(put(path, "two", &fault), KIN_OK);
    ck_assert_str_eq(content(), "two!");
    ck_assert_int_ne(access(beside, F_OK), 0);
}
END_TEST

START_TEST(fil_05_a_call_that_fails_leaves_the_former_file)
{
    kin__fault fault;
    int failed = 0;
    ck_assert_int_eq(put(path, "old", &fault), KIN_OK);
    for (int at = 0;; at++) {
        faults_arm(at, ENOSPC);
        kin_status status = put(path, "new", &fault);
        if (!faults_disarm())
            break;
        failed++;
        bool is_old = strcmp(content(), "old!") == 0;
        ck_assert(is_old || strcmp(content(), "new!") == 0);
        if (is_old) {
            ck_assert_int_eq(status, KIN_ERROR_STREAM);
            ck_assert_ptr_nonnull(strstr(fault.text, strerror(ENOSPC)));
        }
        ck_assert_int_eq(put(path, "old", &fault), KIN_OK);
    }
    ck_assert_int_ge(failed, 6);
}
END_TEST

START_TEST(fil_05_a_process_that_is_killed_leaves_a_whole_file)
{
    kin__fault fault;
    bool was_new = false, was_old = false;
    ck_assert_int_eq(put(path, "old", &fault), KIN_OK);
    for (int at = 0; at < 12; at++) {
        pid_t child = fork();
        if (child == 0) {
            faults_arm(at, FAULT_KILL);
            put(path, "new", &fault);
            _exit(0);
        }
        ck_assert_int_eq(waitpid(child, NULL, 0), child);
        was_old = was_old || strcmp(content(), "old!") == 0;
        was_new = was_new || strcmp(content(), "new!") == 0;
        ck_assert(strcmp(content(), "old!") == 0 || strcmp(content(), "new!") == 0);
        ck_assert_int_eq(put(path, "old", &fault), KIN_OK); // whatever was left beside
    }
    ck_assert(was_new && was_old);
}
END_TEST

START_TEST(fil_05_a_folder_that_is_not_there_is_told_in_the_words_of_the_system)
{
    kin__fault fault;
    char other[300];
    snprintf(other, sizeof other, "%s/none/town.kin", folder);
    ck_assert_int_eq(put(other, "new", &fault), KIN_ERROR_STREAM);
    ck_assert_ptr_nonnull(strstr(fault.text, "cannot open '"));
    ck_assert_ptr_nonnull(strstr(fault.text, strerror(ENOENT)));
}
END_TEST

Suite *save_file_suite(void)
{
    Suite *suite = suite_create("save_file");
    TCase *tests = tcase_create("file");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, a_file_is_made_and_replaced);
    tcase_add_test(tests, fil_05_a_call_that_fails_leaves_the_former_file);
    tcase_add_test(tests, fil_05_a_process_that_is_killed_leaves_a_whole_file);
    tcase_add_test(tests, fil_05_a_folder_that_is_not_there_is_told_in_the_words_of_the_system);
    suite_add_tcase(suite, tests);
    return suite;
}
