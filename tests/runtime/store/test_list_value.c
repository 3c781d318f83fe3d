// Lists in payloads, descriptions, clones, blueprints and the stash (LST-05 to LST-07).
#include "entity/entity.h"
#include "runtime/support/shop_case.h"
#include "suites.h"

#include <kin/memory.h>
#include <kin/reflect.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- payloads

// Changes the list in every way, then reads what the call was given.
static void change_and_read(const kin_change *change, void *user)
{
    const char *const *expected = user; // before, after
    static bool is_nested;
    if (is_nested)
        return;
    is_nested = true;
    if (shop_has_bag(shop, owner)) {
        for (int i = 0; i < 100; i++)
            ck_assert_int_eq(shop_push_bag_bytes(shop, owner, 'x'), KIN_OK);
        ck_assert_int_eq(shop_replace_bag(shop, owner, (Bag){.bytes = {(const uint8_t *)"nested", 6}}), KIN_OK);
        ck_assert_int_eq(shop_remove_bag(shop, owner), KIN_OK);
    }
    guard_check(&memory);
    if (change->previous != NULL)
        ck_bytes(change->previous, expected[0]);
    if (change->value != NULL)
        ck_bytes(change->value, expected[1]);
    is_nested = false;
}

START_TEST(lst_05_the_elements_that_a_payload_points_to_are_good_during_its_call)
{
    static const char *const expected[] = {"old", "new"};
    kin_group *bags = kin_context_group(&shop->base, KIN_MATCHER(SHOP_ALL(SHOP_BAG)));
    Bag bag = {.bytes = {(const uint8_t *)"new", 3}};
    if (_i > 0)
        give_bag("old");
    kin_group_subscribe(bags,
                        _i == 0   ? KIN_ADDED
                        : _i == 1 ? KIN_MODIFIED
                                  : KIN_REMOVED,
                        change_and_read, (void *)expected);
    if (_i == 2)
        ck_assert_int_eq(shop_destroy_entity(shop, owner), KIN_OK);
    else
        ck_assert_int_eq(shop_replace_bag(shop, owner, bag), KIN_OK);
}
END_TEST

static void read_both(const kin_change *change, void *user)
{
    const Bag *previous = change->previous, *value = change->value;
    for (int i = 0; i < 50; i++)
        ck_assert_int_eq(shop_push_bag_bytes(shop, owner, 'x'), KIN_OK);
    ck_bytes(previous, user);
    ck_bytes(value, user);
    ck_assert_int_eq(shop_resize_bag_bytes(shop, owner, 4), KIN_OK);
}

START_TEST(lst_05_a_touch_shows_the_list_of_now_as_both)
{
    give_bag("abc");
    kin_context_subscribe(&shop->base, KIN_COMPONENT_CHANGED, read_both, (void *)"abcd");
    ck_assert_int_eq(shop_push_bag_bytes(shop, owner, 'd'), KIN_OK);
    ck_assert_int_eq(shop_touch_bag(shop, owner), KIN_OK);
    ck_bag("abcd");
}
END_TEST

// The sum of the words that the last call was given.
static uint32_t delivered;

static uint32_t sum_of(const Memo *memo)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < memo->words.count; i++)
        sum += memo->words.at[i];
    return sum;
}

// Moves the list to a larger block, to a smaller one and to none, and fills it anew.
static void take_memo(shop_context *context, shop_entity entity, const Memo *memo, void *user)
{
    (void)user;
    delivered = sum_of(memo);
    if (!shop_has_memo(context, entity))
        return;
    for (int i = 0; i < 100; i++)
        ck_assert_int_eq(shop_push_memo_words(context, entity, 1), KIN_OK);
    kin_context_trim(&context->base);
    ck_assert_int_eq(shop_resize_memo_words(context, entity, 0), KIN_OK);
    kin_context_trim(&context->base);
    ck_assert_int_eq(shop_push_memo_words(context, entity, 700), KIN_OK);
    guard_check(&memory);
    ck_assert_uint_eq(sum_of(memo), delivered);
}

