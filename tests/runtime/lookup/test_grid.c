// Grids: what is in them, look-ups, refreshes, and bad input (FND).
#include "runtime/support/case.h"
#include "suites.h"

#include <float.h>
#include <kin/inventory.h>
#include <kin/share.h>
#include <math.h>
#include <pasture/pasture.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 700, MANY = 1000000 };

CASE(paddock)

static uint32_t number_of(const char *name)
{
    uint32_t number = 0;
    while (strcmp(paddock->base.info->indices[number].name, name) != 0)
        number++;
    return number;
}

static paddock_entity place(float x, float y)
{
    paddock_entity made = paddock_create_entity(paddock);
    ck_assert_int_eq(paddock_add_position(paddock, made, (Position){.at = {x, y}}), KIN_OK);
    return made;
}

static uint32_t count_near(float x, float y, double radius)
{
    uint32_t count = 0;
    paddock_places_iter it = paddock_places_near(paddock, (Vec2){x, y}, radius);
    while (paddock_places_next(&it))
        count++;
    return count;
}

// Checks that the walk goes on with these entities, and ends.
#define ck_assert_walk(it, ...)                                                                                        \
    do {                                                                                                               \
        const paddock_entity expected_[] = {__VA_ARGS__};                                                              \
        for (size_t i_ = 0; i_ < sizeof expected_ / sizeof *expected_; i_++) {                                         \
            ck_assert(paddock_places_next(it));                                                                        \
            ck_assert_entity((it)->entity, expected_[i_]);                                                             \
        }                                                                                                              \
        ck_assert(!paddock_places_next(it));                                                                           \
        ck_assert_entity((it)->entity, PADDOCK_NO_ENTITY);                                                             \
        ck_assert(!paddock_places_next(it));                                                                           \
    } while (0)

// ---- FND-10

START_TEST(fnd_10_a_point_that_is_not_finite_is_in_no_cell_and_counted)
{
    uint32_t places = number_of("places");
    paddock_entity lost = place(NAN, 0), far = place(0, INFINITY);
    ck_assert_uint_eq(kin_index_lost(&paddock->base, places), 2);
    ck_assert_uint_eq(kin_index_count(&paddock->base, places), 0);
    ck_assert_uint_eq(count_near(0, 0, INFINITY), 0);
    paddock_replace_position(paddock, lost, (Position){.at = {1, 1}});
    ck_assert_uint_eq(kin_index_lost(&paddock->base, places), 1);
    ck_assert_uint_eq(count_near(0, 0, 2), 1);
    paddock_replace_position(paddock, lost, (Position){.at = {1, -INFINITY}});
    ck_assert_uint_eq(kin_index_lost(&paddock->base, places), 2);
    paddock_destroy_entity(paddock, far);
    paddock_remove_position(paddock, lost);
    ck_assert_uint_eq(kin_index_lost(&paddock->base, places), 0);
    ck_assert_uint_eq(kin_index_lost(&paddock->base, number_of("Height.value")), 0);
    ck_assert_uint_eq(kin_index_lost(&paddock->base, UINT32_MAX), 0);
}
END_TEST

START_TEST(fnd_10_the_world_is_unbounded)
{
    static const float places[] = {-FLT_MAX, -1e20F, -4294967296.0F, -4e9F, -1,     0,
                                   1,        4e9F,   4294967296.0F,  1e20F, FLT_MAX};
    enum { PLACES = sizeof places / sizeof *places };
    paddock_entity made[PLACES];
    for (uint32_t i = 0; i < PLACES; i++)
        made[i] = place(places[i], -places[i]);
    for (uint32_t i = 0; i < PLACES; i++) {
        paddock_places_iter it = paddock_places_near(paddock, (Vec2){places[i], -places[i]}, 0);
        ck_assert_walk(&it, made[i]);
        paddock_places_iter box =
            paddock_places_in_box(paddock, (Vec2){places[i], -FLT_MAX}, (Vec2){places[i], FLT_MAX});
        ck_assert_walk(&box, made[i]);
        paddock_entity nearest;
        ck_assert_uint_eq(paddock_places_nearest(paddock, (Vec2){places[i], -places[i]}, 1, 0, &nearest), 1);
        ck_assert_entity(nearest, made[i]);
    }
    ck_assert_uint_eq(count_near(0, 0, INFINITY), PLACES);
    ck_assert_uint_eq(count_near(FLT_MAX, 0, 1e39), PLACES);
}
END_TEST

