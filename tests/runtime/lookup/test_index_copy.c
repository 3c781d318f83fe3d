// Copies of the entities of a key, in order of slot, which write nothing else (PAR-07).
#include "store/store.h"
#include "suites.h"

#include <check.h>
#include <commons/commons.h>
#include <stdlib.h>

enum { COUNT = 200 };

static commons_context *commons;
static commons_entity flock[COUNT], copies[COUNT], expected[COUNT];

// Entities that enter the zones 0 to 3 in no order of slots.
static void begin(void)
{
    commons = commons_context_create(NULL);
    for (uint32_t i = 0; i < COUNT; i++)
        flock[i] = commons_create_entity(commons);
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t at = i * 67 % COUNT;
        commons_add_zone(commons, flock[at], (Zone){(int32_t)(at / 3 % 4)});
    }
}

static void end(void)
{
    commons_context_destroy(commons);
}

static uint32_t find_expected(int32_t zone)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < COUNT; i++)
        if (commons_has_zone(commons, flock[i]) && commons_get_zone(commons, flock[i])->zone == zone)
            expected[count++] = flock[i];
    return count;
}

static void check_copy(int32_t zone, uint32_t capacity)
{
    uint32_t count = find_expected(zone);
    for (uint32_t i = 0; i < COUNT; i++)
        copies[i] = COMMONS_NO_ENTITY;
    ck_assert_uint_eq(commons_copy_entities_with_zone_zone(commons, zone, copies, capacity), count);
    for (uint32_t i = 0; i < COUNT; i++)
        ck_assert_uint_eq(copies[i].id, i < count && i < capacity ? expected[i].id : 0);
}

START_TEST(par_07_a_copy_has_the_entities_of_a_key_in_order_of_slot)
{
    begin();
    for (int32_t zone = 0; zone < 4; zone++)
        check_copy(zone, COUNT);
    end();
}
END_TEST

START_TEST(par_07_a_copy_that_is_too_small_has_the_lowest_slots)
{
    begin();
    for (uint32_t capacity = 0; capacity < COUNT; capacity++)
        check_copy(2, capacity);
    ck_assert_uint_gt(commons_copy_entities_with_zone_zone(commons, 2, NULL, 0), 0);
    end();
}
END_TEST

START_TEST(par_07_a_copy_follows_changes_and_arrays)
{
    uint32_t count;
    begin();
    commons_entities_with_zone_zone(commons, 1, &count); // the context keeps it
    check_copy(1, COUNT);
    check_copy(1, count);
    check_copy(1, count - 1);
    commons_destroy_entity(commons, flock[3]);
    commons_replace_zone(commons, flock[0], (Zone){1});
    commons_remove_zone(commons, flock[4]);
    check_copy(1, COUNT);
    end();
}
END_TEST

START_TEST(par_07_a_copy_of_an_unknown_key_is_empty)
{
    uint32_t count;
    begin();
    check_copy(9, COUNT);
    ck_assert_uint_eq(commons_copy_entities_with_name_text(commons, NULL, copies, COUNT), 0);
    ck_assert_uint_eq(commons_copy_entities_with_name_text(commons, "Ann", copies, COUNT), 0);
    char name[] = "Ann";
    commons_add_name(commons, flock[7], (Name){name});
    ck_assert_uint_eq(commons_copy_entities_with_name_text(commons, "Ann", copies, COUNT), 1);
    ck_assert_uint_eq(copies[0].id, flock[7].id);
    commons_entities_with_name_text(commons, "Ann", &count); // its node stays without entities
    commons_remove_name(commons, flock[7]);
    ck_assert_uint_eq(commons_copy_entities_with_name_text(commons, "Ann", copies, COUNT), 0);
    end();
}
END_TEST

Suite *runtime_index_copy_suite(void)
{
    Suite *suite = suite_create("runtime_index_copy");
    TCase *tests = tcase_create("index_copy");
    tcase_add_test(tests, par_07_a_copy_has_the_entities_of_a_key_in_order_of_slot);
    tcase_add_test(tests, par_07_a_copy_that_is_too_small_has_the_lowest_slots);
    tcase_add_test(tests, par_07_a_copy_follows_changes_and_arrays);
    tcase_add_test(tests, par_07_a_copy_of_an_unknown_key_is_empty);
    suite_add_tcase(suite, tests);
    return suite;
}
