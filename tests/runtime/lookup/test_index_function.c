// Indices whose keys C functions give, chapter 9 of the rules: what is in them (IDX).
#include "runtime/support/plaza_case.h"
#include "suites.h"

#include <string.h>

START_TEST(idx_09_an_entity_is_under_each_key_that_the_function_gives)
{
    plaza_entity house = plaza_house_at(3, 4, 2, 3), other = plaza_create_entity(plaza);
    for (int16_t x = 2; x <= 5; x++)
        for (int32_t y = 3; y <= 7; y++)
            ck_assert_entity(plaza_entity_with_tile(plaza, (Tile){x, y}),
                             x >= 3 && x < 5 && y >= 4 && y < 7 ? house : PLAZA_NO_ENTITY);
    plaza_add_bag(plaza, other, (Bag){{house, other, house}, GROUND_WATER});
    uint32_t count;
    ck_assert_entity(plaza_entities_with_item(plaza, house, &count)[0], other);
    ck_assert_uint_eq(count, 1);
    ck_assert_entity(plaza_entities_with_item(plaza, other, &count)[0], other);
    ck_assert_ptr_null(plaza_entities_with_item(plaza, PLAZA_NO_ENTITY, &count));
    ck_assert_entity(plaza_entities_with_ground(plaza, GROUND_WATER, &count)[0], other);
    ck_assert_ptr_null(plaza_entities_with_ground(plaza, GROUND_GRASS, &count));
}
END_TEST

START_TEST(idx_09_no_keys_keep_an_entity_out)
{
    plaza_entity nowhere = plaza_entity_at(INT32_MAX, 0), empty = plaza_tagged(5, 0);
    ck_assert_uint_eq(plaza_count_near(INT32_MAX, 0), 0);
    ck_assert_entity(plaza_entity_with_tagged(plaza, 5), PLAZA_NO_ENTITY);
    plaza_replace_spot(plaza, nowhere, (Spot){0, 0});
    plaza_replace_tag(plaza, empty, (Tag){5, 1});
    ck_assert_uint_eq(plaza_count_near(0, 0), 1);
    ck_assert_entity(plaza_entity_with_tagged(plaza, 5), empty);
}
END_TEST

START_TEST(idx_09_strings_are_keys_that_the_function_writes)
{
    plaza_entity tom = plaza_create_entity(plaza), other = plaza_create_entity(plaza);
    char text[] = "Tom";
    plaza_add_name(plaza, tom, (Name){text});
    plaza_add_name(plaza, other, (Name){"TOM"});
    text[0] = 'x';
    uint32_t count;
    const plaza_entity *found = plaza_entities_with_folded(plaza, "tom", &count);
    ck_assert_uint_eq(count, 2);
    ck_assert_entity(found[0], tom);
    ck_assert_entity(found[1], other);
    ck_assert_ptr_null(plaza_entities_with_folded(plaza, "Tom", &count));
    ck_assert_ptr_null(plaza_entities_with_folded(plaza, NULL, &count));
    ck_assert_ptr_null(plaza_entities_with_folded(plaza, "a text that is longer", &count));
    plaza_replace_name(plaza, other, (Name){"elevenbytes and more"});
    ck_assert_entity(plaza_entities_with_folded(plaza, "elevenbytes", &count)[0], other);
    plaza_replace_name(plaza, other, (Name){NULL});
    ck_assert_ptr_null(plaza_entities_with_folded(plaza, "elevenbytes", &count));
}
END_TEST

START_TEST(idx_09_the_array_is_in_ascending_slot_also_of_many)
{
    enum { COUNT = 1200 };
    plaza_entity entities[COUNT];
    for (uint32_t i = 0; i < COUNT; i++)
        entities[i] = plaza_create_entity(plaza);
    for (uint32_t i = COUNT; i-- > 0;)
        plaza_add_spot(plaza, entities[i], (Spot){i % 3 == 0 ? 0 : 100, 0});
    uint32_t count;
    const plaza_entity *found = plaza_entities_with_near(plaza, plaza_cell_at(0, 0), &count);
    ck_assert_uint_eq(count, COUNT / 3);
    for (uint32_t i = 0; i < count; i++)
        ck_assert_entity(found[i], entities[3 * i]);
    plaza_replace_spot(plaza, entities[0], (Spot){100, 0});
    ck_assert_entity(found[0], entities[0]); // it does not change until the next call
    ck_assert_uint_eq(plaza_count_near(0, 0), COUNT / 3 - 1);
}
END_TEST