static void take_removed(shop_context *context, shop_entity entity, const Memo *memo, void *user)
{
    take_memo(context, entity, memo, user);
    ck_assert_int_eq(shop_destroy_entity(context, entity), KIN_OK);
    kin_context_trim(&context->base);
    guard_check(&memory);
    ck_assert_uint_eq(sum_of(memo), delivered);
}

START_TEST(lst_05_listeners_of_events_keep_the_list_that_they_were_given)
{
    static const uint16_t words[] = {100, 200, 300};
    kin_systems *events = shop_event_systems(shop);
    shop_add_any_memo_listener(shop, owner, take_memo, NULL);
    shop_add_any_memo_removed_listener(shop, owner, take_removed, NULL);
    ck_assert_int_eq(shop_add_memo(shop, owner, (Memo){.words = {words, 3}}), KIN_OK);
    kin_systems_execute(events, 0);
    ck_assert_uint_eq(delivered, 600);
    ck_assert_uint_eq(sum_of(shop_get_memo(shop, owner)), 700);
    ck_assert_int_eq(shop_remove_memo(shop, owner), KIN_OK);
    kin_systems_execute(events, 0);
    ck_assert_uint_eq(delivered, 700);
    kin_systems_destroy(events);
}
END_TEST

// ---- content

static const char *described(kin_component_id id)
{
    static char text[600];
    kin_component_describe(&shop->base, id, kin_get(&shop->base, owner.id, id), text, sizeof text);
    return text;
}

START_TEST(lst_06_descriptions_show_the_elements_and_cut_long_lists)
{
    give_bag("ab");
    ck_assert_str_eq(described(SHOP_BAG), "Bag {bytes: [97, 98], owner: 5}");
    ck_assert_int_eq(shop_resize_bag_bytes(shop, owner, 18), KIN_OK);
    ck_assert_str_eq(described(SHOP_BAG),
                     "Bag {bytes: [97, 98, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, and 2 more], owner: 5}");
    ck_assert_int_eq(shop_resize_bag_bytes(shop, owner, 0), KIN_OK);
    ck_assert_str_eq(described(SHOP_BAG), "Bag {bytes: [], owner: 5}");
    ck_assert_int_eq(shop_add_inventory(shop, owner, (Inventory){{NULL, 0}}), KIN_OK);
    ck_assert_int_eq(shop_resize_inventory_items(shop, owner, 1), KIN_OK);
    ck_assert_str_eq(described(SHOP_INVENTORY),
                     "Inventory {items: [{kind: bow, amount: 7, spot: {x: 0, y: 0}, code: \"\"}]}");
}
END_TEST

START_TEST(lst_06_a_list_of_the_caller_without_an_address_is_described)
{
    char text[80];
    kin_component_describe(&shop->base, SHOP_BAG, &(Bag){.bytes = {NULL, 3}, .owner = 5}, text, sizeof text);
    ck_assert_str_eq(text, "Bag {bytes: 3 elements without an address, owner: 5}");
}
END_TEST

START_TEST(lst_06_paths_read_and_write_single_elements)
{
    kin_field_value value;
    kin_context *base = &shop->base;
    ck_assert_int_eq(shop_add_inventory(shop, owner, (Inventory){{NULL, 0}}), KIN_OK);
    ck_assert_int_eq(shop_resize_inventory_items(shop, owner, 2), KIN_OK);
    ck_assert_int_eq(kin_field_read(base, owner.id, SHOP_INVENTORY, "items[1].amount", &value), KIN_OK);
    ck_assert_uint_eq(value.as.natural, 7);
    value.as.natural = 8;
    ck_assert_int_eq(kin_field_write(base, owner.id, SHOP_INVENTORY, "items[1].amount", value), KIN_OK);
    const Inventory *inventory = shop_get_inventory(shop, owner);
    ck_assert(inventory->items.at[0].amount == 7 && inventory->items.at[1].amount == 8);
    static const char *const refused[] = {"items", "items[2].amount", "items[1]", "items[99999999].kind",
                                          "items.amount"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        ck_assert_refused(&errors, kin_field_read(base, owner.id, SHOP_INVENTORY, refused[i], &value),
                          KIN_ERROR_INVALID);
        ck_assert_refused(&errors, kin_field_write(base, owner.id, SHOP_INVENTORY, refused[i], value),
                          KIN_ERROR_INVALID);
    }
}
END_TEST

