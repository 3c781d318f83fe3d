// Bad runs: tests/bad/run has a script for each fault that no schema shows, and what kin says then, as text. The same
// faults as JSON are the same faults, and nothing stands beside them.
//
// A script is run where tiny.yaml is a schema, templates is a folder and $KIN is the program; 77 says that it cannot be
// run here.
#include "base/text.h"
#include "generator/program.h"
#include "generator/scratch.h"
#include "shell.h"
#include "suites.h"

#include <check.h>
#include <dirent.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { SCRIPT_LIMIT = 100, IMPOSSIBLE = 77 };

static char *scripts[SCRIPT_LIMIT]; // without what they end in
static int script_count;

static int is_script(const struct dirent *entry)
{
    return strstr(entry->d_name, ".sh") != NULL;
}

static void find_scripts(void)
{
    struct dirent **entries = NULL;
    int count = scandir("tests/bad/run", &entries, is_script, alphasort);
    for (int i = 0; i < count; i++) {
        if (script_count < SCRIPT_LIMIT)
            scripts[script_count++] = strndup(entries[i]->d_name, strcspn(entries[i]->d_name, "."));
        free(entries[i]);
    }
    free(entries);
}

// What the script lets kin say, NULL when it cannot be run here.
static const char *run_script(const char *name, const char *kin)
{
    scratch_write("tiny.yaml", tiny);
    scratch_write("templates/whole", "{{> mark}}\n{{> stamp}}\n");
    char *script = realpath(arena_format(scratch_arena(), "tests/bad/run/%s.sh", name), NULL);
    const char *command = arena_format(scratch_arena(), "cd '%s' && KIN='%s' sh -u '%s' 2> said > /dev/null",
                                       scratch_path(""), kin, script);
    free(script);
    int status = shell_run(scratch_arena(), command).status;
    ck_assert_msg(status == IMPOSSIBLE || (status > 0 && status < 4), "%s: status %d", name, status);
    return status == IMPOSSIBLE ? NULL : scratch_read("said");
}

static const char *expected_of(const char *name)
{
    return shell_read(scratch_arena(), arena_format(scratch_arena(), "tests/bad/run/%s.expected", name));
}

START_TEST(every_bad_run_says_what_is_beside_it)
{
    char *kin = realpath(program(), NULL);
    const char *said = run_script(scripts[_i], kin);
    free(kin);
    if (said != NULL)
        ck_assert_msg(strcmp(said, expected_of(scripts[_i])) == 0, "%s: %s", scripts[_i], said);
}
END_TEST

// kin, told to print JSON wherever it knows how to.
static const char *kin_with_json(void)
{
    char *kin = realpath(program(), NULL);
    scratch_write("json", arena_format(scratch_arena(),
                                       "#!/bin/sh\n"
                                       "case $1 in --version | init) exec '%s' \"$@\";; esac\n"
                                       "verb=$1; shift; exec '%s' \"$verb\" --diagnostics json \"$@\"\n",
                                       kin, kin));
    free(kin);
    const char *path = scratch_path("json");
    ck_assert_int_eq(chmod(path, 0777), 0);
    return path;
}

// The codes of the lines, all of which must be objects, as they stand in text.
static const char *codes_of(const char *lines)
{
    text codes = text_create(scratch_arena());
    for (const char *line = lines; *line != '\0'; line = strchr(line, '\n') + 1) {
        ck_assert_ptr_nonnull(strchr(line, '\n'));
        json_t *object = json_loadb(line, strcspn(line, "\n"), JSON_REJECT_DUPLICATES, NULL);
        ck_assert_msg(object != NULL, "no JSON: %s", line);
        ck_assert_uint_eq(json_object_size(object), 9);
        text_append_format(&codes, "[%s]", json_string_value(json_object_get(object, "code")));
        json_decref(object);
    }
    return codes.bytes;
}

static const char *codes_in(const char *printed)
{
    text codes = text_create(scratch_arena());
    for (const char *at = strstr(printed, " [K"); at != NULL; at = strstr(at + 1, " [K"))
        text_append(&codes, at + 1, strlen("[K0000]"));
    return codes.bytes;
}

START_TEST(the_same_faults_are_told_as_json)
{
    const char *name = scripts[_i], *expected = expected_of(name);
    if (expected[0] == '{' || strncmp(name, "project", strlen("project")) == 0)
        return; // it is JSON already, or kin init, which only people use
    const char *said = run_script(name, kin_with_json());
    if (said != NULL)
        ck_assert_str_eq(codes_of(said), codes_in(expected));
}
END_TEST

Suite *bad_run_suite(void)
{
    find_scripts();
    Suite *suite = suite_create("bad_run");
    TCase *cases = tcase_create("bad_run");
    tcase_add_checked_fixture(cases, scratch_create, scratch_destroy);
    tcase_add_loop_test(cases, every_bad_run_says_what_is_beside_it, 0, script_count);
    tcase_add_loop_test(cases, the_same_faults_are_told_as_json, 0, script_count);
    suite_add_tcase(suite, cases);
    return suite;
}