static bool was_moved, was_free;

static void look_up(const kin_change *change, void *user)
{
    (void)user;
    uint32_t count;
    plaza_context *context = plaza_context_of(change->context);
    const plaza_entity *now = plaza_entities_with_near(context, plaza_cell_at(8, 8), &count);
    was_moved = now != NULL && now[0].id == change->entity;
    was_free = plaza_entities_with_near(context, plaza_cell_at(0, 0), &count) == NULL;
}

START_TEST(idx_01_it_is_current_in_a_callback)
{
    plaza_entity walker = plaza_entity_at(0, 0);
    kin_group_subscribe(plaza_spots_group(plaza), KIN_MODIFIED, look_up, NULL);
    kin_group_subscribe(plaza_spots_group(plaza), KIN_REMOVED, look_up, NULL);
    plaza_replace_spot(plaza, walker, (Spot){8, 8});
    ck_assert(was_moved && was_free);
    plaza_replace_spot(plaza, walker, (Spot){0, 0});
    ck_assert(!was_moved && !was_free);
    *plaza_edit_spot(plaza, walker) = (Spot){8, 8};
    plaza_touch_spot(plaza, walker);
    ck_assert(was_moved && was_free);
    plaza_destroy_entity(plaza, walker);
    ck_assert(!was_moved && was_free);
}
END_TEST

START_TEST(idx_02_rules_beside_the_function_say_what_is_in_it)
{
    plaza_entity house = plaza_entity_at(0, 0);
    plaza_add_size(plaza, house, (Size){1, 1});
    ck_assert_entity(plaza_entity_with_tile(plaza, (Tile){0, 0}), PLAZA_NO_ENTITY);
    plaza_set_solid(plaza, house, true);
    ck_assert_entity(plaza_entity_with_tile(plaza, (Tile){0, 0}), house);
    plaza_set_gone(plaza, house, true);
    ck_assert_entity(plaza_entity_with_tile(plaza, (Tile){0, 0}), PLAZA_NO_ENTITY);
    plaza_replace_spot(plaza, house, (Spot){7, 7});
    plaza_set_gone(plaza, house, false);
    ck_assert_entity(plaza_entity_with_tile(plaza, (Tile){7, 7}), house);
    plaza_replace_size(plaza, house, (Size){2, 1});
    ck_assert_entity(plaza_entity_with_tile(plaza, (Tile){8, 7}), house);
    plaza_remove_spot(plaza, house);
    ck_assert_entity(plaza_entity_with_tile(plaza, (Tile){8, 7}), PLAZA_NO_ENTITY);
}
END_TEST

// ---- primary

