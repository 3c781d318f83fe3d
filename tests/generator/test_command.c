// Command: the program itself, run as its users run it. $KIN is its path, build/bin/kin when that is not set.
#include "scratch.h"
#include "suites.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <kin/platform.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ARGUMENT_LIMIT = 6 };

static const char tiny[] = "kin: 1\n"
                           "package: tiny\n"
                           "contexts: { game: {} }\n"
                           "components: { Frozen: {}, Cell: { fields: { x: int32 } } }\n";

// The arguments behind the program; the first NULL ends them.
typedef struct arguments {
    const char *items[ARGUMENT_LIMIT];
} arguments;

typedef struct outcome {
    int status;
    const char *output, *messages;
} outcome;

static const char *program(void)
{
    const char *path = getenv("KIN");
    return path == NULL ? "build/bin/kin" : path;
}

static void redirect(int descriptor, int target)
{
    if (descriptor < 0)
        close(target);
    else if (dup2(descriptor, target) < 0)
        _exit(126);
}

static int open_scratch(const char *name, int flags)
{
    int descriptor = open(scratch_path(name), flags | O_CLOEXEC, 0666);
    ck_assert_msg(descriptor >= 0, "%s: %s", name, strerror(errno));
    return descriptor;
}

// `input` is what standard input holds. `output` becomes the program's standard output, closed when negative.
static outcome run_into(arguments arguments, const char *input, int output)
{
    char *list[ARGUMENT_LIMIT + 2] = {(char *)"kin"};
    for (int i = 0; i < ARGUMENT_LIMIT; i++)
        list[i + 1] = (char *)arguments.items[i];
    scratch_write("stdin", input);
    int input_file = open_scratch("stdin", O_RDONLY);
    int messages = open_scratch("stderr", O_WRONLY | O_CREAT | O_TRUNC);
    pid_t child = fork();
    if (child == 0) {
        redirect(input_file, STDIN_FILENO);
        redirect(output, STDOUT_FILENO);
        redirect(messages, STDERR_FILENO);
        execv(program(), list);
        _exit(127);
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    close(input_file);
    close(messages);
    ck_assert_msg(WIFEXITED(status), "%s ended by signal %d", program(), WTERMSIG(status));
    ck_assert_msg(WEXITSTATUS(status) != 127, "cannot run '%s'; $KIN says where it is", program());
    return (outcome){WEXITSTATUS(status), NULL, scratch_read("stderr")};
}

static outcome run_with_input(arguments arguments, const char *input)
{
    int output = open_scratch("stdout", O_WRONLY | O_CREAT | O_TRUNC);
    outcome outcome = run_into(arguments, input, output);
    close(output);
    outcome.output = scratch_read("stdout");
    return outcome;
}

static outcome run(arguments arguments)
{
    return run_with_input(arguments, "");
}

#define RUN(...) run((arguments){{__VA_ARGS__}})

static void check_outcome(outcome outcome, int status, const char *output, const char *messages)
{
    ck_assert_str_eq(outcome.messages, messages);
    ck_assert_str_eq(outcome.output, output);
    ck_assert_int_eq(outcome.status, status);
}

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

static const misuse misuses[] = {
    {{{NULL}}, "kin: what is there to do?\n" TRY},
    {{{"generat"}}, "kin: unknown verb 'generat'; did you mean 'generate'?\n" TRY},
    {{{"chekc", "x"}}, "kin: unknown verb 'chekc'; did you mean 'check'?\n" TRY},
    {{{"arena.yaml"}}, "kin: unknown verb 'arena.yaml'\n" TRY},
    {{{""}}, "kin: unknown verb ''\n" TRY},
    {{{"--versoin"}}, "kin: unknown flag '--versoin'; did you mean '--version'?\n" TRY},
    {{{"-x"}}, "kin: unknown flag '-x'\n" TRY},
    {{{"help", "nothing"}}, "kin: unknown verb 'nothing'\n" TRY},
    {{{"list"}}, "kin: 'list' is not supported yet\n" TRY},
    {{{"init", "dir"}}, "kin: 'init' is not supported yet\n" TRY},
    {{{"help", "list"}}, "kin: 'list' is not supported yet\n" TRY},
    {{{"generate"}}, "kin: 'generate' needs a schema\n" TRY_GENERATE},
    {{{"generate", "--", "a", "-b"}}, "kin: 'generate' takes one schema\n" TRY_GENERATE},
    {{{"generate", ""}}, "kin: 'generate' cannot read a schema without a name\n" TRY_GENERATE},
    {{{"generate", "a", "-o"}}, "kin: '-o' needs a directory\n" TRY_GENERATE},
    {{{"generate", "a", "-o", ""}}, "kin: '-o' needs a directory\n" TRY_GENERATE},
    {{{"generate", "--chekc", "a"}}, "kin: unknown flag '--chekc'; did you mean '--check'?\n" TRY_GENERATE},
    {{{"generate", "--check=x", "a"}}, "kin: '--check' takes no value\n" TRY_GENERATE},
    {{{"generate", "-x", "a"}}, "kin: unknown flag '-x'\n" TRY_GENERATE},
    {{{"generate", "a", "--depfile"}}, "kin: '--depfile' needs a file\n" TRY_GENERATE},
    {{{"generate", "--depfile=", "a"}}, "kin: '--depfile' needs a file\n" TRY_GENERATE},
    {{{"check", "--depfile=d", "a"}}, "kin: unknown flag '--depfile=d'\n" TRY_CHECK},
    {{{"generate", "--templates=d", "a"}}, "kin: '--templates' is not supported yet\n" TRY_GENERATE},
    {{{"generate", "--diagnostics", "json", "a"}}, "kin: '--diagnostics' is not supported yet\n" TRY_GENERATE},
    {{{"check"}}, "kin: 'check' needs a schema\n" TRY_CHECK},
    {{{"check", "-o", "d", "a"}}, "kin: unknown flag '-o'\n" TRY_CHECK},
};

START_TEST(a_misuse_is_told_with_a_hint)
{
    check_outcome(run(misuses[_i].arguments), 2, "", misuses[_i].messages);
}
END_TEST

START_TEST(a_schema_is_generated_once_and_then_left_alone)
{
    scratch_write("tiny.yaml", tiny);
    const char *schema = scratch_path("tiny.yaml"), *directory = scratch_path("out");
    outcome first = RUN("generate", "-o", directory, schema);
    ck_assert_str_eq(first.messages, "");
    ck_assert_int_eq(first.status, 0);
    size_t count = scratch_count("out/tiny");
    ck_assert_uint_gt(count, 0);
    const char *header = arena_format(scratch_arena(), "wrote %s/tiny/tiny.h\n", directory);
    ck_assert_msg(strstr(first.output, header) != NULL, "no '%s' in '%s'", header, first.output);
    const char *summary = arena_format(scratch_arena(), "kin: 0 written, %zu unchanged\n", count);
    check_outcome(RUN("generate", schema, "-o", directory), 0, summary, "");
    check_outcome(RUN("generate", "-q", schema, "-o", directory), 0, "", "");
}
END_TEST

START_TEST(quiet_says_nothing_but_writes)
{
    scratch_write("tiny.yaml", tiny);
    const char *directory = arena_format(scratch_arena(), "-o%s", scratch_path("out"));
    check_outcome(RUN("generate", directory, "-q", scratch_path("tiny.yaml")), 0, "", "");
    ck_assert_ptr_nonnull(scratch_read("out/tiny/tiny.h"));
}
END_TEST

START_TEST(a_check_has_status_4_until_all_is_generated)
{
    scratch_write("tiny.yaml", tiny);
    const char *schema = scratch_path("tiny.yaml"), *directory = scratch_path("out");
    outcome outcome = RUN("generate", "--check", "-o", directory, schema);
    ck_assert_int_eq(outcome.status, 4);
    const char *header = arena_format(scratch_arena(), "would write %s/tiny/tiny.h\n", directory);
    ck_assert_msg(strstr(outcome.output, header) != NULL, "no '%s' in '%s'", header, outcome.output);
    ck_assert_uint_eq(scratch_count("out"), 0);
    check_outcome(RUN("generate", "--check", "-q", "-o", directory, schema), 4, "", "");
    ck_assert_int_eq(RUN("generate", "-o", directory, schema).status, 0);
    ck_assert_int_eq(RUN("generate", "--check", "-o", directory, schema).status, 0);
}
END_TEST

START_TEST(a_depfile_is_written_beside_the_outputs_and_not_counted)
{
    scratch_write("tiny.yaml", tiny);
    const char *schema = scratch_path("tiny.yaml"), *directory = scratch_path("out");
    const char *flag = arena_format(scratch_arena(), "--depfile=%s", scratch_path("made/tiny.d"));
    ck_assert_int_eq(RUN("generate", "-o", directory, schema).status, 0);
    const char *summary = arena_format(scratch_arena(), "kin: 0 written, %zu unchanged\n", scratch_count("out/tiny"));
    check_outcome(RUN("generate", "--check", flag, "-o", directory, schema), 0,
                  arena_format(scratch_arena(), "kin: 0 would be written, %zu unchanged\n", scratch_count("out/tiny")),
                  "");
    ck_assert_uint_eq(scratch_count("made"), 0);
    check_outcome(RUN("generate", flag, "-o", directory, schema), 0, summary, "");
    ck_assert_ptr_nonnull(strstr(scratch_read("made/tiny.d"), arena_format(scratch_arena(), ": %s\n", schema)));
    ck_assert_uint_eq(scratch_count("made"), 1);
}
END_TEST

START_TEST(an_equal_depfile_is_not_touched)
{
    scratch_write("tiny.yaml", tiny);
    scratch_write("tiny.d", "");
    const char *schema = scratch_path("tiny.yaml"), *directory = scratch_path("out"), *file = scratch_path("tiny.d");
    ck_assert_int_eq(RUN("generate", "--depfile", file, "-o", directory, schema).status, 0);
    struct stat before, after;
    ck_assert_int_eq(stat(file, &before), 0);
    ck_assert_int_eq(RUN("generate", "--depfile", file, "-o", directory, schema).status, 0);
    ck_assert_int_eq(stat(file, &after), 0);
    ck_assert_uint_eq(before.st_ino, after.st_ino);
    ck_assert_int_eq(RUN("generate", "--depfile", file, "-o", scratch_path("new"), schema).status, 0);
    const char *content = scratch_read("tiny.d");
    ck_assert_ptr_eq(strstr(content, scratch_path("new/tiny/tiny.h")), content);
}
END_TEST

START_TEST(a_depfile_in_the_place_of_another_file_stops_the_run)
{
    scratch_write("tiny.yaml", tiny);
    const char *schema = scratch_path("tiny.yaml");
    check_outcome(RUN("generate", "--depfile", schema, "-o", scratch_path("out"), schema), 3, "",
                  arena_format(scratch_arena(),
                               "kin: '%s' was not made by kin and stays as it is: move it away, or choose another file "
                               "with --depfile\n",
                               schema));
    ck_assert_str_eq(scratch_read("tiny.yaml"), tiny);
    ck_assert_uint_eq(scratch_count("out"), 0);
    const char *header = scratch_path("out/tiny/tiny.h");
    check_outcome(
        RUN("generate", "--depfile", header, "-o", scratch_path("out"), schema), 3, "",
        arena_format(scratch_arena(), "kin: '%s' is an output: choose another file with --depfile\n", header));
    ck_assert_uint_eq(scratch_count("out"), 0);
    const char *odd = scratch_path("o=t");
    ck_assert_int_eq(RUN("generate", "--depfile", scratch_path("d"), "-o", odd, schema).status, 3);
    ck_assert_uint_eq(scratch_count("o=t"), 0);
}
END_TEST

START_TEST(a_file_of_somebody_else_stops_the_run)
{
    scratch_write("tiny.yaml", tiny);
    ck_assert_int_eq(mkdir(scratch_path("out"), 0777), 0);
    scratch_write("out/tiny/tiny.h", "mine\n");
    outcome outcome = RUN("generate", "-o", scratch_path("out"), scratch_path("tiny.yaml"));
    ck_assert_int_eq(outcome.status, 3);
    ck_assert_str_eq(outcome.output, "");
    ck_assert_ptr_nonnull(strstr(outcome.messages, "was not made by kin"));
    ck_assert_str_eq(scratch_read("out/tiny/tiny.h"), "mine\n");
    ck_assert_uint_eq(scratch_count("out/tiny"), 1);
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

START_TEST(standard_input_includes_files_beside_the_working_directory)
{
    static const char root[] =
        "kin: 1\npackage: sky\ncontexts: { night: {} }\ninclude: [tests/bad/included/math.yaml]\n"
        "components: { Star: { fields: { at: Vec2 } } }\n";
    check_outcome(run_with_input((arguments){{"check", "-"}}, root), 0, "", "");
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
    ck_assert_str_eq(outcome.messages, "kin: cannot write to standard output: No space left on device\n");
}
END_TEST

START_TEST(a_closed_standard_output_is_a_failure)
{
    scratch_write("tiny.yaml", tiny);
    const char *directory = scratch_path("out"), *schema = scratch_path("tiny.yaml");
    outcome outcome = run_into((arguments){{"generate", "-o", directory, schema}}, "", -1);
    ck_assert_int_eq(outcome.status, 3);
    ck_assert_str_eq(outcome.messages, "kin: cannot write to standard output: Bad file descriptor\n");
    check_outcome(RUN("generate", "--check", "-q", "-o", directory, schema), 0, "", "");
    ck_assert_int_eq(run_into((arguments){{"generate", "-q", "-o", directory, schema}}, "", -1).status, 0);
}
END_TEST

START_TEST(a_reader_that_went_away_is_a_failure)
{
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    close(ends[0]);
    outcome outcome = run_into((arguments){{"--help"}}, "", ends[1]);
    close(ends[1]);
    ck_assert_int_eq(outcome.status, 3);
    ck_assert_str_eq(outcome.messages, "kin: cannot write to standard output: Broken pipe\n");
}
END_TEST

Suite *command_suite(void)
{
    Suite *suite = suite_create("command");
    TCase *cases = tcase_create("command");
    tcase_add_checked_fixture(cases, scratch_create, scratch_destroy);
    tcase_add_test(cases, the_version_is_one_line);
    tcase_add_loop_test(cases, help_goes_to_standard_output, 0, sizeof helps / sizeof *helps);
    tcase_add_loop_test(cases, a_misuse_is_told_with_a_hint, 0, sizeof misuses / sizeof *misuses);
    tcase_add_test(cases, a_schema_is_generated_once_and_then_left_alone);
    tcase_add_test(cases, quiet_says_nothing_but_writes);
    tcase_add_test(cases, a_check_has_status_4_until_all_is_generated);
    tcase_add_test(cases, a_depfile_is_written_beside_the_outputs_and_not_counted);
    tcase_add_test(cases, an_equal_depfile_is_not_touched);
    tcase_add_test(cases, a_depfile_in_the_place_of_another_file_stops_the_run);
    tcase_add_test(cases, a_file_of_somebody_else_stops_the_run);
    tcase_add_test(cases, standard_input_is_a_schema);
    tcase_add_test(cases, standard_input_includes_files_beside_the_working_directory);
    tcase_add_test(cases, several_schemas_are_checked_in_one_run);
    tcase_add_loop_test(cases, a_schema_that_cannot_be_used_writes_nothing, 0,
                        sizeof bad_schemas / sizeof *bad_schemas);
    tcase_add_test(cases, a_full_standard_output_is_a_failure);
    tcase_add_test(cases, a_closed_standard_output_is_a_failure);
    tcase_add_test(cases, a_reader_that_went_away_is_a_failure);
    suite_add_tcase(suite, cases);
    return suite;
}
