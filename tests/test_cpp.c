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

// Whether a program is tried with a compiler of the table. Unless all runs, two programs are tried with two each, so
// that g++ and clang++, both standards, and both with and without exceptions are among them.
static bool is_tried(int compiler, int program)
{
    static const int tried[2][2] = {{0, 7}, {3, 4}};
    return shell_runs_all() || compiler == tried[program][0] || compiler == tried[program][1];
}

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
    const char *libraries = text_if(strcmp(package, "fair") == 0, "-lkin-save -lkin_pool -lzstd");
    shell_expect(scratch_arena(),
                 arena_format(scratch_arena(),
                              "set -e; cp %s '%s/main.cpp'; here=$PWD; cd '%s'; libraries='%s'; "
                              "for file in %s/*.c; do %s %s -w -I$here/runtime/include -I$here/save/include -I. -c "
                              "$file -o $(basename $file .c).o; done; "
                              "%s " STRICT "%s -I$here/runtime/include -I$here/save/include -I$here/pool/include -I. "
                              "main.cpp *.o -L$here/%s/lib $libraries -l:libkin.a -pthread -o main",
                              source, out, out, libraries, package, shell_compiler(), shell_flags(), compiler,
                              shell_flags(), shell_build()));
}

static const char *run_program(const char *compiler, const char *source, const char *package)
{
    build_program(compiler, source, package);
    return shell_expect(scratch_arena(), arena_format(scratch_arena(), "'%s/main'", scratch_path("out")));
}

#define PLAZA_LINES "walker 0 at 1, 3\nwalker 1 at 2, 3\nwalker 2 at 3, 3\ndone\n"

START_TEST(everything_of_the_face_does_what_it_says)
{
    if (!is_tried(_i, 0))
        return;
    generate("tests/cpp/plaza.yaml", "");
    ck_assert_str_eq(run_program(compilers[_i], "tests/cpp/plaza.cpp", "plaza"), PLAZA_LINES);
}
END_TEST

START_TEST(what_one_finds_lists_commands_and_saves_does_what_it_says)
{
    if (!is_tried(_i, 1))
        return;
    generate("tests/cpp/fair.yaml", "");
    ck_assert_str_eq(run_program(compilers[_i], "tests/cpp/fair.cpp", "fair"), "done\n");
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
    shell_expect(scratch_arena(), arena_format(scratch_arena(), "rm '%s'/*.o", scratch_path("out")));
    generate("tests/cpp/fair.yaml", "");
    ck_assert_str_eq(run_program("g++ -std=c++17 -fsanitize=address,undefined -fno-sanitize-recover=all",
                                 "tests/cpp/fair.cpp", "fair"),
                     "done\n");
}
END_TEST

// ---- what it costs

static const struct {
    const char *kind, *in_c;
    double most; // of the instructions of C
} costs[] = {
    {"each", "c", 1.05}, {"runs", "c", 1.05}, {"rows", "c", 1.05}, {"get", "get_c", 1.05}, {"flags", "flags_c", 1.1}};

static double count_instructions(const char *kind)
{
    return strtod(shell_expect(scratch_arena(),
                               arena_format(scratch_arena(),
                                            "cd '%s' && valgrind --tool=callgrind --callgrind-out-file=/dev/null "
                                            "./main %s 2>&1 | sed -n 's/.*Collected : //p'",
                                            scratch_path("out"), kind)),
                  NULL);
}