START_TEST(idx_03_a_key_that_another_entity_has_is_refused_before_the_first_write)
{
    plaza_entity house = plaza_house_at(0, 0, 2, 2), other = plaza_house_at(10, 0, 2, 2);
    ck_assert_int_eq(plaza_replace_spot(plaza, other, (Spot){1, -1}), KIN_ERROR_DUPLICATE_KEY);
    ck_assert_str_eq(errors.entries[0].message,
                     "plaza: cannot replace Spot of entity 2 in slot 1: entity 1 in slot 0 has the key "
                     "{x: 1, y: 0} in index tile; look it up first");
    ck_assert_reported(&errors, KIN_ERROR_DUPLICATE_KEY);
    ck_assert_int_eq(plaza_get_spot(plaza, other)->x, 10);
    ck_assert_entity(plaza_entity_with_tile(plaza, (Tile){11, 1}), other);
    ck_assert_int_eq(plaza_replace_spot(plaza, other, (Spot){2, 0}), KIN_OK);
    ck_assert_int_eq(plaza_replace_spot(plaza, other, (Spot){3, 0}), KIN_OK); // over its own tiles
    ck_assert_entity(plaza_entity_with_tile(plaza, (Tile){2, 0}), PLAZA_NO_ENTITY);
    plaza_set_gone(plaza, other, true);
    plaza_replace_spot(plaza, other, (Spot){1, 1});
    ck_assert_int_eq(plaza_set_gone(plaza, other, false), KIN_ERROR_DUPLICATE_KEY);
    ck_assert_ptr_nonnull(strstr(errors.entries[0].message, "has the key {x: 1, y: 1} in index tile"));
    ck_assert_reported(&errors, KIN_ERROR_DUPLICATE_KEY);
    plaza_destroy_entity(plaza, house);
    ck_assert_int_eq(plaza_set_gone(plaza, other, false), KIN_OK);
}
END_TEST

START_TEST(idx_03_spawns_of_one_call_are_compared_with_each_other)
{
    Spot places[] = {{0, 0}, {2, 0}, {4, 0}, {5, -1}};
    plaza_entity made[4];
    plaza_house_values values = {.spot = places};
    ck_assert_int_eq(plaza_spawn_many_house_with(plaza, 4, &values, made), KIN_ERROR_DUPLICATE_KEY);
    ck_assert_str_eq(errors.entries[0].message,
                     "plaza: cannot spawn 4 of House with Spot: an earlier entity of the same call has the key "
                     "{x: 5, y: 0} in index tile; use a different key for each");
    ck_assert_reported(&errors, KIN_ERROR_DUPLICATE_KEY);
    ck_assert_uint_eq(plaza_entity_count(plaza), 0);
    ck_assert_int_eq(plaza_spawn_many_house_with(plaza, 3, &values, made), KIN_OK);
    ck_assert_entity(plaza_entity_with_tile(plaza, (Tile){5, 1}), made[2]);
    ck_assert_uint_eq(plaza_count_near(0, 0), 2);
    ck_assert_refused(&errors, plaza_spawn_many_house_with(plaza, 1, &values, made), KIN_ERROR_DUPLICATE_KEY);
}
END_TEST

START_TEST(idx_03_an_applied_blueprint_moves_all_keys_or_is_refused)
{
    plaza_entity house = plaza_house_at(0, 0, 2, 2), other = plaza_entity_at(9, 9);
    ck_assert_refused(&errors, plaza_apply_house(plaza, other), KIN_ERROR_DUPLICATE_KEY);
    ck_assert_int_eq(plaza_get_spot(plaza, other)->x, 9);
    plaza_replace_spot(plaza, house, (Spot){4, 0});
    ck_assert_int_eq(plaza_apply_house(plaza, other), KIN_OK);
    ck_assert_entity(plaza_entity_with_tile(plaza, (Tile){1, 1}), other);
    ck_assert_int_eq(plaza_apply_walker(plaza, other), KIN_OK);
    ck_assert_entity(plaza_entity_with_tile(plaza, (Tile){0, 0}), PLAZA_NO_ENTITY);
    ck_assert_entity(plaza_entity_with_tile(plaza, (Tile){2, 1}), other);
}
END_TEST

