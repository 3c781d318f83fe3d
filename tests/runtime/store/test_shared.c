// Shared values: equal values of a component are stored once (SHR-01 to SHR-05).
#include "entity/entity.h"
#include "runtime/support/case.h"
#include "suites.h"

#include <gallery/gallery.h>

#include <kin/inventory.h>
#include <kin/memory.h>
#include <kin/reflect.h>

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENTITIES = 4 };

CASE(salon)

static salon_entity entities[ENTITIES];

static void begin(void)
{
    salon_begin();
    for (int i = 0; i < ENTITIES; i++)
        entities[i] = salon_create_entity(salon);
}

static void give(int at, uint32_t mesh)
{
    ck_assert_int_eq(salon_replace_material(salon, entities[at], (Material){.mesh = mesh}), KIN_OK);
}

static void give_label(int at, const char *text)
{
    ck_assert_int_eq(salon_replace_label(salon, entities[at], (Label){.text = text}), KIN_OK);
}

// Compares the meshes of all values, in order, with `expected`, and how many entities have each: "1x2 7x1 ".
static void ck_values(const char *expected)
{
    char found[256] = "";
    salon_material_values it = salon_material_values_iterate(salon);
    while (salon_material_values_next(&it)) {
        size_t end = strlen(found);
        snprintf(found + end, sizeof found - end, "%ux%u ", (unsigned)it.value->mesh, (unsigned)it.count);
    }
    ck_assert_uint_eq(it.count, 0);
    ck_assert(!salon_material_values_next(&it));
    ck_assert_str_eq(found, expected);
}

static const Material *get(int at)
{
    return salon_get_material(salon, entities[at]);
}

// ---- SHR-01

START_TEST(shr_01_entities_with_equal_values_get_the_same_address)
{
    give(0, 5);
    give(1, 5);
    give(2, 6);
    ck_assert_ptr_eq(get(0), get(1));
    ck_assert_ptr_ne(get(0), get(2));
    ck_assert_ptr_null(get(3));
    ck_assert_uint_eq(get(2)->mesh, 6);
    ck_assert_ptr_eq(salon_get_material_unchecked(salon, entities[1]), get(0));
    ck_assert_ptr_eq(kin_get(&salon->base, entities[1].id, SALON_MATERIAL), get(0));
}
END_TEST

START_TEST(shr_01_the_address_stays_until_the_last_entity_has_lost_the_value)
{
    give(0, 5);
    const Material *first = get(0);
    give(1, 5);
    give(0, 6);
    ck_assert_ptr_eq(get(1), first);
    give(2, 5);
    ck_assert_int_eq(salon_remove_material(salon, entities[1]), KIN_OK);
    ck_assert_ptr_eq(get(2), first);
    for (uint32_t mesh = 100; mesh < 1100; mesh++)
        give(3, mesh);
    ck_assert_ptr_eq(get(2), first);
    ck_assert_uint_eq(first->mesh, 5);
    ck_values("5x1 6x1 1099x1 ");
}
END_TEST

START_TEST(shr_01_padding_and_the_rest_of_a_text_make_no_difference)
{
    Medley values[2];
    memset(&values[0], 0, sizeof values[0]);
    memset(&values[1], 0xff, sizeof values[1]);
    for (int i = 0; i < 2; i++) {
        values[i] = medley_default();
        memcpy(values[i].code, i == 0 ? "ab\0\0\0" : "ab\0xy", 6);
        memset(values[i].padded.name, i == 0 ? 0 : 'z', sizeof values[i].padded.name);
        values[i].padded.name[0] = '\0';
        memset(values[i].rooms[1].name, i == 0 ? 0 : 'z', sizeof values[i].rooms[1].name);
        values[i].rooms[1].name[1] = '\0';
        values[i].rooms[1].name[0] = 'r';
        ck_assert_int_eq(salon_add_medley(salon, entities[i], values[i]), KIN_OK);
    }
    ck_assert_ptr_eq(salon_get_medley(salon, entities[0]), salon_get_medley(salon, entities[1]));
}
END_TEST

