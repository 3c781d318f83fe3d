// Reflection: a tool without knowledge of any generated type writes default values, using only the table of a context.
#include "suites.h"

#include <kin/kin.h>

#include <check.h>
#include <inttypes.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

extern const kin_context_info my_game_info; // all that it knows of the package `everything`

enum { TEXT_SIZE = 2048, VALUE_SIZE = 1024 };

typedef struct text {
    char bytes[TEXT_SIZE];
    size_t size;
} text;

static void append(text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(text->bytes + text->size, sizeof text->bytes - text->size, format, arguments);
    va_end(arguments);
    text->size += (size_t)size;
    ck_assert_uint_lt(text->size, sizeof text->bytes);
}

static void append_string(text *text, const char *string)
{
    append(text, string == NULL ? "none" : "'%s'", string);
}

static void append_enum(text *text, const kin_type_info *of, const void *place)
{
    int32_t number = *(const int32_t *)place;
    for (uint32_t i = 0; i < of->value_count; i++)
        if (of->values[i].value == number) {
            append(text, "%s", of->values[i].name);
            return;
        }
    ck_abort_msg("%s has no value %" PRId32, of->name, number);
}

// Recursive over structs in structs; it ends because the schema refuses recursive structs.
static void append_fields(text *text, const kin_field_info *fields, uint32_t count, const char *value);

static void append_element(text *text, const kin_field_info *field, const char *place)
{
    switch (field->type) {
#define NUMBER(kind, type, format)                                                                                     \
    case KIN_TYPE_##kind:                                                                                              \
        append(text, "%" format, *(const type *)(const void *)place);                                                  \
        break
        NUMBER(INT8, int8_t, PRId8);
        NUMBER(INT16, int16_t, PRId16);
        NUMBER(INT32, int32_t, PRId32);
        NUMBER(INT64, int64_t, PRId64);
        NUMBER(UINT8, uint8_t, PRIu8);
        NUMBER(UINT16, uint16_t, PRIu16);
        NUMBER(UINT32, uint32_t, PRIu32);
        NUMBER(UINT64, uint64_t, PRIu64);
        NUMBER(FLOAT, float, "g");
        NUMBER(DOUBLE, double, "g");
        NUMBER(ENTITY, kin_entity, PRIu64);
#undef NUMBER
    case KIN_TYPE_BOOL:
        append(text, *(const bool *)place ? "true" : "false");
        break;
    case KIN_TYPE_STRING:
        append_string(text, *(const char *const *)(const void *)place);
        break;
    case KIN_TYPE_INLINE_STRING:
        append_string(text, place);
        break;
    case KIN_TYPE_ENUM:
        append_enum(text, field->of, place);
        break;
    case KIN_TYPE_STRUCT:
        append_fields(text, field->of->fields, field->of->field_count, place);
        break;
    case KIN_TYPE_OPAQUE:
        append(text, "a %s", field->of->name);
        break;
    }
}

static void append_field(text *text, const kin_field_info *field, const char *value)
{
    const char *place = value + field->offset;
    append(text, "%s ", field->name);
    if (field->count == 0) {
        append_element(text, field, place);
        return;
    }
    for (uint32_t i = 0; i < field->count; i++) {
        append(text, i == 0 ? "[" : " ");
        append_element(text, field, place + i * (field->size / field->count));
    }
    append(text, "]");
}

static void append_fields(text *text, const kin_field_info *fields, uint32_t count, const char *value)
{
    append(text, "{");
    for (uint32_t i = 0; i < count; i++) {
        append(text, i == 0 ? "" : ", ");
        append_field(text, &fields[i], value);
    }
    append(text, "}");
}

static const kin_component_info *find_component(const char *name)
{
    for (uint32_t i = 0; i < my_game_info.component_count; i++)
        if (strcmp(my_game_info.components[i].name, name) == 0)
            return &my_game_info.components[i];
    ck_abort_msg("no component %s", name);
    return NULL;
}

