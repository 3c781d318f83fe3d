// Lists: fields with any number of elements, which the context owns and which change in place (LST-01 to LST-04).
#include "entity/entity.h"
#include "runtime/support/drops.h"
#include "runtime/support/shop_case.h"
#include "suites.h"

#include <kin/memory.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- owning

START_TEST(lst_01_a_list_is_copied_in_and_the_caller_keeps_its_own)
{
    char bytes[] = "abc";
    give_bag(bytes);
    memset(bytes, 'x', 3);
    ck_bag("abc");
    const Bag *bag = shop_get_bag(shop, owner);
    ck_assert_int_eq(shop_replace_bag(shop, owner, (Bag){.bytes = {(const uint8_t *)bytes, 2}}), KIN_OK);
    memset(bytes, 'y', 3);
    ck_bag("xx");
    ck_assert_ptr_eq(shop_get_bag(shop, owner), bag);
}
END_TEST

START_TEST(lst_01_a_list_of_no_elements_is_empty_whatever_its_address_is)
{
    uint8_t byte = 1;
    ck_assert_int_eq(shop_add_bag(shop, owner, (Bag){.bytes = {&byte, 0}}), KIN_OK);
    ck_assert_ptr_null(shop_get_bag(shop, owner)->bytes.at);
    ck_bag("");
    ck_assert_int_eq(shop_replace_bag(shop, owner, bag_default()), KIN_OK);
    ck_bag("");
    ck_assert_int_eq(shop_push_bag_bytes(shop, owner, 'a'), KIN_OK);
    ck_bag("a");
}
END_TEST

START_TEST(lst_01_the_new_list_may_be_the_old_one_or_a_part_of_it)
{
    give_bag("abcdef");
    ck_assert_int_eq(shop_replace_bag(shop, owner, *shop_get_bag(shop, owner)), KIN_OK);
    ck_bag("abcdef");
    Bag part = *shop_get_bag(shop, owner);
    part.bytes.at += 2;
    part.bytes.count = 3;
    ck_assert_int_eq(shop_readd_bag(shop, owner, part), KIN_OK);
    ck_bag("cde");
}
END_TEST

START_TEST(lst_01_strings_and_opaque_values_beside_a_list_are_owned_as_ever)
{
    static const uint32_t coins[] = {5, 6};
    Purse purse = {.token = {1}, .coins = {coins, 2}, .limit = 9};
    ck_assert_int_eq(shop_add_purse(shop, owner, purse), KIN_OK);
    ck_assert_int_eq(shop_push_purse_coins(shop, owner, 7), KIN_OK);
    purse.token.number = 2;
    ck_assert_int_eq(shop_replace_purse(shop, owner, purse), KIN_OK);
    ck_assert_str_eq(drops(), "1 ");
    PurseEdit *edit = shop_edit_purse(shop, owner);
    edit->limit = 10;
    ck_assert_uint_eq(edit->coins.count, 2);
    ck_assert_int_eq(shop_destroy_entity(shop, owner), KIN_OK);
    ck_assert_str_eq(drops(), "2 ");
    shop_entity other = shop_create_entity(shop);
    ck_assert_int_eq(shop_add_memo(shop, other, (Memo){.label = "note"}), KIN_OK);
    ck_assert_int_eq(shop_push_memo_words(shop, other, 3), KIN_OK);
    ck_assert_str_eq(shop_get_memo(shop, other)->label, "note");
}
END_TEST

// ---- elements

