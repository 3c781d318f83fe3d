// Output kills: the program itself, ended by `kill -9` at random moments.
#include "generator/base/base.h"
#include "generator/program.h"
#include "generator/scratch.h"
#include "shell.h"
#include "suites.h"

#include <check.h>
#include <dirent.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { KILLS = 40, ALL_KILLS = 200, COMPONENTS = 40, CONTEXTS = 4, SECOND = 1000 * 1000 * 1000 };

// Two versions of a package. All their files differ, and each version has a context that the other lacks.
static const char *const versions[] = {"one", "two"};

static void write_schema(int version)
{
    text text = text_create(scratch_arena());
    text_append_string(&text, "kin: 1\npackage: big\ncontexts:\n");
    for (int i = version; i < CONTEXTS + version; i++)
        text_append_format(&text, "  part_%d: {}\n", i);
    text_append_string(&text, "components:\n");
    for (int i = 0; i < COMPONENTS; i++)
        text_append_format(&text, "  Thing%d: { contexts: [part_%d], fields: { x: %s, y: double } }\n", i,
                           version + i % CONTEXTS, version == 0 ? "float" : "int32");
    scratch_write("big.yaml", text.bytes);
}

static pid_t start(int version)
{
    write_schema(version);
    const char *schema = scratch_path("big.yaml");
    const char *directory = scratch_path("out");
    pid_t child = fork();
    if (child == 0) {
        execl(program(), "kin", "generate", "-q", "-o", directory, schema, (char *)NULL);
        _exit(127);
    }
    ck_assert_int_gt(child, 0);
    return child;
}

static void finish(int version)
{
    int status;
    pid_t child = start(version);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the next run ended with %d", WEXITSTATUS(status));
}

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * SECOND + time.tv_nsec;
}

// Returns the duration in nanoseconds.
static int64_t duration(int version)
{
    int64_t begin = now();
    finish(version);
    return now() - begin;
}

static void kill_after(int version, int64_t delay)
{
    pid_t child = start(version);
    struct timespec time = {(time_t)(delay / SECOND), (long)(delay % SECOND)};
    nanosleep(&time, NULL);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

// Returns the content of a file; NULL if it is missing.
static const char *content_of(arena *arena, const char *directory, const char *name)
{
    const char *path = scratch_path(arena_format(arena, "%s/big/%s", directory, name));
    return access(path, F_OK) == 0 ? shell_read(arena, path) : NULL;
}

// Checks that every file that is not hidden has the content of one of the versions.
static void expect_whole(arena *arena)
{
    DIR *opened = opendir(scratch_path("out/big"));
    ck_assert_ptr_nonnull(opened);
    for (const struct dirent *entry = readdir(opened); entry != NULL; entry = readdir(opened)) {
        if (entry->d_name[0] == '.')
            continue;
        const char *found = content_of(arena, "out", entry->d_name);
        const char *one = content_of(arena, "one", entry->d_name), *two = content_of(arena, "two", entry->d_name);
        bool is_whole = (one != NULL && strcmp(found, one) == 0) || (two != NULL && strcmp(found, two) == 0);
        ck_assert_msg(is_whole, "%s is of neither version", entry->d_name);
    }
    closedir(opened);
}

static void expect_version(int version)
{
    shell_expect(scratch_arena(), arena_format(scratch_arena(), "diff -r '%s' '%s'", scratch_path("out"),
                                               scratch_path(versions[version])));
}

START_TEST(a_run_that_is_killed_at_any_moment_leaves_every_file_whole)
{
    uint32_t random = 1;
    for (int version = 0; version < 2; version++) {
        finish(version);
        shell_expect(scratch_arena(), arena_format(scratch_arena(), "mv '%s' '%s'", scratch_path("out"),
                                                   scratch_path(versions[version])));
    }
    finish(1);
    int64_t longest = duration(0);
    int kills = shell_runs_all() ? ALL_KILLS : KILLS;
    for (int i = 1; i <= kills; i++) {
        arena memory = {0};
        random = random * 1664525 + 1013904223;
        kill_after(i % 2, longest * (random >> 16) / UINT16_MAX);
        expect_whole(&memory);
        finish(i % 2);
        if (i % 20 == 0)
            expect_version(i % 2);
        arena_release(&memory);
    }
    finish(1);
    expect_version(1);
}
END_TEST

Suite *output_kill_suite(void)
{
    Suite *suite = suite_create("output_kill");
    TCase *cases = tcase_create("output_kill");
    tcase_set_timeout(cases, 240);
    tcase_add_checked_fixture(cases, scratch_create, scratch_destroy);
    tcase_add_test(cases, a_run_that_is_killed_at_any_moment_leaves_every_file_whole);
    suite_add_tcase(suite, cases);
    return suite;
}
