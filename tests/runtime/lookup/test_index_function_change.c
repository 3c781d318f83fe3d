// Indices whose keys C functions give, while entities change: edits, limits, memory and random changes (IDX, DSP-12).
#include "entity/entity.h"
#include "runtime/support/plaza_case.h"
#include "suites.h"

#include <string.h>

// ---- values edited in place

START_TEST(idx_10_a_value_edited_in_place_keeps_its_keys_until_it_is_touched)
{
    plaza_entity walker = plaza_entity_at(0, 0);
    *plaza_edit_spot(plaza, walker) = (Spot){8, 8};
    ck_assert(kin__context_is_valid(&plaza->base));
    ck_assert_uint_eq(plaza_count_near(0, 0), 1);
    plaza_set_gone(plaza, walker, true);
    ck_assert_uint_eq(plaza_count_near(0, 0), 0);
    plaza_set_gone(plaza, walker, false);
    ck_assert_uint_eq(plaza_count_near(0, 0), 1);
    ck_assert_int_eq(plaza_touch_spot(plaza, walker), KIN_OK);
    ck_assert_uint_eq(plaza_count_near(0, 0), 0);
    ck_assert_uint_eq(plaza_count_near(8, 8), 1);
    *plaza_edit_spot(plaza, walker) = (Spot){16, 0};
    plaza_replace_spot(plaza, walker, (Spot){0, 16});
    ck_assert_uint_eq(plaza_count_near(8, 8) + plaza_count_near(16, 0), 0);
    *plaza_edit_spot(plaza, walker) = (Spot){16, 0};
    plaza_destroy_entity(plaza, walker);
    ck_assert_uint_eq(plaza_count_near(0, 16) + plaza_count_near(16, 0), 0);
}
END_TEST

START_TEST(idx_10_each_key_that_changes_is_moved)
{
    plaza_entity one = plaza_create_entity(plaza), two = plaza_create_entity(plaza),
                 carrier = plaza_create_entity(plaza);
    uint32_t count;
    plaza_add_bag(plaza, carrier, (Bag){{one, two, one}, GROUND_WATER});
    plaza_replace_bag(plaza, carrier, (Bag){{one, carrier, one}, GROUND_WATER});
    ck_assert_ptr_null(plaza_entities_with_item(plaza, two, &count));
    ck_assert_entity(plaza_entities_with_item(plaza, one, &count)[0], carrier);
    ck_assert_entity(plaza_entities_with_item(plaza, carrier, &count)[0], carrier);
}
END_TEST

START_TEST(idx_10_a_refused_touch_notifies_nothing_and_keeps_the_keys)
{
    plaza_entity first = plaza_tagged(1, 1), second = plaza_tagged(2, 2);
    plaza_edit_tag(plaza, second)->first = 0;
    ck_assert_int_eq(plaza_touch_tag(plaza, second), KIN_ERROR_DUPLICATE_KEY);
    ck_assert_str_eq(errors.entries[0].message, "plaza: cannot touch Tag of entity 2 in slot 1: entity 1 in slot 0 has "
                                                "the key 1 in index tagged; look it up first");
    ck_assert_reported(&errors, KIN_ERROR_DUPLICATE_KEY);
    ck_assert_entity(plaza_entity_with_tagged(plaza, 3), second);
    ck_assert_entity(plaza_entity_with_tagged(plaza, 1), first);
    ck_assert_int_eq(plaza_get_tag(plaza, second)->first, 0);
    plaza_destroy_entity(plaza, first);
    ck_assert_int_eq(plaza_touch_tag(plaza, second), KIN_OK);
    ck_assert_entity(plaza_entity_with_tagged(plaza, 1), second);
    ck_assert_refused(&errors, plaza_touch_tag(plaza, first), KIN_ERROR_NOT_ALIVE);
}
END_TEST

static void move_and_touch(const kin_change *change, void *user)
{
    (void)user;
    plaza_entity walker = {change->entity};
    *plaza_edit_spot(plaza, walker) = (Spot){8, 8};
    ck_assert_int_eq(plaza_touch_spot(plaza, walker), KIN_OK);
}

START_TEST(idx_10_a_listener_may_touch)
{
    plaza_entity walker = plaza_entity_at(0, 0);
    kin_group_subscribe(plaza_gone_group(plaza), KIN_REMOVED, move_and_touch, NULL);
    plaza_set_gone(plaza, walker, true);
    plaza_set_gone(plaza, walker, false);
    ck_assert_uint_eq(plaza_count_near(0, 0), 0);
    ck_assert_uint_eq(plaza_count_near(8, 8), 1);
}
END_TEST

