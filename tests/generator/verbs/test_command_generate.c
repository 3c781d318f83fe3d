// Command: `kin generate` and its outputs.
#include "generator/program.h"
#include "generator/scratch.h"
#include "shell.h"
#include "suites.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

START_TEST(a_second_run_leaves_unchanged_outputs_alone)
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
    const char *summary = arena_format(scratch_arena(), "kin: 0 written, 0 removed, %zu unchanged\n", count);
    check_outcome(RUN("generate", schema, "-o", directory), 0, summary, "");
    check_outcome(RUN("generate", "-q", schema, "-o", directory), 0, "", "");
}
END_TEST

START_TEST(quiet_prints_nothing_and_writes)
{
    scratch_write("tiny.yaml", tiny);
    const char *directory = arena_format(scratch_arena(), "-o%s", scratch_path("out"));
    check_outcome(RUN("generate", directory, "-q", scratch_path("tiny.yaml")), 0, "", "");
    ck_assert_ptr_nonnull(scratch_read("out/tiny/tiny.h"));
}
END_TEST

START_TEST(a_check_has_status_4_until_outputs_are_up_to_date)
{
    scratch_write("tiny.yaml", tiny);
    const char *schema = scratch_path("tiny.yaml"), *directory = scratch_path("out");
    outcome outcome = RUN("generate", "--check", "-o", directory, schema);
    ck_assert_int_eq(outcome.status, 4);
    const char *header = arena_format(scratch_arena(), "would add %s/tiny/tiny.h\n", directory);
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
    const char *summary =
        arena_format(scratch_arena(), "kin: 0 written, 0 removed, %zu unchanged\n", scratch_count("out/tiny"));
    check_outcome(
        RUN("generate", "--check", flag, "-o", directory, schema), 0,
        arena_format(scratch_arena(), "kin: 0 would be written, 0 removed, %zu unchanged\n", scratch_count("out/tiny")),
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

START_TEST(a_depfile_that_would_overwrite_another_file_stops_the_run)
{
    scratch_write("tiny.yaml", tiny);
    const char *schema = scratch_path("tiny.yaml");
    check_outcome(
        RUN("generate", "--depfile", schema, "-o", scratch_path("out"), schema), 3, "",
        arena_format(
            scratch_arena(),
            "kin: error: '%s' was not written by kin; move it, or choose another file with --depfile [K0904]\n",
            schema));
    ck_assert_str_eq(scratch_read("tiny.yaml"), tiny);
    ck_assert_uint_eq(scratch_count("out"), 0);
    const char *header = scratch_path("out/tiny/tiny.h");
    check_outcome(RUN("generate", "--depfile", header, "-o", scratch_path("out"), schema), 3, "",
                  arena_format(scratch_arena(),
                               "kin: error: '%s' is an output; choose another file with --depfile [K0906]\n", header));
    ck_assert_uint_eq(scratch_count("out"), 0);
    ck_assert_int_eq(symlink(scratch_path("."), scratch_path("link")), 0);
    const char *other = scratch_path("link/out/./tiny/tiny.h");
    check_outcome(RUN("generate", "--depfile", other, "-o", scratch_path("out"), schema), 3, "",
                  arena_format(scratch_arena(),
                               "kin: error: '%s' is an output; choose another file with --depfile [K0906]\n", other));
    ck_assert_uint_eq(scratch_count("out/tiny"), 0);
    const char *odd = scratch_path("o=t");
    ck_assert_int_eq(RUN("generate", "--depfile", scratch_path("d"), "-o", odd, schema).status, 3);
    ck_assert_uint_eq(scratch_count("o=t"), 0);
}
END_TEST

START_TEST(a_foreign_file_stops_the_run)
{
    scratch_write("tiny.yaml", tiny);
    ck_assert_int_eq(mkdir(scratch_path("out"), 0777), 0);
    scratch_write("out/tiny/tiny.h", "mine\n");
    outcome outcome = RUN("generate", "-o", scratch_path("out"), scratch_path("tiny.yaml"));
    ck_assert_int_eq(outcome.status, 3);
    ck_assert_str_eq(outcome.output, "");
    ck_assert_ptr_nonnull(strstr(outcome.messages, "was not written by kin"));
    ck_assert_str_eq(scratch_read("out/tiny/tiny.h"), "mine\n");
    ck_assert_uint_eq(scratch_count("out/tiny"), 1);
}
END_TEST

START_TEST(a_dry_run_lists_every_file_and_a_diff_shows_them)
{
    scratch_write("tiny.yaml", tiny);
    const char *schema = scratch_path("tiny.yaml"), *directory = scratch_path("out");
    outcome listed = RUN("generate", "--dry-run", "-o", directory, schema);
    ck_assert_int_eq(listed.status, 0);
    ck_assert_ptr_nonnull(strstr(listed.output, arena_format(scratch_arena(), "A %s/tiny/tiny.h\n", directory)));
    ck_assert_int_eq(RUN("generate", "--dry-run", "--check", "-o", directory, schema).status, 4);
    outcome shown = RUN("generate", "--diff", "-o", directory, schema);
    ck_assert_int_eq(shown.status, 4);
    ck_assert_ptr_nonnull(strstr(shown.output, arena_format(scratch_arena(), "+++ %s/tiny/tiny.h\n", directory)));
    ck_assert_str_eq(RUN("generate", "--check", "--diff", "-o", directory, schema).output, shown.output);
    ck_assert_uint_eq(scratch_count("out"), 0);
    ck_assert_int_eq(RUN("generate", "-o", directory, schema).status, 0);
    check_outcome(RUN("generate", "--diff", "-o", directory, schema), 0, "", "");
    listed = RUN("generate", "--dry-run", "-o", directory, schema);
    ck_assert_ptr_nonnull(strstr(listed.output, arena_format(scratch_arena(), "= %s/tiny/tiny.h\n", directory)));
}
END_TEST

START_TEST(standard_output_has_every_file_after_its_name)
{
    scratch_write("tiny.yaml", tiny);
    const char *schema = scratch_path("tiny.yaml"), *directory = scratch_path("out");
    outcome printed = RUN("generate", "--stdout", "-o", directory, schema);
    ck_assert_str_eq(printed.messages, "");
    ck_assert_int_eq(printed.status, 0);
    ck_assert_uint_eq(scratch_count("out"), 0);
    ck_assert_int_eq(RUN("generate", "-o", directory, schema).status, 0);
    static const char *const names[] = {"tiny.h", "tiny.c", "tiny_save.h"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *content = scratch_read(arena_format(scratch_arena(), "out/tiny/%s", names[i]));
        const char *part = arena_format(scratch_arena(), "// ---- tiny/%s\n%s", names[i], content);
        ck_assert_msg(strstr(printed.output, part) != NULL, "no '%s' in '%s'", part, printed.output);
    }
}
END_TEST

static const char *const growing[] = {
    "kin: 1\npackage: tiny\ncontexts: { game: {} }\n",
    "kin: 1\npackage: tiny\ncontexts: { game: { default: true }, menu: {} }\n",
    "kin: 1\npackage: tiny\ncontexts: { game: { default: true }, menu: {}, over: {} }\n",
    "kin: 1\npackage: tiny\ncontexts: { game: { default: true } }\ntypes: { A: { opaque: int, header: a.h } }\n"
    "components: { C: { fields: { a: A } } }\n",
    "kin: 1\npackage: tiny\ncontexts: { game: {} }\n",
};

START_TEST(a_depfile_is_replaced_whatever_files_the_package_gets)
{
    const char *flag = arena_format(scratch_arena(), "--depfile=%s", scratch_path("tiny.d"));
    for (size_t i = 0; i < sizeof growing / sizeof *growing; i++) {
        scratch_write("tiny.yaml", growing[i]);
        outcome outcome = RUN("generate", flag, "-o", scratch_path("out"), scratch_path("tiny.yaml"));
        ck_assert_msg(outcome.status == 0, "%s", outcome.messages);
    }
}
END_TEST

START_TEST(removing_a_context_removes_its_files)
{
    scratch_write("two.yaml", "kin: 1\npackage: two\ncontexts: { a: { default: true }, b: {} }\n");
    const char *schema = scratch_path("two.yaml"), *directory = scratch_path("out");
    ck_assert_int_eq(RUN("generate", "-o", directory, schema).status, 0);
    ck_assert_ptr_nonnull(scratch_read("out/two/two_b.h"));
    scratch_write("two.yaml", "kin: 1\npackage: two\ncontexts: { a: {} }\n");
    outcome outcome = RUN("generate", "-o", directory, schema);
    ck_assert_int_eq(outcome.status, 0);
    ck_assert_ptr_nonnull(strstr(outcome.output, arena_format(scratch_arena(), "removed %s/two/two_b.h\n", directory)));
    ck_assert_ptr_null(scratch_read("out/two/two_b.h"));
    ck_assert_ptr_null(scratch_read("out/two/two_b.c"));
}
END_TEST

// Runs a script in the scratch directory; $kin is the program, town.yaml a schema.
static void expect_script(const char *script)
{
    char *kin = realpath(program(), NULL), *templates = realpath("templates", NULL);
    scratch_write("town.yaml",
                  "kin: 1\npackage: town\ncontexts: { game: {} }\ncomponents: { Cell: { fields: { x: float,"
                  " y: float } }, Frozen: { doc: \"One.\\nTwo.\" } }\n");
    shell_expect(scratch_arena(), arena_format(scratch_arena(),
                                               "set -e; not() { if \"$@\"; then exit 1; fi; }; cr=$(printf '\\r');"
                                               " cd '%s'; kin='%s'; templates='%s'; %s",
                                               scratch_path(""), kin, templates, script));
    free(templates);
    free(kin);
}

// What `unix2dos` does, and git with core.autocrlf, to a folder.
#define RETURN "find . -type f ! -name '*.new' -exec sed -i 's/$/\\r/' {} +; "

static const char *const returned[] = {
    "$kin generate -q town.yaml; " RETURN
    "$kin generate --check town.yaml; test -z \"$($kin generate --diff town.yaml)\"",
    "$kin generate -q town.yaml; " RETURN "$kin generate town.yaml | grep 'kin: 0 written, 0 removed'; "
    "grep -q \"$cr\" generated/town/town.h",
    "$kin generate -q town.yaml; " RETURN "sed -i s/Frozen/Frosty/ town.yaml; $kin generate -q town.yaml; "
    "not grep \"$cr\" generated/town/town.h; $kin generate --check town.yaml",
    "$kin generate -q town.yaml; " RETURN "rm generated/town/town.h; $kin generate -q town.yaml; "
    "$kin generate --check town.yaml",
    "$kin generate -q town.yaml; " RETURN "sed -i '$s/}/x/' generated/town/town.h; echo >> generated/town/town.h; "
    "not $kin generate -q town.yaml 2> log.new; grep K0903 log.new",
    "$kin lock town.yaml; " RETURN "$kin lock --check town.yaml; $kin lock town.yaml; grep -q \"$cr\" town.lock; "
    "$kin generate -q town.yaml; $kin generate --check town.yaml",
    "$kin lock town.yaml; " RETURN
    "sed -i 's/y: float/y: float, z: float/' town.yaml; not $kin lock --check town.yaml; "
    "$kin lock town.yaml; not grep \"$cr\" town.lock; $kin lock --check town.yaml",
    "mkdir t; cp \"$templates\"/*.mustache t; $kin generate --templates t -q town.yaml; " RETURN
    "$kin generate --templates t --check town.yaml; rm -r generated; $kin generate --templates t -q town.yaml; "
    "not grep -r \"$cr\" generated",
    "$kin doc -o town.md town.yaml; " RETURN "$kin doc -o town.md town.yaml; not grep \"$cr\" town.md",
};

START_TEST(line_ends_that_git_changes_are_no_difference)
{
    expect_script(returned[_i]);
}
END_TEST

#define REFUSED                                                                                                        \
    " 2> log && exit 1; grep 'has the files of .town.yaml., which is package .town., too; rename one of the packages," \
    " choose another directory with -o, or delete .town.yaml. if ' log; grep -q 'struct Cell' generated/town/*.h"

static const char *const owned[] = {
    // another schema of the package
    "sed s/Cell/Wall/ town.yaml > b.yaml; $kin generate -q town.yaml; $kin generate -q b.yaml" REFUSED,
    "sed s/Cell/Wall/ town.yaml > b.yaml; $kin generate -q town.yaml; $kin generate --check b.yaml" REFUSED,
    "mkdir b; sed s/Cell/Wall/ town.yaml > b/town.yaml; $kin generate -q town.yaml;"
    " $kin generate -q $PWD/b/../b/town.yaml" REFUSED,
    "cp town.yaml b.yaml; $kin generate -q town.yaml; $kin generate -q b.yaml" REFUSED,
    // renamed, moved and deleted schemas, and other ways to name the same one
    "$kin generate -q town.yaml; mv town.yaml b.yaml; $kin generate -q b.yaml; grep 'schema ../../b.yaml' "
    "generated/*/.k*",
    "$kin generate -q town.yaml; mv town.yaml b.yaml; $kin generate --check b.yaml; $kin generate --diff b.yaml",
    "$kin generate -q town.yaml; mkdir b; mv town.yaml b; $kin generate -q b/town.yaml; $kin generate --check "
    "b/town.yaml",
    "$kin generate -q town.yaml; mkdir b; mv town.yaml generated b; cd b; $kin generate --check town.yaml",
    "$kin generate -q town.yaml; cp -r . \"$(mktemp -d ../kin-copy-XXXX)\"; cd ../kin-copy-*; sed -i s/Cell/Wall/ "
    "town.yaml;"
    " $kin generate -q town.yaml; rm -r \"$PWD\"",
    "$kin generate -q town.yaml; ln -s town.yaml b.yaml; $kin generate -q b.yaml; $kin generate -q ./town.yaml",
    "$kin generate -q town.yaml; $kin generate -q - < town.yaml",
    "$kin generate -q - < town.yaml; $kin generate -q town.yaml; grep 'schema ../../town.yaml' generated/*/.k*",
    // the old file has another package now
    "sed s/Cell/Wall/ town.yaml > b.yaml; $kin generate -q town.yaml; sed -i 's/: town/: shop/' town.yaml;"
    " $kin generate -q b.yaml; $kin generate -q town.yaml",
    // a folder of an older kin
    "sed s/Cell/Wall/ town.yaml > b.yaml; $kin generate -q - < town.yaml; $kin generate -q b.yaml",
};

START_TEST(files_of_another_schema_of_the_package_are_not_replaced)
{
    expect_script(owned[_i]);
}
END_TEST

START_TEST(runs_beside_each_other_write_the_same_folder)
{
    expect_script(
        "for round in 1 2 3; do rm -rf generated; for i in 1 2 3 4; do { $kin generate -q --depfile town.d"
        " town.yaml || touch failed; } & done; wait; not test -e failed; $kin generate --check town.yaml; done;"
        " ! ls .*.kin-new generated/town/.*.kin-new");
}
END_TEST

Suite *command_generate_suite(void)
{
    Suite *suite = suite_create("command_generate");
    TCase *cases = tcase_create("command_generate");
    tcase_add_checked_fixture(cases, scratch_create, scratch_destroy);
    tcase_add_test(cases, a_second_run_leaves_unchanged_outputs_alone);
    tcase_add_test(cases, quiet_prints_nothing_and_writes);
    tcase_add_test(cases, a_check_has_status_4_until_outputs_are_up_to_date);
    tcase_add_test(cases, a_depfile_is_written_beside_the_outputs_and_not_counted);
    tcase_add_test(cases, an_equal_depfile_is_not_touched);
    tcase_add_test(cases, a_depfile_that_would_overwrite_another_file_stops_the_run);
    tcase_add_test(cases, a_foreign_file_stops_the_run);
    tcase_add_test(cases, a_dry_run_lists_every_file_and_a_diff_shows_them);
    tcase_add_test(cases, standard_output_has_every_file_after_its_name);
    tcase_add_test(cases, a_depfile_is_replaced_whatever_files_the_package_gets);
    tcase_add_test(cases, removing_a_context_removes_its_files);
    tcase_add_loop_test(cases, line_ends_that_git_changes_are_no_difference, 0, sizeof returned / sizeof *returned);
    tcase_add_loop_test(cases, files_of_another_schema_of_the_package_are_not_replaced, 0,
                        sizeof owned / sizeof *owned);
    tcase_add_test(cases, runs_beside_each_other_write_the_same_folder);
    suite_add_tcase(suite, cases);
    return suite;
}
