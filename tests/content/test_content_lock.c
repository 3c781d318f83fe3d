// content.lock: `kin lock` with content, and the first names that packs have by it (CNT-27).
#include "generator/base/base.h"
#include "generator/scratch.h"
#include "shell.h"
#include "suites.h"

#include <check.h>
#include <string.h>

static void begin(void)
{
    scratch_create();
}

static void end(void)
{
    scratch_destroy();
}

// Runs kin in the scratch folder with the schema of the fort. Returns what it prints, errors too, and its status.
static const char *run(const char *arguments)
{
    return shell_expect(scratch_arena(),
                        arena_format(scratch_arena(),
                                     "kin=$(realpath \"$KIN\"); cp tests/schemas/fort.yaml '%s'; cd '%s' && "
                                     "{ \"$kin\" %s; echo \"= $?\"; } 2>&1",
                                     scratch_path(""), scratch_path(""), arguments));
}

static void write_content(const char *content)
{
    scratch_write("content/a.yaml", arena_format(scratch_arena(), "content: 1\n%s", content));
}

static void expect_run(const char *arguments, const char *expected)
{
    const char *printed = run(arguments);
    ck_assert_msg(strstr(printed, expected) != NULL, "%s", printed);
}

static const char *lock_text(void)
{
    return shell_read(scratch_arena(), scratch_path("content/content.lock"));
}

#define HEAD "kin content lock 1\npackage fort\n"

static const char first[] =
    "prefabs:\n"
    "  Fast: { extends: Cannon, parts: { flag: { of: Block, parts: { top: { of: Barrel } } } },\n"
    "          knobs: { wide: flag.Box.width } }\n"
    "  Slow: { extends: Fast }\n"
    "levels: { a: { place: [{ Fast: { as: gun } }, { Block: {} }] } }\n";

START_TEST(cnt_27_kin_lock_writes_what_has_a_name)
{
    write_content(first);
    expect_run("lock fort.yaml content", "content/content.lock: 7 names\n= 0\n");
    ck_assert_str_eq(lock_text(), HEAD "knob Fast.wide\nlevel a\npart Fast.flag\npart Fast.flag.top\nplace a/gun\n"
                                       "prefab Fast\nprefab Slow\n");
}
END_TEST

START_TEST(cnt_27_a_check_says_whether_the_lock_would_change)
{
    write_content(first);
    expect_run("lock fort.yaml", "fort.lock: ");
    expect_run("lock --check fort.yaml content", "A content/content.lock\n= 4\n");
    run("lock fort.yaml content");
    expect_run("lock --check fort.yaml content", "= 0\n");
    write_content("prefabs: { Fast: { extends: Cannon } }\nremoved: [Fast.flag, Fast.wide, Slow, a]\n");
    expect_run("lock --check fort.yaml content", "M content/content.lock\n= 4\n");
}
END_TEST

START_TEST(cnt_27_a_rename_is_remembered_without_its_word)
{
    static const char renamed[] =
        "prefabs:\n"
        "  Quick: { %s extends: Cannon, parts: { sign: { %s of: Block, parts: { top: { of: Barrel } } } },\n"
        "           knobs: { wide: sign.Box.width } }\n"
        "  Slow: { extends: Quick, sign: { top: { Box: { width: 3 } } } }\n"
        "levels: { b: { %s place: [{ Quick: { as: big_gun, %s } }, { Block: {} }] } }\n";
    write_content(first);
    run("lock fort.yaml content");
    write_content(arena_format(scratch_arena(), renamed, "was: Fast,", "was: flag,", "was: a,", "was: gun"));
    expect_run("lock fort.yaml content", "content/content.lock: 7 names, 4 renamed\n= 0\n");
    ck_assert_str_eq(lock_text(), HEAD
                     "knob Fast.wide\nlevel a = b\npart Fast.flag = sign\npart Fast.flag.top\nplace a/gun = big_gun\n"
                     "prefab Fast = Quick\nprefab Slow\n");
    run("pack -o old.kinc fort.yaml content");
    write_content(arena_format(scratch_arena(), renamed, "", "", "", ""));
    expect_run("lock --check fort.yaml content", "= 0\n");
    run("pack -o new.kinc fort.yaml content");
    expect_run("diff old.kinc new.kinc", "= 0\n");
    expect_run("dump new.kinc", "{\"prefab\":\"Fast\",\"part\":\"flag\",\"now\":\"sign\"}\n");
    expect_run("dump new.kinc", "\"extends\":\"Fast\",\"set\":{\"flag.top.Box.width\":3}");
    expect_run("list --content fort.yaml content", "prefab Quick extends Cannon\n  knobs wide\n"
                                                   "  new parts sign (Block), sign.top (Barrel)\n");
}
END_TEST

