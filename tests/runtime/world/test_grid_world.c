// Grids and ordered indices whose keys systems write in place, and jobs that look grids up (FND).
#include "entity/entity.h"
#include "suites.h"

#include <check.h>
#include <kin/pool.h>
#include <math.h>
#include <pampa/pampa.h>
#include <string.h>

enum { COUNT = 3000, SIDE = 90, NEAREST = 5, PIECES = 6 };

static pampa_pampa_world *world;
static pampa_llano_context *llano;
static uint32_t pair_counts[PIECES]; // of each piece: all are the same

// ---- the systems

void pampa_wander_update(pampa_pampa_world *self, pampa_wander_iter *it, const kin_tick *tick)
{
    (void)self, (void)tick;
    while (pampa_wander_next(it))
        for (uint32_t i = 0; i < it->count; i++) {
            it->place[i].at.x += 3;
            if (it->place[i].at.x >= SIDE)
                it->place[i].at.x -= SIDE;
        }
}

void pampa_grow_update(pampa_pampa_world *self, pampa_grow_iter *it, const kin_tick *tick)
{
    (void)self, (void)tick;
    while (pampa_grow_next(it))
        for (uint32_t i = 0; i < it->count; i++)
            it->tall[i].height = -it->tall[i].height;
}

void pampa_roll_update(pampa_pampa_world *self, pampa_roll_iter *it, const kin_tick *tick)
{
    (void)self, (void)tick;
    while (pampa_roll_next(it))
        for (uint32_t i = 0; i < it->count; i++)
            it->stone[i].x += 50;
}

// Looks from the place of each entity, where it must find itself.
void pampa_look_update(pampa_look_job *job, pampa_look_iter *it, const kin_tick *tick)
{
    (void)tick;
    while (pampa_look_next(it))
        for (uint32_t i = 0; i < it->count; i++) {
            pampa_Vec2 at = it->place[i].at;
            pampa_llano_entity nearest[NEAREST];
            pampa_Seen seen = {0};
            pampa_llano_places_iter near = pampa_look_places_near(job, at, 3);
            while (pampa_llano_places_next(&near))
                seen.around = seen.around * 31 + kin_entity_slot(near.entity.id) + 1;
            pampa_llano_places_iter box =
                pampa_look_places_in_box(job, (pampa_Vec2){at.x, -1e9F}, (pampa_Vec2){at.x + 1, 1e9F});
            while (pampa_llano_places_next(&box)) // more cells than entities
                seen.boxed += kin_entity_slot(box.entity.id) + 1;
            uint32_t count = pampa_look_places_nearest(job, at, NEAREST, INFINITY, nearest);
            for (uint32_t k = 0; k < count; k++)
                seen.nearest = seen.nearest * 31 + kin_entity_slot(nearest[k].id) + 1;
            it->seen[i] = seen;
        }
    pair_counts[pampa_look_piece(job) % PIECES] = 0;
    pampa_llano_places_pairs pairs = pampa_look_places_pairs_within(job, 0.5);
    while (pampa_llano_places_pairs_next(&pairs))
        pair_counts[pampa_look_piece(job) % PIECES]++;
}

void pampa_drift_update(pampa_drift_job *job, pampa_drift_iter *it, const kin_tick *tick)
{
    (void)job, (void)tick;
    while (pampa_drift_next(it))
        for (uint32_t i = 0; i < it->count; i++)
            it->place[i].at.y = (float)((uint32_t)(it->place[i].at.y + 5) % SIDE);
}

// ---- the world

static void begin(void)
{
    world = pampa_pampa_world_create(NULL, NULL);
    ck_assert_ptr_nonnull(world);
    llano = world->contexts->llano;
}

static void end(void)
{
    ck_assert(kin__context_is_valid(&llano->base));
    pampa_pampa_world_destroy(world);
}

static pampa_llano_entity place(float x, float y)
{
    pampa_llano_entity made = pampa_llano_create_entity(llano);
    ck_assert_int_eq(pampa_llano_add_place(llano, made, (pampa_Place){{x, y}}), KIN_OK);
    ck_assert_int_eq(pampa_llano_add_seen(llano, made, (pampa_Seen){0}), KIN_OK);
    return made;
}

static void fill(void)
{
    for (uint32_t i = 0; i < COUNT; i++)
        place((float)(i * 37 % SIDE), (float)(i * i % SIDE));
}

static bool is_found_at(pampa_llano_entity entity, float x, float y)
{
    pampa_llano_places_iter it = pampa_llano_places_near(llano, (pampa_Vec2){x, y}, 0);
    while (pampa_llano_places_next(&it))
        if (it.entity.id == entity.id)
            return true;
    return false;
}