START_TEST(idx_10_the_function_is_called_for_new_values_only)
{
    plaza_entity walker = plaza_entity_at(0, 0);
    uint32_t before = plaza_cell_calls;
    plaza_set_gone(plaza, walker, true);
    plaza_set_gone(plaza, walker, false);
    plaza_set_solid(plaza, walker, true);
    plaza_count_near(0, 0);
    plaza_remove_spot(plaza, walker);
    plaza_destroy_entity(plaza, walker);
    ck_assert_uint_eq(plaza_cell_calls, before);
}
END_TEST

// ---- too many keys, and memory

START_TEST(idx_11_more_keys_than_there_is_room_for_are_refused)
{
    plaza_entity most = plaza_tagged(100, KIN_INDEX_KEYS), entity = plaza_create_entity(plaza);
    ck_assert_entity(plaza_entity_with_tagged(plaza, 100 + KIN_INDEX_KEYS - 1), most);
    ck_assert_int_eq(plaza_add_tag(plaza, entity, (Tag){0, 17}), KIN_ERROR_INVALID);
    ck_assert_str_eq(errors.entries[0].message, "plaza: cannot add Tag of entity 2 in slot 1: its function gives 17 "
                                                "keys in index tagged; give at most 16");
    ck_assert_reported(&errors, KIN_ERROR_INVALID);
    ck_assert(!plaza_has_tag(plaza, entity));
    ck_assert_refused(&errors, plaza_replace_tag(plaza, most, (Tag){0, -1}), KIN_ERROR_INVALID);
    plaza_edit_tag(plaza, most)->count = 17;
    ck_assert_refused(&errors, plaza_touch_tag(plaza, most), KIN_ERROR_INVALID);
    ck_assert_entity(plaza_clone_entity(plaza, most), PLAZA_NO_ENTITY);
    ck_assert_reported(&errors, KIN_ERROR_DUPLICATE_KEY);
    Tag values[] = {{0, 1}, {1, 17}};
    ck_assert_int_eq(plaza_spawn_many_marked_with(plaza, 2, &(plaza_marked_values){.tag = values}, NULL),
                     KIN_ERROR_INVALID);
    ck_assert_str_eq(errors.entries[0].message, "plaza: cannot spawn 2 of Marked with Tag: its function gives 17 keys "
                                                "in index tagged; give at most 16");
    ck_assert_reported(&errors, KIN_ERROR_INVALID);
    ck_assert_entity(plaza_entity_with_tagged(plaza, 100), most);
}
END_TEST

START_TEST(dsp_12_removing_and_entering_need_no_memory)
{
    enum { COUNT = 200 };
    plaza_entity entities[COUNT];
    for (int32_t i = 0; i < COUNT; i++) {
        entities[i] = plaza_create_entity(plaza);
        plaza_set_gone(plaza, entities[i], true);
        plaza_set_solid(plaza, entities[i], true);
        plaza_add_spot(plaza, entities[i], (Spot){i * 4, 0});
        plaza_add_size(plaza, entities[i], (Size){4, 4});
    }
    guard_fail(&memory, 1, true);
    for (uint32_t i = 0; i < COUNT; i++)
        ck_assert_int_eq(plaza_set_gone(plaza, entities[i], false), KIN_OK);
    for (uint32_t i = 0; i < COUNT; i++) {
        *plaza_edit_spot(plaza, entities[i]) = (Spot){(int32_t)i * 4, 4};
        ck_assert_int_eq(plaza_touch_spot(plaza, entities[i]), KIN_OK);
        ck_assert_entity(plaza_entity_with_tile(plaza, (Tile){(int16_t)(i * 4 + 3), 7}), entities[i]);
    }
    ck_assert_int_eq(plaza_remove_size(plaza, entities[0]), KIN_OK);
    ck_assert_int_eq(plaza_destroy_all_entities(plaza), KIN_OK);
    guard_fail(&memory, 0, false);
}
END_TEST

// Fails the n-th allocation of `make`, for each n, until it succeeds; each time nothing may have changed.
static void sweep(kin_status (*make)(void))
{
    uint32_t before = plaza_entity_count(plaza);
    for (uint64_t fail = 0;; fail++) {
        guard_fail(&memory, fail + 1, true);
        kin_status status = make();
        guard_fail(&memory, 0, false);
        ck_assert(kin__context_is_valid(&plaza->base));
        if (status == KIN_OK)
            return;
        ck_assert_reported(&errors, KIN_ERROR_NO_MEMORY);
        ck_assert_uint_eq(plaza_entity_count(plaza), before);
        ck_assert_uint_lt(fail, 200);
    }
}

