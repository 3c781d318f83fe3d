// Ordered indices: what they contain, the order of keys, walks and ranks (FND).
#include "runtime/support/case.h"
#include "suites.h"

#include <float.h>
#include <kin/inventory.h>
#include <ladder/ladder.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MANY = 20000 };

CASE(rack)

static rack_entity with_points(int32_t points)
{
    rack_entity made = rack_create_entity(rack);
    ck_assert_int_eq(rack_add_score(rack, made, (Score){points, 0}), KIN_OK);
    return made;
}

static rack_entity at_depth(int16_t layer, float depth)
{
    rack_entity made = rack_create_entity(rack);
    ck_assert_int_eq(rack_add_sprite(rack, made, (Sprite){layer, depth}), KIN_OK);
    return made;
}

// Checks that the walk goes on with these entities, and ends.
#define ck_assert_walk(it, next, ...)                                                                                  \
    do {                                                                                                               \
        const rack_entity expected_[] = {__VA_ARGS__};                                                                 \
        for (size_t i_ = 0; i_ < sizeof expected_ / sizeof *expected_; i_++) {                                         \
            ck_assert(next(it));                                                                                       \
            ck_assert_entity((it)->entity, expected_[i_]);                                                             \
        }                                                                                                              \
        ck_assert(!next(it));                                                                                          \
        ck_assert_entity((it)->entity, RACK_NO_ENTITY);                                                                \
    } while (0)

// ---- FND-01

START_TEST(fnd_01_a_walk_goes_on_after_an_entry_that_is_gone)
{
    rack_entity first = with_points(1), second = with_points(2), third = with_points(3);
    rack_score_points_iter it = rack_score_points_begin(rack);
    ck_assert(rack_score_points_next(&it));
    rack_destroy_entity(rack, first);
    ck_assert(rack_score_points_next(&it));
    ck_assert_entity(it.entity, second);
    rack_remove_score(rack, second);
    rack_score_points_iter back = it;
    ck_assert_walk(&it, rack_score_points_next, third);
    ck_assert(!rack_score_points_previous(&back));
}
END_TEST

START_TEST(fnd_01_an_entry_that_moves_ahead_is_seen_again_and_one_that_moves_behind_is_not)
{
    rack_entity first = with_points(1), second = with_points(2), third = with_points(3), fourth = with_points(4);
    rack_score_points_iter it = rack_score_points_begin(rack);
    ck_assert(rack_score_points_next(&it) && rack_score_points_next(&it));
    ck_assert_entity(it.entity, second);
    rack_replace_score(rack, first, (Score){9, 0});
    rack_replace_score(rack, second, (Score){5, 0});
    rack_replace_score(rack, third, (Score){0, 0});
    ck_assert_walk(&it, rack_score_points_next, fourth, second, first);
}
END_TEST

START_TEST(fnd_01_an_entity_with_the_key_and_slot_of_the_last_entry_is_not_returned)
{
    rack_entity last = with_points(1);
    rack_score_points_iter it = rack_score_points_begin(rack);
    ck_assert(rack_score_points_next(&it));
    rack_destroy_entity(rack, last);
    rack_entity again = with_points(1);
    ck_assert_uint_eq(kin_entity_slot(again.id), kin_entity_slot(last.id));
    rack_entity equal = with_points(1);
    ck_assert_walk(&it, rack_score_points_next, equal);
}
END_TEST

START_TEST(fnd_01_a_walk_that_has_ended_goes_on_with_what_is_added_behind_it)
{
    rack_entity first = with_points(1);
    rack_score_points_iter it = rack_score_points_begin(rack);
    ck_assert_walk(&it, rack_score_points_next, first);
    rack_entity second = with_points(2);
    ck_assert_walk(&it, rack_score_points_next, second);
    ck_assert_walk(&it, rack_score_points_previous, first);
}
END_TEST