START_TEST(loops_take_no_more_instructions_than_in_c)
{
    static const char *const optimized[] = {"g++ -std=c++17 -O3 ", "clang++ -std=c++17 -O3 "};
    if (strstr(shell_flags(), "-fsanitize") != NULL || !shell_has(scratch_arena(), "valgrind"))
        return;
    generate("tests/cpp/plaza.yaml", "");
    build_program(optimized[_i], "tests/cpp/loops.cpp", "plaza");
    const double other = count_instructions("none"); // of the rest of the program
    double in_c = 0;
    for (size_t i = 0; i < sizeof costs / sizeof *costs; i++) {
        if (i == 0 || strcmp(costs[i].in_c, costs[i - 1].in_c) != 0)
            in_c = count_instructions(costs[i].in_c) - other;
        double in_cpp = count_instructions(costs[i].kind) - other;
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
                     "test -s '%s/town/town.hpp'; rm '%s/town/town.hpp' '%s/town/town_save.hpp' "
                     "'%s/town/.kin-manifest' '%s/town/.kin-manifest'; diff -r '%s' '%s'",
                     kin_program(), out, out, scratch_path("plain"), out, out, out, out, out, out,
                     scratch_path("plain"), out, scratch_path("plain")));
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
    scratch_write("all.cpp", "#include <plaza/plaza_save.hpp>\n#include <kin/pool.hpp>\n#include <kin/content.hpp>\n");
    shell_expect(scratch_arena(),
                 arena_format(scratch_arena(),
                              "%s -Wall -Wextra -Wpedantic -Wold-style-cast -Werror -fsyntax-only -Iruntime/include "
                              "-Isave/include -Ipool/include -Icontent/include -I'%s' '%s'",
                              compilers[_i], scratch_path("out"), scratch_path("all.cpp")));
}
END_TEST