START_TEST(fnd_10_the_border_of_a_circle_is_in_it)
{
    paddock_entity made = place(3, 4);
    paddock_places_iter it = paddock_places_near(paddock, (Vec2){0, 0}, 5);
    ck_assert(paddock_places_next(&it));
    ck_assert_entity(it.entity, made);
    ck_assert(it.distance_squared == 25);
    ck_assert_uint_eq(count_near(0, 0, nextafter(5, 0)), 0);
    ck_assert_uint_eq(count_near(3, 4, 0), 1);
    paddock_places_iter box = paddock_places_in_box(paddock, (Vec2){3, 4}, (Vec2){3, 4});
    ck_assert(paddock_places_next(&box));
    ck_assert(box.distance_squared == 0);
}
END_TEST

START_TEST(fnd_10_coordinates_at_the_limits_of_their_types_are_found)
{
    static const int64_t limits[] = {INT64_MIN, INT64_MIN + 4096, -1, 0, INT64_MAX - 4096, INT64_MAX};
    for (uint32_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        paddock_entity made = paddock_create_entity(paddock);
        ck_assert_int_eq(paddock_add_tile(paddock, made, (Tile){.x = INT32_MIN + (int32_t)i, .y = limits[i]}), KIN_OK);
        paddock_tiles_iter it = paddock_tiles_near(paddock, INT32_MIN + (int32_t)i, limits[i], 0.5);
        ck_assert(paddock_tiles_next(&it));
        ck_assert_entity(it.entity, made);
        ck_assert(!paddock_tiles_next(&it));
    }
    paddock_entity dot = paddock_create_entity(paddock);
    paddock_add_position(paddock, dot, (Position){.mark = 1});
    paddock_add_dot(paddock, dot, (Dot){.at = {INT16_MIN, UINT32_MAX}});
    paddock_dots_iter it = paddock_dots_in_box(paddock, (Pixel){INT16_MIN, UINT32_MAX}, (Pixel){INT16_MAX, UINT32_MAX});
    ck_assert(paddock_dots_next(&it));
    ck_assert_entity(it.entity, dot);
}
END_TEST

// ---- FND-11

START_TEST(fnd_11_results_are_in_order_of_cell_then_slot)
{
    paddock_entity made[] = {place(5, 5), place(1, 1), place(5, 1), place(1, 5), place(2, 2)};
    paddock_replace_position(paddock, made[1], (Position){.at = {9, 1}});
    paddock_replace_position(paddock, made[1], (Position){.at = {3, 3}});
    paddock_places_iter it = paddock_places_near(paddock, (Vec2){3, 3}, 9);
    ck_assert_walk(&it, made[1], made[4], made[2], made[3], made[0]);
    paddock_places_iter box = paddock_places_in_box(paddock, (Vec2){-90, -90}, (Vec2){90, 90});
    ck_assert_walk(&box, made[1], made[4], made[2], made[3], made[0]);
}
END_TEST

static void note_pairs(char *text, double radius)
{
    paddock_places_pairs pairs = paddock_places_pairs_within(paddock, radius);
    text[0] = '\0';
    while (paddock_places_pairs_next(&pairs))
        sprintf(text + strlen(text), "%u-%u:%g ", kin_entity_slot(pairs.first.id), kin_entity_slot(pairs.second.id),
                pairs.distance_squared);
    ck_assert_entity(pairs.first, PADDOCK_NO_ENTITY);
    ck_assert_entity(pairs.second, PADDOCK_NO_ENTITY);
}