START_TEST(fnd_01_a_walk_survives_a_reset_and_a_restore)
{
    kin_snapshot *snapshot = NULL;
    rack_entity first = with_points(1), second = with_points(2), third = with_points(3);
    ck_assert_int_eq(rack_save(rack, &snapshot), KIN_OK);
    rack_score_points_iter it = rack_score_points_begin(rack);
    ck_assert(rack_score_points_next(&it) && rack_score_points_next(&it));
    ck_assert_entity(it.entity, second);
    rack_destroy_all_entities(rack);
    ck_assert(!rack_score_points_next(&it) && !rack_score_points_previous(&it));
    ck_assert_int_eq(rack_context_reset(rack), KIN_OK);
    ck_assert(!rack_score_points_next(&it));
    ck_assert_int_eq(rack_restore(rack, snapshot, KIN_RESTORE_EXACTLY), KIN_OK);
    rack_score_points_iter back = it;
    ck_assert_walk(&it, rack_score_points_next, third);
    ck_assert_walk(&back, rack_score_points_previous, first);
    kin_snapshot_destroy(snapshot);
}
END_TEST

static void destroy_next(const kin_change *change, void *user)
{
    (void)change;
    rack_score_points_iter *it = user;
    if (rack_score_points_next(it))
        rack_destroy_entity(rack, it->entity);
}

START_TEST(fnd_01_listeners_walk_and_destroy_what_is_next)
{
    for (int32_t i = 0; i < 40; i++)
        with_points(i % 3);
    rack_score_points_iter it = rack_score_points_begin(rack);
    kin_group_subscribe(rack_scores_group(rack), KIN_REMOVED, destroy_next, &it);
    ck_assert(rack_score_points_next(&it));
    rack_destroy_entity(rack, it.entity);
    ck_assert_uint_eq(rack_entity_count(rack), 0);
    ck_assert_entity(rack_score_points_first(rack), RACK_NO_ENTITY);
}
END_TEST

// ---- FND-02

START_TEST(fnd_02_zeros_are_equal_and_a_nan_is_above_all_numbers)
{
    static const double values[] = {-INFINITY,    -DBL_MAX, -1,      -DBL_TRUE_MIN, -0.0, 0,   -0.0,
                                    DBL_TRUE_MIN, 1,        DBL_MAX, INFINITY,      NAN,  -NAN};
    enum { COUNT = sizeof values / sizeof *values };
    rack_entity made[COUNT];
    for (uint32_t i = 0; i < COUNT; i++)
        made[i] = rack_create_entity(rack);
    for (uint32_t i = COUNT; i-- > 0;)
        ck_assert_int_eq(rack_add_weight(rack, made[i], (Weight){values[i]}), KIN_OK);
    rack_weight_value_iter it = rack_weight_value_begin(rack);
    for (uint32_t i = 0; i < COUNT; i++) {
        ck_assert(rack_weight_value_next(&it));
        ck_assert_entity(it.entity, made[i]);
    }
    ck_assert_uint_eq(rack_weight_value_count_below(rack, 0.0), 4);
    ck_assert_uint_eq(rack_weight_value_count_below(rack, -0.0), 4);
    ck_assert_uint_eq(rack_weight_value_count_below(rack, NAN), 11);
}
END_TEST

START_TEST(fnd_02_a_descending_key_is_the_other_way_round)
{
    rack_entity nan = at_depth(1, NAN), low = at_depth(1, -2), high = at_depth(1, 7), other = at_depth(1, 7);
    rack_entity below = at_depth(0, 0), above = at_depth(2, 0);
    rack_by_depth_iter it = rack_by_depth_begin(rack);
    ck_assert_walk(&it, rack_by_depth_next, below, nan, high, other, low, above);
    rack_by_depth_iter from = rack_by_depth_from(rack, 1, 7);
    ck_assert_walk(&from, rack_by_depth_next, high, other, low, above);
    ck_assert_walk(&from, rack_by_depth_previous, low, other, high, nan, below);
}
END_TEST

#define LONG "012345678901234567890123456789012345678901234567890123456789012" // 63 bytes