START_TEST(cpy_03_a_clone_is_under_the_keys_of_its_values_and_a_primary_key_forbids_it)
{
    plaza_entity walker = plaza_entity_at(1, 1), house = plaza_house_at(20, 20, 1, 1);
    *plaza_edit_spot(plaza, walker) = (Spot){9, 9}; // not touched
    plaza_entity clone = plaza_clone_entity(plaza, walker);
    ck_assert_uint_eq(plaza_count_near(1, 1), 1);
    uint32_t count;
    ck_assert_entity(plaza_entities_with_near(plaza, plaza_cell_at(9, 9), &count)[0], clone);
    ck_assert_entity(plaza_clone_entity(plaza, house), PLAZA_NO_ENTITY);
    ck_assert_reported(&errors, KIN_ERROR_DUPLICATE_KEY);
    plaza_set_gone(plaza, house, true);
    clone = plaza_clone_entity(plaza, house);
    ck_assert_int_eq(plaza_set_gone(plaza, clone, false), KIN_OK);
    ck_assert_refused(&errors, plaza_set_gone(plaza, house, false), KIN_ERROR_DUPLICATE_KEY);
    *plaza_edit_spot(plaza, walker) = (Spot){20, 20};
    plaza_add_size(plaza, walker, (Size){5, 5});
    plaza_set_gone(plaza, walker, true);
    ck_assert_refused(&errors, plaza_set_solid(plaza, walker, true), KIN_ERROR_INVALID);
}
END_TEST

START_TEST(uni_01_a_unique_component_can_be_of_it)
{
    plaza_entity mayor = plaza_set_unique_mayor(plaza, (Mayor){1});
    plaza_add_keys(plaza, mayor, (Keys){2});
    ck_assert_entity(plaza_entity_with_term(plaza, 3), mayor);
    plaza_replace_unique_mayor(plaza, (Mayor){7});
    ck_assert_entity(plaza_entity_with_term(plaza, 9), mayor);
    plaza_remove_unique_mayor(plaza);
    ck_assert_entity(plaza_entity_with_term(plaza, 9), PLAZA_NO_ENTITY);
}
END_TEST

START_TEST(idx_09_stash_restore_and_readd_follow)
{
    plaza_entity entity = plaza_tagged(1, 3), other = plaza_tagged(10, 1);
    plaza_stash_tag(plaza, entity);
    ck_assert_entity(plaza_entity_with_tagged(plaza, 3), PLAZA_NO_ENTITY);
    plaza_replace_tag(plaza, other, (Tag){3, 1});
    ck_assert_refused(&errors, plaza_restore_tag(plaza, entity), KIN_ERROR_DUPLICATE_KEY);
    ck_assert_int_eq(plaza_readd_tag(plaza, other, (Tag){4, 2}), KIN_OK);
    ck_assert_int_eq(plaza_restore_tag(plaza, entity), KIN_OK);
    ck_assert_entity(plaza_entity_with_tagged(plaza, 3), entity);
    ck_assert_entity(plaza_entity_with_tagged(plaza, 5), other);
    ck_assert_refused(&errors, plaza_readd_tag(plaza, other, (Tag){2, 1}), KIN_ERROR_DUPLICATE_KEY);
    ck_assert_entity(plaza_entity_with_tagged(plaza, 5), other);
}
END_TEST

Suite *runtime_index_function_suite(void)
{
    Suite *suite = suite_create("runtime_index_function");
    TCase *tests = tcase_create("rules");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, plaza_begin, plaza_end);
    tcase_add_test(tests, idx_09_an_entity_is_under_each_key_that_the_function_gives);
    tcase_add_test(tests, idx_09_no_keys_keep_an_entity_out);
    tcase_add_test(tests, idx_09_strings_are_keys_that_the_function_writes);
    tcase_add_test(tests, idx_09_the_array_is_in_ascending_slot_also_of_many);
    tcase_add_test(tests, idx_01_it_is_current_in_a_callback);
    tcase_add_test(tests, idx_02_rules_beside_the_function_say_what_is_in_it);
    tcase_add_test(tests, idx_03_a_key_that_another_entity_has_is_refused_before_the_first_write);
    tcase_add_test(tests, idx_03_spawns_of_one_call_are_compared_with_each_other);
    tcase_add_test(tests, idx_03_an_applied_blueprint_moves_all_keys_or_is_refused);
    tcase_add_test(tests, cpy_03_a_clone_is_under_the_keys_of_its_values_and_a_primary_key_forbids_it);
    tcase_add_test(tests, uni_01_a_unique_component_can_be_of_it);
    tcase_add_test(tests, idx_09_stash_restore_and_readd_follow);
    suite_add_tcase(suite, tests);
    return suite;
}