static plaza_entity swept;

static kin_status spawn_houses(void)
{
    enum { COUNT = 300 };
    static Spot places[COUNT];
    for (int32_t i = 0; i < COUNT; i++)
        places[i] = (Spot){i * 2, 50};
    return plaza_spawn_many_house_with(plaza, COUNT, &(plaza_house_values){.spot = places}, NULL);
}

static kin_status add_tag(void)
{
    return plaza_add_tag(plaza, swept, (Tag){1000, 16});
}

static kin_status touch_tag(void)
{
    return plaza_touch_tag(plaza, swept);
}

static kin_status clone(void)
{
    return plaza_clone_entity(plaza, swept).id != 0 ? KIN_OK : KIN_ERROR_NO_MEMORY;
}

START_TEST(idx_12_all_keys_are_reserved_before_the_first_write)
{
    sweep(spawn_houses);
    ck_assert_uint_eq(plaza_count_near(0, 50), 2);
    swept = plaza_create_entity(plaza);
    sweep(add_tag);
    for (int32_t i = 0; i < 40; i++)
        plaza_tagged(i * 3 + 3000, 3);
    for (int32_t i = 0; i < 20; i++) { // until a touch needs memory
        swept = plaza_tagged(i * 16 + 5000, 0);
        plaza_edit_tag(plaza, swept)->count = 16;
        sweep(touch_tag);
        ck_assert_entity(plaza_entity_with_tagged(plaza, i * 16 + 5015), swept);
    }
    swept = plaza_entity_at(0, 0);
    sweep(clone);
}
END_TEST

START_TEST(idx_12_trimming_keeps_what_the_keys_need)
{
    plaza_entity entities[600];
    for (int32_t i = 0; i < 600; i++)
        entities[i] = plaza_tagged(i * 2, 2);
    for (int32_t i = 0; i < 590; i++)
        plaza_destroy_entity(plaza, entities[i]);
    kin_context_trim(&plaza->base);
    ck_assert(kin__context_is_valid(&plaza->base));
    ck_assert_entity(plaza_entity_with_tagged(plaza, 1199), entities[599]);
    plaza_destroy_all_entities(plaza);
    size_t before = memory.size;
    kin_context_trim(&plaza->base);
    ck_assert_uint_lt(memory.size, before);
    ck_assert_entity(plaza_entity_with_tagged(plaza, 3), PLAZA_NO_ENTITY);
    entities[0] = plaza_tagged(3, 1);
    ck_assert_entity(plaza_entity_with_tagged(plaza, 3), entities[0]);
}
END_TEST

START_TEST(ctx_07_it_is_empty_after_a_reset)
{
    plaza_entity_at(0, 0);
    plaza_house_at(4, 4, 2, 2);
    plaza_context_reset(plaza);
    ck_assert_uint_eq(plaza_count_near(0, 0) + plaza_count_near(4, 4), 0);
    plaza_entity_at(0, 0);
    ck_assert_uint_eq(plaza_count_near(0, 0), 1);
}
END_TEST

START_TEST(reflection_describes_the_function)
{
    for (uint32_t i = 0; i < plaza_info.index_count; i++) {
        const kin_index_info *index = &plaza_info.indices[i];
        ck_assert(index->function != NULL && index->key == NULL && index->key_count == 0);
        if (strcmp(index->name, "tile") != 0)
            continue;
        ck_assert_uint_eq(index->of_count, 2);
        ck_assert_uint_eq(index->of[1], PLAZA_SIZE);
        ck_assert_int_eq(index->key_type->type, KIN_TYPE_STRUCT);
        ck_assert_uint_eq(index->key_type->size, sizeof(Tile));
        Spot spot = {5, 6};
        Size size = {2, 1};
        Tile keys[KIN_INDEX_KEYS];
        ck_assert_uint_eq(index->function((const void *const[]){&spot, &size}, keys), 2);
        ck_assert_int_eq(keys[1].x, 6);
    }
}
END_TEST

static void add_up(const kin_index_entry *entry, void *user)
{
    uint32_t *found = user;
    *found += entry->entity != 0 && entry->count == 1 &&
              (strcmp(entry->key, "{x: 3, y: 4}") == 0 || strcmp(entry->key, "{x: 4, y: 4}") == 0);
}

START_TEST(a_walk_visits_an_entity_under_each_of_its_keys)
{
    uint32_t tile = 0, found = 0;
    while (strcmp(plaza_info.indices[tile].name, "tile") != 0)
        tile++;
    plaza_house_at(3, 4, 2, 1);
    plaza_house_at(8, 8, 1, 1);
    ck_assert_uint_eq(kin_index_count(&plaza->base, tile), 3);
    kin_index_walk(&plaza->base, tile, add_up, &found);
    ck_assert_uint_eq(found, 2);
}
END_TEST