// A byte of each field that is no string.
static const size_t bytes_of_fields[] = {
    offsetof(Medley, flag),
    offsetof(Medley, i8),
    offsetof(Medley, i16),
    offsetof(Medley, i32),
    offsetof(Medley, i64),
    offsetof(Medley, u8),
    offsetof(Medley, u16),
    offsetof(Medley, u32),
    offsetof(Medley, u64),
    offsetof(Medley, single),
    offsetof(Medley, precise),
    offsetof(Medley, code) + 4,
    offsetof(Medley, who),
    offsetof(Medley, anyone),
    offsetof(Medley, finish),
    offsetof(Medley, spot.z),
    offsetof(Medley, padded.narrow),
    offsetof(Medley, padded.name),
    offsetof(Medley, handle),
    offsetof(Medley, numbers[2]),
    offsetof(Medley, handles[1]),
    offsetof(Medley, rooms[1].large),
    offsetof(Medley, rooms[1].narrow),
    offsetof(Medley, rooms[0].name) + 2,
};
enum { BYTES = sizeof bytes_of_fields / sizeof *bytes_of_fields };

static void change_field(Medley *value, int field)
{
    if (field < BYTES)
        ((unsigned char *)value)[bytes_of_fields[field]] ^= 1;
    else if (field == BYTES)
        value->text = "other";
    else
        value->other = "";
}

START_TEST(shr_01_values_that_differ_in_any_field_are_two)
{
    Medley value = medley_default();
    memcpy(value.code, "abcde", 6);
    memcpy(value.rooms[0].name, "abc", 4);
    ck_assert_int_eq(salon_add_medley(salon, entities[0], value), KIN_OK);
    change_field(&value, _i);
    ck_assert_int_eq(salon_add_medley(salon, entities[1], value), KIN_OK);
    ck_assert_ptr_ne(salon_get_medley(salon, entities[0]), salon_get_medley(salon, entities[1]));
    salon_medley_values it = salon_medley_values_iterate(salon);
    ck_assert(salon_medley_values_next(&it) && salon_medley_values_next(&it));
    ck_assert_uint_eq(it.count, 1);
    ck_assert(!salon_medley_values_next(&it));
}
END_TEST

START_TEST(shr_01_each_context_has_values_of_its_own)
{
    rotunda_context *rotunda = rotunda_context_create(NULL);
    rotunda_entity other = rotunda_create_entity(rotunda);
    ck_assert_int_eq(salon_add_medley(salon, entities[0], medley_default()), KIN_OK);
    ck_assert_int_eq(rotunda_add_medley(rotunda, other, medley_default()), KIN_OK);
    ck_assert_ptr_ne(salon_get_medley(salon, entities[0]), rotunda_get_medley(rotunda, other));
    ck_assert_str_eq(rotunda_get_medley(rotunda, other)->text, "plain");
    rotunda_context_destroy(rotunda);
}
END_TEST

// Without the guard, which is slow with a million blocks. The sweep tries each call several times: it needs fewer.
START_TEST(shr_01_a_million_values_are_found_and_freed)
{
    uint32_t count = getenv("KIN_SWEEP_COUNTS") == NULL ? 1000000 : 1000;
    salon_context *large = salon_context_create(NULL);
    for (uint32_t i = 0; i < 2 * count; i++) {
        salon_entity entity = salon_create_entity(large);
        if (salon_add_material(large, entity, (Material){.mesh = i % count}) != KIN_OK)
            ck_abort_msg("value %u", (unsigned)i);
    }
    uint32_t number = 0;
    salon_material_values it = salon_material_values_iterate(large);
    for (; salon_material_values_next(&it); number++)
        if (it.value->mesh != number || it.count != 2)
            ck_abort_msg("number %u", (unsigned)number);
    ck_assert_uint_eq(number, count);
    ck_assert_int_eq(salon_destroy_all_entities(large), KIN_OK);
    it = salon_material_values_iterate(large);
    ck_assert(!salon_material_values_next(&it));
    salon_context_destroy(large);
}
END_TEST

// ---- SHR-03