START_TEST(fnd_02_strings_are_ordered_by_their_first_bytes)
{
    static const char *const texts[] = {NULL, "", "A", "a", "a ", "aa", "\x7f", "\xc3\xa9", "\xff"};
    enum { COUNT = sizeof texts / sizeof *texts };
    rack_entity made[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        made[i] = rack_create_entity(rack);
        ck_assert_int_eq(rack_add_title(rack, made[i], (Title){.text = texts[COUNT - 1 - i]}), KIN_OK);
    }
    rack_title_text_iter it = rack_title_text_begin(rack);
    for (uint32_t i = COUNT; i-- > 2;) { // NULL and "" are equal, so these are in order of slot
        uint32_t at = COUNT - 1 - i;
        ck_assert(rack_title_text_next(&it));
        ck_assert_entity(it.entity, made[at < 2 ? COUNT - 2 + at : i]);
    }
    ck_assert_uint_eq(rack_title_text_count_below(rack, NULL), 0);
    ck_assert_uint_eq(rack_title_text_count_below(rack, "a"), 3);
}
END_TEST

START_TEST(fnd_02_strings_with_the_same_first_bytes_are_equal_if_longer)
{
    static const char *const texts[] = {LONG "b", LONG "a", LONG, LONG "bc", "0"};
    rack_entity made[5];
    for (uint32_t i = 0; i < 5; i++) {
        made[i] = rack_create_entity(rack);
        ck_assert_int_eq(rack_add_title(rack, made[i], (Title){.text = texts[i]}), KIN_OK);
    }
    rack_title_text_iter it = rack_title_text_begin(rack);
    ck_assert_walk(&it, rack_title_text_next, made[4], made[2], made[0], made[1], made[3]);
    ck_assert_uint_eq(rack_title_text_count_below(rack, LONG), 1);
    ck_assert_uint_eq(rack_title_text_count_below(rack, LONG "z"), 2);
}
END_TEST

START_TEST(fnd_02_a_text_that_no_field_can_have_is_between_those_that_one_can)
{
    rack_entity first = rack_create_entity(rack), second = rack_create_entity(rack);
    rack_add_title(rack, first, (Title){.mark = "abcde"});
    rack_add_title(rack, second, (Title){.mark = "abcdf"});
    rack_by_mark_iter it = rack_by_mark_from(rack, "abcdefgh"); // descending: behind "abcdf"
    ck_assert_walk(&it, rack_by_mark_next, first);
    ck_assert_uint_eq(rack_by_mark_count_below(rack, "abcde"), 1);
    ck_assert_uint_eq(rack_by_mark_count_below(rack, "abcdefgh"), 1);
}
END_TEST

START_TEST(fnd_02_numbers_at_the_limits_of_their_types_are_in_order)
{
    static const int64_t wholes[] = {INT64_MIN, INT64_MIN + 1, -1, 0, 1, INT64_MAX};
    static const uint64_t counts[] = {0, 1, INT64_MAX, (uint64_t)INT64_MAX + 1, UINT64_MAX - 1, UINT64_MAX};
    static const int8_t tinies[] = {INT8_MIN, -1, 0, 1, 2, INT8_MAX};
    rack_entity made[6];
    for (uint32_t i = 0; i < 6; i++)
        made[i] = rack_create_entity(rack);
    for (uint32_t i = 6; i-- > 0;) {
        rack_add_whole(rack, made[i], (Whole){wholes[i]});
        rack_add_count(rack, made[i], (Count){counts[i]});
        rack_add_tiny(rack, made[i], (Tiny){tinies[i]});
        rack_add_place(rack, made[i], (Place){(uint8_t)(i * 51), 0});
    }
    rack_whole_value_iter whole = rack_whole_value_begin(rack);
    rack_count_value_iter count = rack_count_value_begin(rack);
    rack_tiny_value_iter tiny = rack_tiny_value_begin(rack);
    rack_place_value_iter place = rack_place_value_begin(rack);
    ck_assert_walk(&whole, rack_whole_value_next, made[0], made[1], made[2], made[3], made[4], made[5]);
    ck_assert_walk(&count, rack_count_value_next, made[0], made[1], made[2], made[3], made[4], made[5]);
    ck_assert_walk(&tiny, rack_tiny_value_next, made[0], made[1], made[2], made[3], made[4], made[5]);
    ck_assert_walk(&place, rack_place_value_next, made[0], made[1], made[2], made[3], made[4], made[5]);
    whole = rack_whole_value_range(rack, INT64_MIN, INT64_MAX);
    ck_assert_walk(&whole, rack_whole_value_next, made[0], made[1], made[2], made[3], made[4], made[5]);
}
END_TEST

