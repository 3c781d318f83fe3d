// Makefile: what make does with a depfile, with the rules of this project, and with kin.mk.
#include "generator/scratch.h"
#include "shell.h"
#include "suites.h"

#include <stdlib.h>
#include <string.h>

// Prints every target that make finds out of date, and makes nothing.
static const char makefile[] = "include depfile\n"
                               "%:\n"
                               "\t@echo 'remade $(subst $$,.,$@)'\n";

static const char root[] =
    "kin: 1\npackage: odd\ncontexts: { one: {} }\ninclude: ['in $ #1: 100% [x]/in cluded.yaml']\n";

// A folder with a schema and an included one, both with characters in their names that are special for make.
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

// Returns the number of generated files without the manifest, which is not a target of make.
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
    ck_assert_uint_eq(outputs, 3); // odd.h, odd.c and odd_save.h
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

// The tests write below $(BUILD), and a failed one leaves its files there.
START_TEST(files_left_by_a_test_are_not_part_of_this_project)
{
    const char *build = scratch_path("build");
    shell_expect(scratch_arena(), arena_format(scratch_arena(), "mkdir -p '%s/kin-test-x'", build));
    scratch_write("build/kin-test-x/left.d", "LEFT := behind\n");
    const char *database =
        shell_expect(scratch_arena(), arena_format(scratch_arena(), MAKE "-pn BUILD='%s' help", build));
    ck_assert_ptr_nonnull(strstr(database, "BUILD := "));
    ck_assert_ptr_null(strstr(database, "LEFT := behind"));
}
END_TEST

// With a pkg-config that does not find SDL2, as on a machine without it.
START_TEST(without_sdl2_all_but_the_window_is_built)
{
    scratch_write("tools/pkg-config",
                  "#!/bin/sh\ncase $* in *sdl2*) exit 1 ;; esac\nPATH=${PATH#*:} exec pkg-config \"$@\"\n");
    const char *make = arena_format(scratch_arena(), "chmod +x '%s'/pkg-config; PATH='%s':$PATH; " MAKE "-s BUILD=%s",
                                    scratch_path("tools"), scratch_path("tools"), shell_build());
    const char *planned = shell_expect(scratch_arena(), arena_format(scratch_arena(), "%s -n all tests demo", make));
    ck_assert_ptr_null(strstr(planned, "match_one_window"));
    shell_result result = shell_run(scratch_arena(), arena_format(scratch_arena(), "%s play-window", make));
    ck_assert_int_ne(result.status, 0);
    ck_assert_msg(strstr(result.output, "SDL2 is missing. On Debian 12: apt-get install libsdl2-dev") == result.output,
                  "%s", result.output);
    ck_assert_str_eq(shell_expect(scratch_arena(), "grep -rlE '^#include .SDL' generator runtime tests bench examples |"
                                                   " grep -v '^examples/match_one/window/' || true"),
                     "");
}
END_TEST

// ---- kin.mk, in the scratch directory

#define SCHEMA "kin: 1\npackage: %s\nprefix: %s_\ncontexts: { game: {} }\n"
#define MK                                                                                                             \
    "cd '%s'; printf 'KIN_SCHEMAS := a/s.yaml b/s.yaml\\ninclude kin.mk\\nall: $(KIN_OBJECTS)\\n"                      \
    "CPPFLAGS += $(KIN_CPPFLAGS)\\n' > Makefile; include='%s/include'; case $include in /*) ;; *) "                    \
    "include=$OLDPWD/$include ;; esac; "

static shell_result run_with_schemas(const char *a, const char *b, const char *command)
{
    scratch_write("a/s.yaml", arena_format(scratch_arena(), SCHEMA, a, a));
    scratch_write("b/s.yaml", arena_format(scratch_arena(), SCHEMA, b, b));
    return shell_run(scratch_arena(), arena_format(scratch_arena(), MK "%s", scratch_path(""), shell_build(), command));
}

START_TEST(schemas_of_one_name_are_all_generated)
{
    shell_result result = run_with_schemas("one", "two",
                                           MAKE "-I $include > log 2>&1 && ls generated/one/one.o "
                                                "generated/two/two.o && " MAKE "-q -I $include all");
    ck_assert_msg(result.status == 0, "%s", result.output);
}
END_TEST