START_TEST(shr_03_values_are_visited_in_order_of_their_numbers)
{
    ck_values("");
    give(0, 30);
    give(1, 10);
    give(2, 20);
    ck_values("30x1 10x1 20x1 ");
    give(1, 20);
    ck_values("30x1 20x2 ");
    give(0, 40); // gets the number of 10, and frees that of 30
    ck_values("40x1 20x2 ");
    give(3, 50);
    ck_values("50x1 40x1 20x2 ");
}
END_TEST

START_TEST(shr_03_a_new_value_gets_the_lowest_free_number)
{
    salon_entity more[20];
    for (uint32_t i = 0; i < 20; i++) {
        more[i] = salon_create_entity(salon);
        ck_assert_int_eq(salon_add_material(salon, more[i], (Material){.mesh = i}), KIN_OK);
    }
    static const uint32_t freed[] = {17, 3, 11, 5, 19, 0, 8};
    for (int i = 0; i < 7; i++)
        ck_assert_int_eq(salon_destroy_entity(salon, more[freed[i]]), KIN_OK);
    for (int i = 0; i < ENTITIES; i++)
        give(i, 100 + (uint32_t)i); // numbers 0, 3, 5 and 8
    ck_values("100x1 1x1 2x1 101x1 4x1 102x1 6x1 7x1 103x1 9x1 10x1 12x1 13x1 14x1 15x1 16x1 18x1 ");
}
END_TEST

START_TEST(shr_03_a_loop_over_values_goes_on_when_they_change)
{
    for (int i = 0; i < ENTITIES; i++)
        give(i, 10 + (uint32_t)i);
    salon_material_values it = salon_material_values_iterate(salon);
    ck_assert(salon_material_values_next(&it) && it.value->mesh == 10);
    give(1, 10);
    ck_assert(salon_material_values_next(&it) && it.value->mesh == 12);
    give(1, 99); // number 1, behind the loop
    give(3, 10);
    ck_assert(!salon_material_values_next(&it));
    ck_values("10x2 99x1 12x1 ");
}
END_TEST

// ---- SHR-04

START_TEST(shr_04_a_nan_equals_itself_and_zeros_of_both_signs_differ)
{
    static const float floats[] = {NAN, NAN, 0.0f, -0.0f};
    for (int i = 0; i < ENTITIES; i++)
        ck_assert_int_eq(salon_add_material(salon, entities[i], (Material){.tint = {.x = floats[i]}}), KIN_OK);
    ck_assert_ptr_eq(get(0), get(1));
    ck_assert_ptr_ne(get(2), get(3));
    ck_assert(isnan(get(0)->tint.x) && !signbit(get(2)->tint.x) && signbit(get(3)->tint.x));
}
END_TEST

START_TEST(shr_04_strings_are_compared_by_content_and_copied)
{
    char text[] = "marble", same[] = "marble";
    give_label(0, text);
    give_label(1, same);
    memset(text, 'x', 6);
    memset(same, 'y', 6);
    const Label *label = salon_get_label(salon, entities[0]);
    ck_assert_ptr_eq(label, salon_get_label(salon, entities[1]));
    ck_assert_str_eq(label->text, "marble");
    give_label(2, label->text);
    ck_assert_ptr_eq(label, salon_get_label(salon, entities[2]));
}
END_TEST

START_TEST(shr_04_no_string_is_not_an_empty_string)
{
    give_label(0, NULL);
    give_label(1, "");
    ck_assert_ptr_ne(salon_get_label(salon, entities[0]), salon_get_label(salon, entities[1]));
    ck_assert_ptr_null(salon_get_label(salon, entities[0])->text);
    ck_assert_str_eq(salon_get_label(salon, entities[1])->text, "");
}
END_TEST

// ---- SHR-05

static void ck_styles(Style style, uint32_t expected)
{
    uint32_t count;
    const salon_entity *found = salon_entities_with_style(salon, style, &count);
    ck_assert_uint_eq(count, expected);
    for (uint32_t i = 0; i < count; i++)
        ck_assert_str_eq(salon_get_style(salon, found[i])->name, style.name);
}

