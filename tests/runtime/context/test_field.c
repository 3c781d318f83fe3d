// Fields by path (RFL-05 to RFL-07), and descriptions of values (RFL-08), with the package everything.
#include "entity/entity.h"
#include "runtime/support/case.h"
#include "suites.h"

#include <everything/everything.h>
#include <kin/reflect.h>
#include <larder/larder.h>

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

CASE(my_game)

static kin_context *base;
static kin_entity one;

static void begin(void)
{
    my_game_begin();
    base = &my_game->base;
    my_game_entity entity = my_game_create_entity(my_game);
    one = entity.id;
    my_game_add_all_numbers(my_game, entity, my_all_numbers_default());
    my_game_add_arrays(my_game, entity, my_arrays_default());
    my_game_add_boxed(my_game, entity, my_boxed_default());
    my_game_add_texts(my_game, entity, my_texts_default());
    my_game_add_links(my_game, entity, my_links_default());
    my_game_add_name(my_game, entity, my_name_default());
}

// ---- reading

static const char *value_text(kin_field_value value)
{
    static char text[64];
    switch (value.type) {
    case KIN_TYPE_BOOL:
        return value.as.boolean ? "true" : "false";
    case KIN_TYPE_FLOAT:
    case KIN_TYPE_DOUBLE:
        snprintf(text, sizeof text, "%g", value.as.number);
        return text;
    case KIN_TYPE_STRING:
    case KIN_TYPE_INLINE_STRING:
        return value.as.string == NULL ? "NULL" : value.as.string;
    case KIN_TYPE_UINT8:
    case KIN_TYPE_UINT16:
    case KIN_TYPE_UINT32:
    case KIN_TYPE_UINT64:
    case KIN_TYPE_ENTITY:
        snprintf(text, sizeof text, "%" PRIu64, value.as.natural);
        return text;
    default:
        snprintf(text, sizeof text, "%" PRId64, value.as.integer);
        return text;
    }
}

static const struct {
    kin_component_id id;
    kin_type type;
    const char *path, *text;
} fields[] = {
    {MY_GAME_ALL_NUMBERS, KIN_TYPE_BOOL, "flag", "true"},
    {MY_GAME_ALL_NUMBERS, KIN_TYPE_INT8, "i8", "-128"},
    {MY_GAME_ALL_NUMBERS, KIN_TYPE_INT16, "i16", "-32768"},
    {MY_GAME_ALL_NUMBERS, KIN_TYPE_INT32, "i32", "-2147483648"},
    {MY_GAME_ALL_NUMBERS, KIN_TYPE_INT64, "i64", "-9223372036854775808"},
    {MY_GAME_ALL_NUMBERS, KIN_TYPE_UINT8, "u8", "255"},
    {MY_GAME_ALL_NUMBERS, KIN_TYPE_UINT16, "u16", "65535"},
    {MY_GAME_ALL_NUMBERS, KIN_TYPE_UINT32, "u32", "4294967295"},
    {MY_GAME_ALL_NUMBERS, KIN_TYPE_UINT64, "u64", "18446744073709551615"},
    {MY_GAME_ALL_NUMBERS, KIN_TYPE_FLOAT, "f32", "-0.25"},
    {MY_GAME_ALL_NUMBERS, KIN_TYPE_DOUBLE, "f64", "1e-300"},
    {MY_GAME_TEXTS, KIN_TYPE_INLINE_STRING, "brief", "?"},
    {MY_GAME_TEXTS, KIN_TYPE_INLINE_STRING, "none", ""},
    {MY_GAME_NAME, KIN_TYPE_STRING, "none", ""},
    {MY_GAME_NAME, KIN_TYPE_STRING, "nothing", "NULL"},
    {MY_GAME_ARRAYS, KIN_TYPE_INT32, "numbers[3]", "4"},
    {MY_GAME_ARRAYS, KIN_TYPE_INT32, "numbers[0]", "1"},
    {MY_GAME_ARRAYS, KIN_TYPE_ENUM, "sides[0]", "1"},
    {MY_GAME_ARRAYS, KIN_TYPE_FLOAT, "points[1].y", "2"},
    {MY_GAME_ARRAYS, KIN_TYPE_ENTITY, "targets[1]", "0"},
    {MY_GAME_BOXED, KIN_TYPE_FLOAT, "box.to.y", "7"},
    {MY_GAME_BOXED, KIN_TYPE_FLOAT, "box.from.x", "1.5"},
    {MY_GAME_BOXED, KIN_TYPE_INLINE_STRING, "box.inner.label", "hi"},
    {MY_GAME_BOXED, KIN_TYPE_ENUM, "level", "-5"},
    {MY_GAME_LINKS, KIN_TYPE_ENTITY, "own", "0"},
};

