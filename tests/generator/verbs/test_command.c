// Command: the command line, standard input and output, and schemas that cannot be used.
#include "generator/program.h"
#include "generator/scratch.h"
#include "shell.h"
#include "suites.h"

#include <check.h>
#include <fcntl.h>
#include <glob.h>
#include <kin/platform.h>
#include <string.h>
#include <unistd.h>

START_TEST(the_version_is_one_line)
{
    check_outcome(RUN("--version"), 0, "kin " KIN_VERSION "\n", "");
}
END_TEST

static const arguments helps[] = {
    {{"--help"}},
    {{"-h"}},
    {{"help"}},
    {{"help", "generate"}},
    {{"generate", "--help"}},
    {{"generate", "x.yaml", "-h"}},
    {{"help", "check"}},
    {{"check", "--help"}},
    {{"help", "list"}},
    {{"list", "-h"}},
    {{"list", "--json", "x.yaml", "--help"}},
    {{"help", "scaffold"}},
    {{"scaffold", "x.yaml", "--help"}},
    {{"help", "init"}},
    {{"init", "--help"}},
    {{"help", "explain"}},
    {{"explain", "K0401", "--help"}},
    {{"help", "help"}},
    {{"help", "--help"}},
};

START_TEST(help_goes_to_standard_output)
{
    outcome outcome = run(helps[_i]);
    ck_assert_int_eq(outcome.status, 0);
    ck_assert_str_eq(outcome.messages, "");
    ck_assert_ptr_eq(strstr(outcome.output, "usage: kin "), outcome.output);
}
END_TEST

typedef struct misuse {
    arguments arguments;
    const char *messages;
} misuse;

#define TRY          "Try 'kin --help'.\n"
#define TRY_GENERATE "Try 'kin help generate'.\n"
#define TRY_CHECK    "Try 'kin help check'.\n"
#define TRY_LIST     "Try 'kin help list'.\n"
#define TRY_SCAFFOLD "Try 'kin help scaffold'.\n"
#define TRY_INIT     "Try 'kin help init'.\n"

#define STDOUT_ALONE "kin: 'generate' does not allow '--stdout' with '--check', '--dry-run', '--diff' or '--depfile'\n"

#define OUTPUT_NAME(name)                                                                                              \
    "kin: '--template' requires the name of a file in the folder of the package, found '" name "'\n"
#define NUMBER(written) "kin: '--max-errors' requires a number of at most 9 digits (0: no limit), found '" written "'\n"