START_TEST(fnd_11_each_pair_is_returned_once)
{
    char text[200];
    place(5, 0), place(3, 0), place(1, 0), place(1, 4), place(40, 0);
    note_pairs(text, 2);
    ck_assert_str_eq(text, "1-2:4 1-0:4 ");
    note_pairs(text, 4);
    ck_assert_str_eq(text, "1-2:4 1-0:4 2-0:16 2-3:16 ");
    note_pairs(text, 0);
    ck_assert_str_eq(text, "");
}
END_TEST

START_TEST(fnd_11_the_nearest_are_in_order_of_distance_then_slot)
{
    paddock_entity found[8];
    paddock_entity made[] = {place(2, 0), place(-1, 0), place(0, 1), place(1, 0), place(0, 30), place(9, 9)};
    ck_assert_uint_eq(paddock_places_nearest(paddock, (Vec2){0, 0}, 3, INFINITY, found), 3);
    ck_assert_entity(found[0], made[1]);
    ck_assert_entity(found[1], made[2]);
    ck_assert_entity(found[2], made[3]);
    ck_assert_uint_eq(paddock_places_nearest(paddock, (Vec2){0, 0}, 8, 30, found), 6);
    ck_assert_entity(found[5], made[4]);
    ck_assert_uint_eq(paddock_places_nearest(paddock, (Vec2){0, 0}, 8, 29, found), 5);
    ck_assert_uint_eq(paddock_places_nearest(paddock, (Vec2){1000, 0}, 1, 990, found), 0);
    ck_assert_uint_eq(paddock_places_nearest(paddock, (Vec2){1000, 0}, 1, INFINITY, found), 1);
    ck_assert_entity(found[0], made[5]);
    ck_assert_uint_eq(paddock_places_nearest(paddock, (Vec2){INFINITY, 0}, 1, 5, found), 0);
    ck_assert_uint_eq(paddock_places_nearest(paddock, (Vec2){0, 0}, 0, 5, NULL), 0);
}
END_TEST

START_TEST(fnd_11_more_are_nearest_than_are_found_at_once)
{
    paddock_entity found[COUNT + 1];
    for (uint32_t i = 0; i < COUNT; i++)
        place((float)(i * 37 % COUNT), 0);
    ck_assert_uint_eq(paddock_places_nearest(paddock, (Vec2){0, 0}, COUNT + 1, 1e9, found), COUNT);
    for (uint32_t i = 0; i < COUNT; i++)
        ck_assert(paddock_get_position(paddock, found[i])->at.x == (float)i);
}
END_TEST

START_TEST(fnd_11_a_walk_survives_all_that_happens)
{
    kin_snapshot *snapshot = NULL;
    paddock_entity made[] = {place(1, 1), place(2, 2), place(3, 3), place(9, 9)};
    ck_assert_int_eq(paddock_save(paddock, &snapshot), KIN_OK);
    paddock_places_iter it = paddock_places_near(paddock, (Vec2){0, 0}, 20);
    paddock_places_pairs pairs = paddock_places_pairs_within(paddock, 20);
    ck_assert(paddock_places_next(&it) && paddock_places_next(&it) && paddock_places_pairs_next(&pairs));
    ck_assert_entity(it.entity, made[1]);
    paddock_destroy_all_entities(paddock);
    paddock_places_iter copy = it;
    ck_assert(!paddock_places_next(&copy));
    ck_assert_int_eq(paddock_context_reset(paddock), KIN_OK);
    ck_assert_int_eq(paddock_restore(paddock, snapshot, KIN_RESTORE_EXACTLY), KIN_OK);
    ck_assert_walk(&it, made[2], made[3]);
    ck_assert(paddock_places_pairs_next(&pairs));
    ck_assert_entity(pairs.second, made[2]);
    kin_snapshot_destroy(snapshot);
}
END_TEST