START_TEST(shr_05_an_index_over_a_component_finds_the_entities_with_a_value)
{
    uint32_t count;
    for (int i = 0; i < ENTITIES; i++)
        ck_assert_int_eq(salon_add_style(salon, entities[i], (Style){(uint32_t)i / 3, i == 1 ? "low" : "high"}),
                         KIN_OK);
    ck_styles((Style){0, "high"}, 2);
    ck_styles((Style){0, "low"}, 1);
    ck_styles((Style){1, "high"}, 1);
    ck_styles((Style){1, "low"}, 0);
    ck_styles((Style){0, NULL}, 0);
    ck_assert_ptr_nonnull(salon_entities_with_style_number(salon, 0, &count));
    ck_assert_uint_eq(count, 3);
    ck_assert_int_eq(salon_replace_style(salon, entities[0], (Style){1, "high"}), KIN_OK);
    ck_styles((Style){0, "high"}, 1);
    ck_styles((Style){1, "high"}, 2);
    ck_assert_int_eq(salon_destroy_entity(salon, entities[3]), KIN_OK);
    ck_styles((Style){1, "high"}, 1);
}
END_TEST

START_TEST(shr_05_any_component_can_have_an_index_over_its_fields)
{
    uint32_t count;
    Sign sign = {.spot = {1, 2, 3}, .code = "left", .wall = 7};
    ck_assert_int_eq(salon_add_tile(salon, entities[0], (Tile){1, -2, FINISH_GLOSS}), KIN_OK);
    ck_assert_int_eq(salon_add_tile(salon, entities[2], (Tile){1, -2, FINISH_GLOSS}), KIN_OK);
    ck_assert_int_eq(salon_add_sign(salon, entities[1], sign), KIN_OK);
    const salon_entity *found = salon_entities_with_tile(salon, (Tile){1, -2, FINISH_GLOSS}, &count);
    ck_assert_uint_eq(count, 2);
    ck_assert(found[0].id == entities[0].id && found[1].id == entities[2].id);
    ck_assert_ptr_null(salon_entities_with_tile(salon, (Tile){1, -2, FINISH_MATT}, &count));
    memcpy(sign.code, "left\0more", 10);
    found = salon_entities_with_sign(salon, sign, &count);
    ck_assert_uint_eq(count, 1);
    ck_assert_uint_eq(found[0].id, entities[1].id);
    sign.spot.y = 4;
    ck_assert_ptr_null(salon_entities_with_sign(salon, sign, &count));
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_test(tests, shr_01_entities_with_equal_values_get_the_same_address);
    tcase_add_test(tests, shr_01_the_address_stays_until_the_last_entity_has_lost_the_value);
    tcase_add_test(tests, shr_01_padding_and_the_rest_of_a_text_make_no_difference);
    tcase_add_loop_test(tests, shr_01_values_that_differ_in_any_field_are_two, 0, BYTES + 2);
    tcase_add_test(tests, shr_01_each_context_has_values_of_its_own);
    tcase_add_test(tests, shr_01_a_million_values_are_found_and_freed);
    tcase_add_test(tests, shr_03_values_are_visited_in_order_of_their_numbers);
    tcase_add_test(tests, shr_03_a_new_value_gets_the_lowest_free_number);
    tcase_add_test(tests, shr_03_a_loop_over_values_goes_on_when_they_change);
    tcase_add_test(tests, shr_04_a_nan_equals_itself_and_zeros_of_both_signs_differ);
    tcase_add_test(tests, shr_04_strings_are_compared_by_content_and_copied);
    tcase_add_test(tests, shr_04_no_string_is_not_an_empty_string);
    tcase_add_test(tests, shr_05_an_index_over_a_component_finds_the_entities_with_a_value);
    tcase_add_test(tests, shr_05_any_component_can_have_an_index_over_its_fields);
}

Suite *runtime_shared_suite(void)
{
    Suite *suite = suite_create("runtime_shared");
    TCase *tests = tcase_create("shared");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, begin, salon_end);
    add_tests(tests);
    suite_add_tcase(suite, tests);
    return suite;
}
