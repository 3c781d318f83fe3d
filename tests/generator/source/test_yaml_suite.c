// The public YAML test suite, documents written to break readers: none of them may break kin's.
//
// kin reads a subset of YAML, so it refuses most of them. A document that it accepts it must read as the suite says,
// and invalid YAML it must refuse, in its own words and within a second.
#include "generator/base/base.h"
#include "generator/reading.h"
#include "generator/scratch.h"
#include "generator/trial.h"
#include "shell.h"
#include "suites.h"

#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <yaml.h>

enum { CASE_COUNT = 402 };

typedef struct suite_case {
    const char *name;
    const char *bytes;
    size_t size;
} suite_case;

static suite_case cases[CASE_COUNT];
static size_t case_count;

static void begin(void)
{
    scratch_create();
    reading_begin();
}

static void end(void)
{
    reading_end();
    scratch_destroy();
}

static const char *suite_folder(void)
{
    return arena_format(scratch_arena(), "%s/yaml-test-suite", shell_data());
}

static const char *file_of(const char *name, const char *file)
{
    return arena_format(scratch_arena(), "%s/%s/%s", suite_folder(), name, file);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const suite_case *)a)->name, ((const suite_case *)b)->name);
}

// Loads the cases. Returns false, after a message, if the suite is missing.
static bool load_cases(void)
{
    DIR *folder = opendir(suite_folder());
    if (folder == NULL) {
        printf("skipped: the YAML test suite is not at %s\n", suite_folder());
        return false;
    }
    case_count = 0;
    for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        const char *path = file_of(entry->d_name, "in.yaml");
        if (entry->d_name[0] == '.' || access(path, R_OK) != 0)
            continue;
        ck_assert_uint_lt(case_count, CASE_COUNT);
        const source *source = source_load(scratch_arena(), reading_diagnostics(), path);
        cases[case_count++] = (suite_case){arena_copy(scratch_arena(), entry->d_name, strlen(entry->d_name)),
                                           source->bytes, source->size};
    }
    closedir(folder);
    ck_assert_uint_eq(case_count, CASE_COUNT);
    qsort(cases, case_count, sizeof *cases, by_name);
    return true;
}