START_TEST(rfl_05_a_path_reads_a_field_of_any_type)
{
    kin_field_value value = {.type = KIN_TYPE_OPAQUE};
    ck_assert_int_eq(kin_field_read(base, one, fields[_i].id, fields[_i].path, &value), KIN_OK);
    ck_assert_int_eq(value.type, fields[_i].type);
    ck_assert_str_eq(value_text(value), fields[_i].text);
}
END_TEST

START_TEST(a_type_has_the_name_of_the_schema_language)
{
    ck_assert_str_eq(kin_type_name(KIN_TYPE_BOOL), "bool");
    ck_assert_str_eq(kin_type_name(KIN_TYPE_UINT16), "uint16");
    ck_assert_str_eq(kin_type_name(KIN_TYPE_INLINE_STRING), "string");
    ck_assert_str_eq(kin_type_name(KIN_TYPE_OPAQUE), "opaque");
    ck_assert_ptr_null(kin_type_name((kin_type)(KIN_TYPE_OPAQUE + 1)));
}
END_TEST

static const struct {
    const char *path, *reason;
} bad_paths[] = {
    {NULL, "is NULL"},
    {"", "does not exist"},
    {"numbe", "does not exist"},
    {"numberss", "does not exist"},
    {"numbers", "ends at an array"},
    {"numbers[4]", "beyond the end"},
    {"numbers[-1]", "without an index"},
    {"numbers[99999999999]", "beyond the end"},
    {"numbers[]", "without an index"},
    {"numbers[1", "without an index"},
    {"numbers[1]]", "continues after a bracket"},
    {"numbers[1]x", "continues after a bracket"},
    {"numbers[1][0]", "not an array"},
    {"numbers.x", "not a struct"},
    {"points[0]", "ends at a struct"},
    {"points[0].", "does not exist"},
    {"points[0].z", "does not exist"},
    {"points[0].x.y", "not a struct"},
    {"points.x", "not a struct"},
    {".numbers", "does not exist"},
    {"[0]", "does not exist"},
    {" numbers[0]", "does not exist"},
};

START_TEST(rfl_05_a_path_that_names_no_single_value_is_refused)
{
    kin_field_value value = {.type = KIN_TYPE_OPAQUE};
    ck_assert_int_eq(kin_field_read(base, one, MY_GAME_ARRAYS, bad_paths[_i].path, &value), KIN_ERROR_INVALID);
    ck_assert_ptr_nonnull(strstr(errors.entries[0].message, bad_paths[_i].reason));
    ck_assert_str_eq(errors.entries[0].component, "Arrays");
    ck_assert_reported(&errors, KIN_ERROR_INVALID);
    ck_assert_int_eq(value.type, KIN_TYPE_OPAQUE);
    value = (kin_field_value){.type = KIN_TYPE_INT32};
    ck_assert_refused(&errors, kin_field_write(base, one, MY_GAME_ARRAYS, bad_paths[_i].path, value),
                      KIN_ERROR_INVALID);
}
END_TEST

START_TEST(rfl_05_opaque_values_flags_and_missing_components_have_no_fields_to_read)
{
    kin_field_value value;
    my_game_add_looks(my_game, my_game_entity_of(one), my_looks_default());
    ck_assert_refused(&errors, kin_field_read(base, one, MY_GAME_LOOKS, "sprite", &value), KIN_ERROR_INVALID);
    ck_assert_refused(&errors, kin_field_read(base, one, MY_GAME_FROZEN, "x", &value), KIN_ERROR_INVALID);
    ck_assert_refused(&errors, kin_field_read(base, one, MY_GAME_COMPONENT_COUNT, "x", &value), KIN_ERROR_INVALID);
    ck_assert_refused(&errors, kin_field_read(base, one, MY_GAME_SCORE, "points", &value), KIN_ERROR_NO_COMPONENT);
    ck_assert_refused(&errors, kin_field_read(base, 0, MY_GAME_SCORE, "points", &value), KIN_ERROR_NOT_ALIVE);
}
END_TEST

