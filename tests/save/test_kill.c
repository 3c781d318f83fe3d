// Saves at a path: with each system call failing or taking less than it was given, and the process killed at each call,
// and at any time while it saves each frame.
#include "../generator/faults.h"
#include "../suites.h"
#include "file/file.h"
#include "past_case.h"
#include "shell.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_CALLS = 64, ENTITIES = 60 };

static char folder[256], path[300];
static buffer former, latter; // the bytes of two saves
static kin_snapshot *two;

// Saves the case as it is, then with an entity more. The former is at the path.
static void setup(void)
{
    snprintf(folder, sizeof folder, "%s/kin-test-kill-XXXXXX", shell_scratch());
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/town.kin", folder);
    memset(&former, 0, sizeof former);
    memset(&latter, 0, sizeof latter);
    two = NULL;
    past_case_begin(ENTITIES);
    past_case_write(&former);
    past_create_entity(past);
    ck_assert_int_eq(past_save(past, &two), KIN_OK);
    ck_assert_int_eq(kin_snapshot_write(two, buffer_sink(&latter), NULL), KIN_OK);
    ck_assert_int_eq(kin_snapshot_write_path(past_snapshot, path, NULL), KIN_OK);
}

static void teardown(void)
{
    char beside[320];
    snprintf(beside, sizeof beside, "%s.new", path);
    remove(beside);
    remove(path);
    rmdir(folder);
    kin_snapshot_destroy(two);
    past_case_end();
    buffer_release(&former);
    buffer_release(&latter);
}

static bool file_has(const buffer *bytes)
{
    static char content[1 << 20];
    FILE *file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    size_t size = fread(content, 1, sizeof content, file);
    fclose(file);
    return size == bytes->size && memcmp(content, bytes->bytes, size) == 0;
}

// Returns how many calls a write makes that can fail.
static int fail_each_call(int fault)
{
    for (int at = 0; at < MOST_CALLS; at++) {
        faults_arm(at, fault);
        kin_status status = kin_snapshot_write_path(two, path, NULL);
        if (!faults_disarm()) {
            ck_assert_int_eq(status, KIN_OK);
            ck_assert(file_has(&latter));
            return at;
        }
        ck_assert_msg(file_has(status == KIN_OK ? &latter : &former) || file_has(&latter), "call %d", at);
        if (file_has(&former)) {
            ck_assert_int_eq(status, KIN_ERROR_STREAM);
            ck_assert_ptr_nonnull(strstr(past_case_error, strerror(fault)));
        }
        ck_assert_int_eq(kin_snapshot_write_path(past_snapshot, path, NULL), KIN_OK);
    }
    return 0;
}

START_TEST(fil_05_a_full_or_broken_disk_leaves_a_whole_save)
{
    ck_assert_int_ge(fail_each_call(ENOSPC), 10);
    ck_assert_int_eq(kin_snapshot_write_path(past_snapshot, path, NULL), KIN_OK);
    ck_assert_int_ge(fail_each_call(EIO), 10);
}
END_TEST

START_TEST(fil_05_what_a_write_does_not_take_is_written_again)
{
    int at = 0, armed = 1;
    for (; armed && at < MOST_CALLS; at++) {
        faults_arm(at, FAULT_SHORT);
        ck_assert_int_eq(kin_snapshot_write_path(two, path, NULL), KIN_OK);
        armed = faults_disarm();
        ck_assert_msg(file_has(&latter), "call %d", at);
        ck_assert_int_eq(kin_snapshot_write_path(past_snapshot, path, NULL), KIN_OK);
    }
    ck_assert_int_ge(at, 10);
}
END_TEST

START_TEST(fil_05_a_save_that_is_killed_at_a_call_is_whole)
{
    bool was_former = false, was_latter = false;
    for (int at = 0; at < MOST_CALLS; at++) {
        int status;
        pid_t child = fork();
        if (child == 0) {
            faults_arm(at, FAULT_KILL);
            _exit(kin_snapshot_write_path(two, path, NULL) == KIN_OK ? 0 : 1);
        }
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        ck_assert_msg(file_has(&former) || file_has(&latter), "call %d", at);
        was_former = was_former || file_has(&former);
        was_latter = was_latter || file_has(&latter);
        ck_assert_int_eq(kin_snapshot_write_path(past_snapshot, path, NULL), KIN_OK); // whatever was left beside
        if (WIFEXITED(status)) {
            ck_assert_int_eq(WEXITSTATUS(status), 0);
            break;
        }
        ck_assert_int_lt(at, MOST_CALLS - 1);
    }
    ck_assert(was_former && was_latter);
}
END_TEST