START_TEST(lst_02_elements_are_of_any_type_without_a_string_or_a_drop)
{
    shop_entity chest = shop_spawn_chest(shop);
    int here = 0;
    const Scrap *scrap = shop_get_scrap(shop, chest);
    ck_assert_uint_eq(scrap->kinds.count, 2);
    ck_assert_int_eq(scrap->kinds.at[0], KIND_BOW);
    ck_assert_int_eq(shop_push_scrap_handles(shop, chest, &here), KIN_OK);
    ck_assert_int_eq(shop_push_scrap_anyone(shop, chest, owner.id), KIN_OK);
    ck_assert_int_eq(shop_push_scrap_bools(shop, chest, true), KIN_OK);
    ck_assert_ptr_eq(scrap->handles.at[0], &here);
    ck_assert_uint_eq(scrap->anyone.at[0], owner.id);
    ck_assert(scrap->bools.at[0] && !scrap->bools.at[1] && scrap->bools.at[2]);
}
END_TEST

START_TEST(lst_02_a_list_has_at_most_16777216_elements)
{
    enum { LIMIT = 1 << 24 };
    uint8_t byte = 0;
    Bag bag = {.bytes = {&byte, LIMIT + 1u}};
    ck_assert_int_eq(shop_add_bag(shop, owner, bag), KIN_ERROR_LIMIT);
    ck_assert_str_eq(errors.entries[0].message, "shop: cannot add Bag of entity 1 in slot 0: a list has more than "
                                                "16777216 elements, which is the limit; store fewer");
    error_log_clear(&errors);
    ck_assert_int_eq(shop_add_bag(shop, owner, bag_default()), KIN_OK);
    ck_assert_refused(&errors, shop_replace_bag(shop, owner, bag), KIN_ERROR_LIMIT);
    ck_assert_refused(&errors, shop_resize_bag_bytes(shop, owner, LIMIT + 1u), KIN_ERROR_LIMIT);
    ck_assert_int_eq(shop_resize_bag_bytes(shop, owner, LIMIT), KIN_OK);
    ck_assert_refused(&errors, shop_push_bag_bytes(shop, owner, 1), KIN_ERROR_LIMIT);
    ck_assert_refused(&errors, shop_insert_bag_bytes(shop, owner, 0, 1), KIN_ERROR_LIMIT);
    ck_assert_uint_eq(shop_get_bag(shop, owner)->bytes.count, LIMIT);
}
END_TEST

START_TEST(lst_02_a_count_without_elements_is_refused)
{
    Bag bag = {.bytes = {NULL, 3}};
    ck_assert_refused(&errors, shop_add_bag(shop, owner, bag), KIN_ERROR_INVALID);
    ck_assert(!shop_has_bag(shop, owner));
    ck_assert_uint_eq(shop_set_unique_ledger(shop, (Ledger){{NULL, 1}}).id, 0);
    ck_assert_reported(&errors, KIN_ERROR_INVALID);
    shop_chest_value value = {.bag = bag, .given = {.bag = true}};
    ck_assert_uint_eq(shop_spawn_chest_with(shop, value).id, 0);
    ck_assert_reported(&errors, KIN_ERROR_INVALID);
}
END_TEST

// ---- changes in place

START_TEST(lst_03_push_insert_erase_and_resize_keep_the_order)
{
    give_bag("bd");
    ck_assert_int_eq(shop_push_bag_bytes(shop, owner, 'e'), KIN_OK);
    ck_assert_int_eq(shop_insert_bag_bytes(shop, owner, 0, 'a'), KIN_OK);
    ck_assert_int_eq(shop_insert_bag_bytes(shop, owner, 2, 'c'), KIN_OK);
    ck_assert_int_eq(shop_insert_bag_bytes(shop, owner, 5, 'f'), KIN_OK);
    ck_bag("abcdef");
    ck_assert_int_eq(shop_erase_bag_bytes(shop, owner, 5), KIN_OK);
    ck_assert_int_eq(shop_erase_bag_bytes(shop, owner, 0), KIN_OK);
    ck_assert_int_eq(shop_erase_bag_bytes(shop, owner, 1), KIN_OK);
    ck_bag("bde");
    ck_assert_int_eq(shop_resize_bag_bytes(shop, owner, 1), KIN_OK);
    ck_bag("b");
    ck_assert_int_eq(shop_resize_bag_bytes(shop, owner, 3), KIN_OK);
    ck_assert_mem_eq(shop_get_bag(shop, owner)->bytes.at, "b\0\0", 3);
}
END_TEST

