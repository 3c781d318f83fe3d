// Recall of outputs: a run with the inputs of the last run reuses its files; any difference in the folder makes it
// generate them again.
#include "generator/output_case.h"
#include "generator/program.h"
#include "generator/render/internal.h"
#include "generator/scratch.h"
#include "shell.h"
#include "suites.h"

#include <check.h>
#include <string.h>
#include <unistd.h>

enum { MADE = 7 };

static diagnostics diagnostics_of_run;
static output_report report;

// Asks as a run does before it generates "one.h" and "two.h"; `made` is the hash of its inputs.
static int recall(uint64_t made, output_mode mode, const generated_file *depfile)
{
    static const generated_file files[] = {{"one.h", NULL, 0}, {"two.h", NULL, 0}};
    diagnostics_of_run = diagnostics_create(scratch_arena());
    report = output_report_create(&diagnostics_of_run);
    output_request request = {.arena = scratch_arena(),
                              .directory = scratch_path("out"),
                              .files = files,
                              .count = 2,
                              .made = made,
                              .mode = mode,
                              .depfile = depfile};
    return output_recall(&request, &report);
}

static void write_files(uint64_t made, size_t count)
{
    const generated_file files[] = {file_of("one.h", MARK "1"), file_of("two.h", MARK "2"), file_of("x.h", MARK)};
    diagnostics diagnostics = diagnostics_create(scratch_arena());
    output_report written = output_report_create(&diagnostics);
    output_request request = {.arena = scratch_arena(), .directory = scratch_path("out"), .files = files};
    request.count = count;
    request.made = made;
    ck_assert_int_eq(output_write(&request, &written), 0);
}

static void expect_unmade(uint64_t made)
{
    ck_assert_int_eq(recall(made, OUTPUT_WRITE, NULL), OUTPUT_UNMADE);
    ck_assert_str_eq(report.done.bytes, "");
    ck_assert_uint_eq(diagnostics_of_run.count, 0);
}

START_TEST(outputs_of_the_same_inputs_are_not_made_again)
{
    write_files(MADE, 2);
    ck_assert_int_eq(recall(MADE, OUTPUT_WRITE, NULL), 0);
    ck_assert_str_eq(report.done.bytes, "kin: 0 written, 0 removed, 3 unchanged\n");
    ck_assert_int_eq(recall(MADE, OUTPUT_CHECK, NULL), 0);
    ck_assert_int_eq(recall(MADE, OUTPUT_DIFF, NULL), 0);
    ck_assert_str_eq(report.done.bytes, "");
    ck_assert_int_eq(recall(MADE, OUTPUT_LIST, NULL), 0);
    ck_assert_ptr_nonnull(strstr(report.done.bytes, "/two.h\n= "));
    ck_assert_uint_eq(diagnostics_of_run.count, 0);
}
END_TEST

START_TEST(outputs_of_other_inputs_are_not_recalled)
{
    expect_unmade(MADE);
    ck_assert_int_eq(access(scratch_path("out"), F_OK), -1);
    write_files(MADE, 2);
    expect_unmade(MADE + 1);
    expect_unmade(0);
    write_files(0, 2);
    expect_unmade(MADE);
    expect_unmade(0);
}
END_TEST

START_TEST(nothing_is_recalled_if_the_set_of_files_differs)
{
    write_files(MADE, 1);
    expect_unmade(MADE);
    write_files(MADE, 3);
    expect_unmade(MADE);
}
END_TEST

static const char *const changes[] = {
    "rm two.h",
    "echo >> two.h",
    "printf '%s1' '" GENERATED_MARK "' > two.h",
    "> one.h",
    "mkfifo x; mv x two.h",
    "mv two.h x; ln -s x two.h",
    "rm .kin-manifest",
    "echo >> .kin-manifest",
    "sed -i /made/d .kin-manifest",
    "sed -i s/1/2/ one.h",
};

START_TEST(nothing_is_recalled_if_a_file_was_changed)
{
    write_files(MADE, 2);
    shell_expect(scratch_arena(),
                 arena_format(scratch_arena(), "cd '%s' && { %s; }", scratch_path("out"), changes[_i]));
    expect_unmade(MADE);
}
END_TEST

START_TEST(a_recalled_run_writes_its_depfile_and_removes_leftovers_of_a_killed_one)
{
    generated_file depfile = file_of(scratch_path("d"), "out/one.h out/two.h: schema\n");
    write_files(MADE, 2);
    scratch_write("out/.one.h.kin-new", "left");
    ck_assert_int_eq(recall(MADE, OUTPUT_WRITE, &depfile), 0);
    ck_assert_str_eq(report.done.bytes, "kin: 0 written, 0 removed, 3 unchanged\n");
    ck_assert_str_eq(scratch_read("d"), depfile.bytes);
    ck_assert_uint_eq(scratch_count("out"), 3);
}
END_TEST

START_TEST(a_file_in_the_place_of_the_depfile_prevents_recall)
{
    generated_file depfile = file_of(scratch_path("d"), "out/one.h out/two.h: schema\n");
    write_files(MADE, 2);
    scratch_write("d", "mine");
    ck_assert_int_eq(recall(MADE, OUTPUT_WRITE, &depfile), OUTPUT_UNMADE);
    ck_assert_uint_eq(diagnostics_of_run.count, 0);
    ck_assert_str_eq(scratch_read("d"), "mine");
}
END_TEST

// Generates from the schema `from`, then runs with `mode` on `to` and returns what that prints.
static const char *output_of_change(const char *from, const char *to, const char *mode)
{
    scratch_write("s.yaml", from);
    ck_assert_int_eq(RUN("generate", "-o", scratch_path("o"), scratch_path("s.yaml")).status, 0);
    scratch_write("s.yaml", to);
    return RUN("generate", mode, "-o", scratch_path("o"), scratch_path("s.yaml")).output;
}

#define GAME(doc) "kin: 1\npackage: p\ncontexts: { game: { doc: " doc " } }\ncomponents: { A: {} }\n"

START_TEST(a_changed_doc_changes_outputs_and_a_comment_does_not)
{
    const char *done = output_of_change(GAME("One."), GAME("Two."), "--check");
    ck_assert_ptr_nonnull(strstr(done, "would change "));
    ck_assert_ptr_nonnull(strstr(done, "p.h\n"));
    ck_assert_str_eq(output_of_change(GAME("One."), "# Comment\n" GAME("'One.'"), "--check"),
                     "kin: 0 would be written, 0 removed, 4 unchanged\n");
}
END_TEST

Suite *output_recall_suite(void)
{
    Suite *suite = suite_create("output_recall");
    TCase *cases = tcase_create("output_recall");
    tcase_add_checked_fixture(cases, scratch_create, scratch_destroy);
    tcase_add_test(cases, outputs_of_the_same_inputs_are_not_made_again);
    tcase_add_test(cases, outputs_of_other_inputs_are_not_recalled);
    tcase_add_test(cases, nothing_is_recalled_if_the_set_of_files_differs);
    tcase_add_loop_test(cases, nothing_is_recalled_if_a_file_was_changed, 0, sizeof changes / sizeof *changes);
    tcase_add_test(cases, a_recalled_run_writes_its_depfile_and_removes_leftovers_of_a_killed_one);
    tcase_add_test(cases, a_file_in_the_place_of_the_depfile_prevents_recall);
    tcase_add_test(cases, a_changed_doc_changes_outputs_and_a_comment_does_not);
    suite_add_tcase(suite, cases);
    return suite;
}
