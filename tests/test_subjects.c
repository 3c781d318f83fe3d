// The lint of commit subjects (tests/tools/lint_subjects.sh), in a repository of the test: good subjects, each kind of
// fault, and the commits that are not checked.
#include "generator/scratch.h"
#include "shell.h"
#include "suites.h"

#include <stdlib.h>
#include <string.h>

// Runs a command in the folder of the test, where $lint is the script and `commit` makes an empty commit. The variables
// are those of a git hook or of a user, which would lead git elsewhere.
static shell_result run(const char *command)
{
    static const char before[] =
        "unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE; export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 "
        "GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b; "
        "lint=$PWD/tests/tools/lint_subjects.sh; cd '%s'; "
        "commit() { git -c commit.gpgsign=false commit -q --allow-empty -m \"$1\"; }; %s";
    return shell_run(scratch_arena(), arena_format(scratch_arena(), before, scratch_path(""), command));
}

static const char *expect(const char *command)
{
    shell_result result = run(command);
    ck_assert_msg(result.status == 0, "%s: %s", command, result.output);
    return result.output;
}

// A repository with one tag. The commit before the tag has a subject that the lint would report.
static void begin(void)
{
    scratch_create();
    if (shell_has(scratch_arena(), "git"))
        expect("git init -q . && commit 'added things.' && git tag v1");
}

static bool has_repository(void)
{
    return scratch_count(".git") > 0;
}

static const char *const good_subjects[] = {
    "runtime: free the slot when the last owner releases it",
    "runtime, spawn: return every value of a refused call",
    "README: add a table",
    "Raise the interface version to 4",
    "tests/tools: process arguments in order",
    "a_long.area: alias the two types",
    "generator: embed the templates",
    "docs: bring the two pages together",
    "area: use all seventy-two characters, the length that a subject can have",
};

START_TEST(an_imperative_subject_of_at_most_72_characters_passes)
{
    if (!has_repository())
        return;
    setenv("SUBJECT", good_subjects[_i], 1);
    ck_assert_str_eq(expect("commit \"$SUBJECT\" && $lint"), "");
}
END_TEST

static const struct bad_subject {
    const char *subject, *fault;
} bad_subjects[] = {
    {"area: use more than the seventy-two characters that are allowed for them!", "has 73 characters"},
    {"runtime: free the slot.", "ends in a full stop"},
    {"runtime:free the slot", "has no space after the colon"},
    {"runtime:", "has no summary"},
    {"runtime: added a slot", "begins with \"added\"; use the imperative, not the past tense"},
    {"Fixed a slot", "begins with \"Fixed\"; use the imperative, not the past tense"},
    {"runtime: frees the slot", "begins with \"frees\"; use the imperative, not the form with -s"},
    {"runtime: freeing of slots", "begins with \"freeing\"; use the imperative, not the form with -ing"},
    {"runtime, docs: wrote a page", "begins with \"wrote\", which is no imperative verb"},
    {"runtime: the slot is free", "begins with \"the\", which is no imperative verb"},
    {"uninstall: what it leaves", "begins with \"what\", which is no imperative verb"},
    {"docs: documentation of slots", "begins with \"documentation\", which is no imperative verb"},
    {"fixup! docs: add a page", "begins with \"fixup!\", which is no imperative verb"},
};

START_TEST(a_faulty_subject_is_reported_with_its_commit)
{
    const struct bad_subject *bad = &bad_subjects[_i];
    if (!has_repository())
        return;
    setenv("SUBJECT", bad->subject, 1);
    expect("commit \"$SUBJECT\" && commit 'docs: add a page'");
    shell_result result = run("$lint");
    ck_assert_int_eq(result.status, 1);
    const char *hash = expect("git log -1 --format=%h --abbrev=7 HEAD~1 | tr -d '\\n'");
    const char *expected = arena_format(scratch_arena(), "lint: commit %s \"%s\" %s", hash, bad->subject, bad->fault);
    ck_assert_msg(strncmp(result.output, expected, strlen(expected)) == 0, "%s, not %s", result.output, expected);
    ck_assert_ptr_eq(strchr(result.output, '\n') + 1, result.output + strlen(result.output));
}
END_TEST

