// Hints for tools: ranges of fields, and what tools should show and edit; labels of
// contexts.
#include "generator/reading.h"
#include "suites.h"

#include <check.h>
#include <string.h>

static const char *bound_of(const constant *bound)
{
    return bound == NULL ? "none" : bound->literal;
}

START_TEST(rfl_18_bounds_are_literals_of_the_type_of_the_field)
{
    static const struct {
        const char *field, *minimum, *maximum;
    } cases[] = {
        {"{ type: int32 }", "none", "none"},
        {"{ type: int8, range: [-128, 127], default: -128 }", "-128", "127"},
        {"{ type: int32, range: [-2147483648, ~], default: -2147483648 }", "INT32_MIN", "none"},
        {"{ type: int64, range: [~, 9223372036854775807] }", "none", "INT64_C(9223372036854775807)"},
        {"{ type: uint64, range: [0x0, 18446744073709551615] }", "UINT64_C(0)", "UINT64_C(18446744073709551615)"},
        {"{ type: float, range: [-1e3, 0.5] }", "-1e3f", "0.5f"},
        {"{ type: double, range: [0, 0] }", "0.0", "0.0"},
        {"{ type: 'uint16[3]', range: [0, 7], default: [0, 7, 3] }", "0", "7"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const field *field = reading_field(cases[i].field);
        ck_assert_str_eq(bound_of(field->minimum), cases[i].minimum);
        ck_assert_str_eq(bound_of(field->maximum), cases[i].maximum);
    }
}
END_TEST

// Bounds are inclusive, and compared as numbers of the type: as doubles, these integers would be equal.
START_TEST(rfl_18_a_value_one_beyond_a_bound_is_refused)
{
    static const struct {
        const char *type, *range, *within, *beyond;
    } cases[] = {
        {"int32", "[-3, ~]", "-3", "-4"},
        {"int32", "[~, 9]", "9", "10"},
        {"int64", "[~, 9007199254740992]", "9007199254740992", "9007199254740993"},
        {"int64", "[-9223372036854775807, 0]", "-9223372036854775807", "-9223372036854775808"},
        {"uint64", "[18446744073709551614, ~]", "18446744073709551614", "18446744073709551613"},
        {"uint8", "[0x10, 0x20]", "32", "33"},
        {"float", "[0, 0.1]", "0.1", "0.10000001"},
        {"double", "[0, 0.1]", "0.1", "0.10000000000000002"},
        {"'int32[2]'", "[1, 2]", "[1, 2]", "[2, 3]"},
        {"'float[2]'", "[1, 2]", "[1, 2]", "[0.5, 1]"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *format = "{ type: %s, range: %s, default: %s }";
        reading_field(arena_format(reading_arena(), format, cases[i].type, cases[i].range, cases[i].within));
        const char *beyond = arena_format(reading_arena(), format, cases[i].type, cases[i].range, cases[i].beyond);
        ck_assert_ptr_null(
            reading_package_in_game(arena_format(reading_arena(), "components: { C: { fields: { f: %s } } }", beyond)));
        ck_assert_msg(strstr(reading_printed(), "is outside of the range of field 'f'") != NULL, "%s", beyond);
        reading_end();
        reading_begin();
    }
}
END_TEST

// All places of the schema that give a field a value, and the implied 0.
START_TEST(rfl_18_every_value_that_a_schema_gives_is_in_the_range)
{
    static const char *const wrong[] = {
        "types: { T: { fields: { f: { type: int8, range: [0, 1], default: 2 } } } }",
        "types: { T: { fields: { f: { type: int8, range: [0, 1] } } } }\n"
        "components: { C: { fields: { t: { type: T, default: { f: 2 } } } } }",
        "types: { T: { fields: { f: { type: int8, range: [0, 1] } } } }\n"
        "components: { C: { fields: { t: T } } }\n"
        "blueprints: { B: { components: { C: { t: { f: 2 } } } } }",
        "components: { C: { fields: { f: { type: int8, range: [0, 1] } } } }\n"
        "blueprints: { B: { components: { C: { f: 2 } } } }",
        "messages: { M: { fields: { f: { type: int8, range: [0, 1], default: 2 } } } }",
        "components: { C: { fields: { f: { type: int8, range: [1, 2] } } } }",
        "components: { C: { fields: { f: { type: int8, range: [~, -1] } } } }",
        "components: { C: { fields: { f: { type: 'float[2]', range: [0.5, 1] } } } }",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        ck_assert_ptr_null(reading_package_in_game(wrong[i]));
        ck_assert_msg(strstr(reading_printed(), "[K0422]") != NULL, "%s: %s", wrong[i], reading_printed());
        reading_end();
        reading_begin();
    }
}
END_TEST

// ---- inspect

START_TEST(rfl_19_fields_and_components_say_what_tools_should_do)
{
    ck_assert_int_eq(reading_field("int32")->inspect, INSPECT_EDIT);
    ck_assert_int_eq(reading_field("{ type: string, inspect: read_only }")->inspect, INSPECT_READ_ONLY);
    ck_assert_int_eq(reading_field("{ type: Vec2, inspect: hidden }")->inspect, INSPECT_HIDDEN);
    const package *package = reading_package_in_game("components:\n"
                                                     "  A: { fields: { x: int32 } }\n"
                                                     "  B: { fields: { x: int32 }, inspect: read_only }\n"
                                                     "  C: { inspect: hidden }\n");
    reading_expect_nothing();
    ck_assert_int_eq(package->components[0]->inspect, INSPECT_EDIT);
    ck_assert_int_eq(package->components[1]->inspect, INSPECT_READ_ONLY);
    ck_assert_int_eq(package->components[2]->inspect, INSPECT_HIDDEN);
    ck_assert_int_eq(package->components[1]->fields.fields[0].inspect, INSPECT_EDIT);
}
END_TEST

// ---- labels

static const context *read_label(const char *label, const char *components)
{
    const package *package =
        reading_package(arena_format(reading_arena(),
                                     "kin: 1\npackage: test\ncontexts: { game: { default: true%s }, menu: {} }\n"
                                     "types: { Side: { values: [Red] }, Vec2: { fields: { x: int32 } } }\n%s",
                                     label, components));
    return package == NULL ? NULL : package->contexts[0];
}

START_TEST(rfl_20_a_label_is_a_text_an_integer_or_an_enum)
{
    static const char *const good[] = {"string", "'string[9]'", "int8", "int64", "uint8", "uint64", "Side"};
    static const char *const bad[] = {"bool", "float",      "double",    "entity",   "entity<game>",
                                      "Vec2", "'int32[2]'", "'Side[2]'", "'Vec2[2]'"};
    const char *format = "components: { A: {}, Name: { fields: { a: int32, b: %s } } }";
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        const context *game = read_label(", label: Name.b", arena_format(reading_arena(), format, good[i]));
        reading_expect_nothing();
        ck_assert_str_eq(game->label->component->name, "Name");
        ck_assert_str_eq(game->label->field->name, "b");
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ck_assert_ptr_null(read_label(", label: Name.b", arena_format(reading_arena(), format, bad[i])));
        ck_assert_msg(strstr(reading_printed(), "'Name.b' cannot be a label") != NULL, "%s", reading_printed());
        reading_end();
        reading_begin();
    }
    const context *game = read_label("", "components: { Name: { fields: { value: string } } }");
    reading_expect_nothing();
    ck_assert_ptr_null(game->label);
}
END_TEST

// The error of the type, or of the misspelled root key, is the only one.
START_TEST(rfl_20_a_label_of_what_is_reported_already_is_no_second_error)
{
    static const char *const wrong[] = {
        "components: { Name: { fields: { value: strin } } }",
        "component: { Name: { fields: { value: string } } }",
        "components: { Name: { fields: { value: { type: bool, default: maybe } } } }",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ck_assert_ptr_null(read_label(", label: Name.value", wrong[i]));
        ck_assert_msg(strstr(reading_printed(), "label of") == NULL, "%s", reading_printed());
        ck_assert_msg(strstr(reading_printed(), "a label") == NULL, "%s", reading_printed());
        reading_end();
        reading_begin();
    }
}
END_TEST

Suite *schema_hint_suite(void)
{
    Suite *suite = suite_create("schema_hint");
    TCase *tests = tcase_create("schema_hint");
    tcase_add_checked_fixture(tests, reading_begin, reading_end);
    tcase_add_test(tests, rfl_18_bounds_are_literals_of_the_type_of_the_field);
    tcase_add_test(tests, rfl_18_a_value_one_beyond_a_bound_is_refused);
    tcase_add_test(tests, rfl_18_every_value_that_a_schema_gives_is_in_the_range);
    tcase_add_test(tests, rfl_19_fields_and_components_say_what_tools_should_do);
    tcase_add_test(tests, rfl_20_a_label_is_a_text_an_integer_or_an_enum);
    tcase_add_test(tests, rfl_20_a_label_of_what_is_reported_already_is_no_second_error);
    suite_add_tcase(suite, tests);
    return suite;
}