START_TEST(fnd_11_many_entities_in_one_cell_are_sorted_once)
{
    paddock_begin();
    paddock_entity *made = malloc(MANY * sizeof *made);
    ck_assert_int_eq(paddock_spawn_many_sheep(paddock, MANY, made), KIN_OK);
    for (uint32_t i = 0; i < MANY; i++) // in no order of slots
        paddock_replace_position(paddock, made[(uint64_t)i * 7919 % MANY], (Position){.at = {100, 100}});
    uint32_t last = 0, count = 0;
    paddock_places_iter it = paddock_places_near(paddock, (Vec2){100, 100}, 1);
    for (; paddock_places_next(&it); count++) {
        ck_assert(count == 0 || kin_entity_slot(it.entity.id) > last);
        last = kin_entity_slot(it.entity.id);
        if (count % 2 == 0)
            paddock_replace_position(paddock, it.entity, (Position){.at = {1, 1}});
    }
    ck_assert_uint_eq(count, MANY);
    it = paddock_places_in_box(paddock, (Vec2){0, 0}, (Vec2){1000, 1000});
    for (count = 0; paddock_places_next(&it); count++)
        paddock_destroy_entity(paddock, it.entity);
    ck_assert_uint_eq(count, MANY);
    free(made);
    paddock_end();
}
END_TEST

// ---- FND-12

START_TEST(fnd_10_an_infinite_circle_around_an_infinite_point_has_all)
{
    static const float infinite[] = {-INFINITY, INFINITY};
    place(3, 4);
    place(-3, 400);
    for (int i = 0; i < 2; i++) {
        ck_assert_uint_eq(count_near(infinite[i], 5, INFINITY), 2);
        ck_assert_uint_eq(count_near(5, infinite[i], INFINITY), 2);
    }
}
END_TEST

START_TEST(fnd_12_a_refresh_follows_values_that_were_written_in_place)
{
    paddock_entity made = place(1, 1), other = place(2, 2);
    paddock_edit_position(paddock, made)->at = (Vec2){100, 1};
    ck_assert_uint_eq(count_near(100, 1, 1), 0); // filed at the old place
    ck_assert_uint_eq(count_near(1, 1, 1), 0);   // where it is not
    paddock_edit_position(paddock, other)->at = (Vec2){3, 3};
    ck_assert_uint_eq(count_near(3, 3, 0), 1);
    ck_assert_uint_eq(paddock_places_refresh(paddock), 1);
    ck_assert_uint_eq(count_near(100, 1, 1), 1);
    ck_assert_uint_eq(paddock_places_refresh(paddock), 0);
    paddock_edit_position(paddock, made)->at.x = NAN;
    ck_assert_uint_eq(paddock_places_refresh(paddock), 1);
    ck_assert_uint_eq(kin_index_lost(&paddock->base, number_of("places")), 1);
    ck_assert_uint_eq(paddock_places_refresh(paddock), 0);
    paddock_edit_position(paddock, made)->at.x = 5;
    ck_assert_uint_eq(paddock_places_refresh(paddock), 1);
    paddock_edit_position(paddock, made)->at.x = -5;
    ck_assert_int_eq(paddock_touch_position(paddock, made), KIN_OK);
    ck_assert_uint_eq(count_near(-5, 1, 0), 1);
}
END_TEST

START_TEST(fnd_12_a_restore_files_all_where_they_are)
{
    kin_snapshot *snapshot = NULL;
    paddock_entity made = place(1, 1);
    paddock_edit_position(paddock, made)->at = (Vec2){100, 1};
    ck_assert_int_eq(paddock_save(paddock, &snapshot), KIN_OK);
    ck_assert_int_eq(paddock_restore(paddock, snapshot, KIN_RESTORE_EXACTLY), KIN_OK);
    ck_assert_uint_eq(count_near(100, 1, 0), 1);
    kin_snapshot_destroy(snapshot);
}
END_TEST