START_TEST(fnd_02_entities_are_ordered_by_slot_and_others_by_value)
{
    rack_entity low = rack_create_entity(rack), high = rack_create_entity(rack), none = rack_create_entity(rack);
    rack_add_owner(rack, low, (Owner){.value = high});
    rack_add_owner(rack, high, (Owner){.value = low});
    rack_add_owner(rack, none, (Owner){.value = RACK_NO_ENTITY});
    rack_owner_value_iter owner = rack_owner_value_begin(rack);
    ck_assert_walk(&owner, rack_owner_value_next, none, high, low);
    rack_add_level(rack, low, (Level){GRADE_HIGH});
    rack_add_level(rack, high, (Level){GRADE_LOW});
    rack_level_value_iter level = rack_level_value_begin(rack);
    ck_assert_walk(&level, rack_level_value_next, high, low);
    rack_add_switch(rack, low, (Switch){true});
    rack_add_switch(rack, high, (Switch){false});
    rack_switch_value_iter on = rack_switch_value_begin(rack);
    ck_assert_walk(&on, rack_switch_value_next, high, low);
    rack_add_spots(rack, low, (Spots){{.y = 1, .x = -1, .tag = "b"}});
    rack_add_spots(rack, high, (Spots){{.y = 1, .x = -1, .tag = "a"}});
    rack_add_spots(rack, none, (Spots){{.y = 1, .x = -2, .tag = "c"}});
    rack_spots_value_iter spot = rack_spots_value_from(rack, (Spot){.y = 1, .x = -2, .tag = "c"});
    ck_assert_walk(&spot, rack_spots_value_next, none, high, low);
}
END_TEST

START_TEST(fnd_02_a_key_may_have_fields_of_many_components)
{
    rack_entity made[3];
    for (uint32_t i = 0; i < 3; i++) {
        made[i] = rack_create_entity(rack);
        rack_add_place(rack, made[i], (Place){0, (uint16_t)(i == 2)});
        rack_add_owner(rack, made[i], (Owner){.other = made[i].id});
        rack_add_spots(rack, made[i], (Spots){{.y = i}});
        rack_add_level(rack, made[i], (Level){GRADE_LOW});
        ck_assert_uint_eq(kin_index_count(&rack->base, 0) > 0, i > 0);
        rack_add_count(rack, made[i], (Count){i});
    }
    rack_by_all_iter it = rack_by_all_begin(rack);
    ck_assert_walk(&it, rack_by_all_next, made[1], made[0], made[2]);
}
END_TEST

// ---- FND-03

START_TEST(fnd_03_an_index_follows_every_change)
{
    rack_entity first = at_depth(0, 1), second = at_depth(0, 0);
    ck_assert_entity(rack_by_depth_last(rack), second);
    rack_replace_sprite(rack, second, (Sprite){0, 5});
    ck_assert_entity(rack_by_depth_last(rack), first);
    ck_assert_entity(rack_by_depth_first(rack), second);
    rack_add_score(rack, first, (Score){3, 0});
    rack_edit_score(rack, first)->extra = 7;
    rack_touch_score(rack, first);
    ck_assert_entity(rack_score_points_first(rack), first);
    rack_set_hidden(rack, second, true);
    ck_assert_entity(rack_by_depth_first(rack), first);
    rack_replace_sprite(rack, second, (Sprite){-1, 0});
    ck_assert_entity(rack_by_depth_first(rack), first);
    rack_set_hidden(rack, second, false);
    ck_assert_entity(rack_by_depth_first(rack), second);
    rack_remove_sprite(rack, second);
    ck_assert_entity(rack_by_depth_first(rack), first);
    rack_entity clone = rack_clone_entity(rack, first);
    ck_assert_entity(rack_by_depth_last(rack), clone);
    rack_destroy_entity(rack, first);
    rack_destroy_entity(rack, clone);
    ck_assert_entity(rack_by_depth_first(rack), RACK_NO_ENTITY);
}
END_TEST

