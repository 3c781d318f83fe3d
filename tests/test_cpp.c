// The C++ face: that of every schema compiles, what it does, and which mistakes do not compile.
#include "generator/base/base.h"
#include "generator/scratch.h"
#include "shell.h"
#include "suites.h"

#include <check.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>

#define STRICT "-Wall -Wextra -Wconversion -Wshadow -Werror "
#define BARE   "-fno-exceptions -fno-rtti "

static const char *const compilers[] = {"g++ -std=c++17 ",      "clang++ -std=c++17 ",     "g++ -std=c++20 ",
                                        "clang++ -std=c++20 ",  "g++ -std=c++17 " BARE,    "clang++ -std=c++17 " BARE,
                                        "g++ -std=c++20 " BARE, "clang++ -std=c++20 " BARE};
enum { COMPILER_COUNT = sizeof compilers / sizeof *compilers };

static const char *kin_program(void)
{
    const char *kin = getenv("KIN");
    return kin == NULL ? "build/bin/kin" : kin;
}

static void generate(const char *schema, const char *flags)
{
    shell_expect(scratch_arena(), arena_format(scratch_arena(), "%s generate -q --face cpp %s -o '%s' %s 2>&1",
                                               kin_program(), flags, scratch_path("out"), schema));
}

// ---- every schema

enum { SCHEMA_LIMIT = 100 };

static char *schemas[SCHEMA_LIMIT];
static int schema_count;

static void find_schemas(void)
{
    static const char *const patterns[] = {"schemas/*.yaml",          "tests/schemas/*.yaml",      "tests/cpp/*.yaml",
                                           "tests/golden/world.yaml", "tests/golden/swarm/*.yaml", "examples/*/*.yaml"};
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        glob_t found;
        if (glob(patterns[i], 0, NULL, &found) != 0)
            continue;
        for (size_t k = 0; k < found.gl_pathc && schema_count < SCHEMA_LIMIT; k++)
            schemas[schema_count++] = strdup(found.gl_pathv[k]);
        globfree(&found);
    }
}

// Files of a schema that other schemas include are no packages.
START_TEST(the_face_of_every_schema_compiles_and_can_be_used)
{
    const char *schema = schemas[_i];
    const char *name = shell_expect(
        scratch_arena(), arena_format(scratch_arena(), "sed -n 's/^package: *//p' %s | tr -d '\\n'", schema));
    if (name[0] == '\0')
        return;
    generate(schema, "--template uses.cpp=tests/cpp/uses.cpp.mustache");
    shell_expect(scratch_arena(),
                 arena_format(scratch_arena(),
                              "%s " STRICT "-fsyntax-only -Iruntime/include -Isave/include -Itests -Itests/schemas "
                              "-Iexamples -I$(dirname %s) -I'%s' '%s/%s/uses.cpp'",
                              compilers[_i % COMPILER_COUNT], schema, scratch_path("out"), scratch_path("out"), name));
}
END_TEST

// ---- what it does

// Builds `main` beside the generated code.
static void build_program(const char *compiler, const char *source, const char *package)
{
    const char *out = scratch_path("out");
    shell_expect(scratch_arena(),
                 arena_format(scratch_arena(),
                              "set -e; cp %s '%s/main.cpp'; here=$PWD; cd '%s'; for file in %s/*.c; do "
                              "%s %s -w -I$here/runtime/include -I. -c $file -o $(basename $file .c).o; done; "
                              "%s " STRICT "%s -I$here/runtime/include -I. main.cpp *.o $here/%s/lib/libkin.a -o main",
                              source, out, out, package, shell_compiler(), shell_flags(), compiler, shell_flags(),
                              shell_build()));
}

static const char *run_program(const char *compiler, const char *source, const char *package)
{
    build_program(compiler, source, package);
    return shell_expect(scratch_arena(), arena_format(scratch_arena(), "'%s/main'", scratch_path("out")));
}

