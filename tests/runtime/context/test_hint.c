// Hints for tools in the tables of a context: ranges (RFL-18), what tools should do (RFL-19), and labels (RFL-20). The
// package is everything.
#include "runtime/support/case.h"
#include "suites.h"

#include <everything/everything.h>
#include <kin/reflect.h>

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

CASE(my_game)

static kin_context *base;

static void begin(void)
{
    my_game_begin();
    base = &my_game->base;
}

static const kin_field_info *find_field(const kin_field_info *fields, uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(fields[i].name, name) == 0)
            return &fields[i];
    ck_abort_msg("no field %s", name);
}

static const kin_field_info *field_of(kin_component_id id, const char *name)
{
    const kin_component_info *info = &my_game_info.components[id];
    return find_field(info->fields, info->field_count, name);
}

// ---- ranges

static const char *bound_text(const kin_field_info *field, bool is_given, kin_number bound)
{
    static char texts[2][32];
    static int next;
    char *text = texts[next++ % 2];
    if (!is_given)
        return "~";
    if (field->type >= KIN_TYPE_FLOAT)
        snprintf(text, sizeof texts[0], "%.17g", bound.number);
    else if (field->type >= KIN_TYPE_UINT8)
        snprintf(text, sizeof texts[0], "%" PRIu64, bound.natural);
    else
        snprintf(text, sizeof texts[0], "%" PRId64, bound.integer);
    return text;
}

static void expect_range(const kin_field_info *field, const char *min, const char *max)
{
    const kin_field_range *range = field->range;
    ck_assert_ptr_nonnull(range);
    ck_assert_str_eq(bound_text(field, range->has_min, range->min), min);
    ck_assert_str_eq(bound_text(field, range->has_max, range->max), max);
}

