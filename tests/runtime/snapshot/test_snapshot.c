// Snapshots of a context: what is in them, and what a restore puts back.
#include "entity/entity.h"
#include "runtime/support/almanac_case.h"
#include "runtime/support/drops.h"
#include "suites.h"

#include <string.h>

// Appends the label, which `user` is, to the calls.
static void note(const kin_change *change, void *user)
{
    calls.calls[calls.count++] = (call){.label = user, .change = *change};
}

static void restore(int number)
{
    ck_assert_int_eq(almanac_restore(almanac, snapshots[number], KIN_RESTORE_EXACTLY), KIN_OK);
    ck_assert(kin__context_is_valid(&almanac->base));
    ck_assert_uint_eq(kin_context_memory(&almanac->base).total.allocated, memory.size);
}

// ---- values

START_TEST(snp_03_a_restore_brings_values_of_every_kind_back)
{
    int32_t steps[] = {1, 2, 3};
    almanac_add_name(almanac, days[0], (Name){"first"});
    almanac_add_chest(almanac, days[1], (Chest){"oak", 2.5});
    almanac_add_heap(almanac, days[2], (Heap){7});
    almanac_add_wave(almanac, days[3], (Wave){1.5f, 9});
    almanac_add_path(almanac, days[4], (Path){.steps = {steps, 3}, .goal = "home"});
    almanac_add_kind(almanac, days[5], (Kind){3, "small"});
    almanac_set_lit(almanac, days[6], true);
    almanac_save_as(0);
    almanac_replace_name(almanac, days[0], (Name){"second"});
    almanac_remove_chest(almanac, days[1]);
    almanac_replace_heap(almanac, days[2], (Heap){8});
    almanac_replace_wave(almanac, days[3], (Wave){2.5f, 1});
    almanac_remove_path(almanac, days[4]);
    almanac_replace_kind(almanac, days[5], (Kind){4, "large"});
    almanac_set_lit(almanac, days[6], false);
    restore(0);
    ck_assert_str_eq(almanac_get_name(almanac, days[0])->text, "first");
    ck_assert_str_eq(almanac_get_chest(almanac, days[1])->label, "oak");
    ck_assert_double_eq(almanac_get_chest(almanac, days[1])->weight, 2.5);
    ck_assert_int_eq(almanac_get_heap(almanac, days[2])->grams, 7);
    Wave wave = {0, 0};
    ck_assert(almanac_read_wave(almanac, days[3], &wave));
    ck_assert(wave.height > 1 && wave.height < 2 && wave.phase == 9);
    ck_assert_uint_eq(almanac_get_path(almanac, days[4])->steps.count, 3);
    ck_assert_int_eq(almanac_get_path(almanac, days[4])->steps.at[2], 3);
    ck_assert_str_eq(almanac_get_path(almanac, days[4])->goal, "home");
    ck_assert_str_eq(almanac_get_kind(almanac, days[5])->title, "small");
    ck_assert(almanac_is_lit(almanac, days[6]));
}
END_TEST

START_TEST(snp_07_values_written_in_place_are_saved_as_they_stand)
{
    uint32_t count;
    int32_t steps[] = {1, 2, 3};
    almanac_add_path(almanac, days[4], (Path){.steps = {steps, 3}});
    almanac_save_as(0);
    almanac_edit_spot(almanac, days[1])->x = 100;
    almanac_edit_path_steps(almanac, days[4], &count)[1] = 20;
    almanac_save_as(1);
    almanac_edit_spot(almanac, days[1])->x = 200;
    ck_assert_int_eq(almanac_push_path_steps(almanac, days[4], 4), KIN_OK);
    ck_assert_int_eq(almanac_push_path_steps(almanac, days[4], 5), KIN_OK);
    restore(1);
    ck_assert_int_eq(almanac_get_spot(almanac, days[1])->x, 100);
    ck_assert_int_eq(almanac_get_path(almanac, days[4])->steps.at[1], 20);
    ck_assert_uint_eq(almanac_get_path(almanac, days[4])->steps.count, 3);
    restore(0);
    ck_assert_int_eq(almanac_get_spot(almanac, days[1])->x, 1);
    ck_assert_int_eq(almanac_get_path(almanac, days[4])->steps.at[1], 2);
    restore(1);
    ck_assert_int_eq(almanac_get_path(almanac, days[4])->steps.at[1], 20);
}
END_TEST