START_TEST(lst_06_the_tables_say_what_is_a_list)
{
    const kin_component_info *route = &shop_info.components[SHOP_ROUTE];
    const kin_field_info *points = &route->fields[0], *speed = &route->fields[1];
    ck_assert(route->has_lists && route->has_strings && !shop_info.components[SHOP_MARK].has_lists);
    ck_assert(points->is_list && points->type == KIN_TYPE_STRUCT && points->count == 0);
    ck_assert_uint_eq(points->element_size, sizeof(Spot));
    ck_assert_uint_eq(points->size, sizeof(((Route *)0)->points));
    ck_assert(!speed->is_list && speed->element_size == 0);
}
END_TEST

// ---- copies

START_TEST(lst_07_a_clone_has_lists_of_its_own)
{
    give_bag("abc");
    shop_entity clone = shop_clone_entity(shop, owner);
    ck_assert_int_eq(shop_push_bag_bytes(shop, clone, 'd'), KIN_OK);
    uint32_t count;
    shop_edit_bag_bytes(shop, clone, &count)[0] = 'z';
    ck_bag("abc");
    ck_bytes(shop_get_bag(shop, clone), "zbcd");
    ck_assert_int_eq(shop_copy_components(shop, clone, owner, KIN_EVERY_COMPONENT, true), KIN_OK);
    ck_assert_int_eq(shop_destroy_entity(shop, clone), KIN_OK);
    ck_bag("zbcd");
}
END_TEST

START_TEST(lst_07_blueprints_and_defaults_have_lists)
{
    shop_entity chests[3];
    ck_assert_int_eq(shop_spawn_many_chest(shop, 3, chests), KIN_OK);
    for (size_t i = 0; i < 3; i++) {
        const Inventory *inventory = shop_get_inventory(shop, chests[i]);
        ck_assert_uint_eq(inventory->items.count, 2);
        ck_assert(inventory->items.at[0].kind == KIND_SWORD && inventory->items.at[0].amount == 7);
        ck_assert(inventory->items.at[1].amount == 9 && inventory->items.at[1].spot.x == 1.5f);
        ck_assert_int_eq(shop_erase_inventory_items(shop, chests[i], 0), KIN_OK);
    }
    ck_assert_int_eq(shop_apply_chest(shop, chests[0]), KIN_OK);
    ck_assert_uint_eq(shop_get_inventory(shop, chests[0])->items.count, 2);
    const Route *route = shop_ensure_route(shop, owner);
    ck_assert_uint_eq(route->points.count, 3);
    ck_assert(route->points.at[0].x == 1 && route->points.at[1].y == 2 && route->points.at[2].x == 0);
    ck_assert(route->levels.at[0] == -3 && route->levels.at[1] == 100);
    shop_entity trail = shop_spawn_trail(shop);
    ck_assert_uint_eq(shop_get_route(shop, trail)->points.count, 0);
    ck_assert_uint_eq(shop_get_route(shop, trail)->levels.count, 2);
}
END_TEST

START_TEST(lst_07_a_stashed_list_is_restored)
{
    static const uint16_t words[] = {1, 2, 3};
    ck_assert_int_eq(shop_add_memo(shop, owner, (Memo){.words = {words, 3}, .label = "a"}), KIN_OK);
    ck_assert_int_eq(shop_push_memo_words(shop, owner, 4), KIN_OK);
    ck_assert_int_eq(shop_stash_memo(shop, owner), KIN_OK);
    kin_context_trim(&shop->base);
    ck_assert_int_eq(shop_restore_memo(shop, owner), KIN_OK);
    ck_assert_uint_eq(sum_of(shop_get_memo(shop, owner)), 10);
    ck_assert_int_eq(shop_stash_memo(shop, owner), KIN_OK);
}
END_TEST

