// Files are what the user has made them (FIL-08): links, rights, pipes and devices, for both ways to write a file: that
// of saves, recordings of kin and `kin pack`, and that of locks, pages and generated files.
#define _XOPEN_SOURCE 700 // for mkfifo
#include "../../suites.h"
#include "../scratch.h"
#include "file/file.h"
#include "generator/render/render.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/xattr.h>
#endif

enum { WAYS = 2 };

// Writes "new" in one of the ways. Returns whether that was done; `said` has what was reported.
static char said[KIN__FAULT_SIZE];

static bool write_file(int way, const char *name)
{
    const char *path = scratch_path(name);
    said[0] = '\0';
    if (way == 0) {
        kin__fault fault = {KIN_OK, ""};
        kin__file file;
        if (kin__file_begin(&file, path, &fault))
            kin__file_sink(&file).write("new", 3, &file);
        bool is_written = kin__file_end(&file);
        snprintf(said, sizeof said, "%s", fault.text);
        return is_written;
    }
    staged_file staged = staged_file_create(scratch_arena(), path);
    int error = output_stage(&staged, "new", 3);
    error = error != 0 ? error : output_commit(&staged);
    snprintf(said, sizeof said, "%s", error == 0 ? "" : strerror(error));
    return error == 0;
}

static void link_to(const char *target, const char *name)
{
    ck_assert_int_eq(symlink(target, scratch_path(name)), 0);
}

static mode_t mode_of(const char *name)
{
    struct stat status;
    ck_assert_int_eq(lstat(scratch_path(name), &status), 0);
    return status.st_mode;
}

static void setup(void)
{
    scratch_create();
    scratch_write("cloud/slot", "old");
}

START_TEST(fil_08_a_link_is_followed_and_stays)
{
    link_to("cloud/second", "first");
    link_to("slot", "cloud/second");
    ck_assert_msg(write_file(_i, "first"), "%s", said);
    ck_assert_str_eq(scratch_read("cloud/slot"), "new");
    ck_assert(S_ISLNK(mode_of("first")) && S_ISLNK(mode_of("cloud/second")) && S_ISREG(mode_of("cloud/slot")));
    ck_assert_uint_eq(scratch_count("cloud"), 2);
}
END_TEST

START_TEST(fil_08_a_link_to_an_absolute_path_is_followed)
{
    link_to(scratch_path("cloud/slot"), "first");
    ck_assert_msg(write_file(_i, "first"), "%s", said);
    ck_assert_str_eq(scratch_read("cloud/slot"), "new");
}
END_TEST

START_TEST(fil_08_a_link_to_nothing_creates_its_target)
{
    link_to("cloud/later", "first");
    ck_assert_msg(write_file(_i, "first"), "%s", said);
    ck_assert_str_eq(scratch_read("cloud/later"), "new");
    ck_assert(S_ISLNK(mode_of("first")));
}
END_TEST

START_TEST(fil_08_links_in_a_circle_are_an_error)
{
    link_to("two", "one");
    link_to("one", "two");
    ck_assert(!write_file(_i, "one"));
    ck_assert_ptr_nonnull(strstr(said, strerror(ELOOP)));
    ck_assert(S_ISLNK(mode_of("one")) && S_ISLNK(mode_of("two")));
}
END_TEST

START_TEST(fil_08_rights_are_kept)
{
    static const mode_t modes[] = {0664, 0600, 0640, 0755, 0666};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        ck_assert_int_eq(chmod(scratch_path("cloud/slot"), modes[i]), 0);
        ck_assert_msg(write_file(_i, "cloud/slot"), "%s", said);
        ck_assert_uint_eq(mode_of("cloud/slot") & 07777, modes[i]);
    }
}
END_TEST

START_TEST(fil_08_a_new_file_has_the_rights_of_the_umask)
{
    mode_t former = umask(077);
    bool is_written = write_file(_i, "fresh");
    umask(former);
    ck_assert_msg(is_written, "%s", said);
    ck_assert_uint_eq(mode_of("fresh") & 0777, 0600);
}
END_TEST

START_TEST(fil_08_the_owner_is_kept)
{
    struct stat status;
    if (geteuid() != 0)
        return;
    ck_assert_int_eq(chown(scratch_path("cloud/slot"), 1234, 4321), 0);
    ck_assert_msg(write_file(_i, "cloud/slot"), "%s", said);
    ck_assert_int_eq(stat(scratch_path("cloud/slot"), &status), 0);
    ck_assert_uint_eq(status.st_uid, 1234);
    ck_assert_uint_eq(status.st_gid, 4321);
}
END_TEST