START_TEST(lst_03_new_elements_have_the_default_of_their_type)
{
    ck_assert_int_eq(shop_add_inventory(shop, owner, (Inventory){{NULL, 0}}), KIN_OK);
    ck_assert_int_eq(shop_resize_inventory_items(shop, owner, 2), KIN_OK);
    for (uint32_t i = 0; i < 2; i++) {
        const Item *item = &shop_get_inventory(shop, owner)->items.at[i];
        ck_assert(item->kind == KIND_BOW && item->amount == 7 && item->spot.x == 0 && item->code[0] == '\0');
    }
    ck_assert_int_eq(shop_add_scrap(shop, owner, scrap_default()), KIN_OK);
    ck_assert_int_eq(shop_resize_scrap_kinds(shop, owner, 1), KIN_OK);
    ck_assert_int_eq(shop_get_scrap(shop, owner)->kinds.at[0], KIND_SWORD);
}
END_TEST

START_TEST(lst_03_nothing_is_notified_before_a_touch)
{
    uint32_t count;
    give_bag("abc");
    kin_context_subscribe(&shop->base, KIN_COMPONENT_CHANGED, count_call, NULL);
    ck_assert_int_eq(shop_push_bag_bytes(shop, owner, 'd'), KIN_OK);
    ck_assert_int_eq(shop_insert_bag_bytes(shop, owner, 0, 'z'), KIN_OK);
    ck_assert_int_eq(shop_erase_bag_bytes(shop, owner, 1), KIN_OK);
    ck_assert_int_eq(shop_resize_bag_bytes(shop, owner, 3), KIN_OK);
    shop_edit_bag_bytes(shop, owner, &count)[0] = 'Z';
    ck_assert_int_eq(call_count, 0);
    ck_assert_int_eq(shop_touch_bag(shop, owner), KIN_OK);
    ck_assert_int_eq(call_count, 1);
    ck_bag("Zbc");
}
END_TEST

START_TEST(lst_03_a_refused_change_changes_nothing)
{
    uint32_t count = 9;
    ck_assert_int_eq(shop_push_bag_bytes(shop, owner, 1), KIN_ERROR_NO_COMPONENT);
    ck_assert_str_eq(errors.entries[0].message, "shop: cannot push to 'bytes' of Bag of entity 1 in slot 0: the entity "
                                                "does not have it; test for it first, or add it");
    error_log_clear(&errors);
    ck_assert_refused(&errors, shop_erase_bag_bytes(shop, owner, 0), KIN_ERROR_NO_COMPONENT);
    ck_assert_ptr_null(shop_edit_bag_bytes(shop, owner, &count));
    ck_assert_uint_eq(count, 0);
    give_bag("abc");
    ck_assert_int_eq(shop_insert_bag_bytes(shop, owner, 4, 1), KIN_ERROR_INVALID);
    ck_assert_str_eq(errors.entries[0].message,
                     "shop: cannot insert into 'bytes' of Bag of entity 1 in slot 0: there is "
                     "no index 4 in a list of 3; count from 0");
    error_log_clear(&errors);
    ck_assert_refused(&errors, shop_insert_bag_bytes(shop, owner, UINT32_MAX, 1), KIN_ERROR_INVALID);
    ck_assert_refused(&errors, shop_erase_bag_bytes(shop, owner, 3), KIN_ERROR_INVALID);
    ck_bag("abc");
    ck_assert_int_eq(shop_destroy_entity(shop, owner), KIN_OK);
    ck_assert_refused(&errors, shop_resize_bag_bytes(shop, owner, 3), KIN_ERROR_NOT_ALIVE);
}
END_TEST