START_TEST(snp_03_a_stashed_value_is_in_the_snapshot_with_its_list)
{
    uint32_t count;
    uint16_t pockets[] = {5, 6};
    almanac_add_coat(almanac, days[0], (Coat){"wool", {pockets, 2}});
    ck_assert_int_eq(almanac_stash_coat(almanac, days[0]), KIN_OK);
    almanac_save_as(0);
    ck_assert_int_eq(almanac_restore_coat(almanac, days[0]), KIN_OK);
    almanac_edit_coat_pockets(almanac, days[0], &count)[0] = 50;
    almanac_save_as(1);
    restore(0);
    ck_assert(!almanac_has_coat(almanac, days[0]));
    ck_assert(almanac_has_stashed_coat(almanac, days[0]));
    ck_assert_int_eq(almanac_restore_coat(almanac, days[0]), KIN_OK);
    ck_assert_str_eq(almanac_get_coat(almanac, days[0])->name, "wool");
    ck_assert_uint_eq(almanac_get_coat(almanac, days[0])->pockets.at[0], 5);
    restore(1);
    ck_assert_uint_eq(almanac_get_coat(almanac, days[0])->pockets.at[0], 50);
    ck_assert(!almanac_has_stashed_coat(almanac, days[0]));
}
END_TEST

START_TEST(snp_09_strings_live_on_in_a_snapshot)
{
    almanac_add_name(almanac, days[0], (Name){"a long name that is in a block of its own"});
    almanac_save_as(0);
    almanac_destroy_all_entities(almanac);
    kin_context_trim(&almanac->base);
    restore(0);
    ck_assert_str_eq(almanac_get_name(almanac, days[0])->text, "a long name that is in a block of its own");
}
END_TEST

// ---- opaque values

START_TEST(snp_09_an_opaque_value_is_dropped_when_neither_context_nor_snapshot_has_it)
{
    almanac_add_coin(almanac, days[0], (Coin){{1}, 10});
    almanac_save_as(0);
    almanac_replace_coin(almanac, days[0], (Coin){{2}, 10});
    almanac_save_as(1);
    almanac_remove_coin(almanac, days[0]);
    ck_assert_str_eq(drops(), "");
    kin_snapshot_destroy(snapshots[1]);
    snapshots[1] = NULL;
    kin_context_trim(&almanac->base);
    ck_assert_str_eq(drops(), "2 ");
    restore(0);
    ck_assert_int_eq(almanac_get_coin(almanac, days[0])->token.number, 1);
    kin_snapshot_destroy(snapshots[0]);
    snapshots[0] = NULL;
    ck_assert_str_eq(drops(), "");
    almanac_remove_coin(almanac, days[0]);
    kin_context_trim(&almanac->base);
    ck_assert_str_eq(drops(), "1 ");
}
END_TEST

START_TEST(snp_09_an_opaque_value_that_has_moved_to_a_new_value_moves_back)
{
    almanac_add_coin(almanac, days[0], (Coin){{1}, 10});
    almanac_save_as(0);
    almanac_replace_coin(almanac, days[0], (Coin){{1}, 20});
    restore(0);
    ck_assert_str_eq(drops(), "");
    ck_assert_int_eq(almanac_get_coin(almanac, days[0])->worth, 10);
    almanac_replace_coin(almanac, days[0], (Coin){{1}, 30});
    almanac_save_as(1);
    almanac_replace_coin(almanac, days[0], (Coin){{1}, 40});
    restore(0);
    restore(1);
    ck_assert_str_eq(drops(), "");
    almanac_remove_coin(almanac, days[0]);
    kin_snapshot_destroy(snapshots[1]);
    snapshots[1] = NULL;
    ck_assert_str_eq(drops(), "");
    restore(0);
    ck_assert_int_eq(almanac_get_coin(almanac, days[0])->token.number, 1);
    kin_snapshot_destroy(snapshots[0]);
    snapshots[0] = NULL;
    almanac_destroy_entity(almanac, days[0]);
    kin_context_trim(&almanac->base);
    ck_assert_str_eq(drops(), "1 ");
}
END_TEST