static const misuse misuses[] = {
    {{{NULL}}, "kin: missing verb\n" TRY},
    {{{"generat"}}, "kin: unknown verb 'generat'; did you mean 'generate'?\n" TRY},
    {{{"chekc", "x"}}, "kin: unknown verb 'chekc'; did you mean 'check'?\n" TRY},
    {{{"arena.yaml"}}, "kin: unknown verb 'arena.yaml'; did you mean 'generate arena.yaml'?\n" TRY},
    {{{""}}, "kin: unknown verb ''\n" TRY},
    {{{"--versoin"}}, "kin: unknown flag '--versoin'; did you mean '--version'?\n" TRY},
    {{{"-x"}}, "kin: unknown flag '-x'\n" TRY},
    {{{"help", "nothing"}}, "kin: unknown verb 'nothing'\n" TRY},
    {{{"list"}}, "kin: 'list' requires a schema\n" TRY_LIST},
    {{{"list", "a", "b"}}, "kin: 'list' takes one schema\n" TRY_LIST},
    {{{"list", ""}}, "kin: 'list' requires a schema path that is not empty\n" TRY_LIST},
    {{{"list", "--jsn", "a"}}, "kin: unknown flag '--jsn'; did you mean '--json'?\n" TRY_LIST},
    {{{"list", "--dot", "a"}}, "kin: 'list' requires '--schedule' or '--relations' with '--dot'\n" TRY_LIST},
    {{{"list", "--schedule", "--relations", "a"}},
     "kin: 'list' does not allow '--relations' with '--schedule'\n" TRY_LIST},
    {{{"list", "--json", "--relations", "a"}},
     "kin: 'list' does not allow '--relations' with '--json'; the JSON contains the relations\n" TRY_LIST},
    {{{"list", "--json", "--schedule", "a"}},
     "kin: 'list' does not allow '--schedule' with '--json'; the JSON contains the schedule\n" TRY_LIST},
    {{{"list", "--schedul", "a"}}, "kin: unknown flag '--schedul'; did you mean '--schedule'?\n" TRY_LIST},
    {{{"list", "--json=x", "a"}}, "kin: '--json' takes no value\n" TRY_LIST},
    {{{"check", "--json", "a"}}, "kin: unknown flag '--json'\n" TRY_CHECK},
    {{{"scaffold"}}, "kin: 'scaffold' requires a schema\n" TRY_SCAFFOLD},
    {{{"scaffold", "a", "b"}}, "kin: 'scaffold' takes one schema\n" TRY_SCAFFOLD},
    {{{"scaffold", "--check", "a"}}, "kin: 'scaffold' requires C files after the schema with '--check'\n" TRY_SCAFFOLD},
    {{{"scafold", "a"}}, "kin: unknown verb 'scafold'; did you mean 'scaffold'?\n" TRY},
    {{{"init", "a", "b"}}, "kin: 'init' takes one directory\n" TRY_INIT},
    {{{"init", ""}}, "kin: 'init' requires a directory name that is not empty\n" TRY_INIT},
    {{{"init", "-q"}}, "kin: unknown flag '-q'\n" TRY_INIT},
    {{{"lst", "a"}}, "kin: unknown verb 'lst'; did you mean 'list'?\n" TRY},
    {{{"generate"}}, "kin: 'generate' requires a schema\n" TRY_GENERATE},
    {{{"generate", "--", "a", "-b"}}, "kin: 'generate' takes one schema\n" TRY_GENERATE},
    {{{"generate", ""}}, "kin: 'generate' requires a schema path that is not empty\n" TRY_GENERATE},
    {{{"generate", "a", "-o"}}, "kin: '-o' requires a directory\n" TRY_GENERATE},
    {{{"generate", "a", "-o", ""}}, "kin: '-o' requires a directory\n" TRY_GENERATE},
    {{{"generate", "--chekc", "a"}}, "kin: unknown flag '--chekc'; did you mean '--check'?\n" TRY_GENERATE},
    {{{"generate", "--check=x", "a"}}, "kin: '--check' takes no value\n" TRY_GENERATE},
    {{{"generate", "-x", "a"}}, "kin: unknown flag '-x'\n" TRY_GENERATE},
    {{{"generate", "a", "--depfile"}}, "kin: '--depfile' requires a file\n" TRY_GENERATE},
    {{{"generate", "--depfile=", "a"}}, "kin: '--depfile' requires a file\n" TRY_GENERATE},
    {{{"check", "--depfile=d", "a"}}, "kin: unknown flag '--depfile=d'\n" TRY_CHECK},
    {{{"generate", "a", "--templates"}}, "kin: '--templates' requires a directory\n" TRY_GENERATE},
    {{{"generate", "a", "-I"}}, "kin: '-I' requires a directory\n" TRY_GENERATE},
    {{{"generate", "a", "--face"}}, "kin: '--face' requires a face\n" TRY_GENERATE},
    {{{"generate", "a", "--face", "c++"}}, "kin: '--face' requires 'cpp', found 'c++'\n" TRY_GENERATE},
    {{{"check", "a", "--face=cpp"}}, "kin: unknown flag '--face=cpp'\n" TRY_CHECK},
    {{{"generate", "a", "--template"}}, "kin: '--template' requires a file\n" TRY_GENERATE},
    {{{"generate", "a", "--template", "x"}}, "kin: '--template' requires OUT=FILE, found 'x'\n" TRY_GENERATE},
    {{{"generate", "a", "--template=x="}}, "kin: '--template' requires OUT=FILE, found 'x='\n" TRY_GENERATE},
    {{{"generate", "a", "--template==f"}}, "kin: '--template' requires OUT=FILE, found '=f'\n" TRY_GENERATE},
    {{{"generate", "a", "--template=a/b=f"}}, OUTPUT_NAME("a/b") TRY_GENERATE},
    {{{"generate", "a", "--template=.b=f"}}, OUTPUT_NAME(".b") TRY_GENERATE},
    {{{"generate", "a", "--template=b=f", "--template", "b=g"}},
     "kin: '--template' is given twice for 'b'\n" TRY_GENERATE},
    {{{"check", "a", "-I"}}, "kin: '-I' requires a directory\n" TRY_CHECK},
    {{{"generate", "a", "--diff=x"}}, "kin: '--diff' takes no value\n" TRY_GENERATE},
    {{{"generate", "a", "--dryrun"}}, "kin: unknown flag '--dryrun'; did you mean '--dry-run'?\n" TRY_GENERATE},
    {{{"generate", "a", "--stdout", "--check"}}, STDOUT_ALONE TRY_GENERATE},
    {{{"generate", "a", "--stdout", "--depfile=d"}}, STDOUT_ALONE TRY_GENERATE},
    {{{"generate", "a", "--dry-run", "--stdout"}}, STDOUT_ALONE TRY_GENERATE},
    {{{"check"}}, "kin: 'check' requires a schema\n" TRY_CHECK},
    {{{"check", "--stdin-name", "a"}}, "kin: 'check' requires a schema\n" TRY_CHECK},
    {{{"check", "--stdin-name", "a", "b"}},
     "kin: 'check' requires '-', standard input, with '--stdin-name'\n" TRY_CHECK},
    {{{"check", "-", "--stdin-name"}}, "kin: '--stdin-name' requires a file\n" TRY_CHECK},
    {{{"check", "-o", "d", "a"}}, "kin: unknown flag '-o'\n" TRY_CHECK},
    {{{"check", "a", "--max-errors"}}, "kin: '--max-errors' requires a number\n" TRY_CHECK},
    {{{"check", "a", "--max-errors="}}, "kin: '--max-errors' requires a number\n" TRY_CHECK},
    {{{"check", "--max-errors", "-1", "a"}}, NUMBER("-1") TRY_CHECK},
    {{{"check", "--max-errors=1x", "a"}}, NUMBER("1x") TRY_CHECK},
    {{{"generate", "--max-errors", "1000000000", "a"}}, NUMBER("1000000000") TRY_GENERATE},
    {{{"list", "a", "--diagnostics"}}, "kin: '--diagnostics' requires a format\n" TRY_LIST},
    {{{"list", "a", "--diagnostics", "xml"}}, "kin: '--diagnostics' requires 'text' or 'json', found 'xml'\n" TRY_LIST},
    {{{"init", "--max-errors", "1"}}, "kin: unknown flag '--max-errors'\n" TRY_INIT},
};