START_TEST(lst_03_an_element_of_the_list_can_be_pushed_and_inserted)
{
    give_bag("ab");
    for (int i = 0; i < 10; i++) {
        const Bag *bag = shop_get_bag(shop, owner);
        ck_assert_int_eq(shop_push_bag_bytes(shop, owner, bag->bytes.at[bag->bytes.count - 2]), KIN_OK);
    }
    ck_bag("abababababab");
    ck_assert_int_eq(shop_insert_bag_bytes(shop, owner, 0, shop_get_bag(shop, owner)->bytes.at[11]), KIN_OK);
    ck_bag("babababababab");
}
END_TEST

// ---- room

START_TEST(lst_04_a_list_moves_only_when_it_needs_more_room_and_the_room_doubles)
{
    uint32_t moves = 0;
    give_bag("");
    const Bag *bag = shop_get_bag(shop, owner);
    for (uint32_t i = 0; i < 1000; i++) {
        const uint8_t *before = bag->bytes.at;
        ck_assert_int_eq(shop_push_bag_bytes(shop, owner, (uint8_t)i), KIN_OK);
        moves += bag->bytes.at != before;
    }
    ck_assert_uint_eq(moves, 8); // to 8, 16, …, 1024 elements
    const uint8_t *at = bag->bytes.at;
    ck_assert_int_eq(shop_resize_bag_bytes(shop, owner, 1024), KIN_OK);
    ck_assert_int_eq(shop_resize_bag_bytes(shop, owner, 1), KIN_OK);
    ck_assert_int_eq(shop_erase_bag_bytes(shop, owner, 0), KIN_OK);
    ck_assert_int_eq(shop_resize_bag_bytes(shop, owner, 1000), KIN_OK);
    ck_assert_ptr_eq(bag->bytes.at, at);
    ck_assert_ptr_eq(shop_get_bag(shop, owner), bag);
}
END_TEST

START_TEST(lst_04_trim_gives_spare_room_back)
{
    give_bag("abc");
    ck_assert_int_eq(shop_add_route(shop, owner, route_default()), KIN_OK);
    ck_assert_int_eq(shop_resize_bag_bytes(shop, owner, 100000), KIN_OK);
    ck_assert_int_eq(shop_resize_route_levels(shop, owner, 100000), KIN_OK);
    ck_assert_int_eq(shop_resize_bag_bytes(shop, owner, 2), KIN_OK);
    ck_assert_int_eq(shop_resize_route_levels(shop, owner, 0), KIN_OK);
    size_t size = memory.size;
    kin_context_trim(&shop->base);
    ck_assert_uint_lt(memory.size + 290000, size);
    ck_bag("ab");
    ck_assert_ptr_null(shop_get_route(shop, owner)->levels.at);
    ck_assert_int_eq(shop_push_route_levels(shop, owner, 4), KIN_OK);
    ck_assert_int_eq(shop_get_route(shop, owner)->levels.at[0], 4);
}
END_TEST

START_TEST(lst_04_without_memory_a_list_keeps_its_elements_and_its_place)
{
    give_bag("abcd");
    const uint8_t *at = shop_get_bag(shop, owner)->bytes.at;
    guard_fail(&memory, 1, true);
    ck_assert_refused(&errors, shop_push_bag_bytes(shop, owner, 'e'), KIN_ERROR_NO_MEMORY);
    ck_assert_refused(&errors, shop_resize_bag_bytes(shop, owner, 5), KIN_ERROR_NO_MEMORY);
    ck_assert_int_eq(shop_erase_bag_bytes(shop, owner, 0), KIN_OK);
    kin_context_trim(&shop->base);
    ck_assert_ptr_eq(shop_get_bag(shop, owner)->bytes.at, at);
    ck_assert_int_eq(shop_push_bag_bytes(shop, owner, 'e'), KIN_OK);
    guard_fail(&memory, 0, false);
    ck_bag("bcde");
}
END_TEST