START_TEST(fnd_12_an_ordered_index_follows_what_was_written_in_place)
{
    paddock_entity low = paddock_create_entity(paddock), high = paddock_create_entity(paddock);
    paddock_add_height(paddock, low, (Height){.value = 1});
    paddock_add_height(paddock, high, (Height){.value = 2});
    paddock_edit_height(paddock, low)->value = 3;
    paddock_edit_height(paddock, high)->mark = 3;
    ck_assert_entity(paddock_height_value_first(paddock), low);
    ck_assert_uint_eq(paddock_height_value_refresh(paddock), 1);
    ck_assert_entity(paddock_height_value_first(paddock), high);
    ck_assert_uint_eq(paddock_height_value_refresh(paddock), 0);
    ck_assert_uint_eq(paddock_height_value_count_below(paddock, 3), 1);
}
END_TEST

// ---- FND-13, FND-14

START_TEST(fnd_13_shared_contexts_are_looked_up_and_not_refreshed)
{
    paddock_entity made[COUNT];
    for (uint32_t i = 0; i < COUNT; i++)
        made[i] = place((float)(i % 3), 0);
    for (uint32_t i = 0; i < COUNT; i++)
        paddock_replace_position(paddock, made[i * 31 % COUNT], (Position){.at = {50, (float)(i * 40)}});
    for (uint32_t i = 0; i < COUNT; i += 3)
        paddock_replace_position(paddock, made[i * 31 % COUNT], (Position){.at = {1, 1}});
    ck_assert_int_eq(kin_context_begin_shared(&paddock->base), KIN_OK);
    paddock_places_iter it = paddock_places_near(paddock, (Vec2){1, 1}, 1);
    uint32_t last = 0, count = 0;
    for (; paddock_places_next(&it); count++) {
        ck_assert(count == 0 || kin_entity_slot(it.entity.id) > last);
        last = kin_entity_slot(it.entity.id);
    }
    ck_assert_uint_eq(count, (COUNT + 2) / 3);
    ck_assert_uint_eq(count_near(0, 0, INFINITY), COUNT);
    ck_assert_uint_eq(paddock_places_refresh(paddock), 0);
    ck_assert_int_eq(kin_context_end_shared(&paddock->base), KIN_OK);
    ck_assert_reported(&errors, KIN_ERROR_INVALID);
}
END_TEST

START_TEST(fnd_14_no_memory_changes_nothing_and_removing_needs_none)
{
    paddock_entity made[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        made[i] = paddock_create_entity(paddock);
        kin_status status = KIN_ERROR_NO_MEMORY;
        for (uint64_t fail = 1; status != KIN_OK; fail++) {
            guard_fail(&memory, fail, true);
            status = paddock_add_position(paddock, made[i], (Position){.at = {(float)(i * 31 % 97), 1}});
            guard_fail(&memory, 0, false);
            if (status != KIN_OK)
                ck_assert_refused(&errors, status, KIN_ERROR_NO_MEMORY);
            ck_assert(paddock_has_position(paddock, made[i]) == (status == KIN_OK));
            ck_assert_uint_eq(count_near(0, 0, INFINITY), i + (status == KIN_OK));
        }
    }
    guard_fail(&memory, 1, true);
    for (uint32_t i = 0; i < COUNT; i++)
        ck_assert_int_eq(paddock_replace_position(paddock, made[i], (Position){.at = {(float)(i * 57 % 89), 9}}),
                         KIN_OK);
    for (uint32_t i = 0; i < COUNT; i += 3)
        paddock_edit_position(paddock, made[i])->at.y = 700;
    ck_assert_uint_eq(paddock_places_refresh(paddock), (COUNT + 2) / 3);
    ck_assert_uint_eq(count_near(0, 0, 300), COUNT - (COUNT + 2) / 3);
    for (uint32_t i = 0; i < COUNT; i += 2)
        ck_assert_int_eq(paddock_remove_position(paddock, made[i]), KIN_OK);
    ck_assert_int_eq(paddock_destroy_all_entities(paddock), KIN_OK);
    guard_fail(&memory, 0, false);
}
END_TEST