#define PLAZA_LINES "walker 0 at 1, 3\nwalker 1 at 2, 3\nwalker 2 at 3, 3\ndone\n"

START_TEST(everything_of_the_face_does_what_it_says)
{
    generate("tests/cpp/plaza.yaml", "");
    ck_assert_str_eq(run_program(compilers[_i], "tests/cpp/plaza.cpp", "plaza"), PLAZA_LINES);
}
END_TEST

// The sanitizers see only the C++, and what it does with the memory of the library.
START_TEST(the_face_passes_the_sanitizers)
{
    if (strstr(shell_flags(), "-fsanitize") != NULL)
        return;
    generate("tests/cpp/plaza.yaml", "");
    ck_assert_str_eq(run_program("g++ -std=c++17 -fsanitize=address,undefined -fno-sanitize-recover=all",
                                 "tests/cpp/plaza.cpp", "plaza"),
                     PLAZA_LINES);
}
END_TEST

// ---- what it costs

static const struct {
    const char *kind, *in_c;
    double most; // of the instructions of C
} costs[] = {{"each", "c", 1.05}, {"runs", "c", 1.05}, {"get", "get_c", 1.05}, {"flags", "flags_c", 1.1}};

// Returns the instructions of one kind of loop, without those of the rest of the program.
static double count_instructions(const char *kind)
{
    double counts[2];
    const char *kinds[2] = {kind, "none"};
    for (int i = 0; i < 2; i++)
        counts[i] =
            strtod(shell_expect(scratch_arena(),
                                arena_format(scratch_arena(),
                                             "cd '%s' && valgrind --tool=callgrind --callgrind-out-file=/dev/null "
                                             "./main %s 2>&1 | sed -n 's/.*Collected : //p'",
                                             scratch_path("out"), kinds[i])),
                   NULL);
    return counts[0] - counts[1];
}

START_TEST(loops_take_no_more_instructions_than_in_c)
{
    static const char *const optimized[] = {"g++ -std=c++17 -O3 ", "clang++ -std=c++17 -O3 "};
    if (strstr(shell_flags(), "-fsanitize") != NULL || !shell_has(scratch_arena(), "valgrind"))
        return;
    generate("tests/cpp/plaza.yaml", "");
    build_program(optimized[_i], "tests/cpp/loops.cpp", "plaza");
    for (size_t i = 0; i < sizeof costs / sizeof *costs; i++) {
        double in_c = count_instructions(costs[i].in_c), in_cpp = count_instructions(costs[i].kind);
        ck_assert_double_gt(in_c, 1e5);
        ck_assert_msg(in_cpp <= costs[i].most * in_c, "%s: %.0f instructions in C, %.0f in C++", costs[i].kind, in_c,
                      in_cpp);
    }
}
END_TEST

// ---- the files

START_TEST(without_the_face_no_file_and_no_byte_changes)
{
    const char *out = scratch_path("out");
    shell_expect(
        scratch_arena(),
        arena_format(scratch_arena(),
                     "set -e; kin=%s; $kin generate -q -o '%s' tests/schemas/town.yaml; cp -r '%s' '%s'; "
                     "test ! -e '%s/town/town.hpp'; $kin generate -q --face cpp -o '%s' tests/schemas/town.yaml; "
                     "test -s '%s/town/town.hpp'; rm '%s/town/town.hpp' '%s/town/.kin-manifest' "
                     "'%s/town/.kin-manifest'; diff -r '%s' '%s'",
                     kin_program(), out, out, scratch_path("plain"), out, out, out, out, out, scratch_path("plain"),
                     out, scratch_path("plain")));
}
END_TEST

START_TEST(the_key_of_the_schema_is_the_flag)
{
    generate("tests/cpp/plaza.yaml", "");
    const char *output =
        shell_expect(scratch_arena(), arena_format(scratch_arena(), "%s generate -o '%s' tests/cpp/plaza.yaml",
                                                   kin_program(), scratch_path("out")));
    ck_assert_ptr_nonnull(strstr(output, "kin: 0 written, 0 removed, "));
}
END_TEST