START_TEST(lst_04_without_memory_for_one_list_no_list_is_copied)
{
    shop_entity other = shop_create_entity(shop);
    ck_assert_int_eq(shop_add_route(shop, other, route_default()), KIN_OK); // the column
    uint32_t blocks = memory.block_count;
    for (uint64_t number = 1; !shop_has_route(shop, owner); number++) {
        ck_assert_uint_eq(memory.block_count, blocks);
        guard_fail(&memory, number, false);
        ck_assert_int_eq(shop_add_route(shop, owner, route_default()),
                         errors.count == 0 ? KIN_OK : KIN_ERROR_NO_MEMORY);
        error_log_clear(&errors);
    }
    guard_fail(&memory, 0, false);
    ck_assert_uint_eq(shop_get_route(shop, owner)->points.count, 3);
}
END_TEST

// Pushes and resizes inside of a call; the suite of memory refuses it memory there.
static void grow(const kin_change *change, void *user)
{
    (void)user;
    if (change->event != KIN_COMPONENT_ADDED)
        return;
    for (int i = 0; i < 5; i++)
        ck_assert_int_eq(shop_push_bag_bytes(shop, owner, 'x'), KIN_OK);
    for (uint32_t i = 0; i < 5; i++)
        ck_assert_int_eq(shop_insert_bag_bytes(shop, owner, i, 'y'), KIN_OK);
    ck_assert_int_eq(shop_erase_bag_bytes(shop, owner, 0), KIN_OK);
    ck_assert_int_eq(shop_resize_bag_bytes(shop, owner, 40), KIN_OK);
}

START_TEST(lst_03_lists_change_inside_of_calls)
{
    kin_context_subscribe(&shop->base, KIN_COMPONENT_CHANGED, grow, NULL);
    give_bag("abc");
    ck_assert_uint_eq(shop_get_bag(shop, owner)->bytes.count, 40);
    ck_assert_mem_eq(shop_get_bag(shop, owner)->bytes.at, "yyyyabcxxxxx", 12);
}
END_TEST

Suite *runtime_list_suite(void)
{
    Suite *suite = suite_create("runtime_list");
    TCase *tests = tcase_create("list");
    tcase_add_checked_fixture(tests, shop_begin, shop_end);
    tcase_add_test(tests, lst_01_a_list_is_copied_in_and_the_caller_keeps_its_own);
    tcase_add_test(tests, lst_01_a_list_of_no_elements_is_empty_whatever_its_address_is);
    tcase_add_test(tests, lst_01_the_new_list_may_be_the_old_one_or_a_part_of_it);
    tcase_add_test(tests, lst_01_strings_and_opaque_values_beside_a_list_are_owned_as_ever);
    tcase_add_test(tests, lst_02_elements_are_of_any_type_without_a_string_or_a_drop);
    tcase_add_test(tests, lst_02_a_list_has_at_most_16777216_elements);
    tcase_add_test(tests, lst_02_a_count_without_elements_is_refused);
    tcase_add_test(tests, lst_03_push_insert_erase_and_resize_keep_the_order);
    tcase_add_test(tests, lst_03_new_elements_have_the_default_of_their_type);
    tcase_add_test(tests, lst_03_nothing_is_notified_before_a_touch);
    tcase_add_test(tests, lst_03_a_refused_change_changes_nothing);
    tcase_add_test(tests, lst_03_an_element_of_the_list_can_be_pushed_and_inserted);
    tcase_add_test(tests, lst_03_lists_change_inside_of_calls);
    tcase_add_test(tests, lst_04_a_list_moves_only_when_it_needs_more_room_and_the_room_doubles);
    tcase_add_test(tests, lst_04_trim_gives_spare_room_back);
    tcase_add_test(tests, lst_04_without_memory_a_list_keeps_its_elements_and_its_place);
    tcase_add_test(tests, lst_04_without_memory_for_one_list_no_list_is_copied);
    suite_add_tcase(suite, tests);
    return suite;
}