START_TEST(fnd_12_a_node_refreshes_what_its_systems_have_written)
{
    pampa_llano_entity made = place(2, 1);
    pampa_pampa_world_update(world, 1);
    ck_assert(is_found_at(made, 5, 6)); // after Wander and Drift
    const pampa_Seen *seen = pampa_llano_get_seen(llano, made);
    ck_assert_uint_eq(seen->around, kin_entity_slot(made.id) + 1); // at 5, 1: between them
    ck_assert_uint_eq(seen->nearest, kin_entity_slot(made.id) + 1);
    ck_assert_uint_eq(pampa_llano_places_refresh(llano), 0);
}
END_TEST

START_TEST(fnd_12_refresh_always_needs_no_look_up_and_without_both_nothing_is_refreshed)
{
    pampa_llano_entity low = pampa_llano_create_entity(llano), high = pampa_llano_create_entity(llano);
    pampa_llano_add_tall(llano, low, (pampa_Tall){1});
    pampa_llano_add_tall(llano, high, (pampa_Tall){2});
    pampa_llano_add_stone(llano, high, (pampa_Stone){1, 1});
    ck_assert_uint_eq(pampa_llano_by_height_first(llano).id, high.id);
    pampa_pampa_world_update(world, 1);
    ck_assert_uint_eq(pampa_llano_by_height_first(llano).id, low.id);
    pampa_llano_stones_iter it = pampa_llano_stones_near(llano, 51, 1, 1);
    ck_assert(!pampa_llano_stones_next(&it));
    ck_assert_uint_eq(pampa_llano_stones_refresh(llano), 1);
}
END_TEST

START_TEST(fnd_12_a_system_that_is_off_refreshes_nothing)
{
    pampa_llano_entity made = place(2, 1);
    kin_systems *systems = kin_world_systems(pampa_pampa_world_base(world));
    ck_assert_int_eq(kin_systems_set_enabled(systems, "Wander", false), KIN_OK);
    ck_assert_int_eq(kin_systems_set_enabled(systems, "Drift", false), KIN_OK);
    pampa_llano_edit_place(llano, made)->at.x = 40;
    pampa_pampa_world_update(world, 1);
    ck_assert(!is_found_at(made, 40, 1));
    ck_assert_int_eq(kin_systems_set_enabled(systems, "Drift", true), KIN_OK);
    pampa_pampa_world_update(world, 1);
    ck_assert(is_found_at(made, 40, 6));
}
END_TEST

static uint64_t hash_of_frames(uint32_t threads)
{
    kin_executor *pool = kin_pool_create(threads);
    ck_assert_ptr_nonnull(pool);
    begin();
    fill();
    ck_assert_int_eq(pampa_pampa_world_set_executor(world, threads == 0 ? NULL : pool), KIN_OK);
    for (uint32_t i = 0; i < 6; i++) {
        pampa_pampa_world_update(world, 1);
        pampa_llano_destroy_entity(llano, pampa_llano_entity_of(llano->base.chunks[0]->ids[i * 3]));
    }
    ck_assert_uint_gt(pair_counts[0], 0);
    for (uint32_t i = 1; i < PIECES; i++)
        ck_assert_uint_eq(pair_counts[i], pair_counts[0]);
    kin_snapshot *snapshot = NULL;
    ck_assert_int_eq(pampa_llano_save(llano, &snapshot), KIN_OK);
    uint64_t hash = kin_snapshot_hash(snapshot);
    kin_snapshot_destroy(snapshot);
    end();
    kin_pool_destroy(pool);
    return hash;
}

START_TEST(fnd_13_look_ups_are_the_same_on_any_number_of_threads)
{
    uint64_t alone = hash_of_frames(1);
    ck_assert(hash_of_frames(2) == alone);
    ck_assert(hash_of_frames(4) == alone);
}
END_TEST

Suite *runtime_grid_world_suite(void)
{
    Suite *suite = suite_create("runtime_grid_world");
    TCase *tests = tcase_create("world");
    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_test(tests, fnd_12_a_node_refreshes_what_its_systems_have_written);
    tcase_add_test(tests, fnd_12_refresh_always_needs_no_look_up_and_without_both_nothing_is_refreshed);
    tcase_add_test(tests, fnd_12_a_system_that_is_off_refreshes_nothing);
    suite_add_tcase(suite, tests);
    TCase *threads = tcase_create("threads");
    tcase_add_test(threads, fnd_13_look_ups_are_the_same_on_any_number_of_threads);
    suite_add_tcase(suite, threads);
    return suite;
}
