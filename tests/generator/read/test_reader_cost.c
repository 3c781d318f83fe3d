// The reader's cost: it grows with the size of a file, and not with its square.
//
// libyaml alone takes half a minute for some of these, and each has once been slow.
#include "generator/base/base.h"
#include "generator/read/read.h"
#include "generator/reading.h"
#include "suites.h"

#include <check.h>
#include <string.h>
#include <time.h>

// A file that repeats `unit`; each '~' in it is replaced by the number of the repetition.
typedef struct filling {
    const char *head, *unit, *tail;
} filling;

#define ROOT       "kin: 1\npackage: arena\ncontexts: { game: {} }\n"
#define COMPONENTS ROOT "components:\n"
#define TYPES      ROOT "types:\n"

static const filling fillings[] = {
    // Shapes of YAML.
    {"a: ", "[", ""},
    {"a: ", "[{", ""},
    {"a: ", "[\n", ""},
    {"a: [", "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]],", "]"},
    {"a:\n", "- ", ""},
    {"", "? ", ""},
    {"", ": ", ""},
    {"a: 1\n", " b:", ""},
    {"", "%TAG !a~! b\n", ""},
    {"", "%\n", ""},
    {"a: !", "t", " x"},
    {"a: [", "&a x,", "]"},
    {"a: [", "*a,", "]"},
    {"a: [", ",", "]"},
    {"a: \"", "b\n ", ""},
    {"a: \"", "\\u0041", "\""},
    {"a: ", "b\n ", ""},
    {"a: |\n", "\n", ""},
    {"", "--- a\n", ""},
    {"", "\n", ""},
    {"", "\xFF ", ""},
    {"", "a~: 1\n", ""},
    {"{", "a~: 1,", "}"},
    {"{", "a,", "}"},
    {"a: {\n", "\tb~: 1,\n", "}"},
    {"a: {", "[x]: 1,", "}"},
    // Shapes of schemas.
    {"kin: 1\npackage: arena\ninclude: [", "a~,", "]\n"},
    {"kin: 1\npackage: arena\ncontexts:\n", "  c~: {}\n", ""},
    {COMPONENTS, "  A~: { fields: { x: int8 } }\n", ""},
    {COMPONENTS, "  A~: { fields: { x: foo } }\n", ""},
    {COMPONENTS, "  A~: { fields: { x: 'int8[65536]' } }\n", ""},
    {COMPONENTS, "  A~: { feilds: 1 }\n", ""},
    {COMPONENTS, "  A~: { contexts: [gmae] }\n", ""},
    {COMPONENTS, "  A~: { events: [{ target: any }, { target: self }] }\n", ""},
    {COMPONENTS, "  A~: { fields: { x: { type: int8, index: multi } } }\n", ""},
    {TYPES, "  A~: { fields: { x: B~ } }\n", ""},
    {TYPES "  A: { values: [", "B~,", "] }\n"},
    {TYPES "  A: { values: [", "B,", "] }\n"},
    {COMPONENTS "  A: {}\ngroups:\n", "  g~: { all: [A] }\n", ""},
    {COMPONENTS "  A: {}\ngroups: { g: { any: [", "[A],", "] } }\n"},
};

static void append_unit(text *text, const char *unit, size_t number)
{
    const char *place = strchr(unit, '~');
    if (place == NULL) {
        text_append_string(text, unit);
        return;
    }
    text_append(text, unit, (size_t)(place - unit));
    text_append_format(text, "%zu%s", number, place + 1);
}

static text fill(filling filling, size_t size)
{
    text filled = text_create(reading_arena());
    text_append_string(&filled, filling.head);
    size_t end = size - strlen(filling.unit) - strlen(filling.tail) - 20;
    for (size_t number = 0; filled.size < end; number++)
        append_unit(&filled, filling.unit, number);
    text_append_string(&filled, filling.tail);
    return filled;
}

static void read_whole(arena *arena, diagnostics *found, text filled)
{
    const source *source = source_from_bytes(arena, "test.yaml", filled.bytes, filled.size);
    package_read(arena, found, source);
    reading_print(found);
}