START_TEST(fnd_03_a_spawn_and_a_clone_with_a_nan_are_not_refused)
{
    rack_entity spawned = rack_spawn_runner(rack);
    rack_entity clone = rack_clone_entity(rack, spawned);
    rack_weight_value_iter it = rack_weight_value_begin(rack);
    ck_assert_walk(&it, rack_weight_value_next, spawned, clone);
    rack_entity all[3];
    ck_assert_int_eq(rack_spawn_many_runner(rack, 3, all), KIN_OK);
    ck_assert_uint_eq(rack_score_points_count_below(rack, 6), 5);
}
END_TEST

START_TEST(fnd_03_no_memory_changes_nothing_and_removing_needs_none)
{
    enum { COUNT = 700 };
    rack_entity made[COUNT];
    for (int32_t i = 0; i < COUNT; i++) {
        made[i] = rack_create_entity(rack);
        kin_status status = KIN_ERROR_NO_MEMORY;
        for (uint64_t fail = 1; status != KIN_OK; fail++) {
            guard_fail(&memory, fail, true);
            status = rack_add_score(rack, made[i], (Score){i * 31 % 97, 0});
            guard_fail(&memory, 0, false);
            if (status != KIN_OK)
                ck_assert_refused(&errors, status, KIN_ERROR_NO_MEMORY);
            ck_assert(rack_has_score(rack, made[i]) == (status == KIN_OK));
            ck_assert_uint_eq(rack_score_points_count_below(rack, 97), (uint32_t)i + (status == KIN_OK));
        }
    }
    guard_fail(&memory, 1, true);
    for (int32_t i = 0; i < COUNT; i++)
        ck_assert_int_eq(rack_replace_score(rack, made[i], (Score){i * 57 % 89, 0}), KIN_OK);
    for (int32_t i = 0; i < COUNT; i += 2)
        ck_assert_int_eq(rack_remove_score(rack, made[i]), KIN_OK);
    ck_assert_int_eq(rack_destroy_all_entities(rack), KIN_OK);
    guard_fail(&memory, 0, false);
}
END_TEST

// ---- FND-05

static uint32_t order_of_walk(uint32_t slots[60])
{
    uint32_t count = 0;
    rack_by_depth_iter it = rack_by_depth_begin(rack);
    while (rack_by_depth_next(&it))
        slots[count++] = kin_entity_slot(it.entity.id);
    return count;
}

START_TEST(fnd_05_equal_states_have_equal_walks)
{
    enum { COUNT = 60 };
    rack_entity made[COUNT];
    uint32_t slots[3][COUNT];
    kin_snapshot *snapshot = NULL;
    for (uint32_t i = 0; i < COUNT; i++)
        made[i] = at_depth((int16_t)(i % 3), (float)(i % 5));
    ck_assert_int_eq(rack_save(rack, &snapshot), KIN_OK);
    ck_assert_uint_eq(order_of_walk(slots[0]), COUNT);
    for (uint32_t i = COUNT; i-- > 0;) {
        rack_remove_sprite(rack, made[i * 7 % COUNT]);
        rack_add_sprite(rack, made[i * 7 % COUNT], (Sprite){0, 0});
    }
    for (uint32_t i = COUNT; i-- > 0;)
        rack_replace_sprite(rack, made[i], (Sprite){(int16_t)(i % 3), (float)(i % 5)});
    ck_assert_uint_eq(order_of_walk(slots[1]), COUNT);
    for (uint32_t i = 0; i < COUNT; i += 2)
        rack_destroy_entity(rack, made[i]);
    ck_assert_int_eq(rack_restore(rack, snapshot, KIN_RESTORE_EXACTLY), KIN_OK);
    ck_assert_uint_eq(order_of_walk(slots[2]), COUNT);
    ck_assert_mem_eq(slots[0], slots[1], sizeof slots[0]);
    ck_assert_mem_eq(slots[0], slots[2], sizeof slots[0]);
    kin_snapshot_destroy(snapshot);
}
END_TEST

// ---- ranges and ranks