// ---- writing

static kin_field_value integer(int64_t number)
{
    return (kin_field_value){.type = KIN_TYPE_INT64, .as = {.integer = number}};
}

static kin_field_value natural(uint64_t number)
{
    return (kin_field_value){.type = KIN_TYPE_UINT64, .as = {.natural = number}};
}

static kin_field_value number(double number)
{
    return (kin_field_value){.type = KIN_TYPE_DOUBLE, .as = {.number = number}};
}

static kin_field_value string(const char *string)
{
    return (kin_field_value){.type = KIN_TYPE_STRING, .as = {.string = string}};
}

static const struct {
    const char *path;
    int64_t least;
    uint64_t most;
} ranges[] = {
    {"i8", INT8_MIN, INT8_MAX},    {"i16", INT16_MIN, INT16_MAX}, {"i32", INT32_MIN, INT32_MAX},
    {"i64", INT64_MIN, INT64_MAX}, {"u8", 0, UINT8_MAX},          {"u16", 0, UINT16_MAX},
    {"u32", 0, UINT32_MAX},        {"u64", 0, UINT64_MAX},
};

static void expect_write(const char *path, kin_field_value value, bool fits)
{
    kin_status expected = fits ? KIN_OK : KIN_ERROR_INVALID;
    ck_assert_int_eq(kin_field_write(base, one, MY_GAME_ALL_NUMBERS, path, value), expected);
    if (!fits)
        ck_assert_reported(&errors, expected);
}

START_TEST(rfl_06_an_integer_is_written_if_its_field_has_the_range)
{
    const char *path = ranges[_i].path;
    kin_field_value value;
    expect_write(path, integer(ranges[_i].least), true);
    kin_field_read(base, one, MY_GAME_ALL_NUMBERS, path, &value);
    ck_assert_int_eq(value.as.integer, ranges[_i].least);
    expect_write(path, natural(ranges[_i].most), true);
    kin_field_read(base, one, MY_GAME_ALL_NUMBERS, path, &value);
    ck_assert_uint_eq(value.as.natural, ranges[_i].most);
    if (ranges[_i].least > INT64_MIN)
        expect_write(path, integer(ranges[_i].least - 1), false);
    if (ranges[_i].most < UINT64_MAX)
        expect_write(path, natural(ranges[_i].most + 1), false);
    kin_field_read(base, one, MY_GAME_ALL_NUMBERS, path, &value);
    ck_assert_uint_eq(value.as.natural, ranges[_i].most);
}
END_TEST

START_TEST(rfl_06_a_floating_point_number_keeps_its_bits)
{
    static const float tenth = 0.1f; // a constant can have more bits on machines that compute in long double
    static const double numbers[] = {-0.0, NAN, INFINITY, -INFINITY, DBL_MIN / 4, DBL_MAX};
    kin_field_value value;
    for (uint32_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        expect_write("f64", number(numbers[i]), true);
        kin_field_read(base, one, MY_GAME_ALL_NUMBERS, "f64", &value);
        ck_assert_mem_eq(&value.as.number, &numbers[i], sizeof numbers[i]);
    }
    expect_write("f32", number((double)FLT_MAX), true);
    expect_write("f32", number(INFINITY), true);
    expect_write("f32", number(-1e39), false);
    expect_write("f32", number(0.1), true);
    kin_field_read(base, one, MY_GAME_ALL_NUMBERS, "f32", &value);
    ck_assert(value.as.number == (double)tenth);
}
END_TEST

