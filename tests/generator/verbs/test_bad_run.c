// Bad runs: tests/bad/run/*/ has a script for each error that no schema alone can cause, with kin's expected messages
// as text. As JSON, the messages have the same codes, and nothing else is printed.
//
// A script runs in a folder with the schema tiny.yaml and a folder templates; $KIN is the program. Its exit status 77
// means that the case cannot be run on this system.
#include "generator/base/base.h"
#include "generator/program.h"
#include "generator/scratch.h"
#include "shell.h"
#include "suites.h"

#include <check.h>
#include <glob.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { SCRIPT_LIMIT = 100, IMPOSSIBLE = 77 };

static char *scripts[SCRIPT_LIMIT]; // paths without `.sh`
static int script_count;

static void find_scripts(void)
{
    glob_t found;
    if (glob("tests/bad/run/*/*.sh", 0, NULL, &found) != 0)
        return;
    for (size_t i = 0; i < found.gl_pathc && script_count < SCRIPT_LIMIT; i++)
        scripts[script_count++] = strndup(found.gl_pathv[i], strlen(found.gl_pathv[i]) - strlen(".sh"));
    globfree(&found);
}

// Runs the script with `kin` as $KIN and returns kin's messages; NULL if it cannot be run here.
static const char *run_script(const char *path, const char *kin)
{
    scratch_write("tiny.yaml", tiny);
    scratch_write("templates/whole", "{{> mark}}\n{{> stamp}}\n");
    char *script = realpath(arena_format(scratch_arena(), "%s.sh", path), NULL);
    const char *command = arena_format(scratch_arena(), "cd '%s' && KIN='%s' sh -u '%s' 2> printed > /dev/null",
                                       scratch_path(""), kin, script);
    free(script);
    int status = shell_run(scratch_arena(), command).status;
    ck_assert_msg(status == IMPOSSIBLE || (status > 0 && status < 4), "%s: status %d", path, status);
    return status == IMPOSSIBLE ? NULL : scratch_read("printed");
}

static const char *expected_of(const char *path)
{
    return shell_read(scratch_arena(), arena_format(scratch_arena(), "%s.expected", path));
}

START_TEST(every_bad_run_prints_the_expected_messages)
{
    char *kin = realpath(program(), NULL);
    const char *printed = run_script(scripts[_i], kin);
    free(kin);
    if (printed != NULL)
        ck_assert_msg(strcmp(printed, expected_of(scripts[_i])) == 0, "%s: %s", scripts[_i], printed);
}
END_TEST

// Returns the path of a script that runs kin with `--diagnostics json` if the verb has that option.
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

// Returns the codes of the lines, each of which must be a JSON object, in the notation of the text form.
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

START_TEST(the_same_errors_are_reported_as_json)
{
    const char *expected = expected_of(scripts[_i]);
    if (expected[0] == '{' || strstr(scripts[_i], "/existing_project") != NULL)
        return; // it is JSON already, or kin init, which has no JSON
    const char *printed = run_script(scripts[_i], kin_with_json());
    if (printed != NULL)
        ck_assert_str_eq(codes_of(printed), codes_in(expected));
}
END_TEST

Suite *bad_run_suite(void)
{
    find_scripts();
    Suite *suite = suite_create("bad_run");
    TCase *cases = tcase_create("bad_run");
    tcase_add_checked_fixture(cases, scratch_create, scratch_destroy);
    tcase_add_loop_test(cases, every_bad_run_prints_the_expected_messages, 0, script_count);
    tcase_add_loop_test(cases, the_same_errors_are_reported_as_json, 0, script_count);
    suite_add_tcase(suite, cases);
    return suite;
}