static bool libyaml_refuses(const suite_case *item)
{
    yaml_parser_t parser;
    ck_assert(yaml_parser_initialize(&parser));
    yaml_parser_set_input_string(&parser, (const unsigned char *)item->bytes, item->size);
    bool is_refused = false, is_done = false;
    while (!is_done && !is_refused) {
        yaml_event_t event;
        is_refused = !yaml_parser_parse(&parser, &event);
        is_done = !is_refused && event.type == YAML_STREAM_END_EVENT;
        if (!is_refused)
            yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    return is_refused;
}

// Appends a scalar in the suite's notation of events, without the properties that the tree does not keep: documents,
// and the styles of quotes and brackets.
static void append_text(text *events, const tree_node *node)
{
    text_append_string(events, node->is_plain ? "=VAL :" : "=VAL \"");
    for (size_t i = 0; i < node->size; i++) {
        char byte = node->text[i];
        const char *escaped = byte == '\n' ? "\\n" : byte == '\t' ? "\\t" : byte == '\\' ? "\\\\" : NULL;
        if (escaped != NULL)
            text_append_string(events, escaped);
        else
            text_append(events, &byte, 1);
    }
    text_append_string(events, "\n");
}

// Recursive, at most TREE_DEPTH_LIMIT deep.
static void append_events(text *events, const tree_node *node)
{
    if (node->kind == TREE_SCALAR) {
        append_text(events, node);
        return;
    }
    bool is_mapping = node->kind == TREE_MAPPING;
    text_append_string(events, is_mapping ? "+MAP\n" : "+SEQ\n");
    for (const tree_node *item = node->items; item != NULL; item = item->next)
        append_events(events, item);
    for (const tree_pair *pair = node->pairs; pair != NULL; pair = pair->next) {
        append_events(events, pair->key);
        append_events(events, pair->value);
    }
    text_append_string(events, is_mapping ? "-MAP\n" : "-SEQ\n");
}

// Returns the suite's events of a case in the same form.
static const char *expected_events(const char *name)
{
    text events = text_create(scratch_arena());
    char *rest = (char *)shell_read(scratch_arena(), file_of(name, "test.event"));
    for (char *line = strtok_r(rest, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
        if (strncmp(line + 1, "STR", 3) == 0 || strncmp(line + 1, "DOC", 3) == 0)
            continue;
        if (line[0] == '=' && line[5] != ':')
            line[5] = '"';
        text_append(&events, line, line[0] == '=' ? strlen(line) : 4);
        text_append_string(&events, "\n");
    }
    return events.bytes;
}

// Cases in which libyaml harmlessly differs from the suite: brackets that continue at the start of a line, and empty
// lines at the end of block scalars.
static bool is_known_to_differ(const char *name)
{
    static const char *const names[] = {"9C9N", "L24T-01", "S98Z"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static void expect_as_the_suite_says(const char *name, const tree_node *root)
{
    text events = text_create(reading_arena());
    append_events(&events, root);
    ck_assert_msg(access(file_of(name, "error"), R_OK) != 0, "%s is no YAML, and was accepted", name);
    const char *expected = expected_events(name);
    ck_assert_msg(strcmp(events.bytes, expected) == 0, "%s:\n%sinstead of\n%s", name, events.bytes, expected);
}

START_TEST(documents_that_libyaml_refuses_are_refused_and_accepted_ones_are_read_as_the_suite_says)
{
    size_t accepted = 0;
    for (size_t i = 0; load_cases() && i < case_count; i++) {
        reading_begin();
        const source *source = source_from_bytes(reading_arena(), "in.yaml", cases[i].bytes, cases[i].size);
        const tree_node *root = tree_parse(reading_arena(), reading_diagnostics(), source);
        bool is_accepted = root != NULL && diagnostics_error_count(reading_diagnostics()) == 0;
        ck_assert_msg(!is_accepted || !libyaml_refuses(&cases[i]), "%s is no YAML for libyaml", cases[i].name);
        ck_assert_msg(is_accepted || diagnostics_error_count(reading_diagnostics()) > 0, "%s", cases[i].name);
        accepted += is_accepted;
        if (is_accepted && !is_known_to_differ(cases[i].name))
            expect_as_the_suite_says(cases[i].name, root);
    }
    ck_assert(case_count == 0 || accepted > 50);
}
END_TEST

START_TEST(every_case_read_from_memory_passes_the_trial)
{
    for (size_t i = 0; load_cases() && i < case_count; i++) {
        const char *wrong = trial_of_schema("in.yaml", cases[i].bytes, cases[i].size);
        ck_assert_msg(wrong == NULL, "%s: %s", cases[i].name, wrong);
    }
}
END_TEST

// Runs the program on each case, for at most five seconds, or in `make check` on those whose names begin with a
// digit. Returns a line for each case that is not refused with a message or that leaves outputs.
static const char *run_all(const char *how)
{
    const char *program = getenv("KIN") == NULL ? "build/bin/kin" : getenv("KIN");
    return shell_expect(scratch_arena(),
                        arena_format(scratch_arena(),
                                     "for folder in %s/%s*/; do\n"
                                     "  timeout 5 %s generate -o %s %s > %s 2>&1; status=$?\n"
                                     "  [ $status = 1 ] && [ -s %s ] && [ ! -e %s ] && continue\n"
                                     "  echo \"$folder: status $status\"; cat %s\n"
                                     "done",
                                     suite_folder(), shell_runs_all() ? "" : "[0-9]", program, scratch_path("out"), how,
                                     scratch_path("messages"), scratch_path("messages"), scratch_path("out"),
                                     scratch_path("messages")));
}

START_TEST(every_case_as_a_file_is_refused_without_outputs)
{
    if (load_cases())
        ck_assert_str_eq(run_all("\"${folder}in.yaml\""), "");
}
END_TEST

START_TEST(every_case_from_standard_input_is_refused_without_outputs)
{
    if (load_cases())
        ck_assert_str_eq(run_all("- < \"${folder}in.yaml\""), "");
}
END_TEST

Suite *yaml_suite_suite(void)
{
    Suite *suite = suite_create("yaml_suite");
    TCase *tests = tcase_create("yaml_suite");
    tcase_set_timeout(tests, 120);
    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_test(tests, documents_that_libyaml_refuses_are_refused_and_accepted_ones_are_read_as_the_suite_says);
    tcase_add_test(tests, every_case_read_from_memory_passes_the_trial);
    tcase_add_test(tests, every_case_as_a_file_is_refused_without_outputs);
    tcase_add_test(tests, every_case_from_standard_input_is_refused_without_outputs);
    suite_add_tcase(suite, tests);
    return suite;
}