START_TEST(cnt_27_a_second_rename_keeps_the_first_name)
{
    write_content("prefabs: { A: { extends: Block } }\n");
    run("lock fort.yaml content");
    write_content("prefabs: { B: { was: A, extends: Block } }\n");
    run("lock fort.yaml content");
    write_content("prefabs: { C: { was: B, extends: Block } }\n");
    run("lock fort.yaml content");
    ck_assert_str_eq(lock_text(), HEAD "prefab A = C\n");
    expect_run("lock --check fort.yaml content", "= 0\n");
    write_content("prefabs: { D: { was: A, extends: Block } }\n"); // the first name is as good
    run("lock fort.yaml content");
    ck_assert_str_eq(lock_text(), HEAD "prefab A = D\n");
}
END_TEST

START_TEST(cnt_27_two_names_can_be_exchanged)
{
    write_content("prefabs: { A: { extends: Block }, B: { extends: Barrel } }\n");
    run("lock fort.yaml content");
    write_content("prefabs: { B: { was: A, extends: Block }, A: { was: B, extends: Barrel } }\n");
    run("lock fort.yaml content");
    ck_assert_str_eq(lock_text(), HEAD "prefab A = B\nprefab B = A\n");
    expect_run("lock --check fort.yaml content", "= 0\n");
    expect_run("list --content fort.yaml content", "prefab B extends Block\nprefab A extends Barrel\n");
}
END_TEST

START_TEST(cnt_27_all_kinds_of_names_can_be_exchanged_in_one_lock)
{
    static const char exchanged[] =
        "prefabs:\n"
        "  Slow: { %s extends: Cannon, parts: { mast: { %s of: Block }, flag: { %s of: Barrel } } }\n"
        "  Fast: { %s extends: Block }\n"
        "levels:\n"
        "  b: { %s place: [{ Slow: { as: two, %s } }, { Fast: { as: one, %s } }] }\n"
        "  a: { %s place: [{ Fast: { as: one } }] }\n";
    write_content("prefabs:\n  Fast: { extends: Cannon, parts: { flag: { of: Block }, mast: { of: Barrel } } }\n"
                  "  Slow: { extends: Block }\n"
                  "levels:\n  a: { place: [{ Fast: { as: one } }, { Slow: { as: two } }] }\n"
                  "  b: { place: [{ Slow: { as: one } }] }\n");
    run("lock fort.yaml content");
    write_content(arena_format(scratch_arena(), exchanged, "was: Fast,", "was: flag,", "was: mast,", "was: Slow,",
                               "was: a,", "was: one", "was: two", "was: b,"));
    expect_run("pack -o before.kinc fort.yaml content", "= 0\n");
    expect_run("lock fort.yaml content", "content/content.lock: 9 names, 8 renamed\n= 0\n");
    ck_assert_str_eq(lock_text(), HEAD "level a = b\nlevel b = a\npart Fast.flag = mast\npart Fast.mast = flag\n"
                                       "place a/one = two\nplace a/two = one\nplace b/one\nprefab Fast = Slow\n"
                                       "prefab Slow = Fast\n");
    expect_run("lock --check fort.yaml content", "= 0\n"); // the words still mean the same
    write_content(arena_format(scratch_arena(), exchanged, "", "", "", "", "", "", "", ""));
    expect_run("lock --check fort.yaml content", "= 0\n");
    expect_run("pack -o after.kinc fort.yaml content", "= 0\n");
    expect_run("diff before.kinc after.kinc", "= 0\n");
}
END_TEST

// The words mean the same before and after the lock is written, or are an error.
START_TEST(cnt_27_words_mean_the_same_when_the_lock_is_written)
{
    write_content("prefabs: { A: { extends: Block }, C: { extends: Barrel } }\n");
    run("lock fort.yaml content");
    write_content("prefabs: { B: { was: A, extends: Block }, C: { extends: Barrel } }\n");
    run("lock fort.yaml content");
    write_content("prefabs: { D: { was: B, extends: Block }, B: { was: C, extends: Barrel } }\n");
    expect_run("lock fort.yaml content", "'D' was 'B', which is the name of another one now [K1204]");
    ck_assert_str_eq(lock_text(), HEAD "prefab A = B\nprefab C\n");
    write_content("prefabs: { D: { was: A, extends: Block }, B: { was: C, extends: Barrel } }\n");
    expect_run("lock fort.yaml content", "2 names, 2 renamed\n= 0\n");
    ck_assert_str_eq(lock_text(), HEAD "prefab A = D\nprefab C = B\n");
    expect_run("lock --check fort.yaml content", "= 0\n");
}
END_TEST

