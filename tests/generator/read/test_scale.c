// Scale: the time of a run grows linearly with the schema, and the generated code of a large schema builds.
//
// Times are processor times. A time of kin is the least of a few runs, and is only compared with other times of kin.
#include "generator/base/base.h"
#include "generator/program.h"
#include "generator/scratch.h"
#include "shell.h"
#include "suites.h"

#include <check.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

enum { RUNS = 3, COMPONENTS_OF_CONTEXT = 50, MEBIBYTE = 1024, MEMORY_LIMIT = 64 * MEBIBYTE };

static const char *write_schema(size_t components)
{
    static const char *const fields[] = {"float", "int32", "Pair", "Side", "string", "string[31]", "entity", "double"};
    text schema = text_create(scratch_arena());
    text_append_string(&schema, "kin: 1\npackage: big\ncontexts:\n");
    for (size_t i = 0; i < components / COMPONENTS_OF_CONTEXT; i++)
        text_append_format(&schema, "  part_%zu: { doc: One of many. }\n", i);
    text_append_string(&schema, "types:\n  Pair: { fields: { x: float, y: float } }\n  Side: { values: [Red, Blue] }\n"
                                "components:\n");
    for (size_t i = 0; i < components; i++) {
        text_append_format(&schema, "  Thing%zu: { contexts: [part_%zu], doc: One of many.", i,
                           i / COMPONENTS_OF_CONTEXT);
        text_append_string(&schema, i % 7 == 0 ? "" : ", fields: {");
        for (size_t k = 0; k <= i % 4 && i % 7 != 0; k++)
            text_append_format(&schema, " f%zu: { type: '%s', doc: A field. },", k, fields[(i + k) % 8]);
        text_append_string(&schema, i % 7 == 0 ? " }\n" : " } }\n");
    }
    const char *name = arena_format(scratch_arena(), "%zu.yaml", components);
    scratch_write(name, schema.bytes);
    return scratch_path(name);
}