// ---- random changes

enum { CROWD = 60, FIELD = 40 };
static plaza_entity crowd[CROWD];
static Spot expected[CROWD]; // as of the last add, replace or touch
static uint32_t state;

static uint32_t draw(uint32_t limit)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % limit;
}

static void change_one(uint32_t i)
{
    Spot place = {(int32_t)draw(FIELD), (int32_t)draw(FIELD)};
    switch (draw(8)) {
    case 0:
        plaza_destroy_entity(plaza, crowd[i]);
        crowd[i] = plaza_entity_at(place.x, place.y);
        expected[i] = place;
        break;
    case 1:
        plaza_set_gone(plaza, crowd[i], draw(2) == 0);
        break;
    case 2:
        if (plaza_has_spot(plaza, crowd[i]))
            *plaza_edit_spot(plaza, crowd[i]) = place;
        break;
    case 3:
        if (plaza_has_spot(plaza, crowd[i])) {
            *plaza_edit_spot(plaza, crowd[i]) = expected[i] = place;
            plaza_touch_spot(plaza, crowd[i]);
        }
        break;
    case 4:
        if (plaza_has_spot(plaza, crowd[i]))
            plaza_remove_spot(plaza, crowd[i]);
        break;
    case 5:
        plaza_apply_walker(plaza, crowd[i]);
        expected[i] = (Spot){1, 0};
        break;
    default:
        plaza_replace_spot(plaza, crowd[i], place);
        expected[i] = place;
    }
}

static void compare_cell(int32_t x, int32_t y)
{
    uint32_t count, wanted = 0;
    const plaza_entity *found = plaza_entities_with_near(plaza, plaza_cell_at(x, y), &count);
    for (uint32_t i = 0; i < CROWD; i++) {
        bool is_in = plaza_has_spot(plaza, crowd[i]) && !plaza_is_gone(plaza, crowd[i]) &&
                     plaza_cell_at(expected[i].x, expected[i].y) == plaza_cell_at(x, y);
        bool is_found = false;
        for (uint32_t k = 0; k < count; k++)
            is_found = is_found || found[k].id == crowd[i].id;
        ck_assert_int_eq(is_found, is_in);
        wanted += is_in;
    }
    ck_assert_uint_eq(count, wanted);
}

START_TEST(idx_09_random_changes_leave_each_cell_as_a_walk_over_all_entities_finds_it)
{
    state = 1;
    for (uint32_t i = 0; i < CROWD; i++) {
        crowd[i] = plaza_entity_at(0, 0);
        expected[i] = (Spot){0, 0};
    }
    for (uint32_t i = 0; i < 5000; i++) {
        change_one(draw(CROWD));
        compare_cell((int32_t)draw(FIELD), (int32_t)draw(FIELD));
        if (i % 100 == 0)
            ck_assert(kin__context_is_valid(&plaza->base));
        if (i % 1000 == 0)
            kin_context_trim(&plaza->base);
    }
}
END_TEST

Suite *runtime_index_function_change_suite(void)
{
    Suite *suite = suite_create("runtime_index_function_change");
    TCase *tests = tcase_create("changes");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, plaza_begin, plaza_end);
    tcase_add_test(tests, idx_10_a_value_edited_in_place_keeps_its_keys_until_it_is_touched);
    tcase_add_test(tests, idx_10_each_key_that_changes_is_moved);
    tcase_add_test(tests, idx_10_a_refused_touch_notifies_nothing_and_keeps_the_keys);
    tcase_add_test(tests, idx_10_a_listener_may_touch);
    tcase_add_test(tests, idx_10_the_function_is_called_for_new_values_only);
    tcase_add_test(tests, idx_11_more_keys_than_there_is_room_for_are_refused);
    tcase_add_test(tests, dsp_12_removing_and_entering_need_no_memory);
    tcase_add_test(tests, idx_12_all_keys_are_reserved_before_the_first_write);
    tcase_add_test(tests, idx_12_trimming_keeps_what_the_keys_need);
    tcase_add_test(tests, ctx_07_it_is_empty_after_a_reset);
    tcase_add_test(tests, reflection_describes_the_function);
    tcase_add_test(tests, a_walk_visits_an_entity_under_each_of_its_keys);
    tcase_add_test(tests, idx_09_random_changes_leave_each_cell_as_a_walk_over_all_entities_finds_it);
    suite_add_tcase(suite, tests);
    return suite;
}