START_TEST(rfl_18_the_tables_have_ranges_exactly)
{
    static const struct {
        const char *name, *min, *max;
    } cases[] = {
        {"i8", "-128", "127"},
        {"i32", "-2147483648", "~"},
        {"i64", "-9223372036854775808", "9223372036854775807"},
        {"u32", "16", "4294967295"},
        {"u64", "9007199254740993", "18446744073709551615"},
        {"f32", "-0.25", "0.10000000149011612"},
        {"f64", "~", "1.0000000000000001e+300"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_range(field_of(MY_GAME_ALL_NUMBERS, cases[i].name), cases[i].min, cases[i].max);
    expect_range(field_of(MY_GAME_ARRAYS, "numbers"), "-3", "4");
    const kin_type_info *vec2 = field_of(MY_GAME_POS2_D, "at")->of;
    expect_range(find_field(vec2->fields, vec2->field_count, "x"), "-1", "10");
    ck_assert_ptr_null(find_field(vec2->fields, vec2->field_count, "y")->range);
    ck_assert_ptr_null(field_of(MY_GAME_ALL_NUMBERS, "plain")->range);
    ck_assert_ptr_null(field_of(MY_GAME_POS2_D, "at")->range);
}
END_TEST

START_TEST(rfl_18_a_value_beyond_the_range_is_written)
{
    my_game_entity entity = my_game_create_entity(my_game);
    my_game_add_arrays(my_game, entity, my_arrays_default());
    kin_field_value value = {KIN_TYPE_INT32, {.integer = 5}};
    ck_assert_uint_eq(kin_field_write(base, entity.id, MY_GAME_ARRAYS, "numbers[1]", value), KIN_OK);
    ck_assert_int_eq(my_game_get_arrays(my_game, entity)->numbers[1], 5);
    ck_assert_uint_eq(my_game_replace_arrays(my_game, entity, (my_Arrays){.numbers = {-4}}), KIN_OK);
    ck_assert_int_eq(my_game_get_arrays(my_game, entity)->numbers[0], -4);
}
END_TEST

// ---- inspect

START_TEST(rfl_19_the_tables_say_what_tools_should_do)
{
    const kin_component_info *components = my_game_info.components;
    ck_assert_int_eq(components[MY_GAME_FROZEN].inspect, KIN_INSPECT_HIDDEN);
    ck_assert_int_eq(components[MY_GAME_DESTROYED].inspect, KIN_INSPECT_READ_ONLY);
    ck_assert_int_eq(components[MY_GAME_POS2_D].inspect, KIN_INSPECT_READ_ONLY);
    ck_assert_int_eq(components[MY_GAME_PAUSED].inspect, KIN_INSPECT_EDIT);
    ck_assert_int_eq(components[MY_GAME_ALL_NUMBERS].inspect, KIN_INSPECT_EDIT);
    ck_assert_int_eq(field_of(MY_GAME_ALL_NUMBERS, "plain")->inspect, KIN_INSPECT_READ_ONLY);
    ck_assert_int_eq(field_of(MY_GAME_ALL_NUMBERS, "i32")->inspect, KIN_INSPECT_READ_ONLY);
    ck_assert_int_eq(field_of(MY_GAME_ALL_NUMBERS, "u32")->inspect, KIN_INSPECT_EDIT);
    ck_assert_int_eq(field_of(MY_GAME_TEXTS, "none")->inspect, KIN_INSPECT_HIDDEN);
    ck_assert_int_eq(field_of(MY_GAME_POS2_D, "at")->inspect, KIN_INSPECT_EDIT);
    const kin_type_info *inner = field_of(MY_GAME_KNOWN, "inner")->of;
    ck_assert_int_eq(find_field(inner->fields, inner->field_count, "side")->inspect, KIN_INSPECT_HIDDEN);
}
END_TEST

START_TEST(rfl_19_what_tools_should_not_show_or_edit_is_written_and_described)
{
    my_game_entity entity = my_game_create_entity(my_game);
    my_game_add_texts(my_game, entity, my_texts_default());
    my_game_add_pos2_d(my_game, entity, my_pos2_d_default());
    my_game_set_frozen(my_game, entity, true);
    kin_field_value text = {KIN_TYPE_STRING, {.string = "seen"}}, number = {KIN_TYPE_DOUBLE, {.number = 8}};
    ck_assert_uint_eq(kin_field_write(base, entity.id, MY_GAME_TEXTS, "none", text), KIN_OK);
    ck_assert_uint_eq(kin_field_write(base, entity.id, MY_GAME_POS2_D, "at.x", number), KIN_OK);
    char description[512];
    kin_describe_entity(base, entity.id, description, sizeof description);
    ck_assert_ptr_nonnull(strstr(description, "Frozen"));
    ck_assert_ptr_nonnull(strstr(description, "at: {x: 8, y: 0}"));
    ck_assert_ptr_nonnull(strstr(description, "none: \"seen\""));
}
END_TEST

// ---- labels

START_TEST(rfl_20_the_tables_have_the_label_of_a_context)
{
    const kin_key_info *label = my_game_info.label, *of_input = my_input_info.label;
    ck_assert_uint_eq(label->component, MY_GAME_NAME);
    ck_assert_ptr_eq(label->field, field_of(MY_GAME_NAME, "value"));
    ck_assert_uint_eq(of_input->component, MY_INPUT_SCORE);
    ck_assert_str_eq(of_input->field->name, "points");
    ck_assert_ptr_null(my_void_of_components_info.label);
}
END_TEST

START_TEST(rfl_20_a_tool_reads_the_label_of_an_entity_by_its_path)
{
    my_game_entity entity = my_game_create_entity(my_game);
    my_game_add_name(my_game, entity, (my_Name){.value = "Ada"});
    const kin_key_info *label = my_game_info.label;
    kin_field_value value;
    ck_assert_uint_eq(kin_field_read(base, entity.id, label->component, label->field->name, &value), KIN_OK);
    ck_assert_str_eq(value.as.string, "Ada");
}
END_TEST

Suite *runtime_hint_suite(void)
{
    Suite *suite = suite_create("runtime_hint");
    TCase *tests = tcase_create("runtime_hint");
    tcase_add_checked_fixture(tests, begin, my_game_end);
    tcase_add_test(tests, rfl_18_the_tables_have_ranges_exactly);
    tcase_add_test(tests, rfl_18_a_value_beyond_the_range_is_written);
    tcase_add_test(tests, rfl_19_the_tables_say_what_tools_should_do);
    tcase_add_test(tests, rfl_19_what_tools_should_not_show_or_edit_is_written_and_described);
    tcase_add_test(tests, rfl_20_the_tables_have_the_label_of_a_context);
    tcase_add_test(tests, rfl_20_a_tool_reads_the_label_of_an_entity_by_its_path);
    suite_add_tcase(suite, tests);
    return suite;
}