static double used(void)
{
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

// Returns the seconds of a run, which must succeed.
static double seconds_of(arguments arguments)
{
    double before = used();
    outcome outcome = run(arguments);
    ck_assert_msg(outcome.status == 0, "%s", outcome.messages);
    return used() - before;
}

static double least_of(const double *seconds)
{
    double least = seconds[0];
    for (int i = 1; i < RUNS; i++)
        least = seconds[i] < least ? seconds[i] : least;
    return least;
}

static double check_cost(const char *schema)
{
    double seconds[RUNS];
    for (int i = 0; i < RUNS; i++)
        seconds[i] = seconds_of((arguments){{"check", schema}});
    return least_of(seconds);
}

typedef struct generate_cost {
    double first, unchanged;
} generate_cost;

// Measures a run into a new folder, and a second run over its unchanged files.
static generate_cost cost_of(const char *schema)
{
    double first[RUNS], unchanged[RUNS];
    for (int i = 0; i < RUNS; i++) {
        const char *directory = arena_format(scratch_arena(), "%s_%d", schema, i);
        first[i] = seconds_of((arguments){{"generate", "-q", "-o", directory, schema}});
        unchanged[i] = seconds_of((arguments){{"generate", "-q", "-o", directory, schema}});
    }
    return (generate_cost){least_of(first), least_of(unchanged)};
}

// Five times the input may take ten times as long, as it exceeds the caches. Quadratic cost would take 25 times.
static void expect_linear(const char *what, double small, double large)
{
    ck_assert_msg(large < 10 * small, "%s takes %.0f ms, of five times as much %.0f ms", what, small * 1e3,
                  large * 1e3);
}

START_TEST(five_times_the_schema_takes_five_times_as_long)
{
    const char *small = write_schema(1000), *large = write_schema(5000);
    expect_linear("a check", check_cost(small), check_cost(large));
    generate_cost of_small = cost_of(small), of_large = cost_of(large);
    expect_linear("a first run", of_small.first, of_large.first);
    expect_linear("an unchanged run", of_small.unchanged, of_large.unchanged);
}
END_TEST

START_TEST(a_thousand_components_fit_into_64_mebibytes)
{
    struct rusage usage;
    const char *schema = write_schema(1000);
    ck_assert_int_eq(RUN("generate", "-q", "-o", scratch_path("out"), schema).status, 0);
    getrusage(RUSAGE_CHILDREN, &usage);
    ck_assert_msg(usage.ru_maxrss < MEMORY_LIMIT, "%ld KiB", usage.ru_maxrss);
}
END_TEST

// Systems in one node that all write the same component, each ordered after the last three.
static const char *write_systems(size_t systems)
{
    text schema = text_create(scratch_arena());
    text_append_string(&schema, "kin: 1\npackage: big\ncontexts: { game: {} }\n"
                                "components: { Position: { fields: { x: float } } }\n"
                                "groups: { movers: { all: [Position] } }\nsystems:\n");
    for (size_t i = 0; i < systems; i++) {
        text_append_format(&schema, "  Move%zu: { in: simulation, group: movers, writes: [Position]", i);
        for (size_t k = i < 3 ? 0 : i - 3; k < i; k++)
            text_append_format(&schema, "%sMove%zu", k == 0 || k + 3 == i ? ", after: [" : ", ", k);
        text_append_string(&schema, i == 0 ? " }\n" : "] }\n");
    }
    const char *name = arena_format(scratch_arena(), "systems_%zu.yaml", systems);
    scratch_write(name, schema.bytes);
    return scratch_path(name);
}

START_TEST(five_times_the_systems_take_five_times_as_long)
{
    expect_linear("a check", check_cost(write_systems(2000)), check_cost(write_systems(10000)));
}
END_TEST

// ---- from a schema to a program, with the compiler of the build

enum { PROGRAM_COMPONENTS = 50 };

// Components with fields in three contexts: every fifth with an index, every sixth with events, every fourth in a
// group.
static void write_program(void)
{
    static const char *const contexts[] = {"game", "input", "scene"};
    text schema = text_create(scratch_arena()), groups = text_create(scratch_arena());
    text_append_string(&schema, "kin: 1\npackage: town\ncontexts: { game: {}, input: {}, scene: {} }\n"
                                "types: { Pair: { fields: { x: float, y: float } } }\ncomponents:\n");
    for (size_t i = 0; i < PROGRAM_COMPONENTS; i++) {
        text_append_format(&schema,
                           "  Thing%zu: { doc: One of many., contexts: [%s], fields: { a: { type: int32%s }, b: float,"
                           " c: Pair }%s }\n",
                           i, contexts[i % 3], i % 5 == 0 ? ", index: multi" : "",
                           i % 6 == 0 ? ", events: [ { target: any }, { target: self, type: removed } ]" : "");
        if (i % 4 == 0 && i + 3 < PROGRAM_COMPONENTS)
            text_append_format(&groups, "  things%zu: { context: %s, all: [Thing%zu, Thing%zu] }\n", i, contexts[i % 3],
                               i, i + 3);
    }
    text_append_format(&schema, "groups:\n%s", groups.bytes);
    scratch_write("town.yaml", schema.bytes);
    scratch_write("main.c", "#include \"town/town.h\"\nint main(void)\n{\n"
                            "    town_contexts *town = town_contexts_create(NULL);\n"
                            "    game_things0_iter it = game_things0_iterate(town->game);\n"
                            "    while (game_things0_next(&it))\n"
                            "        for (uint32_t i = 0; i < it.count; i++)\n"
                            "            it.thing3[i].b += it.thing3[i].c.x;\n"
                            "    town_contexts_destroy(town);\n}\n");
}

START_TEST(fifty_components_become_a_program)
{
    write_program();
    double generated =
        seconds_of((arguments){{"generate", "-q", "-o", scratch_path("generated"), scratch_path("town.yaml")}});
    double before = used();
    shell_expect(scratch_arena(),
                 arena_format(scratch_arena(),
                              "set -e; here='%s'; for file in \"$here\"/main.c \"$here\"/generated/town/*.c; do"
                              " %s -std=c17 -O2 -Iruntime/include -I\"$here\"/generated -c \"$file\" -o \"$file\".o;"
                              " done; %s \"$here\"/main.c.o \"$here\"/generated/town/*.o %s/lib/libkin.a -o"
                              " \"$here\"/town; \"$here\"/town",
                              scratch_path(""), shell_compiler(), shell_compiler(), shell_build()));
    double compiled = used() - before;
    printf("scale: %d components are a program in %.1f s, of which kin takes %.3f s\n", PROGRAM_COMPONENTS,
           generated + compiled, generated);
}
END_TEST

Suite *scale_suite(void)
{
    Suite *suite = suite_create("scale");
    TCase *cases = tcase_create("scale");
    tcase_set_timeout(cases, 240);
    tcase_add_checked_fixture(cases, scratch_create, scratch_destroy);
    tcase_add_test(cases, five_times_the_schema_takes_five_times_as_long);
    tcase_add_test(cases, five_times_the_systems_take_five_times_as_long);
    tcase_add_test(cases, a_thousand_components_fit_into_64_mebibytes);
    tcase_add_test(cases, fifty_components_become_a_program);
    suite_add_tcase(suite, cases);
    return suite;
}