START_TEST(schemas_of_one_package_are_refused)
{
    shell_result result = run_with_schemas("one", "one", MAKE "-I $include");
    ck_assert_int_ne(result.status, 0);
    ck_assert_msg(strstr(result.output, "[K0911]") != NULL, "%s", result.output);
}
END_TEST

START_TEST(makefiles_beside_each_other_share_a_folder)
{
    shell_result result = run_with_schemas("one", "two",
                                           "for i in 1 2 3 4 5 6; do { " MAKE
                                           "-I $include >> log 2>&1 kin__missing || touch failed; } & done; "
                                           "wait; ! test -e failed && ! grep 'mv:' log && ! ls generated/*.mk.*");
    ck_assert_msg(result.status == 0, "%s", result.output);
}
END_TEST

// ---- what is missing: `$here` is the scratch directory

static const struct {
    const char *arguments, *said;
} missing[] = {
    {"all BUILD=$here/build CC=no-cc", "no-cc is missing. On Debian 12: apt-get install gcc"},
    {"demo BUILD=$here/build CC=$here/old-cc", "/old-cc that knows C17 is missing. On Debian 12: apt-get install gcc"},
    {"tests BUILD=$here/build CC='cc -nostdinc'", "yaml.h is missing. On Debian 12: apt-get install libyaml-dev"},
    {"format CLANG_FORMAT='no-format -v'", "no-format is missing. On Debian 12: apt-get install clang-format"},
    {"docs BUILD=$here/build MKDOCS=no-mkdocs", "no-mkdocs is missing. On Debian 12: apt-get install mkdocs-material"},
    {"docs-api BUILD=$here/build DOXYGEN=no-doxygen", "no-doxygen is missing. On Debian 12: apt-get install doxygen"},
    {"-I $include -f $here/Makefile KIN_SCHEMAS=a.yaml KIN_PROGRAM=no/kin", "there is no no/kin: install Kin below "},
    {"-I $include -f $here/Makefile KIN_SCHEMAS='my town.yaml'", "KIN_SCHEMAS has 'my', which does not end with .yaml"},
    {"-I $include -f $here/Makefile KIN_SCHEMAS=a.yaml KIN_OUTPUT='a b'", "make cannot use names with spaces"},
};

START_TEST(a_missing_program_is_reported_in_a_sentence_before_anything_is_begun)
{
    scratch_write("Makefile", "include kin.mk\n");
    scratch_write("old-cc", "#!/bin/sh\ncase \"$*\" in *-std=c17*) exit 1;; esac\nexec cc \"$@\"\n");
    shell_result result =
        shell_run(scratch_arena(),
                  arena_format(scratch_arena(), "here='%s' include='%s/include'; chmod +x \"$here\"/old-cc; " MAKE "%s",
                               scratch_path(""), shell_build(), missing[_i].arguments));
    ck_assert_int_ne(result.status, 0);
    ck_assert_msg(strstr(result.output, missing[_i].said) != NULL, "%s", result.output);
    ck_assert_msg(count(result.output, "\n") <= 2, "%s", result.output);
}
END_TEST

// Files that make reads first may depend on the result of `clean`.
START_TEST(what_is_made_beside_clean_is_made_afterwards)
{
    scratch_write("build/old", "");
    shell_result result = shell_run(
        scratch_arena(), arena_format(scratch_arena(), MAKE "clean all BUILD='%s' CC=no-cc", scratch_path("build")));
    ck_assert_int_ne(result.status, 0);
    ck_assert_msg(strstr(result.output, "no-cc is missing") != NULL, "%s", result.output);
    ck_assert_uint_eq(scratch_count("build"), 0);
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
    tcase_add_test(tests, files_left_by_a_test_are_not_part_of_this_project);
    tcase_add_test(tests, what_this_project_generates_depends_on_included_schemas);
    tcase_add_loop_test(tests, a_missing_program_is_reported_in_a_sentence_before_anything_is_begun, 0,
                        sizeof missing / sizeof *missing);
    tcase_add_test(tests, schemas_of_one_name_are_all_generated);
    tcase_add_test(tests, schemas_of_one_package_are_refused);
    tcase_add_test(tests, makefiles_beside_each_other_share_a_folder);
    tcase_add_test(tests, what_is_made_beside_clean_is_made_afterwards);
    tcase_add_test(tests, without_sdl2_all_but_the_window_is_built);
    suite_add_tcase(suite, tests);
    return suite;
}