// ---- handles and slots

START_TEST(snp_01_the_same_calls_give_the_same_handles_again)
{
    almanac_entity first[40], again[40];
    for (uint32_t i = 0; i < 20; i++)
        almanac_destroy_entity(almanac, days[i * 7]);
    almanac_save_as(0);
    for (int round = 0; round < 2; round++) {
        almanac_entity *made = round == 0 ? first : again;
        for (uint32_t i = 0; i < 40; i++)
            made[i] = i % 3 == 0 ? almanac_spawn_place(almanac) : almanac_create_entity(almanac);
        if (round == 0) {
            almanac_destroy_all_entities(almanac);
            restore(0);
        }
    }
    ck_assert_mem_eq(first, again, sizeof first);
    ck_assert_uint_eq(kin_snapshot_count(snapshots[0], &almanac_info), DAYS - 20);
}
END_TEST

START_TEST(snp_01_a_context_without_entities_is_restored_too)
{
    almanac_destroy_all_entities(almanac);
    ck_assert_int_eq(almanac_context_reset(almanac), KIN_OK);
    almanac_save_as(0);
    almanac_entity first = almanac_spawn_place(almanac);
    almanac_create_entity(almanac);
    restore(0);
    ck_assert_uint_eq(almanac_entity_count(almanac), 0);
    almanac_entity again = almanac_spawn_place(almanac);
    ck_assert_uint_eq(first.id, again.id);
    ck_assert_uint_eq(kin_snapshot_count(snapshots[0], &almanac_info), 0);
}
END_TEST

START_TEST(snp_15_handles_made_after_the_save_are_dead_until_they_are_made_again)
{
    almanac_save_as(0);
    almanac_entity made = almanac_create_entity(almanac);
    restore(0);
    ck_assert(!almanac_entity_is_alive(almanac, made));
    almanac_entity again = almanac_create_entity(almanac);
    ck_assert_uint_eq(again.id, made.id);
    ck_assert(almanac_entity_is_alive(almanac, made));
}
END_TEST

START_TEST(snp_03_owners_are_in_the_snapshot)
{
    int owner = 0;
    ck_assert_int_eq(almanac_retain_entity(almanac, days[3], &owner), KIN_OK);
    almanac_destroy_entity(almanac, days[3]);
    almanac_save_as(0);
    ck_assert_int_eq(almanac_release_entity(almanac, days[3], &owner), KIN_OK);
    almanac_create_entity(almanac);
    restore(0);
    ck_assert_uint_eq(kin_context_retained_count(&almanac->base), 1);
    ck_assert_uint_ne(kin_entity_slot(almanac_create_entity(almanac).id), kin_entity_slot(days[3].id));
    ck_assert_int_eq(almanac_release_entity(almanac, days[3], &owner), KIN_OK);
    ck_assert_uint_eq(kin_entity_slot(almanac_create_entity(almanac).id), kin_entity_slot(days[3].id));
}
END_TEST

START_TEST(snp_05_what_stands_in_places_without_a_value_is_nobodys)
{
    almanac_add_heap(almanac, days[0], (Heap){7});
    almanac_add_wave(almanac, days[0], (Wave){1, 2});
    almanac_remove_heap(almanac, days[0]);
    almanac_remove_wave(almanac, days[0]);
    almanac_save_as(0);
    almanac_add_heap(almanac, days[1], (Heap){8});
    restore(0);
    ck_assert(!almanac_has_heap(almanac, days[0]) && !almanac_has_heap(almanac, days[1]));
    almanac_add_heap(almanac, days[0], (Heap){9});
    ck_assert_int_eq(almanac_get_heap(almanac, days[0])->grams, 9);
}
END_TEST