START_TEST(fnd_01_a_range_begins_at_either_end)
{
    rack_entity made[6];
    for (int32_t i = 0; i < 6; i++)
        made[i] = with_points(i / 2 * 10);
    rack_score_points_iter on = rack_score_points_range(rack, 5, 20), back = on;
    ck_assert_walk(&on, rack_score_points_next, made[2], made[3], made[4], made[5]);
    ck_assert_walk(&back, rack_score_points_previous, made[5], made[4], made[3], made[2]);
    ck_assert_walk(&back, rack_score_points_next, made[3], made[4], made[5]);
    rack_score_points_iter none = rack_score_points_range(rack, 20, 5);
    ck_assert(!rack_score_points_next(&none) && !rack_score_points_previous(&none));
    none = rack_score_points_range(rack, 1, 9);
    ck_assert(!rack_score_points_next(&none) && !rack_score_points_previous(&none));
    rack_score_points_iter one = rack_score_points_range(rack, 10, 10);
    ck_assert_walk(&one, rack_score_points_next, made[2], made[3]);
}
END_TEST

START_TEST(fnd_01_ends_are_where_a_walk_begins_or_stops)
{
    rack_score_points_iter it = rack_score_points_begin(rack);
    ck_assert(!rack_score_points_next(&it) && !rack_score_points_previous(&it));
    rack_entity low = with_points(INT32_MIN), high = with_points(INT32_MAX);
    ck_assert_walk(&it, rack_score_points_next, low, high);
    it = rack_score_points_begin(rack);
    ck_assert(!rack_score_points_previous(&it));
    it = rack_score_points_from_last(rack);
    ck_assert(!rack_score_points_next(&it));
    ck_assert_walk(&it, rack_score_points_previous, high, low);
    it = rack_score_points_from(rack, INT32_MAX);
    rack_score_points_iter back = it;
    ck_assert_walk(&it, rack_score_points_next, high);
    ck_assert_walk(&back, rack_score_points_previous, low);
}
END_TEST

static void check_many(rack_entity *made, uint32_t count)
{
    rack_score_points_iter it = rack_score_points_begin(rack);
    uint32_t found = 0;
    int32_t last = INT32_MIN;
    for (; rack_score_points_next(&it); found++) {
        int32_t points = rack_get_score(rack, it.entity)->points;
        ck_assert_int_le(last, points);
        last = points;
    }
    ck_assert_uint_eq(found, count);
    ck_assert(kin__context_is_valid(&rack->base));
    for (uint32_t i = 0; i < MANY; i += 97)
        if (rack_has_score(rack, made[i]))
            ck_assert_uint_lt(rack_score_points_count_below(rack, rack_get_score(rack, made[i])->points), count);
}

START_TEST(fnd_03_a_deep_tree_grows_and_shrinks_from_all_sides)
{
    static rack_entity made[MANY];
    uint32_t count = getenv("KIN_SWEEP_COUNTS") == NULL ? MANY : 300;
    for (uint32_t i = 0; i < count; i++)
        made[i] = with_points((int32_t)(i * 7919 % count));
    check_many(made, count);
    for (uint32_t i = 0; i < count / 4; i++) // the lowest
        rack_remove_score(rack, rack_score_points_first(rack));
    check_many(made, count - count / 4);
    for (uint32_t i = 0; i < count / 4; i++) // the highest
        rack_remove_score(rack, rack_score_points_last(rack));
    check_many(made, count - count / 4 * 2);
    for (uint32_t i = 0; i < count; i++) // upwards past all others
        if (rack_has_score(rack, made[i]))
            rack_replace_score(rack, made[i], (Score){(int32_t)(count + i), 0});
    check_many(made, count - count / 4 * 2);
    kin_context_trim(&rack->base);
    check_many(made, count - count / 4 * 2);
    for (uint32_t i = 0; i < count; i++)
        if (i % 50 != 0)
            rack_destroy_entity(rack, made[i]);
    uint32_t left = (uint32_t)kin_index_count(&rack->base, 3);
    kin_context_trim(&rack->base);
    ck_assert(kin__context_is_valid(&rack->base));
    ck_assert_uint_le(left, count);
}
END_TEST