START_TEST(a_misuse_is_reported_with_a_hint)
{
    check_outcome(run(misuses[_i].arguments), 2, "", misuses[_i].messages);
}
END_TEST

START_TEST(standard_input_is_a_schema)
{
    const char *directory = scratch_path("out");
    outcome outcome = run_with_input((arguments){{"generate", "-q", "-o", directory, "-"}}, tiny);
    check_outcome(outcome, 0, "", "");
    ck_assert_ptr_nonnull(scratch_read("out/tiny/tiny.h"));
    check_outcome(run_with_input((arguments){{"check", "-"}}, tiny), 0, "", "");
}
END_TEST

START_TEST(standard_input_includes_files_relative_to_the_working_directory)
{
    static const char root[] =
        "kin: 1\npackage: sky\ncontexts: { night: {} }\ninclude: [tests/bad/includes/included/math.yaml]\n"
        "components: { Star: { fields: { at: Vec2 } } }\n";
    check_outcome(run_with_input((arguments){{"check", "-"}}, root), 0, "", "");
}
END_TEST

START_TEST(standard_input_with_a_name_is_checked_as_that_file)
{
    glob_t schemas;
    ck_assert_int_eq(glob("tests/bad/*/*.yaml", 0, NULL, &schemas), 0);
    ck_assert_uint_ge(schemas.gl_pathc, 50);
    size_t step = shell_runs_all() ? 1 : 4;
    for (size_t i = 0; i < schemas.gl_pathc; i += step) {
        const char *path = schemas.gl_pathv[i];
        outcome outcome = run_with_file((arguments){{"check", "--stdin-name", path, "-"}}, path);
        const char *expected = RUN("check", path).messages;
        ck_assert_msg(strcmp(outcome.messages, expected) == 0, "%s: the messages differ", path);
        ck_assert_int_eq(outcome.status, 1);
    }
    globfree(&schemas);
}
END_TEST