// ---- addresses

START_TEST(snp_16_addresses_of_values_stay_good_also_of_boxed_ones)
{
    almanac_add_heap(almanac, days[0], (Heap){7});
    const Heap *heap = almanac_get_heap(almanac, days[0]);
    const Spot *spot = almanac_get_spot(almanac, days[0]);
    almanac_save_as(0);
    almanac_replace_heap(almanac, days[0], (Heap){8});
    almanac_edit_spot(almanac, days[0])->x = 44;
    for (uint32_t i = 1; i < DAYS; i++)
        almanac_add_heap(almanac, days[i], (Heap){(int32_t)i});
    restore(0);
    ck_assert_ptr_eq(almanac_get_heap(almanac, days[0]), heap);
    ck_assert_ptr_eq(almanac_get_spot(almanac, days[0]), spot);
    ck_assert_int_eq(heap->grams, 7);
    ck_assert_int_eq(spot->x, 0);
}
END_TEST

// ---- what is derived

START_TEST(snp_17_groups_indices_and_unique_carriers_show_the_restored_state)
{
    uint32_t count;
    almanac_add_number(almanac, days[0], (Number){5});
    almanac_add_name(almanac, days[1], (Name){"may"});
    almanac_set_unique_crown(almanac, (Crown){3});
    almanac_entity king = almanac_unique_crown_entity(almanac);
    almanac_set_lit(almanac, days[2], true);
    almanac_lit_spots_entities(almanac, &count);
    almanac_save_as(0);
    almanac_replace_number(almanac, days[0], (Number){6});
    almanac_add_number(almanac, days[9], (Number){5});
    almanac_replace_name(almanac, days[1], (Name){"june"});
    almanac_remove_unique_crown(almanac);
    almanac_set_unique_crown(almanac, (Crown){4});
    almanac_set_lit(almanac, days[2], false);
    almanac_set_lit(almanac, days[3], true);
    ck_assert_uint_eq(almanac_lit_spots_entities(almanac, &count)[0].id, days[3].id);
    restore(0);
    ck_assert_uint_eq(almanac_lit_spots_entities(almanac, &count)[0].id, days[2].id);
    ck_assert_uint_eq(count, 1);
    ck_assert_uint_eq(almanac_entity_with_number_value(almanac, 5).id, days[0].id);
    ck_assert_uint_eq(almanac_entity_with_number_value(almanac, 6).id, 0);
    ck_assert_uint_eq(almanac_unique_crown_entity(almanac).id, king.id);
    ck_assert_int_eq(almanac_get_crown(almanac, king)->weight, 3);
}
END_TEST

START_TEST(snp_03_the_order_of_children_is_in_the_snapshot)
{
    for (uint32_t i = 1; i < 5; i++)
        almanac_add_child_of(almanac, days[i], (ChildOf){days[0]});
    almanac_save_as(0);
    almanac_remove_child_of(almanac, days[2]);
    almanac_add_child_of(almanac, days[2], (ChildOf){days[0]});
    ck_assert_uint_eq(almanac_children_last(almanac, days[0]).id, days[2].id);
    restore(0);
    ck_assert_uint_eq(almanac_children_last(almanac, days[0]).id, days[4].id);
    ck_assert_uint_eq(almanac_children_first(almanac, days[0]).id, days[1].id);
    ck_assert_uint_eq(almanac_children_count(almanac, days[0]), 4);
}
END_TEST

// ---- who is told

START_TEST(snp_14_a_restore_notifies_only_that_the_context_was_restored)
{
    kin_group *spots = almanac_spots_group(almanac);
    almanac_save_as(0);
    kin_context_subscribe(&almanac->base, KIN_ENTITY_WAS_DESTROYED, note, "destroyed");
    kin_context_subscribe(&almanac->base, KIN_COMPONENT_CHANGED, note, "changed");
    kin_context_subscribe(&almanac->base, KIN_CONTEXT_RESTORED, note, "restored");
    kin_group_subscribe(spots, KIN_REMOVED, note, "removed");
    almanac_create_entity(almanac);
    call_log_clear();
    restore(0);
    ck_assert_uint_eq(calls.count, 1);
    ck_assert_str_eq(calls.calls[0].label, "restored");
    ck_assert_uint_eq(calls.calls[0].change.entity, 0);
}
END_TEST