START_TEST(rfl_06_a_value_of_another_type_is_refused)
{
    kin_field_value boolean = {.type = KIN_TYPE_BOOL, .as = {.boolean = true}};
    kin_field_value entity = {.type = KIN_TYPE_ENTITY, .as = {.entity = one}};
    kin_field_value other = {.type = KIN_TYPE_STRUCT}, unknown = {.type = (kin_type)99};
    expect_write("i32", number(1), false);
    expect_write("i32", boolean, false);
    expect_write("i32", entity, false);
    expect_write("i32", string("1"), false);
    expect_write("i32", other, false);
    expect_write("i32", unknown, false);
    expect_write("f32", integer(1), false);
    expect_write("flag", integer(1), false);
    boolean.as.boolean = false;
    expect_write("flag", boolean, true);
    ck_assert(!my_game_get_all_numbers(my_game, my_game_entity_of(one))->flag);
    ck_assert_int_eq(kin_field_write(base, one, MY_GAME_LINKS, "own", entity), KIN_OK);
    ck_assert_uint_eq(my_game_get_links(my_game, my_game_entity_of(one))->own.id, one);
    ck_assert_refused(&errors, kin_field_write(base, one, MY_GAME_LINKS, "own", natural(one)), KIN_ERROR_INVALID);
}
END_TEST

START_TEST(rfl_06_an_enum_has_only_the_numbers_of_the_schema)
{
    const my_Boxed *boxed = my_game_get_boxed(my_game, my_game_entity_of(one));
    ck_assert_int_eq(kin_field_write(base, one, MY_GAME_BOXED, "level", integer(16)), KIN_OK);
    ck_assert_int_eq(boxed->level, 16);
    kin_field_value value = {.type = KIN_TYPE_ENUM, .as = {.integer = -5}};
    ck_assert_int_eq(kin_field_write(base, one, MY_GAME_BOXED, "level", value), KIN_OK);
    ck_assert_int_eq(boxed->level, -5);
    ck_assert_refused(&errors, kin_field_write(base, one, MY_GAME_BOXED, "level", integer(17)), KIN_ERROR_INVALID);
    ck_assert_int_eq(boxed->level, -5);
}
END_TEST

START_TEST(rfl_06_a_string_must_fit_its_field)
{
    char letters[64];
    my_game_entity entity = my_game_entity_of(one);
    memset(letters, 'x', sizeof letters);
    letters[31] = '\0';
    ck_assert_int_eq(kin_field_write(base, one, MY_GAME_TEXTS, "lengthy", string(letters)), KIN_OK);
    ck_assert_str_eq(my_game_get_texts(my_game, entity)->lengthy, letters);
    letters[31] = 'x', letters[32] = '\0';
    ck_assert_refused(&errors, kin_field_write(base, one, MY_GAME_TEXTS, "lengthy", string(letters)),
                      KIN_ERROR_INVALID);
    ck_assert_refused(&errors, kin_field_write(base, one, MY_GAME_TEXTS, "brief", string(NULL)), KIN_ERROR_INVALID);
    ck_assert_int_eq(kin_field_write(base, one, MY_GAME_TEXTS, "lengthy", string("")), KIN_OK);
    ck_assert_int_eq(my_game_get_texts(my_game, entity)->lengthy[30], 0);
}
END_TEST

START_TEST(rfl_07_writing_a_field_replaces_the_component)
{
    kin_group *group = my_game_group(my_game, KIN_MATCHER(KIN_ALL(MY_GAME_NAME)));
    my_game_entity entity = my_game_entity_of(one);
    char text[] = "ann";
    call_log_subscribe(group, KIN_MODIFIED, "M");
    ck_assert_int_eq(kin_field_write(base, one, MY_GAME_NAME, "nothing", string(text)), KIN_OK);
    text[0] = 'x';
    ck_assert_str_eq(call_log_labels(), "M ");
    ck_assert_str_eq(my_game_get_name(my_game, entity)->nothing, "ann");
    ck_assert_str_eq(my_game_get_name(my_game, entity)->none, "");
    ck_assert_int_eq(kin_field_write(base, one, MY_GAME_NAME, "nothing", string(NULL)), KIN_OK);
    ck_assert_ptr_null(my_game_get_name(my_game, entity)->nothing);
}
END_TEST

static void write_nothing(const kin_change *change, void *user)
{
    (void)user;
    kin_field_write(change->context, change->entity, MY_GAME_NAME, "nothing", string("ann"));
}

