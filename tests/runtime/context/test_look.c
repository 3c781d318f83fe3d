// Looking (RFL-09): words of slots, rows and values of any storage, without changing anything.
#include "entity/entity.h"
#include "runtime/support/case.h"
#include "runtime/support/visible.h"
#include "suites.h"

#include <closet/closet.h>
#include <kin/reflect.h>

#include <string.h>

CASE(closet)

static kin_context *base;

static void begin(void)
{
    closet_begin();
    base = &closet->base;
}

START_TEST(rfl_09_an_empty_context_has_no_words)
{
    ck_assert_uint_eq(kin_look_words(base), 0);
    ck_assert_uint_eq(kin_look_alive(base, 0), 0);
    ck_assert_uint_eq(kin_look_has(base, CLOSET_CELL, 0), 0);
    ck_assert_uint_eq(kin_look_entity(base, 0), 0);
}
END_TEST

START_TEST(rfl_09_words_have_a_bit_for_each_slot)
{
    closet_entity entities[600];
    for (uint32_t i = 0; i < 600; i++) {
        entities[i] = closet_create_entity(closet);
        if (i % 3 == 0)
            closet_add_cell(closet, entities[i], (Cell){(int32_t)i, 0});
    }
    closet_destroy_entity(closet, entities[3]);
    ck_assert_uint_eq(kin_look_words(base), 16);
    for (uint32_t slot = 0; slot < 1024; slot++) {
        bool alive = slot < 600 && slot != 3, has = alive && slot % 3 == 0;
        ck_assert_uint_eq(kin_look_alive(base, slot / 64) >> (slot % 64) & 1, alive);
        ck_assert_uint_eq(kin_look_has(base, CLOSET_CELL, slot / 64) >> (slot % 64) & 1, has);
        ck_assert_uint_eq(kin_look_entity(base, slot), alive ? entities[slot].id : 0);
    }
    ck_assert_uint_eq(kin_look_has(base, CLOSET_COAT, 0), 0);
    ck_assert_uint_eq(kin_look_has(base, CLOSET_COMPONENT_COUNT, 0), 0);
    ck_assert_uint_eq(kin_look_has(base, CLOSET_CELL, 16), 0);
    ck_assert_uint_eq(kin_look_alive(base, 16), 0);
    ck_assert_uint_eq(kin_look_entity(base, 1024), 0);
    ck_assert_uint_eq(kin_look_entity(base, UINT32_MAX), 0);
}
END_TEST

START_TEST(rfl_09_the_row_of_an_entity_has_a_bit_for_each_component)
{
    uint32_t words = 9;
    closet_entity one = closet_create_entity(closet);
    closet_add_cell(closet, one, (Cell){1, 2});
    closet_set_locked(closet, one, true);
    const uint64_t *row = kin_look_row(base, one.id, &words);
    ck_assert_uint_eq(words, 1);
    ck_assert_uint_eq(row[0], (uint64_t)1 << CLOSET_CELL | (uint64_t)1 << CLOSET_LOCKED);
    closet_destroy_entity(closet, one);
    ck_assert_ptr_null(kin_look_row(base, one.id, &words));
    ck_assert_uint_eq(words, 0);
}
END_TEST

START_TEST(rfl_09_a_value_of_any_storage_is_copied)
{
    closet_entity one = closet_create_entity(closet);
    Trail trail = {0}, before;
    Trunk trunk = {.name = "oak"}, read = {0};
    trunk.weights[39] = 7;
    closet_add_trail(closet, one, (Trail){1.5f, 7});
    closet_add_trunk(closet, one, trunk);
    closet_set_locked(closet, one, true);
    ck_assert(kin_look_read(base, one.id, CLOSET_TRAIL, &trail));
    ck_assert(trail.x == 1.5f && trail.length == 7);
    ck_assert(kin_look_read(base, one.id, CLOSET_TRUNK, &read));
    ck_assert_str_eq(read.name, "oak");
    ck_assert_int_eq(read.weights[39], 7);
    ck_assert(kin_look_read(base, one.id, CLOSET_LOCKED, NULL));
    memcpy(&before, &trail, sizeof trail);
    ck_assert(!kin_look_read(base, one.id, CLOSET_CELL, &trail));
    ck_assert(!kin_look_read(base, one.id, CLOSET_COMPONENT_COUNT, &trail));
    ck_assert(!kin_look_read(base, 0, CLOSET_TRAIL, &trail));
    ck_assert_mem_eq(&before, &trail, sizeof trail);
}
END_TEST

static void look_at_everything(kin_context *context)
{
    uint32_t words;
    char value[256], text[1024];
    for (uint32_t w = 0; w < kin_look_words(context); w++)
        KIN_EACH_BIT(i, kin_look_alive(context, w))
        {
            kin_entity entity = kin_look_entity(context, w * 64 + i);
            kin_look_row(context, entity, &words);
            kin_describe_entity(context, entity, text, sizeof text);
            for (uint32_t id = 0; id < context->info->component_count; id++)
                kin_look_read(context, entity, (kin_component_id)id, value);
        }
}

START_TEST(rfl_09_looking_changes_nothing_and_needs_no_memory)
{
    static visible before, after;
    for (int32_t i = 0; i < 100; i++) {
        closet_entity entity = closet_create_entity(closet);
        closet_add_cell(closet, entity, (Cell){i, i});
        closet_add_number(closet, entity, (Number){i});
    }
    visible_begin(&before);
    visible_add_context(&before, base);
    uint64_t requests = memory.request_count;
    look_at_everything(base);
    ck_assert_uint_eq(memory.request_count, requests);
    visible_begin(&after);
    visible_add_context(&after, base);
    ck_assert_str_eq(before.text, after.text);
}
END_TEST

Suite *runtime_look_suite(void)
{
    Suite *suite = suite_create("runtime_look");
    TCase *tests = tcase_create("look");
    tcase_add_checked_fixture(tests, begin, closet_end);
    tcase_add_test(tests, rfl_09_an_empty_context_has_no_words);
    tcase_add_test(tests, rfl_09_words_have_a_bit_for_each_slot);
    tcase_add_test(tests, rfl_09_the_row_of_an_entity_has_a_bit_for_each_component);
    tcase_add_test(tests, rfl_09_a_value_of_any_storage_is_copied);
    tcase_add_test(tests, rfl_09_looking_changes_nothing_and_needs_no_memory);
    suite_add_tcase(suite, tests);
    return suite;
}
