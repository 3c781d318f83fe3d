// Constants: the default values of fields, given or implied.
#include "generator/reading.h"
#include "suites.h"

#include <check.h>
#include <string.h>

START_TEST(numbers_are_written_as_c_literals_of_their_type)
{
    static const struct {
        const char *type, *written, *literal;
        bool is_zero;
    } cases[] = {
        {"int8", "-128", "-128", false},
        {"int8", "0", "0", true},
        {"uint8", "0xFF", "255", false},
        {"int32", "2147483647", "2147483647", false},
        {"int32", "-2147483648", "INT32_MIN", false},
        {"uint32", "4294967295", "4294967295u", false},
        {"int64", "-9223372036854775808", "INT64_MIN", false},
        {"int64", "-9223372036854775807", "INT64_C(-9223372036854775807)", false},
        {"uint64", "18446744073709551615", "UINT64_C(18446744073709551615)", false},
        {"uint64", "0x0", "UINT64_C(0)", true},
        {"float", "1", "1.0f", false},
        {"float", "-0.5", "-0.5f", false},
        {"float", "1e3", "1e3f", false},
        {"float", "0.0e5", "0.0e5f", true},
        {"float", "-0", "-0.0f", false},
        {"float", "3.4028234e38", "3.4028234e38f", false},
        {"double", "1.5E+10", "1.5E+10", false},
        {"double", "1e300", "1e300", false},
        {"double", "0", "0.0", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const field *field =
            reading_field(arena_format(reading_arena(), "{ type: %s, default: %s }", cases[i].type, cases[i].written));
        ck_assert_int_eq(field->default_value->kind, CONSTANT_NUMBER);
        ck_assert_str_eq(field->default_value->literal, cases[i].literal);
        ck_assert_msg(field->default_value->is_zero == cases[i].is_zero, "%s", cases[i].written);
        ck_assert(field->has_default);
    }
}
END_TEST

START_TEST(a_number_one_beyond_its_range_is_refused)
{
    static const struct {
        const char *type, *written;
    } cases[] = {
        {"int8", "-129"},
        {"int8", "128"},
        {"uint8", "256"},
        {"uint8", "-1"},
        {"int16", "-32769"},
        {"int16", "32768"},
        {"uint16", "65536"},
        {"int32", "-2147483649"},
        {"int32", "2147483648"},
        {"uint32", "4294967296"},
        {"uint32", "0x100000000"},
        {"int64", "-9223372036854775809"},
        {"int64", "9223372036854775808"},
        {"uint64", "18446744073709551616"},
        {"uint64", "0x10000000000000000"},
        {"uint64", "99999999999999999999999999"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        reading_begin();
        ck_assert_ptr_null(reading_package_in_game(
            arena_format(reading_arena(), "components: { C: { fields: { f: { type: %s, default: %s } } } }",
                         cases[i].type, cases[i].written)));
        const char *expected =
            arena_format(reading_arena(), "%s is out of range for %s", cases[i].written, cases[i].type);
        ck_assert_msg(strstr(reading_printed(), expected) != NULL, "%s", reading_printed());
    }
}
END_TEST

START_TEST(a_field_without_a_default_has_an_implied_one)
{
    static const struct {
        const char *type;
        constant_kind kind;
        bool is_zero;
    } cases[] = {
        {"bool", CONSTANT_BOOL, true},        {"uint64", CONSTANT_NUMBER, true},
        {"float", CONSTANT_NUMBER, true},     {"'string[3]'", CONSTANT_STRING, true},
        {"entity", CONSTANT_ENTITY, true},    {"entity<game>", CONSTANT_ENTITY, true},
        {"Side", CONSTANT_ENUMERATOR, false}, {"Vec2", CONSTANT_STRUCT, false},
        {"'Side[2]'", CONSTANT_ARRAY, false}, {"'int8[3]'", CONSTANT_ARRAY, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const field *field = reading_field(cases[i].type);
        ck_assert(!field->has_default);
        ck_assert_int_eq(field->default_value->kind, cases[i].kind);
        ck_assert_msg(field->default_value->is_zero == cases[i].is_zero, "%s", cases[i].type);
    }
}
END_TEST

START_TEST(a_default_of_a_struct_is_filled_up_from_its_fields)
{
    const constant *value = reading_field("{ type: Vec2, default: { x: 2 } }")->default_value;
    ck_assert_uint_eq(value->count, 2);
    ck_assert_str_eq(value->items[0]->literal, "2.0f");
    ck_assert_str_eq(value->items[1]->literal, "1.0f");

    value = reading_field("{ type: 'Vec2[2]', default: [{}, { y: 0 }] }")->default_value;
    ck_assert_int_eq(value->kind, CONSTANT_ARRAY);
    ck_assert_str_eq(value->items[0]->items[1]->literal, "1.0f");
    ck_assert(!value->items[0]->is_zero);
    ck_assert(value->items[1]->is_zero);
}
END_TEST

START_TEST(enums_strings_and_bools_have_defaults)
{
    const constant *value = reading_field("{ type: Side, default: Blue }")->default_value;
    ck_assert_str_eq(value->enumerator->name, "Blue");
    ck_assert(value->is_zero);
    value = reading_field("Side")->default_value;
    ck_assert_str_eq(value->enumerator->name, "Red");

    value = reading_field("{ type: 'string[4]', default: \"a\\n\\\"b\" }")->default_value;
    ck_assert_uint_eq(value->size, 4);
    ck_assert_str_eq(value->bytes, "a\n\"b");
    ck_assert_str_eq(reading_field("{ type: 'string[4]', default: 12 }")->default_value->bytes, "12");
    ck_assert(reading_field("{ type: 'string[4]', default: '' }")->default_value->is_zero);
    ck_assert(reading_field("{ type: bool, default: true }")->default_value->boolean);
    ck_assert(!reading_field("{ type: bool, default: false }")->default_value->boolean);
}
END_TEST

START_TEST(a_string_has_no_default_an_empty_one_or_one_that_fits_a_literal)
{
    ck_assert_ptr_null(reading_field("string")->default_value->bytes);
    ck_assert(reading_field("string")->default_value->is_zero);
    ck_assert_str_eq(reading_field("{ type: string, default: '' }")->default_value->bytes, "");
    ck_assert(!reading_field("{ type: string, default: '' }")->default_value->is_zero);

    char text[SCHEMA_STRING_LIMIT + 2] = {0};
    memset(text, 'x', SCHEMA_STRING_LIMIT);
    const char *longest = arena_format(reading_arena(), "{ type: string, default: %s }", text);
    ck_assert_uint_eq(reading_field(longest)->default_value->size, SCHEMA_STRING_LIMIT);
    text[SCHEMA_STRING_LIMIT] = 'x';
    ck_assert_ptr_null(reading_package_in_game(
        arena_format(reading_arena(), "components: { C: { fields: { f: { type: string, default: %s } } } }", text)));
    ck_assert_ptr_nonnull(
        strstr(reading_printed(), "string of 4001 bytes is too long; a default may have at most 4000"));
}
END_TEST

START_TEST(opaque_types_are_written_as_in_the_schema)
{
    static const char *const spellings[] = {
        "void *",
        "struct sprite *",
        "const struct sprite *const *",
        "struct sprite",
        "enum kind",
        "unsigned long",
        "SDL_Texture*",
        "size_t",
        "char const * * ",
        " int ",
        "long double",
        "volatile_counter *",
        "union u",
        "bool",
    };
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
        const package *package = reading_package_in_game(arena_format(
            reading_arena(), "types: { T: { opaque: \"%s\", header: t.h } }\ncomponents: { C: {} }", spellings[i]));
        ck_assert_msg(package != NULL, "%s", reading_printed());
        ck_assert_str_eq(package->definitions[0]->opaque, spellings[i]);
        ck_assert(!package->definitions[0]->has_drops);
    }
}
END_TEST

Suite *schema_constant_suite(void)
{
    Suite *suite = suite_create("schema_constant");
    TCase *tests = tcase_create("schema_constant");
    tcase_add_checked_fixture(tests, reading_begin, reading_end);
    tcase_add_test(tests, numbers_are_written_as_c_literals_of_their_type);
    tcase_add_test(tests, a_number_one_beyond_its_range_is_refused);
    tcase_add_test(tests, a_field_without_a_default_has_an_implied_one);
    tcase_add_test(tests, a_default_of_a_struct_is_filled_up_from_its_fields);
    tcase_add_test(tests, enums_strings_and_bools_have_defaults);
    tcase_add_test(tests, a_string_has_no_default_an_empty_one_or_one_that_fits_a_literal);
    tcase_add_test(tests, opaque_types_are_written_as_in_the_schema);
    suite_add_tcase(suite, tests);
    return suite;
}
