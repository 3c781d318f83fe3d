// Strangers: programs as users write them, with the compilers and headers that they use.
//
// Each folder of tests/strangers has schemas, sources and a script, which runs in a folder of its own with the
// variables KIN (the program), INCLUDE (the flags for the headers), LIBRARY (libkin, as CC links it), T (an empty
// folder) and CC. The script succeeds and prints nothing.
#include "generator/scratch.h"
#include "shell.h"
#include "suites.h"

#include <stdlib.h>
#include <string.h>

static const char *real_path(const char *path)
{
    char *real = realpath(path, NULL);
    ck_assert_msg(real != NULL, "%s is missing", path);
    const char *copy = arena_copy(scratch_arena(), real, strlen(real));
    free(real);
    return copy;
}

static void expect_silence(const char *name)
{
    const char *kin = getenv("KIN");
    arena *memory = scratch_arena();
    const char *output = shell_expect(
        memory,
        arena_format(memory,
                     "cd tests/strangers/%s && KIN='%s' INCLUDE='-I%s -I%s' LIBRARY='%s' CC='%s' T='%s' sh -eu run.sh",
                     name, real_path(kin == NULL ? "build/bin/kin" : kin), real_path("runtime/include"),
                     real_path("save/include"), real_path(arena_format(memory, "%s/lib/libkin.a", shell_build())),
                     shell_compiler(), scratch_path("")));
    ck_assert_msg(output[0] == '\0', "%s: %.3000s", name, output);
}

START_TEST(two_packages_whose_names_join_to_the_same_words_have_different_macros)
{
    expect_silence("guards");
}
END_TEST

START_TEST(infinities_and_nan_are_constants_of_a_schema)
{
    expect_silence("nan");
}
END_TEST

START_TEST(children_may_have_the_names_of_keywords)
{
    expect_silence("children");
}
END_TEST

START_TEST(what_an_exception_or_longjmp_has_left_can_be_abandoned_and_destroyed)
{
    expect_silence("exceptions");
}
END_TEST

START_TEST(calls_that_do_not_exist_say_what_to_call_instead)
{
    expect_silence("calls");
}
END_TEST

START_TEST(types_that_need_too_great_an_alignment_are_named_with_their_fields)
{
    expect_silence("aligned");
}
END_TEST

START_TEST(fnd_50_fields_that_are_no_key_and_no_relation_are_written_in_place)
{
    expect_silence("lanes");
}
END_TEST

Suite *strangers_suite(void)
{
    Suite *suite = suite_create("strangers");
    TCase *tests = tcase_create("strangers");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, scratch_create, scratch_destroy);
    tcase_add_test(tests, two_packages_whose_names_join_to_the_same_words_have_different_macros);
    tcase_add_test(tests, infinities_and_nan_are_constants_of_a_schema);
    tcase_add_test(tests, children_may_have_the_names_of_keywords);
    tcase_add_test(tests, what_an_exception_or_longjmp_has_left_can_be_abandoned_and_destroyed);
    tcase_add_test(tests, calls_that_do_not_exist_say_what_to_call_instead);
    tcase_add_test(tests, types_that_need_too_great_an_alignment_are_named_with_their_fields);
    tcase_add_test(tests, fnd_50_fields_that_are_no_key_and_no_relation_are_written_in_place);
    suite_add_tcase(suite, tests);
    return suite;
}