START_TEST(cnt_27_what_is_removed_stays_in_the_lock)
{
    write_content(first);
    run("lock fort.yaml content");
    write_content("removed: [Fast.flag, Fast.wide, Slow, a]\nprefabs: { Fast: { extends: Cannon } }\n");
    expect_run("lock fort.yaml content", "content/content.lock: 7 names, 6 removed\n= 0\n");
    ck_assert_str_eq(lock_text(), HEAD "knob Fast.wide removed\nlevel a removed\npart Fast.flag removed\n"
                                       "part Fast.flag.top removed\nplace a/gun removed\nprefab Fast\n"
                                       "prefab Slow removed\n");
    write_content("prefabs: { Fast: { extends: Cannon } }\n");
    expect_run("lock --check fort.yaml content", "= 0\n");
    write_content("prefabs: { Fast: { extends: Cannon, knobs: { wide: Local.turn } } }\n"); // a knob may come back
    expect_run("check fort.yaml content", "= 0\n");
    write_content("prefabs: { Fast: { extends: Cannon }, Slow: { extends: Block } }\n");
    expect_run("check fort.yaml content", "'Slow' is new, but packs had an older one of this name");
    write_content("prefabs: { Fast: { extends: Cannon }, Slow: { was: Late, extends: Block } }\n");
    expect_run("lock fort.yaml content", "content/content.lock: 8 names, 1 renamed, 6 removed\n= 0\n");
}
END_TEST

START_TEST(cnt_27_what_vanished_is_an_error_and_writes_nothing)
{
    write_content(first);
    run("lock fort.yaml content");
    const char *before = lock_text();
    write_content("prefabs: { Fast: { extends: Cannon } }\n");
    expect_run("lock fort.yaml content", "[K1620]");
    expect_run("pack -o a.kinc fort.yaml content", "[K1620]");
    ck_assert_str_eq(lock_text(), before);
    expect_run("check fort.yaml content/a.yaml", "= 0\n"); // one file is no content, and has no lock
    expect_run("lock fort.yaml content/a.yaml", "the lock of content is in a folder; 'content/a.yaml' is none [K1207]");
    expect_run("lock fort.yaml content nowhere", "takes one schema");
}
END_TEST

START_TEST(cnt_27_a_lock_that_a_merge_joined_is_read)
{
    write_content("prefabs: { A: { extends: Block } }\n");
    scratch_write("content/content.lock", HEAD "prefab A\nprefab A\r\n\n");
    expect_run("check fort.yaml content", "= 0\n");
    expect_run("lock --check fort.yaml content", "M content/content.lock\n= 4\n");
}
END_TEST

Suite *content_lock_suite(void)
{
    Suite *suite = suite_create("content_lock");
    TCase *cases = tcase_create("lock");
    tcase_set_timeout(cases, 60);
    tcase_add_checked_fixture(cases, begin, end);
    tcase_add_test(cases, cnt_27_kin_lock_writes_what_has_a_name);
    tcase_add_test(cases, cnt_27_a_check_says_whether_the_lock_would_change);
    tcase_add_test(cases, cnt_27_a_rename_is_remembered_without_its_word);
    tcase_add_test(cases, cnt_27_a_second_rename_keeps_the_first_name);
    tcase_add_test(cases, cnt_27_two_names_can_be_exchanged);
    tcase_add_test(cases, cnt_27_all_kinds_of_names_can_be_exchanged_in_one_lock);
    tcase_add_test(cases, cnt_27_words_mean_the_same_when_the_lock_is_written);
    tcase_add_test(cases, cnt_27_what_is_removed_stays_in_the_lock);
    tcase_add_test(cases, cnt_27_what_vanished_is_an_error_and_writes_nothing);
    tcase_add_test(cases, cnt_27_a_lock_that_a_merge_joined_is_read);
    suite_add_tcase(suite, cases);
    return suite;
}