START_TEST(fnd_14_a_restore_without_memory_changes_nothing)
{
    kin_snapshot *snapshot = NULL;
    for (uint32_t i = 0; i < COUNT; i++)
        place((float)i, 0);
    ck_assert_int_eq(paddock_save(paddock, &snapshot), KIN_OK);
    ck_assert_int_eq(paddock_context_reset(paddock), KIN_OK);
    kin_context_trim(&paddock->base);
    kin_status status = KIN_ERROR_NO_MEMORY;
    for (uint64_t fail = 1; status != KIN_OK; fail++) {
        guard_fail(&memory, fail, true);
        status = paddock_restore(paddock, snapshot, KIN_RESTORE_EXACTLY);
        guard_fail(&memory, 0, false);
        if (status != KIN_OK)
            ck_assert_refused(&errors, status, KIN_ERROR_NO_MEMORY);
        ck_assert_uint_eq(count_near(0, 0, INFINITY), status == KIN_OK ? COUNT : 0);
    }
    kin_snapshot_destroy(snapshot);
}
END_TEST

START_TEST(fnd_14_memory_that_is_not_needed_is_given_back)
{
    place(0, 0);
    paddock_destroy_all_entities(paddock);
    kin_context_trim(&paddock->base);
    uint64_t before = kin_context_memory(&paddock->base).indices.allocated;
    for (uint32_t i = 0; i < COUNT; i++)
        place((float)i, 0);
    ck_assert_uint_eq(count_near(0, 0, INFINITY), COUNT);
    ck_assert(kin_context_memory(&paddock->base).indices.allocated > before);
    paddock_destroy_all_entities(paddock);
    kin_context_trim(&paddock->base);
    ck_assert_uint_eq(kin_context_memory(&paddock->base).indices.allocated, before);
}
END_TEST

static void note(const kin_index_entry *entry, void *user)
{
    char *text = user;
    sprintf(text + strlen(text), "%s %u/%u %u; ", entry->key, entry->place, entry->count,
            kin_entity_slot(entry->entity));
}

START_TEST(fnd_14_tools_see_a_grid_cell_by_cell)
{
    char text[200] = "";
    place(1, 5), place(-1, 1), place(2, 7);
    kin_index_walk(&paddock->base, number_of("places"), note, text);
    ck_assert_str_eq(text, "(-1, 0) 0/1 1; (0, 1) 0/2 0; (0, 1) 1/2 2; ");
    text[0] = '\0';
    paddock_add_body(paddock, paddock_create_entity(paddock), (Body){{1, 3, -1}});
    kin_index_walk(&paddock->base, number_of("bodies"), note, text);
    ck_assert_str_eq(text, "(0, 1, -1) 0/1 3; ");
}
END_TEST

// ---- bad input