START_TEST(standard_input_replaces_a_file_that_another_schema_includes)
{
    static const char root[] = "kin: 1\npackage: sky\ncontexts: { night: {} }\ninclude: [star.yaml]\n";
    scratch_write("sky.yaml", root);
    scratch_write("star.yaml", "kin: 1\ncomponents: { Star: { fields: { x: flaot } } }\n");
    const char *sky = scratch_path("sky.yaml");
    const char *star = scratch_path("star.yaml");
    ck_assert_int_eq(RUN("check", sky).status, 1);
    const char *better = "kin: 1\ncomponents: { Star: { fields: { x: float } } }\n";
    outcome outcome = run_with_input((arguments){{"check", "--stdin-name", star, sky, "-"}}, better);
    ck_assert_ptr_null(strstr(outcome.messages, "flaot"));
    outcome = run_with_input((arguments){{"check", "--stdin-name", sky, "-"}}, root);
    ck_assert_ptr_nonnull(strstr(outcome.messages, "star.yaml:2:36: error: unknown type 'flaot'"));
}
END_TEST

START_TEST(standard_input_with_a_name_needs_no_file_and_has_the_lock_beside_it)
{
    const char *path = scratch_path("tiny.yaml");
    check_outcome(run_with_input((arguments){{"check", "--stdin-name", path, "-"}}, tiny), 0, "", "");
    scratch_write("tiny.yaml", tiny);
    ck_assert_int_eq(RUN("lock", path).status, 0);
    const char *less = "kin: 1\npackage: tiny\ncontexts: { game: {} }\ncomponents: { Frozen: {} }\n";
    outcome outcome = run_with_input((arguments){{"check", "--stdin-name", path, "-"}}, less);
    ck_assert_ptr_nonnull(strstr(outcome.messages, "Cell"));
    ck_assert_int_eq(outcome.status, 1);
}
END_TEST

START_TEST(several_schemas_are_checked_in_one_run)
{
    scratch_write("tiny.yaml", tiny);
    scratch_write("empty.yaml", "");
    const char *good = scratch_path("tiny.yaml"), *empty = scratch_path("empty.yaml");
    check_outcome(RUN("check", good, good), 0, "", "");
    ck_assert_int_eq(RUN("check", good, empty).status, 1);
    ck_assert_int_eq(RUN("check", empty, scratch_path("missing.yaml")).status, 3);
    ck_assert_int_eq(RUN("check", scratch_path("missing.yaml"), empty).status, 3);
}
END_TEST

typedef struct bad_schema {
    const char *name; // "" is the directory itself
    const char *content;
    int status;
    const char *message;
} bad_schema;

static const bad_schema bad_schemas[] = {
    {"missing.yaml", NULL, 3, "No such file or directory"},
    {"", NULL, 3, "directory"},
    {"empty.yaml", "", 1, "empty.yaml:1:1: error: "},
    {"scalar.yaml", "hello\n", 1, "scalar.yaml:1:1: error: "},
    {"include.yaml", "kin: 1\npackage: a\ninclude: [missing.yaml]\n", 1, "include.yaml:3:11: error: cannot read '"},
    {"unknown.yaml", "kin: 1\npackage: a\ncomponnets: {}\n", 1, "unknown.yaml:3:1: error: "},
};

