// Value: lists and maps that keep their order.
#include "generator/render/render.h"
#include "suites.h"

#include <check.h>
#include <stdlib.h>

static arena memory;

static void release_memory(void)
{
    arena_release(&memory);
}

START_TEST(a_value_keeps_its_kind_and_content)
{
    ck_assert_int_eq(value_null(&memory)->kind, VALUE_NULL);
    ck_assert(value_bool(&memory, true)->boolean);
    ck_assert(!value_bool(&memory, false)->boolean);
    ck_assert_str_eq(value_text(&memory, "1.50")->text, "1.50");
    ck_assert_ptr_null(value_list(&memory)->first);
    ck_assert_ptr_null(value_map(&memory)->first);
}
END_TEST

START_TEST(a_list_keeps_the_order_of_appending)
{
    value *list = value_list(&memory);
    for (int i = 0; i < 100; i++)
        value_append(list, value_text(&memory, arena_format(&memory, "%d", i)));
    const value *item = list->first;
    for (int i = 0; i < 100; i++, item = item->next)
        ck_assert_str_eq(item->text, arena_format(&memory, "%d", i));
    ck_assert_ptr_null(item);
}
END_TEST

START_TEST(a_map_finds_its_items_by_key)
{
    value *map = value_map(&memory);
    value_set(map, "b", value_text(&memory, "1"));
    value_set(map, "a", value_null(&memory));
    ck_assert_str_eq(value_find(map, value_key_create("b"))->text, "1");
    ck_assert_int_eq(value_find(map, value_key_create("a"))->kind, VALUE_NULL);
    ck_assert_str_eq(map->first->key, "a");
    ck_assert_ptr_null(value_find(map, value_key_create("c")));
    ck_assert_ptr_null(value_find(map, value_key_create("")));
}
END_TEST

START_TEST(a_copy_shares_existing_items_and_no_later_ones)
{
    value *map = value_map(&memory);
    value_set(map, "a", value_text(&memory, "1"));
    value *copy = value_copy(&memory, map);
    value_set(map, "b", value_text(&memory, "2"));
    value_set(copy, "c", value_text(&memory, "3"));
    ck_assert_ptr_eq(value_find(copy, value_key_create("a")), value_find(map, value_key_create("a")));
    ck_assert_ptr_null(value_find(copy, value_key_create("b")));
    ck_assert_ptr_null(value_find(map, value_key_create("c")));
}
END_TEST

// There are more keys than bits in the map's filter, so some keys share a bit.
START_TEST(keys_that_share_a_bit_are_distinguished)
{
    value *map = value_map(&memory);
    for (int i = 0; i < 1000; i += 2)
        value_set(map, arena_format(&memory, "%d", i), value_text(&memory, arena_format(&memory, "%d", i)));
    for (int i = 0; i < 1000; i++) {
        const value *found = value_find(map, value_key_create(arena_format(&memory, "%d", i)));
        ck_assert_int_eq(found == NULL, i % 2);
        if (found != NULL)
            ck_assert_int_eq(atoi(found->text), i);
    }
}
END_TEST

START_TEST(only_maps_have_keys)
{
    value *list = value_list(&memory);
    value_append(list, value_text(&memory, "x"));
    ck_assert_ptr_null(value_find(list, value_key_create("x")));
    ck_assert_ptr_null(value_find(value_text(&memory, "x"), value_key_create("x")));
    ck_assert_ptr_null(value_find(value_null(&memory), value_key_create("x")));
}
END_TEST

Suite *value_suite(void)
{
    Suite *suite = suite_create("value");
    TCase *cases = tcase_create("value");
    tcase_add_checked_fixture(cases, NULL, release_memory);
    tcase_add_test(cases, a_value_keeps_its_kind_and_content);
    tcase_add_test(cases, a_list_keeps_the_order_of_appending);
    tcase_add_test(cases, a_map_finds_its_items_by_key);
    tcase_add_test(cases, a_copy_shares_existing_items_and_no_later_ones);
    tcase_add_test(cases, keys_that_share_a_bit_are_distinguished);
    tcase_add_test(cases, only_maps_have_keys);
    suite_add_tcase(suite, cases);
    return suite;
}
