// The reader's cost: any file up to the size limit is read or refused in under a second.
//
// libyaml alone takes half a minute for some of these, and each has once been slow.
#include "base/text.h"
#include "check/package.h"
#include "generator/reading.h"
#include "suites.h"

#include <check.h>
#include <string.h>
#include <time.h>

#if defined(__SANITIZE_ADDRESS__)
#define SLOWDOWN 10
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SLOWDOWN 10
#endif
#endif
#ifndef SLOWDOWN
#define SLOWDOWN 1
#endif

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

static text fill(filling filling)
{
    text filled = text_create(reading_arena());
    text_append_string(&filled, filling.head);
    size_t end = SOURCE_SIZE_LIMIT - strlen(filling.unit) - strlen(filling.tail) - 20;
    for (size_t number = 0; filled.size < end; number++)
        append_unit(&filled, filling.unit, number);
    text_append_string(&filled, filling.tail);
    return filled;
}

static void expect_quick(text filled)
{
    clock_t start = clock();
    const source *source = source_from_bytes(reading_arena(), "test.yaml", filled.bytes, filled.size);
    package_read(reading_arena(), reading_diagnostics(), source);
    reading_printed();
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    ck_assert_msg(seconds < 1.0 * SLOWDOWN, "%.2f seconds for %.60s", seconds, filled.bytes);
}

START_TEST(a_file_of_the_largest_size_is_read_in_under_a_second)
{
    expect_quick(fill(fillings[_i]));
}
END_TEST

// A package with the largest number of contexts, all of which each component names.
START_TEST(many_contexts_of_many_components_are_sorted_quickly)
{
    text filled = text_create(reading_arena()), list = text_create(reading_arena());
    text_append_string(&filled, "kin: 1\npackage: arena\ncontexts:\n");
    for (size_t i = 0; i < SCHEMA_CONTEXT_LIMIT; i++) {
        append_unit(&filled, "  c~: {}\n", i);
        append_unit(&list, "c~,", i);
    }
    text_append_string(&filled, "components:\n");
    for (size_t i = 0; filled.size + 2 * list.size < SOURCE_SIZE_LIMIT; i++)
        text_append_format(&filled, "  A%zu: { contexts: [%s] }\n", i, list.bytes);
    expect_quick(filled);
    reading_expect_nothing();
}
END_TEST

// A struct of 1,023 fields, and a component with an array of 64 of these structs, the default of each being `element`.
static text large_defaults(const char *element)
{
    text filled = text_create(reading_arena());
    text_append_string(&filled, TYPES "  S: { fields: {");
    for (size_t i = 0; i < SCHEMA_FIELD_LIMIT; i++)
        append_unit(&filled, "f~: bool,", i);
    text_append_string(&filled, "} }\ncomponents:\n");
    for (size_t number = 0; filled.size < SOURCE_SIZE_LIMIT - 2000; number++) {
        append_unit(&filled, "  A~: { fields: { x: { type: 'S[64]', default: [", number);
        for (size_t i = 0; i < 64; i++)
            text_append_format(&filled, "%s,", element);
        text_append_string(&filled, "] } } }\n");
    }
    return filled;
}

// Half of the file are unknown keys, half are uses of unknown names: for each, the reader considers whether an unknown
// key is a misspelled key under which the name is declared.
START_TEST(unknown_names_beside_unknown_keys_are_reported_quickly)
{
    text filled = text_create(reading_arena());
    text_append_string(&filled, COMPONENTS);
    for (size_t i = 0; filled.size < SOURCE_SIZE_LIMIT / 2; i++)
        append_unit(&filled, "  A~: { fields: { x: Foo~ } }\n", i);
    for (size_t i = 0; filled.size < SOURCE_SIZE_LIMIT - 100; i++)
        append_unit(&filled, "compon~: {}\n", i);
    expect_quick(filled);
}
END_TEST

START_TEST(index_keys_of_unknown_fields_are_reported_quickly)
{
    text filled = text_create(reading_arena());
    text_append_string(&filled, COMPONENTS "  S: { fields: {");
    for (size_t i = 0; i < SCHEMA_FIELD_LIMIT; i++)
        append_unit(&filled, "field~: bool,", i);
    text_append_string(&filled, "} }\nindices:\n");
    for (size_t i = 0; filled.size < SOURCE_SIZE_LIMIT - 100; i++)
        append_unit(&filled, "  i~: { kind: multi, key: [S.feild] }\n", i);
    expect_quick(filled);
}
END_TEST

// Prints all errors, each with its column and an excerpt from the middle of a line of 80,000 characters.
START_TEST(all_errors_of_one_long_line_are_printed_quickly)
{
    text filled = text_create(reading_arena());
    text_append_string(&filled, COMPONENTS "  { ");
    for (size_t i = 0; i < 4000; i++)
        append_unit(&filled, "C~: { a: 1, b: 2 }, ", i);
    text_append_string(&filled, "}\n");
    reading_diagnostics()->options.limit = 0;
    expect_quick(filled);
    ck_assert_uint_eq(diagnostics_error_count(reading_diagnostics()), 8000);
}
END_TEST

START_TEST(empty_defaults_of_large_structs_cost_nothing)
{
    expect_quick(large_defaults("{}"));
    reading_expect_nothing();
}
END_TEST

START_TEST(defaults_that_stand_for_too_many_fields_are_refused)
{
    expect_quick(large_defaults("{ f1: true }"));
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
    expect_quick(components(SCHEMA_COMPONENT_LIMIT));
    reading_expect_nothing();
    expect_quick(components(SCHEMA_COMPONENT_LIMIT + 1));
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
    tcase_add_loop_test(tests, a_file_of_the_largest_size_is_read_in_under_a_second, 0,
                        sizeof fillings / sizeof *fillings);
    tcase_add_test(tests, many_contexts_of_many_components_are_sorted_quickly);
    tcase_add_test(tests, unknown_names_beside_unknown_keys_are_reported_quickly);
    tcase_add_test(tests, index_keys_of_unknown_fields_are_reported_quickly);
    tcase_add_test(tests, all_errors_of_one_long_line_are_printed_quickly);
    tcase_add_test(tests, empty_defaults_of_large_structs_cost_nothing);
    tcase_add_test(tests, defaults_that_stand_for_too_many_fields_are_refused);
    tcase_add_test(tests, a_context_has_65535_components_and_no_more);
    suite_add_tcase(suite, tests);
    return suite;
}