START_TEST(fil_08_a_pipe_is_written_to)
{
    char bytes[8] = "";
    ck_assert_int_eq(mkfifo(scratch_path("pipe"), 0600), 0);
    int reader = open(scratch_path("pipe"), O_RDONLY | O_NONBLOCK);
    ck_assert_int_ge(reader, 0);
    ck_assert_msg(write_file(_i, "pipe"), "%s", said);
    ck_assert_int_eq(read(reader, bytes, sizeof bytes), 3);
    ck_assert_str_eq(bytes, "new");
    ck_assert(S_ISFIFO(mode_of("pipe")));
    close(reader);
}
END_TEST

START_TEST(fil_08_a_pipe_that_nothing_reads_is_a_sentence_to_a_process_that_ignores_the_signal)
{
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    close(ends[0]);
    signal(SIGPIPE, SIG_IGN);
    link_to(arena_format(scratch_arena(), "/dev/fd/%d", ends[1]), "out");
    ck_assert(!write_file(_i, "out"));
    ck_assert_msg(strstr(said, strerror(EPIPE)) != NULL, "%s", said);
    close(ends[1]);
    ck_assert(!write_file(_i, "out"));
    ck_assert_msg(strstr(said, strerror(EBADF)) != NULL, "%s", said);
}
END_TEST

// As after `> log`: what is written before and after stays, and so does the file.
START_TEST(fil_08_a_descriptor_is_written_at_its_position)
{
    int log = open(scratch_path("log"), O_RDWR | O_CREAT, 0600);
    ck_assert_int_eq(write(log, "before ", 7), 7);
    static const char *const folders[WAYS] = {"/dev/fd/%d", "/proc/self/fd/%d"};
    link_to(arena_format(scratch_arena(), folders[_i], log), "out");
    ck_assert_msg(write_file(_i, "out"), "%s", said);
    ck_assert_int_eq(write(log, " after", 6), 6);
    close(log);
    ck_assert_str_eq(scratch_read("log"), "before new after");
}
END_TEST

#ifdef __linux__
// The list of user 1234: reads and writes, as far as the rights of the group allow.
static const unsigned char access_list[] = {2, 0,   0,   0,   1,   0,   6,  0, 255, 255, 255, 255, 2,   0,  6,
                                            0, 210, 4,   0,   0,   4,   0,  4, 0,   255, 255, 255, 255, 16, 0,
                                            6, 0,   255, 255, 255, 255, 32, 0, 4,   0,   255, 255, 255, 255};

static ssize_t attribute_of(const char *name, const char *attribute, void *value)
{
    return getxattr(scratch_path(name), attribute, value, 8192);
}

START_TEST(fil_08_attributes_and_lists_of_access_are_kept)
{
    char value[8192];
    memset(value, 'v', sizeof value);
    const char *path = scratch_path("cloud/slot");
    if (setxattr(path, "user.kin", value, 3000, 0) != 0)
        return; // no file system with attributes
    ck_assert_msg(write_file(_i, "cloud/slot"), "%s", said);
    ck_assert_int_eq(attribute_of("cloud/slot", "user.kin", value), 3000);
    if (setxattr(path, "system.posix_acl_access", access_list, sizeof access_list, 0) != 0)
        return;
    ck_assert_msg(write_file(_i, "cloud/slot"), "%s", said);
    ck_assert_int_eq(attribute_of("cloud/slot", "system.posix_acl_access", value), (ssize_t)sizeof access_list);
    ck_assert_mem_eq(value, access_list, sizeof access_list);
}
END_TEST

// A new file of the folder would open the save to user 1234.
START_TEST(fil_08_the_list_of_the_folder_gives_no_access_to_a_file_that_had_none)
{
    char value[8192];
    ck_assert_int_eq(chmod(scratch_path("cloud/slot"), 0640), 0);
    if (setxattr(scratch_path("cloud"), "system.posix_acl_default", access_list, sizeof access_list, 0) != 0)
        return; // no file system with lists
    ck_assert_msg(write_file(_i, "cloud/slot"), "%s", said);
    ck_assert_int_eq(attribute_of("cloud/slot", "system.posix_acl_access", value), -1);
    ck_assert_uint_eq(mode_of("cloud/slot") & 07777, 0640);
}
END_TEST
#endif