START_TEST(every_fault_of_a_subject_is_reported)
{
    if (!has_repository())
        return;
    expect("commit 'docs: added a page.'");
    shell_result result = run("$lint");
    ck_assert_int_eq(result.status, 1);
    ck_assert_ptr_nonnull(strstr(result.output, "ends in a full stop\n"));
    ck_assert_ptr_nonnull(strstr(result.output, "begins with \"added\""));
}
END_TEST

START_TEST(characters_are_counted_and_not_bytes)
{
    if (!has_repository())
        return;
    const char *subject = "area: use seventy-two characters, and two bytes for each of äöüäöüäöüäöü";
    setenv("SUBJECT", subject, 1);
    ck_assert_str_eq(expect("commit \"$SUBJECT\" && $lint"), "");
}
END_TEST

START_TEST(merge_commits_are_not_checked)
{
    if (!has_repository())
        return;
    expect("git checkout -q -b side && commit 'docs: add a page' && git checkout -q - && commit 'docs: add a word' && "
           "git -c commit.gpgsign=false merge -q --no-ff -m 'the side is merged.' side && $lint");
}
END_TEST

START_TEST(only_commits_after_the_last_tag_are_checked)
{
    if (!has_repository())
        return;
    ck_assert_str_eq(expect("$lint"), "");
    ck_assert_str_eq(expect("commit 'removed it' && git tag v2 && commit 'docs: add a page' && $lint"), "");
}
END_TEST

START_TEST(without_a_tag_in_its_history_a_clone_passes_with_a_note)
{
    if (!has_repository())
        return;
    const char *note = "lint: commit subjects not checked: the history has no tag\n";
    ck_assert_str_eq(expect("git clone -q --depth 1 --no-tags \"file://$PWD\" shallow && cd shallow && $lint"), note);
    ck_assert_str_eq(expect("git tag -d v1 > /dev/null && $lint"), note);
}
END_TEST

START_TEST(a_folder_that_is_not_the_top_of_a_clone_passes_with_a_note)
{
    if (!has_repository())
        return;
    ck_assert_str_eq(expect("mkdir inner && cd inner && $lint"),
                     "lint: commit subjects not checked: this is not the top folder of a clone\n");
    ck_assert_str_eq(expect("export GIT_CEILING_DIRECTORIES=$PWD; cd inner && $lint"),
                     "lint: commit subjects not checked: this is not a clone\n");
}
END_TEST

enum {
    GOOD_COUNT = sizeof good_subjects / sizeof *good_subjects,
    BAD_COUNT = sizeof bad_subjects / sizeof *bad_subjects,
};

Suite *subjects_suite(void)
{
    Suite *suite = suite_create("subjects");
    TCase *subjects = tcase_create("subjects");
    tcase_set_timeout(subjects, 60);
    tcase_add_checked_fixture(subjects, begin, scratch_destroy);
    tcase_add_loop_test(subjects, an_imperative_subject_of_at_most_72_characters_passes, 0, GOOD_COUNT);
    tcase_add_loop_test(subjects, a_faulty_subject_is_reported_with_its_commit, 0, BAD_COUNT);
    tcase_add_test(subjects, every_fault_of_a_subject_is_reported);
    tcase_add_test(subjects, characters_are_counted_and_not_bytes);
    tcase_add_test(subjects, merge_commits_are_not_checked);
    tcase_add_test(subjects, only_commits_after_the_last_tag_are_checked);
    tcase_add_test(subjects, without_a_tag_in_its_history_a_clone_passes_with_a_note);
    tcase_add_test(subjects, a_folder_that_is_not_the_top_of_a_clone_passes_with_a_note);
    suite_add_tcase(suite, subjects);
    return suite;
}