// Each costs a compiler more time than the face.
START_TEST(the_face_includes_no_header_that_is_slow_to_read)
{
    generate("tests/cpp/plaza.yaml", "");
    const char *list = shell_expect(
        scratch_arena(),
        arena_format(scratch_arena(),
                     "g++ -std=c++17 -H -fsyntax-only -Iruntime/include -I'%s' -x c++ '%s/plaza/plaza.hpp' 2>&1",
                     scratch_path("out"), scratch_path("out")));
    static const char *const slow[] = {"/vector\n",     "/memory\n", "/string\n",
                                       "/functional\n", "/tuple\n",  "/algorithm\n"};
    for (size_t i = 0; i < sizeof slow / sizeof *slow; i++)
        ck_assert_msg(strstr(list, slow[i]) == NULL, "includes %s", slow[i]);
}
END_TEST

// The headers of C, too, with what they define for programs.
START_TEST(the_headers_give_no_warning_about_the_casts_of_c)
{
    generate("tests/cpp/plaza.yaml", "");
    scratch_write("all.cpp", "#include <plaza/plaza.hpp>\n#include <plaza/plaza_save.h>\n");
    shell_expect(scratch_arena(),
                 arena_format(scratch_arena(),
                              "%s -Wall -Wextra -Wpedantic -Wold-style-cast -Werror -fsyntax-only -Iruntime/include "
                              "-Isave/include -I'%s' '%s'",
                              compilers[_i], scratch_path("out"), scratch_path("all.cpp")));
}
END_TEST

START_TEST(the_face_of_another_run_is_noticed)
{
    generate("tests/cpp/plaza.yaml", "");
    shell_result result =
        shell_run(scratch_arena(),
                  arena_format(scratch_arena(),
                               "cd '%s' && sed -i 's/^#define KIN_GENERATED_PLAZA_GAME_STAMP .*/#define "
                               "KIN_GENERATED_PLAZA_GAME_STAMP 1/' plaza/*.h && cd - && "
                               "g++ -std=c++17 -fsyntax-only -Iruntime/include -I'%s' -x c++ '%s/plaza/plaza.hpp'",
                               scratch_path("out"), scratch_path("out"), scratch_path("out")));
    ck_assert_int_ne(result.status, 0);
    ck_assert_ptr_nonnull(strstr(result.output, "come from different runs of kin"));
}
END_TEST

// ---- mistakes

static const struct {
    const char *statement, *sentence;
} mistakes[] = {
    {"game.create(Price{});", "not a component of context 'game'"},
    {"(void)cat.get<Price>();", "not a component of context 'game'"},
    {"(void)cat.has<int>();", "not a component of context 'game'"},
    {"(void)game.add(cat, Sold{});", "not a component of context 'game'"},
    {"(void)cat.get<Asleep>();", "a flag has no value: use has and set"},
    {"(void)cat.add(Asleep{});", "a flag is not added: use set"},
    {"(void)cat.remove<Asleep>();", "a flag is not removed: use set<Flag>(false)"},
    {"(void)cat.set<Position>();", "only flags are set: use add, replace or patch"},
    {"(void)game.unique<Position>();", "the component is not unique"},
    {"game.create(Position{}, Team{}, Position{});", "a component is given twice"},
    {"(void)cat.edit<Team>();", "Team has only keys of indices: use patch or replace"},
    {"(void)cat.touch<Body>();", "Body has a column for each field: use replace, also with its current value"},
    {"(void)cat.patch<Position>([](Velocity &) {});", "patch takes a function of a reference to the component"},
    {"(void)game.find<Team>(SIDE_RED);", "several entities may have a key of a multi index: use all_with"},
    {"(void)game.all_with<Name>(\"Tom\");", "at most one entity has a key of a primary index: use find"},
    {"(void)game.find<Position>(1);", "the component has no index of its own"},
    {"game.walkers().each([](Position &) {});",
     "each of group 'walkers' takes (Position &, Velocity &), or a game_entity or a game_handle before these"},
    {"game.walkers().each([](Velocity &, Position &) {});", "each of group 'walkers' takes (Position &, Velocity &)"},
    {"rows(it).each([](Position &, Velocity &) {});",
     "each of system 'Fall' takes (Position &, const Velocity &), or a game_entity before these"},
    {"auto s = game.walkers().on_added([](int) {});", "a listener takes the handle of an entity"},
    {"for (auto [position, velocity] : rows(it)) velocity.x = position.x;", "read-only|const"},
    {"for (auto [position] : game.walkers()) position.x = 1;", "row"},
    {"for (auto [a, b, c] : game.walkers()) a.x = 1;", "row"},
    {"cat.destroy();", "nodiscard"},
    {"plaza::game other = game;", "delete"},
};