START_TEST(fnd_10_a_radius_that_is_none_is_reported)
{
    static const double radii[] = {-1, -DBL_MIN, -INFINITY, NAN};
    paddock_entity found;
    place(0, 0);
    for (uint32_t i = 0; i < sizeof radii / sizeof *radii; i++) {
        ck_assert_uint_eq(count_near(0, 0, radii[i]), 0);
        ck_assert_reported(&errors, KIN_ERROR_INVALID);
        paddock_places_pairs pairs = paddock_places_pairs_within(paddock, radii[i]);
        ck_assert_reported(&errors, KIN_ERROR_INVALID);
        ck_assert(!paddock_places_pairs_next(&pairs));
        ck_assert_uint_eq(paddock_places_nearest(paddock, (Vec2){0, 0}, 1, radii[i], &found), 0);
        ck_assert_reported(&errors, KIN_ERROR_INVALID);
    }
    ck_assert_uint_eq(count_near(NAN, 0, 1), 0);
    ck_assert_reported(&errors, KIN_ERROR_INVALID);
    ck_assert_uint_eq(paddock_places_nearest(paddock, (Vec2){0, NAN}, 1, 1, &found), 0);
    ck_assert_reported(&errors, KIN_ERROR_INVALID);
    ck_assert_uint_eq(paddock_places_nearest(paddock, (Vec2){0, 0}, 1, 1, NULL), 0);
    ck_assert_reported(&errors, KIN_ERROR_INVALID);
    paddock_places_iter it = paddock_places_in_box(paddock, (Vec2){0, 0}, (Vec2){1, NAN});
    ck_assert_reported(&errors, KIN_ERROR_INVALID);
    ck_assert(!paddock_places_next(&it));
    it = paddock_places_in_box(paddock, (Vec2){1, -1}, (Vec2){-1, 1});
    ck_assert(!paddock_places_next(&it));
}
END_TEST

START_TEST(fnd_10_a_negative_radius_is_named)
{
    count_near(0, 0, -1);
    ck_assert_uint_eq(errors.count, 1);
    ck_assert_str_eq(
        errors.entries[0].message,
        "paddock: cannot look up entities in index places: the radius is negative or a NaN; use 0 or more");
    error_log_clear(&errors);
}
END_TEST

Suite *runtime_grid_suite(void)
{
    Suite *suite = suite_create("runtime_grid");
    TCase *tests = tcase_create("grid");
    tcase_add_checked_fixture(tests, paddock_begin, paddock_end);
    tcase_add_test(tests, fnd_10_a_point_that_is_not_finite_is_in_no_cell_and_counted);
    tcase_add_test(tests, fnd_10_the_world_is_unbounded);
    tcase_add_test(tests, fnd_10_the_border_of_a_circle_is_in_it);
    tcase_add_test(tests, fnd_10_coordinates_at_the_limits_of_their_types_are_found);
    tcase_add_test(tests, fnd_10_a_radius_that_is_none_is_reported);
    tcase_add_test(tests, fnd_10_a_negative_radius_is_named);
    tcase_add_test(tests, fnd_11_results_are_in_order_of_cell_then_slot);
    tcase_add_test(tests, fnd_11_each_pair_is_returned_once);
    tcase_add_test(tests, fnd_11_the_nearest_are_in_order_of_distance_then_slot);
    tcase_add_test(tests, fnd_11_more_are_nearest_than_are_found_at_once);
    tcase_add_test(tests, fnd_11_a_walk_survives_all_that_happens);
    tcase_add_test(tests, fnd_10_an_infinite_circle_around_an_infinite_point_has_all);
    tcase_add_test(tests, fnd_12_a_refresh_follows_values_that_were_written_in_place);
    tcase_add_test(tests, fnd_12_a_restore_files_all_where_they_are);
    tcase_add_test(tests, fnd_12_an_ordered_index_follows_what_was_written_in_place);
    tcase_add_test(tests, fnd_13_shared_contexts_are_looked_up_and_not_refreshed);
    tcase_add_test(tests, fnd_14_no_memory_changes_nothing_and_removing_needs_none);
    tcase_add_test(tests, fnd_14_a_restore_without_memory_changes_nothing);
    tcase_add_test(tests, fnd_14_memory_that_is_not_needed_is_given_back);
    tcase_add_test(tests, fnd_14_tools_see_a_grid_cell_by_cell);
    suite_add_tcase(suite, tests);
    TCase *many = tcase_create("many");
    tcase_add_test(many, fnd_11_many_entities_in_one_cell_are_sorted_once);
    suite_add_tcase(suite, many);
    return suite;
}