START_TEST(rfl_07_a_listener_may_write_a_field)
{
    kin_group_subscribe(my_game_group(my_game, KIN_MATCHER(KIN_ALL(MY_GAME_TEXTS))), KIN_MODIFIED, write_nothing, NULL);
    ck_assert_int_eq(kin_field_write(base, one, MY_GAME_TEXTS, "brief", string("!")), KIN_OK);
    ck_assert_str_eq(my_game_get_name(my_game, my_game_entity_of(one))->nothing, "ann");
}
END_TEST

START_TEST(rfl_07_an_index_follows_a_field_or_refuses_it)
{
    my_game_entity other = my_game_create_entity(my_game), entity = my_game_entity_of(one);
    my_game_add_http_server(my_game, entity, (my_HTTPServer){80});
    my_game_add_http_server(my_game, other, (my_HTTPServer){81});
    ck_assert_refused(&errors, kin_field_write(base, one, MY_GAME_HTTP_SERVER, "port", integer(81)),
                      KIN_ERROR_DUPLICATE_KEY);
    ck_assert_int_eq(kin_field_write(base, one, MY_GAME_HTTP_SERVER, "port", integer(82)), KIN_OK);
    ck_assert_uint_eq(my_game_entity_with_http_server_port(my_game, 82).id, one);
    ck_assert_uint_eq(my_game_entity_with_http_server_port(my_game, 80).id, 0);
}
END_TEST

START_TEST(rfl_07_without_memory_nothing_is_written)
{
    guard_fail(&memory, 1, true);
    ck_assert_int_eq(kin_field_write(base, one, MY_GAME_NAME, "nothing", string("ann")), KIN_ERROR_NO_MEMORY);
    guard_fail(&memory, 0, false);
    ck_assert_reported(&errors, KIN_ERROR_NO_MEMORY);
    ck_assert_ptr_null(my_game_get_name(my_game, my_game_entity_of(one))->nothing);
}
END_TEST

START_TEST(rfl_07_a_field_of_a_large_component_needs_memory_for_a_moment)
{
    guard large;
    kin_context_options options = {
        .allocator = guard_begin(&large), .on_error = error_log_append, .error_user = &errors};
    larder_context *larder = larder_context_create(&options);
    larder_entity entity = larder_create_entity(larder);
    larder_add_crate(larder, entity, crate_default());
    size_t size = large.size;
    guard_fail(&large, 1, true);
    ck_assert_int_eq(kin_field_write(&larder->base, entity.id, LARDER_CRATE, "weights[199]", integer(9)),
                     KIN_ERROR_NO_MEMORY);
    guard_fail(&large, 0, false);
    ck_assert_reported(&errors, KIN_ERROR_NO_MEMORY);
    ck_assert_int_eq(kin_field_write(&larder->base, entity.id, LARDER_CRATE, "weights[199]", integer(9)), KIN_OK);
    ck_assert_int_eq(larder_get_crate(larder, entity)->weights[199], 9);
    ck_assert_int_eq(larder_get_crate(larder, entity)->number, 7);
    ck_assert_uint_eq(large.size, size);
    larder_context_destroy(larder);
    guard_end(&large);
}
END_TEST

// ---- text