// Returns the seconds of the processor that reading and printing take, at least a hundredth.
static double cost_of(text filled)
{
    arena memory = {0};
    diagnostics found = diagnostics_create(&memory);
    found.options = reading_diagnostics()->options;
    clock_t start = clock();
    read_whole(&memory, &found, filled);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    arena_release(&memory);
    return seconds < 0.01 ? 0.01 : seconds;
}

enum { SMALL = SOURCE_SIZE_LIMIT / 8, LARGE = SOURCE_SIZE_LIMIT, ATTEMPTS = 3 };

// Reads a file, and another of eight times its size, which may take 24 times as long, as it exceeds the caches;
// quadratic cost would take 64 times. Other processes can disturb a measurement: only the third one fails.
static void expect_linear(text small, text large)
{
    double of_small = 0;
    double of_large = 0;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        of_small = cost_of(small);
        of_large = cost_of(large);
        if (of_large < 24 * of_small)
            break;
    }
    ck_assert_msg(of_large < 24 * of_small, "%.3f seconds, and %.3f for an eighth of it: %.60s", of_large, of_small,
                  large.bytes);
    read_whole(reading_arena(), reading_diagnostics(), large);
}

START_TEST(the_cost_of_a_file_grows_with_its_size)
{
    expect_linear(fill(fillings[_i], SMALL), fill(fillings[_i], LARGE));
}
END_TEST

// A package with the largest number of contexts, all of which each component names.
static text many_contexts(size_t size)
{
    text filled = text_create(reading_arena()), list = text_create(reading_arena());
    text_append_string(&filled, "kin: 1\npackage: arena\ncontexts:\n");
    for (size_t i = 0; i < SCHEMA_CONTEXT_LIMIT; i++) {
        append_unit(&filled, "  c~: {}\n", i);
        append_unit(&list, "c~,", i);
    }
    text_append_string(&filled, "components:\n");
    for (size_t i = 0; filled.size + 2 * list.size < size; i++)
        text_append_format(&filled, "  A%zu: { contexts: [%s] }\n", i, list.bytes);
    return filled;
}

START_TEST(the_cost_of_contexts_grows_with_their_components)
{
    expect_linear(many_contexts(SMALL), many_contexts(LARGE));
    reading_expect_nothing();
}
END_TEST

// A struct of 1,023 fields, and a component with an array of 64 of these structs, the default of each being `element`.
static text large_defaults(const char *element, size_t size)
{
    text filled = text_create(reading_arena());
    text_append_string(&filled, TYPES "  S: { fields: {");
    for (size_t i = 0; i < SCHEMA_FIELD_LIMIT; i++)
        append_unit(&filled, "f~: bool,", i);
    text_append_string(&filled, "} }\ncomponents:\n");
    for (size_t number = 0; filled.size < size - 2000; number++) {
        append_unit(&filled, "  A~: { fields: { x: { type: 'S[64]', default: [", number);
        for (size_t i = 0; i < 64; i++)
            text_append_format(&filled, "%s,", element);
        text_append_string(&filled, "] } } }\n");
    }
    return filled;
}

// Half of the file are unknown keys, half are uses of unknown names: for each, the reader considers whether an unknown
// key is a misspelled key under which the name is declared.
static text unknown_names(size_t size)
{
    text filled = text_create(reading_arena());
    text_append_string(&filled, COMPONENTS);
    for (size_t i = 0; filled.size < size / 2; i++)
        append_unit(&filled, "  A~: { fields: { x: Foo~ } }\n", i);
    for (size_t i = 0; filled.size < size - 100; i++)
        append_unit(&filled, "compon~: {}\n", i);
    return filled;
}

START_TEST(the_cost_of_unknown_names_beside_unknown_keys_grows_with_their_number)
{
    expect_linear(unknown_names(SMALL), unknown_names(LARGE));
}
END_TEST

