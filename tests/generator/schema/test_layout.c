// Layout: the generator's sizes, offsets and padding equal the compiler's, as found in the tables of the linked test
// packages; plus the best order of fields, which only the generator computes.
#include "generator/read/read.h"
#include "generator/reading.h"
#include "generator/schema/schema.h"
#include "suites.h"

#include <kin/kin.h>

#include <check.h>
#include <inttypes.h>
#include <string.h>

extern const kin_context_info my_game_info, my_input_info, attic_info, XYsong_info, hall_info, roster_info, solo_info,
    relay_info, more_info;

static const struct {
    const char *schema, *context;
    const kin_context_info *info;
} compiled[] = {
    {"everything", "game", &my_game_info}, {"everything", "input", &my_input_info}, {"attic", "attic", &attic_info},
    {"ballad", "song", &XYsong_info},      {"keyed", "hall", &hall_info},           {"roster", "roster", &roster_info},
    {"solo", "solo", &solo_info},          {"relay", "relay", &relay_info},         {"wide", "more", &more_info},
};

static const package *load(const char *name)
{
    const char *path = arena_format(reading_arena(), "tests/schemas/%s.yaml", name);
    const source *source = source_load(reading_arena(), reading_diagnostics(), path);
    ck_assert_ptr_nonnull(source);
    const package *package = package_read(reading_arena(), reading_diagnostics(), source);
    reading_expect_nothing();
    return package;
}

static const context *find_context(const package *package, const char *name)
{
    for (size_t i = 0; i < package->context_count; i++)
        if (strcmp(package->contexts[i]->name, name) == 0)
            return package->contexts[i];
    ck_abort_msg("no context %s", name);
    return NULL;
}

// Compares up to the first field of unknown size: the generator knows no offset after it.
static void expect_fields(const field_list *fields, const kin_field_info *infos)
{
    const uint64_t *offsets = layout_offsets(reading_arena(), fields);
    for (size_t i = 0; i < fields->count; i++) {
        memory_layout layout = layout_of_type(&fields->fields[i].type);
        if (layout.is_guess)
            return;
        ck_assert_msg(offsets[i] == infos[i].offset && layout.size == infos[i].size,
                      "%s: %" PRIu64 " bytes at %" PRIu64 ", but %zu at %zu", infos[i].name, layout.size, offsets[i],
                      infos[i].size, infos[i].offset);
        const definition *held = fields->fields[i].type.definition;
        if (held != NULL && held->kind == DEFINITION_STRUCT && !held->layout.is_guess)
            ck_assert_uint_eq(held->layout.alignment, infos[i].of->alignment);
    }
}

static uint64_t sum_of_sizes(const kin_component_info *info)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < info->field_count; i++)
        sum += info->fields[i].size;
    return sum;
}

START_TEST(sizes_offsets_and_padding_are_those_of_the_compiler)
{
    const context *context = find_context(load(compiled[_i].schema), compiled[_i].context);
    ck_assert_uint_eq(context->component_count, compiled[_i].info->component_count);
    for (size_t i = 0; i < context->component_count; i++) {
        const component *component = context->components[i];
        const kin_component_info *info = &compiled[_i].info->components[i];
        ck_assert_str_eq(component->name, info->name);
        expect_fields(&component->fields, info->fields);
        if (component->layout.is_guess)
            continue;
        ck_assert_uint_eq(component->layout.size, info->size);
        if (component->fields.count > 0)
            ck_assert_uint_eq(component->layout.alignment, info->alignment);
        ck_assert_uint_eq(component->layout.padding, info->size - sum_of_sizes(info));
    }
}
END_TEST

static const struct {
    const char *fields;
    memory_layout layout;
    uint64_t best_size;
} orders[] = {
    {"a: bool", {1, 1, 0, false}, 1},
    {"a: bool, b: int64, c: bool", {24, 8, 14, false}, 16},
    {"a: int64, b: bool, c: bool", {16, 8, 6, false}, 16},
    {"a: 'string[2]', b: float, c: uint8", {12, 4, 4, false}, 8},
    {"a: 'bool[3]', b: 'int16[2]'", {8, 2, 1, false}, 8},
    {"a: int8, b: Hollow, c: int8", {32, 8, 14, false}, 24},
    {"a: bool, b: Pointer", {16, 8, 7, false}, 16},
    {"a: bool, b: 'Unknown[2]'", {24, 8, 7, true}, 24},
    {"a: HoldsUnknown", {8, 8, 0, true}, 8},
};

START_TEST(padding_belongs_to_no_field_and_the_best_order_is_by_falling_alignment)
{
    const char *schema = arena_format(reading_arena(),
                                      "types:\n"
                                      "  Hollow: { fields: { wide: int64, flat: bool } }\n"
                                      "  Pointer: { opaque: void const *const * }\n"
                                      "  Unknown: { opaque: struct thing, header: thing.h }\n"
                                      "  HoldsUnknown: { fields: { one: Unknown } }\n"
                                      "components: { C: { fields: { %s } } }\n",
                                      orders[_i].fields);
    const package *package = reading_package_in_game(schema);
    reading_expect_nothing();
    const memory_layout *layout = &package->components[0]->layout, *expected = &orders[_i].layout;
    ck_assert_uint_eq(layout->alignment, expected->alignment);
    ck_assert_int_eq(layout->is_guess, expected->is_guess);
    ck_assert_uint_eq(layout_best_size(&package->components[0]->fields), orders[_i].best_size);
    ck_assert_msg(layout->size == expected->size && layout->padding == expected->padding,
                  "{%s}: %" PRIu64 " bytes, %" PRIu64 " of them padding", orders[_i].fields, layout->size,
                  layout->padding);
}
END_TEST

START_TEST(a_flag_has_no_bytes)
{
    const package *package = reading_package_in_game("components: { Frozen: {} }\n");
    ck_assert_uint_eq(package->components[0]->layout.size, 0);
    ck_assert_uint_eq(package->components[0]->layout.padding, 0);
}
END_TEST

Suite *layout_suite(void)
{
    Suite *suite = suite_create("layout");
    TCase *tests = tcase_create("layout");
    tcase_add_checked_fixture(tests, reading_begin, reading_end);
    tcase_add_loop_test(tests, sizes_offsets_and_padding_are_those_of_the_compiler, 0,
                        sizeof compiled / sizeof *compiled);
    tcase_add_loop_test(tests, padding_belongs_to_no_field_and_the_best_order_is_by_falling_alignment, 0,
                        sizeof orders / sizeof *orders);
    tcase_add_test(tests, a_flag_has_no_bytes);
    suite_add_tcase(suite, tests);
    return suite;
}