START_TEST(rfl_08_a_component_is_described_with_its_value)
{
    char text[512];
    static const struct {
        kin_component_id id;
        const char *text;
    } components[] = {
        {MY_GAME_ALL_NUMBERS,
         "AllNumbers {flag: true, i8: -128, i16: -32768, i32: -2147483648, i64: -9223372036854775808, u8: 255, "
         "u16: 65535, u32: 4294967295, u64: 18446744073709551615, f32: -0.25, f64: 1e-300, plain: 0}"},
        {MY_GAME_ARRAYS, "Arrays {numbers: [1, 0, -3, 4], sides: [Blue, Red], points: [{x: 1, y: 0}, {x: 0, y: 2}, "
                         "{x: 0, y: 0}], flags: [false, false, false, false, false, false, false, false], "
                         "targets: [no entity, no entity]}"},
        {MY_GAME_BOXED, "Boxed {box: {from: {x: 1.5, y: 0}, to: {x: 0, y: 7}, corners: [{x: 0, y: 0}, {x: 0, y: 0}, "
                        "{x: 0, y: 0}, {x: 0, y: 0}], inner: {side: Blue, label: \"hi\"}}, level: Low}"},
        {MY_GAME_NAME, "Name {value: \"\"quoted\" ?"
                       "?/ \\ \\x0a\", nothing: NULL, none: \"\"}"},
    };
    for (uint32_t i = 0; i < sizeof components / sizeof *components; i++) {
        const void *value = kin_get(base, one, components[i].id);
        size_t length = kin_component_describe(base, components[i].id, value, text, sizeof text);
        ck_assert_str_eq(text, components[i].text);
        ck_assert_uint_eq(length, strlen(text));
        ck_assert_uint_eq(kin_component_describe(base, components[i].id, value, NULL, 0), length);
        kin_component_describe(base, components[i].id, value, text, 10);
        ck_assert_uint_eq(strlen(text), 9);
    }
    kin_component_describe(base, MY_GAME_FROZEN, NULL, text, sizeof text);
    ck_assert_str_eq(text, "Frozen");
    kin_component_describe(base, MY_GAME_COMPONENT_COUNT, NULL, text, sizeof text);
    ck_assert_str_eq(text, "no component");
}
END_TEST

START_TEST(rfl_08_numbers_are_described_so_that_they_read_back_the_same)
{
    static const struct {
        float narrow;
        const char *text;
    } numbers[] = {
        {0.1f, "0.1"}, {1.0f / 3, "0.33333334"}, {16777216, "16777216"}, {-0.0f, "-0"}, {1e-45f, "1.4013e-45"}};
    char text[512], expected[64];
    my_game_entity entity = my_game_entity_of(one);
    for (uint32_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        my_AllNumbers value = my_all_numbers_default();
        value.f32 = numbers[i].narrow;
        my_game_replace_all_numbers(my_game, entity, value);
        kin_describe_entity(base, one, text, sizeof text);
        snprintf(expected, sizeof expected, "f32: %s,", numbers[i].text);
        ck_assert_msg(strstr(text, expected) != NULL, "%s is not in %s", expected, text);
    }
}
END_TEST

Suite *runtime_field_suite(void)
{
    Suite *suite = suite_create("runtime_field");
    TCase *tests = tcase_create("field");
    tcase_add_checked_fixture(tests, begin, my_game_end);
    tcase_add_test(tests, a_type_has_the_name_of_the_schema_language);
    tcase_add_loop_test(tests, rfl_05_a_path_reads_a_field_of_any_type, 0, sizeof fields / sizeof *fields);
    tcase_add_loop_test(tests, rfl_05_a_path_that_names_no_single_value_is_refused, 0,
                        sizeof bad_paths / sizeof *bad_paths);
    tcase_add_test(tests, rfl_05_opaque_values_flags_and_missing_components_have_no_fields_to_read);
    tcase_add_loop_test(tests, rfl_06_an_integer_is_written_if_its_field_has_the_range, 0,
                        sizeof ranges / sizeof *ranges);
    tcase_add_test(tests, rfl_06_a_floating_point_number_keeps_its_bits);
    tcase_add_test(tests, rfl_06_a_value_of_another_type_is_refused);
    tcase_add_test(tests, rfl_06_an_enum_has_only_the_numbers_of_the_schema);
    tcase_add_test(tests, rfl_06_a_string_must_fit_its_field);
    tcase_add_test(tests, rfl_07_writing_a_field_replaces_the_component);
    tcase_add_test(tests, rfl_07_a_listener_may_write_a_field);
    tcase_add_test(tests, rfl_07_an_index_follows_a_field_or_refuses_it);
    tcase_add_test(tests, rfl_07_without_memory_nothing_is_written);
    tcase_add_test(tests, rfl_07_a_field_of_a_large_component_needs_memory_for_a_moment);
    tcase_add_test(tests, rfl_08_a_component_is_described_with_its_value);
    tcase_add_test(tests, rfl_08_numbers_are_described_so_that_they_read_back_the_same);
    suite_add_tcase(suite, tests);
    return suite;
}
