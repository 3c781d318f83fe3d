// Makefile: what make does with a depfile, and with the rules of this project.
#include "generator/scratch.h"
#include "shell.h"
#include "suites.h"

#include <stdlib.h>
#include <string.h>

// Not the make that runs the tests, whose flags it would take over.
#define MAKE "env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make --no-print-directory "

// Whatever make finds out of date is said, and nothing is done.
static const char makefile[] = "include depfile\n"
                               "%:\n"
                               "\t@echo 'remade $(subst $$,.,$@)'\n";

static const char root[] =
    "kin: 1\npackage: odd\ncontexts: { one: {} }\ninclude: ['in $ #1: 100% [x]/in cluded.yaml']\n";

// In a folder with a schema and one that it includes, all under names that mean something to make.
static void begin(void)
{
    scratch_create();
    scratch_write("Makefile", makefile);
    scratch_write("ro ot$(x).yaml", root);
    scratch_write("in $ #1: 100% [x]/in cluded.yaml", "kin: 1\ncomponents: { Frozen: {} }\n");
}

static const char *run(const char *command)
{
    const char *kin = getenv("KIN");
    const char *program = realpath(kin == NULL ? "build/bin/kin" : kin, NULL);
    const char *output =
        shell_expect(scratch_arena(), arena_format(scratch_arena(), "cd '%s'; kin=%s; out='out $ #1: 100%% [x]*?'; %s",
                                                   scratch_path(""), program, command));
    free((char *)program);
    return output;
}

#define GENERATE "$kin generate -q -o \"$out\" --depfile depfile 'ro ot$(x).yaml'"
#define ASK      "for file in \"$out\"/odd/*; do " MAKE " -rR \"$file\" || exit; done"

// The manifest is no output to make: nothing is made of it.
static size_t output_count(void)
{
    return scratch_count("out $ #1: 100% [x]*?/odd") - 1;
}

static size_t count(const char *text, const char *word)
{
    size_t found = 0;
    for (const char *at = strstr(text, word); at != NULL; at = strstr(at + 1, word))
        found++;
    return found;
}

START_TEST(an_edit_of_any_schema_makes_every_output_old)
{
    run(GENERATE);
    size_t outputs = output_count();
    ck_assert_uint_gt(outputs, 5);
    ck_assert_uint_eq(count(run(ASK), "remade"), 0);
    ck_assert_uint_eq(count(run("touch -t 209901010000 in*/*.yaml; " ASK), "remade out"), outputs);
    ck_assert_uint_eq(count(run("touch -t 200001010000 in*/*.yaml; " ASK), "remade"), 0);
    ck_assert_uint_eq(count(run("touch -t 209901010000 ro*.yaml; " ASK), "remade out"), outputs);
}
END_TEST

START_TEST(an_included_schema_that_is_gone_makes_every_output_old)
{
    run(GENERATE);
    size_t outputs = output_count();
    const char *asked = run("rm in*/*.yaml; " ASK);
    ck_assert_uint_eq(count(asked, "remade out"), outputs);
}
END_TEST

START_TEST(what_this_project_generates_depends_on_included_schemas)
{
    const char *build = shell_build();
    const char *rule =
        shell_expect(scratch_arena(),
                     arena_format(scratch_arena(),
                                  MAKE "-pn BUILD=%s %s/generated/harbour.stamp | grep '^%s/generated/harbour.stamp:'",
                                  build, build, build));
    ck_assert_msg(strstr(rule, " tests/schemas/shared/ships.yaml") != NULL, "%s", rule);
    ck_assert_msg(strstr(rule, " tests/schemas/shared/units.yaml") != NULL, "%s", rule);
}
END_TEST

Suite *makefile_suite(void)
{
    Suite *suite = suite_create("makefile");
    TCase *tests = tcase_create("makefile");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, begin, scratch_destroy);
    tcase_add_test(tests, an_edit_of_any_schema_makes_every_output_old);
    tcase_add_test(tests, an_included_schema_that_is_gone_makes_every_output_old);
    tcase_add_test(tests, what_this_project_generates_depends_on_included_schemas);
    suite_add_tcase(suite, tests);
    return suite;
}