static const struct {
    const char *component, *text;
} defaults[] = {
    {"AllNumbers", "{flag true, i8 -128, i16 -32768, i32 -2147483648, i64 -9223372036854775808, u8 255, u16 65535, "
                   "u32 4294967295, u64 18446744073709551615, f32 -0.25, f64 1e-300, plain 0}"},
    {"Texts", "{brief '?', lengthy 'ten \"quoted\" \\ \303\244', none ''}"},
    {"Arrays", "{numbers [1 0 -3 4], sides [Blue Red], points [{x 1, y 0} {x 0, y 2} {x 0, y 0}], "
               "flags [false false false false false false false false], targets [0 0]}"},
    {"Links", "{any 0, own 0, other 0}"},
    {"Boxed", "{box {from {x 1.5, y 0}, to {x 0, y 7}, corners [{x 0, y 0} {x 0, y 0} {x 0, y 0} {x 0, y 0}], "
              "inner {side Blue, label 'hi'}}, level Low}"},
    {"Name", "{value '\"quoted\" ?"
             "?/ \\ \n', nothing none, none ''}"},
    {"Looks", "{sprite a Sprite, deck {sprites [a Sprite a Sprite], tokens [a Token a Token a Token], "
              "handle a Handle}, name none}"},
    {"Score", "{points 7}"},
};

START_TEST(a_tool_reads_the_default_of_every_field_by_the_table_alone)
{
    const kin_component_info *component = find_component(defaults[_i].component);
    alignas(max_align_t) char value[VALUE_SIZE];
    ck_assert_uint_le(component->size, sizeof value);
    memset(value, 0x5a, sizeof value);
    component->write_default(value);
    text text = {.size = 0};
    append_fields(&text, component->fields, component->field_count, value);
    ck_assert_str_eq(text.bytes, defaults[_i].text);
}
END_TEST

static void expect_zero(const kin_field_info *fields, uint32_t count, const char *value)
{
    static const char zeros[VALUE_SIZE];
    for (uint32_t i = 0; i < count; i++)
        if (fields[i].type == KIN_TYPE_OPAQUE)
            ck_assert_mem_eq(value + fields[i].offset, zeros, fields[i].size);
}

START_TEST(the_default_of_an_opaque_field_is_zero)
{
    const kin_component_info *looks = find_component("Looks");
    const kin_field_info *deck = &looks->fields[1];
    alignas(max_align_t) char value[VALUE_SIZE];
    memset(value, 0x5a, sizeof value);
    looks->write_default(value);
    expect_zero(looks->fields, looks->field_count, value);
    expect_zero(deck->of->fields, deck->of->field_count, value + deck->offset);
}
END_TEST

START_TEST(every_component_with_fields_writes_a_default_and_no_flag_does)
{
    for (uint32_t i = 0; i < my_game_info.component_count; i++) {
        const kin_component_info *component = &my_game_info.components[i];
        ck_assert((component->write_default != NULL) == (component->field_count > 0));
    }
}
END_TEST

START_TEST(a_tool_reads_the_names_of_an_enum)
{
    const kin_type_info *level = find_component("Boxed")->fields[1].of;
    static const kin_enum_value_info values[] = {{"Low", -5, NULL}, {"Middle", 16, NULL}, {"TopMost", INT32_MAX, NULL}};
    ck_assert_str_eq(level->name, "Level");
    ck_assert_uint_eq(level->value_count, 3);
    for (uint32_t i = 0; i < level->value_count; i++) {
        ck_assert_str_eq(level->values[i].name, values[i].name);
        ck_assert_int_eq(level->values[i].value, values[i].value);
    }
}
END_TEST

Suite *runtime_reflection_suite(void)
{
    Suite *suite = suite_create("runtime_reflection");
    TCase *tests = tcase_create("runtime_reflection");
    tcase_add_loop_test(tests, a_tool_reads_the_default_of_every_field_by_the_table_alone, 0,
                        sizeof defaults / sizeof defaults[0]);
    tcase_add_test(tests, the_default_of_an_opaque_field_is_zero);
    tcase_add_test(tests, every_component_with_fields_writes_a_default_and_no_flag_does);
    tcase_add_test(tests, a_tool_reads_the_names_of_an_enum);
    suite_add_tcase(suite, tests);
    return suite;
}