// What editors offer after `game.`, besides groups and blueprints of the schema, and names of classes.
START_TEST(an_editor_offers_at_most_twenty_names)
{
    generate("tests/cpp/plaza.yaml", "");
    scratch_write("names.cpp", "#include <plaza/plaza.hpp>\nusing namespace plaza;\nvoid use(plaza::game &game);\n"
                               "void use(plaza::game &game)\n{\n    game.\n}\n");
    const char *names = shell_expect(
        scratch_arena(),
        arena_format(scratch_arena(),
                     "clang++ -std=c++17 -Iruntime/include -I'%s' -fsyntax-only -Xclang "
                     "-code-completion-at='%s':6:10 '%s' 2> /dev/null | grep -v 'Inaccessible\\|operator\\|~' | "
                     "sed -n 's/^COMPLETION: \\([a-z_]*\\) .*/\\1/p' | sort -u | "
                     "grep -vwE 'all_group|bodies|chests|sleepers|walkers|spawn_[a-z_]*|game|game_ref|owner|ref'",
                     scratch_path("out"), scratch_path("names.cpp"), scratch_path("names.cpp")));
    ck_assert_ptr_nonnull(strstr(names, "create\n"));
    int count = 0;
    for (const char *each = names; *each != '\0'; each++)
        count += *each == '\n';
    ck_assert_msg(count <= 20, "%d names:\n%s", count, names);
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

typedef struct mistake {
    const char *statement, *sentence;
} mistake;

static const mistake mistakes[] = {
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
    {"(void)cat.stash<Position>();", "the component is not put aside: write 'stash: true'"},
    {"(void)game.values<Position>();", "the component has no shared values: write 'storage: shared'"},
    {"(void)cat.list<&Position::x>().size();", "not a list of a component of context 'game'"},
};

// The same for tests/cpp/fair.yaml.
static const mistake mistakes_of_fair[] = {
    {"(void)commands(job).get<Speed>(who);", "system 'Swim' does not read the component: add it to 'reads'"},
    {"(void)commands(job).has<Cell>(who);", "system 'Swim' does not read the component: add it to 'reads'"},
    {"(void)commands(job).add(who, Place{});", "system 'Swim' does not change the component: add it to 'changes'"},
    {"(void)commands(job).remove<Cell>(who);", "system 'Swim' does not change the component: add it to 'changes'"},
    {"(void)commands(job).set<Hidden>(who);", "system 'Swim' does not change the flag: add it to 'changes'"},
    {"(void)commands(grow).destroy(who);", "system 'Grow' does not destroy entities: write 'destroys: true' for it"},
    {"(void)game.commands().add(who, Broken{});", "a flag is not added: use set"},
    {"(void)game.commands().set<Place>(who);", "only flags are set: use add or replace"},
    {"(void)game.find<Cell>(3, 4);", "the component has no index of its own: use an index of the context by its name"},
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

// Each statement stands in a function of its own file; the header is compiled once for all of them.
static void expect_mistakes(const char *package, const char *uses, const mistake *list, size_t count)
{
    static const char *const tried[] = {"g++ -std=c++17", "clang++ -std=c++20"};
    const char *out = scratch_path("out");
    generate(arena_format(scratch_arena(), "tests/cpp/%s.yaml", package), "");
    for (size_t i = 0; i < sizeof tried / sizeof *tried; i++) {
        const char *compile =
            arena_format(scratch_arena(), "%s -Iruntime/include -I'%s' -Werror=unused-result", tried[i], out);
        const char *header = arena_format(scratch_arena(), "%s/use.hpp.%s", out, i == 0 ? "gch" : "pch");
        scratch_write("out/use.hpp", arena_format(scratch_arena(), "#include <%s/%s.hpp>\nusing namespace %s;\n%s",
                                                  package, package, package, uses));
        shell_expect(scratch_arena(),
                     arena_format(scratch_arena(), "%s -x c++-header '%s/use.hpp' -o '%s'", compile, out, header));
        for (size_t k = 0; k < count; k++) {
            scratch_write("wrong.cpp", arena_format(scratch_arena(), "BEGIN\n    %s\n}\n", list[k].statement));
            const char *include = i == 0 ? "-include" : "-include-pch";
            const char *file = i == 0 ? arena_format(scratch_arena(), "%s/use.hpp", out) : header;
            shell_result result =
                shell_run(scratch_arena(), arena_format(scratch_arena(), "%s %s '%s' -fsyntax-only '%s'", compile,
                                                        include, file, scratch_path("wrong.cpp")));
            ck_assert_msg(result.status != 0, "compiles with %s: %s", tried[i], list[k].statement);
            ck_assert_msg(has_one(result.output, list[k].sentence), "%s: %s", tried[i], result.output);
        }
    }
}

START_TEST(a_mistake_does_not_compile_and_a_sentence_says_why)
{
    expect_mistakes("plaza",
                    "#define BEGIN void use(plaza::game &game, game_handle cat, fall_iter *it);\\\n"
                    "void use(plaza::game &game, game_handle cat, fall_iter *it)\\\n"
                    "{\\\n    (void)game, (void)cat, (void)it;\n",
                    mistakes, sizeof mistakes / sizeof *mistakes);
}
END_TEST

START_TEST(a_mistake_in_a_job_or_a_buffer_does_not_compile)
{
    expect_mistakes("fair",
                    "#define BEGIN void use(fair::game &game, game_entity who, swim_job *job, grow_job *grow);\\\n"
                    "void use(fair::game &game, game_entity who, swim_job *job, grow_job *grow)\\\n"
                    "{\\\n    (void)game, (void)who, (void)job, (void)grow;\n",
                    mistakes_of_fair, sizeof mistakes_of_fair / sizeof *mistakes_of_fair);
}
END_TEST

static TCase *add_case(Suite *suite, const char *name)
{
    TCase *added = tcase_create(name);
    tcase_set_timeout(added, 0);
    tcase_add_checked_fixture(added, scratch_create, scratch_destroy);
    suite_add_tcase(suite, added);
    return added;
}

Suite *cpp_suite(void)
{
    Suite *suite = suite_create("cpp");
    find_schemas();
    TCase *compiled = add_case(suite, "schemas");
    tcase_add_loop_test(compiled, the_face_of_every_schema_compiles_and_can_be_used, 0, schema_count);
    TCase *done = add_case(suite, "done");
    tcase_add_loop_test(done, everything_of_the_face_does_what_it_says, 0, COMPILER_COUNT);
    tcase_add_loop_test(done, what_one_finds_lists_commands_and_saves_does_what_it_says, 0, COMPILER_COUNT);
    tcase_add_test(done, the_face_passes_the_sanitizers);
    TCase *cost = add_case(suite, "cost");
    tcase_add_loop_test(cost, loops_take_no_more_instructions_than_in_c, 0, 2);
    TCase *files = add_case(suite, "files");
    tcase_add_test(files, without_the_face_no_file_and_no_byte_changes);
    tcase_add_test(files, the_key_of_the_schema_is_the_flag);
    tcase_add_test(files, the_face_includes_no_header_that_is_slow_to_read);
    tcase_add_loop_test(files, the_headers_give_no_warning_about_the_casts_of_c, 0, 4);
    tcase_add_test(files, the_face_of_another_run_is_noticed);
    tcase_add_test(files, an_editor_offers_at_most_twenty_names);
    TCase *wrong = add_case(suite, "mistakes");
    tcase_add_test(wrong, a_mistake_does_not_compile_and_a_sentence_says_why);
    tcase_add_test(wrong, a_mistake_in_a_job_or_a_buffer_does_not_compile);
    return suite;
}