// Returns whether the output has one of the words, which `|` separates.
static bool has_one(const char *output, const char *words)
{
    char *list = arena_copy(scratch_arena(), words, strlen(words));
    for (char *word = strtok(list, "|"); word != NULL; word = strtok(NULL, "|"))
        if (strstr(output, word) != NULL)
            return true;
    return false;
}

START_TEST(a_mistake_does_not_compile_and_a_sentence_says_why)
{
    generate("tests/cpp/plaza.yaml", "");
    scratch_write("wrong.cpp", arena_format(scratch_arena(),
                                            "#include <plaza/plaza.hpp>\nusing namespace plaza;\n"
                                            "void use(plaza::game &game, game_handle cat, fall_iter *it);\n"
                                            "void use(plaza::game &game, game_handle cat, fall_iter *it)\n{\n"
                                            "    (void)game, (void)cat, (void)it;\n    %s\n}\n",
                                            mistakes[_i].statement));
    for (int i = 0; i < 4; i += 3) { // one of each, and both standards
        shell_result result = shell_run(
            scratch_arena(),
            arena_format(scratch_arena(), "%s -Werror=unused-result -fsyntax-only -Iruntime/include -I'%s' '%s'",
                         compilers[i], scratch_path("out"), scratch_path("wrong.cpp")));
        ck_assert_msg(result.status != 0, "compiles with %s: %s", compilers[i], mistakes[_i].statement);
        ck_assert_msg(has_one(result.output, mistakes[_i].sentence), "%s: %s", compilers[i], result.output);
    }
}
END_TEST

Suite *cpp_suite(void)
{
    Suite *suite = suite_create("cpp");
    TCase *cases = tcase_create("cpp");
    find_schemas();
    tcase_set_timeout(cases, 0);
    tcase_add_checked_fixture(cases, scratch_create, scratch_destroy);
    tcase_add_loop_test(cases, the_face_of_every_schema_compiles_and_can_be_used, 0, schema_count);
    tcase_add_loop_test(cases, everything_of_the_face_does_what_it_says, 0, COMPILER_COUNT);
    tcase_add_test(cases, the_face_passes_the_sanitizers);
    tcase_add_loop_test(cases, loops_take_no_more_instructions_than_in_c, 0, 2);
    tcase_add_test(cases, without_the_face_no_file_and_no_byte_changes);
    tcase_add_test(cases, the_key_of_the_schema_is_the_flag);
    tcase_add_test(cases, the_face_includes_no_header_that_is_slow_to_read);
    tcase_add_loop_test(cases, the_headers_give_no_warning_about_the_casts_of_c, 0, 4);
    tcase_add_test(cases, the_face_of_another_run_is_noticed);
    tcase_add_loop_test(cases, a_mistake_does_not_compile_and_a_sentence_says_why, 0,
                        sizeof mistakes / sizeof *mistakes);
    suite_add_tcase(suite, cases);
    return suite;
}