START_TEST(snp_19_subscriptions_stay_where_the_entity_is_alive_before_and_after)
{
    almanac_entity gone = almanac_create_entity(almanac);
    almanac_save_as(0);
    almanac_destroy_entity(almanac, gone);
    almanac_entity made = almanac_create_entity(almanac);
    kin_entity_subscribe(&almanac->base, days[0].id, KIN_ENTITY_DESTROYED, note, "stays");
    kin_entity_subscribe(&almanac->base, made.id, KIN_ENTITY_DESTROYED, note, "ends");
    restore(0);
    almanac_destroy_entity(almanac, gone);
    almanac_destroy_entity(almanac, days[0]);
    almanac_create_entity(almanac);
    ck_assert_uint_eq(calls.count, 1);
    ck_assert_str_eq(calls.calls[0].label, "stays");
}
END_TEST

START_TEST(snp_04_groups_and_listeners_are_no_part_of_a_snapshot)
{
    almanac_save_as(0);
    kin_group *late = almanac_group(almanac, KIN_MATCHER(KIN_ALL(ALMANAC_SPOT), KIN_NONE(ALMANAC_HEAP)));
    kin_subscription subscription = kin_group_subscribe(late, KIN_ADDED, note, "added");
    restore(0);
    ck_assert_uint_eq(kin_group_count(late), DAYS);
    almanac_add_spot(almanac, almanac_create_entity(almanac), (Spot){1, 1});
    ck_assert_uint_eq(calls.count, 1);
    kin_unsubscribe(subscription);
}
END_TEST

Suite *runtime_snapshot_suite(void)
{
    Suite *suite = suite_create("runtime_snapshot");
    TCase *tests = tcase_create("snapshot");
    tcase_add_checked_fixture(tests, almanac_begin, almanac_end);
    tcase_add_test(tests, snp_03_a_restore_brings_values_of_every_kind_back);
    tcase_add_test(tests, snp_07_values_written_in_place_are_saved_as_they_stand);
    tcase_add_test(tests, snp_03_a_stashed_value_is_in_the_snapshot_with_its_list);
    tcase_add_test(tests, snp_09_strings_live_on_in_a_snapshot);
    tcase_add_test(tests, snp_09_an_opaque_value_is_dropped_when_neither_context_nor_snapshot_has_it);
    tcase_add_test(tests, snp_09_an_opaque_value_that_has_moved_to_a_new_value_moves_back);
    tcase_add_test(tests, snp_01_the_same_calls_give_the_same_handles_again);
    tcase_add_test(tests, snp_01_a_context_without_entities_is_restored_too);
    tcase_add_test(tests, snp_15_handles_made_after_the_save_are_dead_until_they_are_made_again);
    tcase_add_test(tests, snp_03_owners_are_in_the_snapshot);
    tcase_add_test(tests, snp_05_what_stands_in_places_without_a_value_is_nobodys);
    tcase_add_test(tests, snp_16_addresses_of_values_stay_good_also_of_boxed_ones);
    tcase_add_test(tests, snp_17_groups_indices_and_unique_carriers_show_the_restored_state);
    tcase_add_test(tests, snp_03_the_order_of_children_is_in_the_snapshot);
    tcase_add_test(tests, snp_14_a_restore_notifies_only_that_the_context_was_restored);
    tcase_add_test(tests, snp_19_subscriptions_stay_where_the_entity_is_alive_before_and_after);
    tcase_add_test(tests, snp_04_groups_and_listeners_are_no_part_of_a_snapshot);
    suite_add_tcase(suite, tests);
    return suite;
}