// The first word of what each call that fails is said to have done.
START_TEST(fil_05_the_disk_has_the_bytes_before_they_have_the_name)
{
    kin__fault fault = {KIN_OK, ""};
    char verbs[128] = "", verb[16];
    for (int at = 0; at < MOST_CALLS; at++) {
        kin__file file;
        fault = (kin__fault){KIN_OK, ""};
        faults_arm(at, EIO);
        if (kin__file_begin(&file, path, &fault))
            kin__file_sink(&file).write("bytes", 5, &file);
        kin__file_end(&file);
        if (!faults_disarm())
            break;
        if (fault.status != KIN_OK && sscanf(fault.text, "cannot %15s", verb) == 1)
            strcat(strcat(verbs, verb), " ");
    }
    ck_assert_str_eq(verbs, "write open write flush close rename open flush ");
}
END_TEST

// ---- killed at any time

// Writes a byte after each frame that was saved.
static void change_each_frame(int saved)
{
    for (uint32_t frame = 1;; frame++) {
        past_entity entity = past_create_entity(past);
        past_add_wide(past, entity, (Wide){frame, frame, 1});
        if (past_save(past, &two) != KIN_OK || kin_snapshot_write_path(two, path, NULL) != KIN_OK)
            _exit(1);
        if (write(saved, "", 1) != 1)
            _exit(1);
    }
}

// Returns how many entities the file has; it must be whole.
static uint32_t count_saved(past_context *other, kin_snapshot **read)
{
    kin_status status = kin_context_read_path(&other->base, read, path, NULL, NULL);
    ck_assert_msg(status == KIN_OK, "%s", past_case_error);
    ck_assert_int_eq(past_restore(other, *read, KIN_RESTORE_EXACTLY), KIN_OK);
    return past_entity_count(other);
}

// 50 kills, or KIN_KILLS. Every second one comes after the first frame was saved.
START_TEST(fil_05_a_game_that_saves_each_frame_is_killed_at_any_time)
{
    int kills = getenv("KIN_KILLS") == NULL ? 50 : atoi(getenv("KIN_KILLS")), later = 0;
    uint32_t state = 12345, least = past_entity_count(past) - 1;
    past_context *other = past_context_create(NULL);
    kin_snapshot *found = NULL;
    for (int i = 0; i < kills; i++) {
        int saved[2];
        char byte;
        ck_assert_int_eq(pipe(saved), 0);
        pid_t child = fork();
        if (child == 0)
            change_each_frame(saved[1]);
        if (i % 2 == 1)
            ck_assert_int_eq(read(saved[0], &byte, 1), 1);
        state = state * 1664525 + 1013904223;
        nanosleep(&(struct timespec){.tv_nsec = (state >> 8) % 6000000}, NULL);
        kill(child, SIGKILL);
        int status;
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        ck_assert(WIFSIGNALED(status));
        close(saved[0]);
        close(saved[1]);
        uint32_t count = count_saved(other, &found);
        ck_assert_uint_ge(count, least);
        later += count > least;
        ck_assert_int_eq(kin_snapshot_write_path(past_snapshot, path, NULL), KIN_OK);
    }
    ck_assert_int_ge(later, kills / 2);
    kin_snapshot_destroy(found);
    past_context_destroy(other);
}
END_TEST

Suite *save_kill_suite(void)
{
    Suite *suite = suite_create("save_kill");
    TCase *tests = tcase_create("kill");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_set_timeout(tests, 600);
    tcase_add_test(tests, fil_05_a_full_or_broken_disk_leaves_a_whole_save);
    tcase_add_test(tests, fil_05_what_a_write_does_not_take_is_written_again);
    tcase_add_test(tests, fil_05_a_save_that_is_killed_at_a_call_is_whole);
    tcase_add_test(tests, fil_05_the_disk_has_the_bytes_before_they_have_the_name);
    tcase_add_test(tests, fil_05_a_game_that_saves_each_frame_is_killed_at_any_time);
    suite_add_tcase(suite, tests);
    return suite;
}