static text index_keys(size_t size)
{
    text filled = text_create(reading_arena());
    text_append_string(&filled, COMPONENTS "  S: { fields: {");
    for (size_t i = 0; i < SCHEMA_FIELD_LIMIT; i++)
        append_unit(&filled, "field~: bool,", i);
    text_append_string(&filled, "} }\nindices:\n");
    for (size_t i = 0; filled.size < size - 100; i++)
        append_unit(&filled, "  i~: { kind: multi, key: [S.feild] }\n", i);
    return filled;
}

START_TEST(the_cost_of_index_keys_with_unknown_fields_grows_with_their_number)
{
    expect_linear(index_keys(SMALL), index_keys(LARGE));
}
END_TEST

// A line of up to 80,000 characters with two errors in each component.
static text long_line(size_t count)
{
    text filled = text_create(reading_arena());
    text_append_string(&filled, COMPONENTS "  { ");
    for (size_t i = 0; i < count; i++)
        append_unit(&filled, "C~: { a: 1, b: 2 }, ", i);
    text_append_string(&filled, "}\n");
    return filled;
}

// Prints all errors, each with its column and an excerpt from the middle of the line.
START_TEST(the_cost_of_printing_errors_grows_with_their_number)
{
    reading_diagnostics()->options.limit = 0;
    expect_linear(long_line(500), long_line(4000));
    ck_assert_uint_eq(diagnostics_error_count(reading_diagnostics()), 8000);
}
END_TEST

START_TEST(the_cost_of_empty_defaults_grows_with_their_number)
{
    expect_linear(large_defaults("{}", SMALL), large_defaults("{}", LARGE));
    reading_expect_nothing();
}
END_TEST

START_TEST(defaults_that_stand_for_too_many_fields_are_refused)
{
    expect_linear(large_defaults("{ f1: true }", SMALL), large_defaults("{ f1: true }", LARGE));
    ck_assert_uint_eq(diagnostics_error_count(reading_diagnostics()), 1);
    ck_assert_ptr_nonnull(
        strstr(reading_printed(), "defaults of the schema are too large; at most 4000000 parts are allowed [K0428]\n"));
}
END_TEST

static text components(size_t count)
{
    text filled = text_create(reading_arena());
    text_append_string(&filled, COMPONENTS);
    for (size_t number = 0; number < count; number++)
        append_unit(&filled, "  A~: {}\n", number);
    return filled;
}

START_TEST(a_context_has_65535_components_and_no_more)
{
    expect_linear(components(SCHEMA_COMPONENT_LIMIT / 8), components(SCHEMA_COMPONENT_LIMIT));
    reading_expect_nothing();
    read_whole(reading_arena(), reading_diagnostics(), components(SCHEMA_COMPONENT_LIMIT + 1));
    ck_assert_str_eq(reading_printed(),
                     "test.yaml:3:13: error: context 'game' has 65536 components; at most 65535 are allowed [K0506]\n"
                     "    3 | contexts: { game: {} }\n"
                     "      |             ^^^^\n");
}
END_TEST

Suite *reader_cost_suite(void)
{
    Suite *suite = suite_create("reader_cost");
    TCase *tests = tcase_create("reader_cost");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, reading_begin, reading_end);
    tcase_add_loop_test(tests, the_cost_of_a_file_grows_with_its_size, 0, sizeof fillings / sizeof *fillings);
    tcase_add_test(tests, the_cost_of_contexts_grows_with_their_components);
    tcase_add_test(tests, the_cost_of_unknown_names_beside_unknown_keys_grows_with_their_number);
    tcase_add_test(tests, the_cost_of_index_keys_with_unknown_fields_grows_with_their_number);
    tcase_add_test(tests, the_cost_of_printing_errors_grows_with_their_number);
    tcase_add_test(tests, the_cost_of_empty_defaults_grows_with_their_number);
    tcase_add_test(tests, defaults_that_stand_for_too_many_fields_are_refused);
    tcase_add_test(tests, a_context_has_65535_components_and_no_more);
    suite_add_tcase(suite, tests);
    return suite;
}