START_TEST(fnd_02_equal_keys_are_in_order_of_slot)
{
    uint32_t count = getenv("KIN_SWEEP_COUNTS") == NULL ? 1000000 : 200;
    kin_entity last = 0;
    uint32_t found = 0;
    rack_begin_with(NULL);
    for (uint32_t i = 0; i < count; i++)
        with_points(7);
    for (rack_score_points_iter it = rack_score_points_from(rack, 7); rack_score_points_next(&it); found++) {
        ck_assert(found == 0 || kin_entity_slot(it.entity.id) > kin_entity_slot(last));
        last = it.entity.id;
    }
    ck_assert_uint_eq(found, count);
    ck_assert_uint_eq(rack_score_points_count_below(rack, 8), count);
    ck_assert_uint_eq(rack_score_points_count_below(rack, 7), 0);
    rack_end();
}
END_TEST

// ---- tools

static void note(const kin_index_entry *entry, void *user)
{
    char *text = user;
    sprintf(text + strlen(text), "%s %u/%u %u; ", entry->key, entry->place, entry->count,
            kin_entity_slot(entry->entity));
}

START_TEST(fnd_05_tools_see_an_index_in_its_order)
{
    char text[200] = "";
    uint32_t number = 0;
    while (strcmp(rack->base.info->indices[number].name, "by_depth") != 0)
        number++;
    at_depth(1, 2);
    at_depth(0, 1);
    at_depth(1, 2);
    ck_assert_uint_eq(kin_index_count(&rack->base, number), 3);
    kin_index_walk(&rack->base, number, note, text);
    ck_assert_str_eq(text, "(0, 1) 0/1 1; (1, 2) 0/2 0; (1, 2) 1/2 2; ");
}
END_TEST

Suite *runtime_ordered_suite(void)
{
    Suite *suite = suite_create("runtime_ordered");
    TCase *tests = tcase_create("ordered");
    tcase_add_checked_fixture(tests, rack_begin, rack_end);
    tcase_add_test(tests, fnd_01_a_walk_goes_on_after_an_entry_that_is_gone);
    tcase_add_test(tests, fnd_01_an_entry_that_moves_ahead_is_seen_again_and_one_that_moves_behind_is_not);
    tcase_add_test(tests, fnd_01_an_entity_with_the_key_and_slot_of_the_last_entry_is_not_returned);
    tcase_add_test(tests, fnd_01_a_walk_that_has_ended_goes_on_with_what_is_added_behind_it);
    tcase_add_test(tests, fnd_01_a_walk_survives_a_reset_and_a_restore);
    tcase_add_test(tests, fnd_01_listeners_walk_and_destroy_what_is_next);
    tcase_add_test(tests, fnd_01_a_range_begins_at_either_end);
    tcase_add_test(tests, fnd_01_ends_are_where_a_walk_begins_or_stops);
    tcase_add_test(tests, fnd_02_zeros_are_equal_and_a_nan_is_above_all_numbers);
    tcase_add_test(tests, fnd_02_a_descending_key_is_the_other_way_round);
    tcase_add_test(tests, fnd_02_strings_are_ordered_by_their_first_bytes);
    tcase_add_test(tests, fnd_02_strings_with_the_same_first_bytes_are_equal_if_longer);
    tcase_add_test(tests, fnd_02_a_text_that_no_field_can_have_is_between_those_that_one_can);
    tcase_add_test(tests, fnd_02_numbers_at_the_limits_of_their_types_are_in_order);
    tcase_add_test(tests, fnd_02_entities_are_ordered_by_slot_and_others_by_value);
    tcase_add_test(tests, fnd_02_a_key_may_have_fields_of_many_components);
    tcase_add_test(tests, fnd_03_an_index_follows_every_change);
    tcase_add_test(tests, fnd_03_a_spawn_and_a_clone_with_a_nan_are_not_refused);
    tcase_add_test(tests, fnd_03_no_memory_changes_nothing_and_removing_needs_none);
    tcase_add_test(tests, fnd_03_a_deep_tree_grows_and_shrinks_from_all_sides);
    tcase_add_test(tests, fnd_05_equal_states_have_equal_walks);
    tcase_add_test(tests, fnd_05_tools_see_an_index_in_its_order);
    suite_add_tcase(suite, tests);
    TCase *many = tcase_create("many");
    tcase_add_test(many, fnd_02_equal_keys_are_in_order_of_slot);
    suite_add_tcase(suite, many);
    return suite;
}