START_TEST(lst_07_unique_and_indexed_components_have_lists)
{
    static const int64_t entries[] = {-1, 5};
    static const uint32_t books[] = {3};
    shop_entity carrier = shop_set_unique_ledger(shop, (Ledger){{entries, 2}});
    ck_assert_int_eq(shop_push_ledger_entries(shop, carrier, 9), KIN_OK);
    ck_assert_int_eq(shop_get_unique_ledger(shop)->entries.at[2], 9);
    ck_assert_uint_eq(shop_replace_unique_ledger(shop, (Ledger){{NULL, 0}}).id, carrier.id);
    ck_assert_int_eq(shop_add_shelf(shop, owner, (Shelf){4, {books, 1}}), KIN_OK);
    ck_assert_int_eq(shop_push_shelf_books(shop, owner, 8), KIN_OK);
    ck_assert_int_eq(shop_touch_shelf(shop, owner), KIN_OK);
    uint32_t count;
    ck_assert_ptr_nonnull(shop_entities_with_shelf_row(shop, 4, &count));
    ck_assert_uint_eq(count, 1);
    ck_assert_uint_eq(shop_get_shelf(shop, owner)->books.at[1], 8);
    ck_assert_int_eq(shop_context_reset(shop), KIN_OK);
}
END_TEST

START_TEST(lst_07_a_component_of_two_contexts_has_lists_in_both)
{
    static const Item items[] = {{.amount = 1}};
    guard other;
    kin_context_options options = {.allocator = guard_begin(&other)};
    vault_context *vault = vault_context_create(&options);
    vault_entity entity = vault_create_entity(vault);
    ck_assert_int_eq(vault_add_inventory(vault, entity, (Inventory){{items, 1}}), KIN_OK);
    ck_assert_int_eq(vault_resize_inventory_items(vault, entity, 2), KIN_OK);
    ck_assert_int_eq(shop_add_inventory(shop, owner, *vault_get_inventory(vault, entity)), KIN_OK);
    vault_context_destroy(vault);
    guard_end(&other);
    ck_assert_uint_eq(shop_get_inventory(shop, owner)->items.at[1].amount, 7);
}
END_TEST

Suite *runtime_list_value_suite(void)
{
    Suite *suite = suite_create("runtime_list_value");
    TCase *tests = tcase_create("list_value");
    tcase_add_checked_fixture(tests, shop_begin, shop_end);
    tcase_add_loop_test(tests, lst_05_the_elements_that_a_payload_points_to_are_good_during_its_call, 0, 3);
    tcase_add_test(tests, lst_05_a_touch_shows_the_list_of_now_as_both);
    tcase_add_test(tests, lst_05_listeners_of_events_keep_the_list_that_they_were_given);
    tcase_add_test(tests, lst_06_descriptions_show_the_elements_and_cut_long_lists);
    tcase_add_test(tests, lst_06_a_list_of_the_caller_without_an_address_is_described);
    tcase_add_test(tests, lst_06_paths_read_and_write_single_elements);
    tcase_add_test(tests, lst_06_the_tables_say_what_is_a_list);
    tcase_add_test(tests, lst_07_a_clone_has_lists_of_its_own);
    tcase_add_test(tests, lst_07_blueprints_and_defaults_have_lists);
    tcase_add_test(tests, lst_07_a_stashed_list_is_restored);
    tcase_add_test(tests, lst_07_unique_and_indexed_components_have_lists);
    tcase_add_test(tests, lst_07_a_component_of_two_contexts_has_lists_in_both);
    suite_add_tcase(suite, tests);
    return suite;
}