// A node of its own, as a fault would replace a device.
START_TEST(fil_08_a_device_is_written_to)
{
    if (mknod(scratch_path("null"), S_IFCHR | 0600, makedev(1, 3)) != 0)
        return;
    int device = open(scratch_path("null"), O_WRONLY);
    if (device < 0) // a file system without devices
        return;
    close(device);
    ck_assert_msg(write_file(_i, "null"), "%s", said);
    ck_assert(S_ISCHR(mode_of("null")));
    ck_assert_uint_eq(scratch_count(""), 2);
}
END_TEST

START_TEST(fil_08_a_folder_is_refused)
{
    ck_assert(!write_file(_i, "cloud"));
    ck_assert_ptr_nonnull(strstr(said, strerror(EISDIR)));
    ck_assert(S_ISDIR(mode_of("cloud")));
}
END_TEST

// As another user than root, who may write to every file.
START_TEST(fil_08_a_file_without_the_right_to_write_is_refused)
{
    ck_assert_int_eq(chmod(scratch_path("cloud/slot"), 0444), 0);
    ck_assert_int_eq(chmod(scratch_path("cloud"), 0777), 0);
    ck_assert_int_eq(chmod(scratch_path(""), 0755), 0);
    pid_t child = fork();
    if (child == 0) {
        bool is_other = geteuid() != 0 || seteuid(1234) == 0;
        bool is_reached = access(scratch_path("cloud/slot"), F_OK) == 0;
        _exit(is_other && is_reached && write_file(_i, "cloud/slot") ? 1 : 0);
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    ck_assert_str_eq(scratch_read("cloud/slot"), "old");
}
END_TEST

// The name beside a save is no way out of the folder.
START_TEST(fil_08_a_link_beside_a_file_is_not_followed)
{
    scratch_write("other", "mine");
    link_to("../other", _i == 0 ? "cloud/slot.new" : "cloud/.slot.kin-new");
    write_file(_i, "cloud/slot");
    ck_assert_str_eq(scratch_read("other"), "mine");
}
END_TEST

Suite *output_target_suite(void)
{
    Suite *suite = suite_create("output_target");
    TCase *tests = tcase_create("target");
    tcase_add_checked_fixture(tests, setup, scratch_destroy);
    tcase_add_loop_test(tests, fil_08_a_link_is_followed_and_stays, 0, WAYS);
    tcase_add_loop_test(tests, fil_08_a_link_to_an_absolute_path_is_followed, 0, WAYS);
    tcase_add_loop_test(tests, fil_08_a_link_to_nothing_creates_its_target, 0, WAYS);
    tcase_add_loop_test(tests, fil_08_links_in_a_circle_are_an_error, 0, WAYS);
    tcase_add_loop_test(tests, fil_08_rights_are_kept, 0, WAYS);
    tcase_add_loop_test(tests, fil_08_a_new_file_has_the_rights_of_the_umask, 0, WAYS);
    tcase_add_loop_test(tests, fil_08_the_owner_is_kept, 0, WAYS);
    tcase_add_loop_test(tests, fil_08_a_pipe_is_written_to, 0, WAYS);
    tcase_add_loop_test(tests, fil_08_a_pipe_that_nothing_reads_is_a_sentence_to_a_process_that_ignores_the_signal, 0,
                        WAYS);
    tcase_add_loop_test(tests, fil_08_a_descriptor_is_written_at_its_position, 0, WAYS);
#ifdef __linux__
    tcase_add_loop_test(tests, fil_08_attributes_and_lists_of_access_are_kept, 0, WAYS);
    tcase_add_loop_test(tests, fil_08_the_list_of_the_folder_gives_no_access_to_a_file_that_had_none, 0, WAYS);
#endif
    tcase_add_loop_test(tests, fil_08_a_device_is_written_to, 0, WAYS);
    tcase_add_loop_test(tests, fil_08_a_folder_is_refused, 0, WAYS);
    tcase_add_loop_test(tests, fil_08_a_file_without_the_right_to_write_is_refused, 0, WAYS);
    tcase_add_loop_test(tests, fil_08_a_link_beside_a_file_is_not_followed, 0, WAYS);
    suite_add_tcase(suite, tests);
    return suite;
}
