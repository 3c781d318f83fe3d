// Value: lists and maps that keep their order.
#include "suites.h"
#include "value.h"

#include <check.h>

static arena memory;

static void release_memory(void)
{
    arena_release(&memory);
}

START_TEST(a_value_is_what_it_was_made_as)
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
    ck_assert_str_eq(value_find(map, "b")->text, "1");
    ck_assert_int_eq(value_find(map, "a")->kind, VALUE_NULL);
    ck_assert_str_eq(map->first->key, "b");
    ck_assert_ptr_null(value_find(map, "c"));
    ck_assert_ptr_null(value_find(map, ""));
}
END_TEST

START_TEST(only_a_map_finds_anything)
{
    value *list = value_list(&memory);
    value_append(list, value_text(&memory, "x"));
    ck_assert_ptr_null(value_find(list, "x"));
    ck_assert_ptr_null(value_find(value_text(&memory, "x"), "x"));
    ck_assert_ptr_null(value_find(value_null(&memory), "x"));
}
END_TEST

Suite *value_suite(void)
{
    Suite *suite = suite_create("value");
    TCase *cases = tcase_create("value");
    tcase_add_checked_fixture(cases, NULL, release_memory);
    tcase_add_test(cases, a_value_is_what_it_was_made_as);
    tcase_add_test(cases, a_list_keeps_the_order_of_appending);
    tcase_add_test(cases, a_map_finds_its_items_by_key);
    tcase_add_test(cases, only_a_map_finds_anything);
    suite_add_tcase(suite, cases);
    return suite;
}