START_TEST(a_schema_that_cannot_be_used_writes_nothing)
{
    const bad_schema *row = &bad_schemas[_i];
    if (row->content != NULL)
        scratch_write(row->name, row->content);
    const char *schema = scratch_path(row->name);
    outcome generated = RUN("generate", "-o", scratch_path("out"), schema), checked = RUN("check", schema);
    ck_assert_msg(strstr(generated.messages, row->message) != NULL, "no '%s' in '%s'", row->message,
                  generated.messages);
    ck_assert_str_eq(checked.messages, generated.messages);
    ck_assert_str_eq(generated.output, "");
    ck_assert_int_eq(generated.status, row->status);
    ck_assert_int_eq(checked.status, row->status);
    ck_assert_uint_eq(scratch_count("out"), 0);
}
END_TEST

START_TEST(a_full_standard_output_is_a_failure)
{
    int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
    if (full < 0)
        return;
    outcome outcome = run_into((arguments){{"--version"}}, "", full);
    close(full);
    ck_assert_int_eq(outcome.status, 3);
    ck_assert_str_eq(outcome.messages,
                     "kin: error: cannot write to standard output: No space left on device [K0908]\n");
}
END_TEST

START_TEST(a_closed_standard_output_is_a_failure)
{
    scratch_write("tiny.yaml", tiny);
    const char *directory = scratch_path("out"), *schema = scratch_path("tiny.yaml");
    outcome outcome = run_into((arguments){{"generate", "-o", directory, schema}}, "", -1);
    ck_assert_int_eq(outcome.status, 3);
    ck_assert_str_eq(outcome.messages, "kin: error: cannot write to standard output: Bad file descriptor [K0908]\n");
    check_outcome(RUN("generate", "--check", "-q", "-o", directory, schema), 0, "", "");
    ck_assert_int_eq(run_into((arguments){{"generate", "-q", "-o", directory, schema}}, "", -1).status, 0);
}
END_TEST

START_TEST(a_closed_pipe_on_standard_output_is_a_failure)
{
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    close(ends[0]);
    outcome outcome = run_into((arguments){{"--help"}}, "", ends[1]);
    close(ends[1]);
    ck_assert_int_eq(outcome.status, 3);
    ck_assert_str_eq(outcome.messages, "kin: error: cannot write to standard output: Broken pipe [K0908]\n");
}
END_TEST

Suite *command_suite(void)
{
    Suite *suite = suite_create("command");
    TCase *cases = tcase_create("command");
    tcase_add_checked_fixture(cases, scratch_create, scratch_destroy);
    tcase_add_test(cases, the_version_is_one_line);
    tcase_add_loop_test(cases, help_goes_to_standard_output, 0, sizeof helps / sizeof *helps);
    tcase_add_loop_test(cases, a_misuse_is_reported_with_a_hint, 0, sizeof misuses / sizeof *misuses);
    tcase_add_test(cases, standard_input_is_a_schema);
    tcase_add_test(cases, standard_input_includes_files_relative_to_the_working_directory);
    tcase_add_test(cases, standard_input_with_a_name_is_checked_as_that_file);
    tcase_add_test(cases, standard_input_replaces_a_file_that_another_schema_includes);
    tcase_add_test(cases, standard_input_with_a_name_needs_no_file_and_has_the_lock_beside_it);
    tcase_add_test(cases, several_schemas_are_checked_in_one_run);
    tcase_add_loop_test(cases, a_schema_that_cannot_be_used_writes_nothing, 0,
                        sizeof bad_schemas / sizeof *bad_schemas);
    tcase_add_test(cases, a_full_standard_output_is_a_failure);
    tcase_add_test(cases, a_closed_standard_output_is_a_failure);
    tcase_add_test(cases, a_closed_pipe_on_standard_output_is_a_failure);
    suite_add_tcase(suite, cases);
    return suite;
}
