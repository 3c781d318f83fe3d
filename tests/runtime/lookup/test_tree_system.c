// Systems over trees: what a turn visits when the update changes the tree, and only what has changed.
#include "runtime/support/orrery_case.h"
#include "suites.h"

#include <check.h>
#include <kin/memory.h>
#include <kin/probe.h>
#include <stdlib.h>

// ---- changes during an update

static space_entity body(space_entity center)
{
    space_entity entity = space_create_entity(space);
    space_add_local(space, entity, (Local){1, 1});
    space_add_world(space, entity, (World){0, 0});
    space_add_orbits(space, entity, (Orbits){center});
    return entity;
}

// A tree: 0 has 1 and 2, 1 has 3 and 4, 2 has 5. All are placed.
static void make_tree(void)
{
    static const uint32_t centers[] = {0, 0, 0, 1, 1, 2};
    for (uint32_t i = 0; i < 6; i++)
        bodies[i] = body(i == 0 ? SPACE_NO_ENTITY : bodies[centers[i]]);
}

static void check_visits(const visits *visits, const char *numbers)
{
    char found[64] = "";
    for (uint32_t i = 0; i < visits->count; i++)
        for (uint32_t j = 0; j < 10; j++)
            if (visits->all[i].entity == bodies[j].id)
                found[i] = (char)('0' + j);
    ck_assert_str_eq(found, numbers);
}

static void act_in_update(uint32_t at, void (*action)(space_entity))
{
    acts_at = at;
    act = action;
    clear_visits();
    orrery_world_update(orrery, 1);
    act = NULL;
    has_acted = false;
}

static void destroy_2(space_entity entity)
{
    (void)entity;
    ck_assert_int_eq(space_destroy_entity(space, bodies[2]), KIN_OK);
    act = NULL;
}

static void leave_2(space_entity entity)
{
    (void)entity;
    ck_assert_int_eq(space_remove_world(space, bodies[2]), KIN_OK);
    act = NULL;
}

static void move_2_below_1(space_entity entity)
{
    (void)entity;
    ck_assert_int_eq(space_replace_orbits(space, bodies[2], (Orbits){bodies[1]}), KIN_OK);
    act = NULL;
}

static void replace_2(space_entity entity)
{
    (void)entity;
    ck_assert_int_eq(space_destroy_entity(space, bodies[2]), KIN_OK);
    bodies[6] = body(bodies[0]);
    bodies[7] = body(bodies[0]);
    act = NULL;
}

START_TEST(rel_20_a_member_that_was_destroyed_is_not_visited)
{
    make_tree();
    act_in_update(3, destroy_2);
    check_visits(&propagated, "0134");
}
END_TEST

START_TEST(rel_20_a_member_that_left_the_group_is_not_visited_nor_shown_as_a_parent)
{
    make_tree();
    act_in_update(3, leave_2);
    check_visits(&propagated, "01345");
    ck_assert_uint_eq(propagated.all[4].parent, 0);
}
END_TEST

START_TEST(rel_20_a_move_in_the_update_is_seen_in_the_next_turn)
{
    make_tree();
    act_in_update(3, move_2_below_1);
    check_visits(&propagated, "013425");
    clear_visits();
    orrery_world_update(orrery, 1);
    check_visits(&propagated, "013425");
    ck_assert_uint_eq(propagated.all[4].depth, 2);
    ck_assert_uint_eq(propagated.all[4].parent, bodies[1].id);
}
END_TEST

START_TEST(rel_20_a_member_that_entered_in_the_update_is_visited_in_the_next_turn)
{
    make_tree();
    act_in_update(3, replace_2);
    check_visits(&propagated, "0134");
    clear_visits();
    orrery_world_update(orrery, 1);
    check_visits(&propagated, "013467");
}
END_TEST

START_TEST(rel_20_values_flow_from_parents_to_children_in_one_turn)
{
    make_tree();
    orrery_world_update(orrery, 1);
    ck_assert(space_get_world(space, bodies[0])->x == 1);
    ck_assert(space_get_world(space, bodies[2])->x == 2);
    ck_assert(space_get_world(space, bodies[5])->x == 3);
}
END_TEST

// ---- only what has changed

static void touch_5(space_entity entity)
{
    (void)entity;
    ck_assert_int_eq(space_touch_local(space, bodies[5]), KIN_OK);
    act = NULL;
}

START_TEST(rel_21_the_first_turn_visits_all_and_the_next_one_nothing)
{
    make_tree();
    orrery_world_update(orrery, 1);
    ck_assert_uint_eq(refreshed.count, 6);
    clear_visits();
    orrery_world_update(orrery, 1);
    ck_assert_uint_eq(refreshed.count, 0);
    ck_assert_uint_eq(refreshed.turns, 2);
}
END_TEST

START_TEST(rel_21_a_change_of_a_component_that_is_not_read_counts_for_nothing)
{
    make_tree();
    orrery_world_update(orrery, 1);
    clear_visits();
    space_replace_world(space, bodies[1], (World){5, 5});
    space_touch_world(space, bodies[0]);
    space_edit_local(space, bodies[2])->x = 7;
    orrery_world_update(orrery, 1);
    ck_assert_uint_eq(refreshed.count, 0);
}
END_TEST

START_TEST(rel_21_a_change_during_the_update_counts_for_the_next_turn)
{
    make_tree();
    act_in_update(1, NULL);
    clear_visits();
    space_touch_local(space, bodies[0]);
    act_in_update(6, touch_5); // in the update of Propagate, which runs before
    check_visits(&refreshed, "013425");
    space_touch_local(space, bodies[1]);
    clear_visits();
    orrery_world_update(orrery, 1);
    check_visits(&refreshed, "134");
}
END_TEST

static void touch_1_in_refresh(space_entity entity)
{
    (void)entity;
    if (refreshed.count == 0)
        return;
    ck_assert_int_eq(space_touch_local(space, bodies[1]), KIN_OK);
    act = NULL;
}

START_TEST(rel_21_a_change_in_its_own_update_counts_for_the_next_turn)
{
    make_tree();
    orrery_world_update(orrery, 1);
    space_touch_local(space, bodies[2]);
    act_in_update(2, touch_1_in_refresh);
    check_visits(&refreshed, "25");
    clear_visits();
    orrery_world_update(orrery, 1);
    check_visits(&refreshed, "134");
}
END_TEST

START_TEST(rel_21_an_entity_that_left_and_entered_again_has_changed)
{
    make_tree();
    orrery_world_update(orrery, 1);
    space_remove_world(space, bodies[1]);
    space_add_world(space, bodies[1], (World){0, 0});
    clear_visits();
    orrery_world_update(orrery, 1);
    check_visits(&refreshed, "134");
}
END_TEST

START_TEST(rel_21_the_first_turn_after_a_reset_visits_all)
{
    make_tree();
    orrery_world_update(orrery, 1);
    ck_assert_int_eq(orrery_world_reset(orrery), KIN_OK);
    make_tree();
    clear_visits();
    orrery_world_update(orrery, 1);
    check_visits(&refreshed, "013425");
}
END_TEST

// The first turn after a restore of the context alone visits all, and a snapshot of the world has that.
START_TEST(snp_01_a_turn_that_has_to_visit_all_does_so_after_a_restore_of_the_world)
{
    kin_snapshot *alone = NULL, *whole = NULL;
    make_tree();
    orrery_world_update(orrery, 1);
    ck_assert_int_eq(space_save(space, &alone), KIN_OK);
    ck_assert_int_eq(space_restore(space, alone, KIN_RESTORE_EXACTLY), KIN_OK);
    ck_assert_int_eq(orrery_world_save(orrery, &whole), KIN_OK);
    for (uint32_t round = 0; round < 3; round++) {
        clear_visits();
        orrery_world_update(orrery, 1);
        check_visits(&refreshed, "013425");
        ck_assert_int_eq(orrery_world_restore(orrery, whole, KIN_RESTORE_EXACTLY), KIN_OK);
    }
    kin_snapshot_destroy(alone);
    kin_snapshot_destroy(whole);
}
END_TEST

START_TEST(rel_21_a_disabled_system_gets_what_has_changed_when_it_is_enabled)
{
    make_tree();
    orrery_world_update(orrery, 1);
    kin_systems_set_enabled(orrery_world_systems(orrery), "Refresh", false);
    space_touch_local(space, bodies[2]);
    orrery_world_update(orrery, 1);
    kin_systems_set_enabled(orrery_world_systems(orrery), "Refresh", true);
    clear_visits();
    orrery_world_update(orrery, 1);
    check_visits(&refreshed, "25");
}
END_TEST

// Gives the context another chunk of slots, in which no entity has a component of the trees' groups.
static space_entity fill_chunk(void)
{
    space_entity last = SPACE_NO_ENTITY;
    for (uint32_t i = 0; i < 512; i++)
        last = space_create_entity(space);
    return last;
}

START_TEST(rel_21_a_change_in_a_chunk_that_is_newer_than_the_order_counts_for_nothing)
{
    make_tree();
    orrery_world_update(orrery, 1);
    space_entity last = fill_chunk();
    space_set_alarm(space, last, true);
    space_touch_local(space, bodies[2]);
    clear_visits();
    orrery_world_update(orrery, 1);
    check_visits(&refreshed, "25");
    space_set_alarm(space, last, false);
    clear_visits();
    orrery_world_update(orrery, 1);
    check_visits(&refreshed, "");
}
END_TEST

static space_entity alarmed;

static void alarm_in_a_new_chunk(space_entity entity)
{
    (void)entity;
    act = NULL;
    alarmed = fill_chunk();
    space_set_alarm(space, alarmed, true);
    space_add_local(space, alarmed, (Local){1, 1});
    space_add_world(space, alarmed, (World){0, 0});
}

START_TEST(rel_21_a_chunk_that_comes_in_the_update_of_an_earlier_system_is_visited)
{
    make_tree();
    orrery_world_update(orrery, 1);
    act_in_update(1, alarm_in_a_new_chunk);
    ck_assert_uint_eq(refreshed.count, 1);
    ck_assert_uint_eq(refreshed.all[0].entity, alarmed.id);
}
END_TEST

static bool alarm_before_the_update(void *user, double *delta)
{
    (void)user, (void)delta;
    space_set_alarm(space, fill_chunk(), true);
    return true;
}

START_TEST(rel_21_a_chunk_that_a_probe_makes_is_known_to_the_order)
{
    make_tree();
    orrery_world_update(orrery, 1);
    kin_world *world = orrery_world_base(orrery);
    ck_assert_int_eq(kin_world_set_probe(world, &(kin_probe){.begin = alarm_before_the_update}), KIN_OK);
    for (uint32_t i = 0; i < 3; i++) {
        clear_visits();
        orrery_world_update(orrery, 1);
        check_visits(&refreshed, "");
    }
}
END_TEST

// ---- values that move

// Members of the system that shows a shared and a boxed component.
static void paint_tree(void)
{
    make_tree();
    for (uint32_t i = 0; i < 6; i++) {
        space_add_paint(space, bodies[i], (Paint){(int32_t)i});
        space_add_fuel(space, bodies[i], (Fuel){i});
    }
}

START_TEST(rel_20_a_shared_value_that_was_replaced_is_shown)
{
    paint_tree();
    orrery_world_update(orrery, 1);
    for (uint32_t i = 0; i < 6; i++)
        ck_assert_int_eq(space_replace_paint(space, bodies[i], (Paint){100 + (int32_t)i}), KIN_OK);
    clear_visits();
    orrery_world_update(orrery, 1);
    check_visits(&tinted, "013425"); // the system compares the addresses
}
END_TEST

static void repaint(space_entity entity)
{
    (void)entity;
    act = NULL;
    for (uint32_t i = 0; i < 6; i++)
        ck_assert_int_eq(space_replace_paint(space, bodies[i], (Paint){7}), KIN_OK);
}

START_TEST(rel_20_a_shared_value_that_is_replaced_in_the_update_is_shown)
{
    paint_tree();
    for (uint32_t at = 1; at < 6; at++)
        act_in_update(6 + at, repaint); // a visit of Tint
    ck_assert_uint_eq(tinted.count, 6);
}
END_TEST

// All values of the components go to other columns and boxes.
static void move_all(space_entity entity)
{
    (void)entity;
    act = NULL;
    for (uint32_t i = 0; i < 6; i++) {
        space_remove_local(space, bodies[i]);
        space_remove_fuel(space, bodies[i]);
    }
    kin_context_trim(&space->base);
    void *taken = malloc(512 * sizeof(Local)); // so that the column is not put in its old place
    for (uint32_t i = 0; i < 6; i++) {
        space_add_local(space, bodies[i], (Local){2, 2});
        space_add_fuel(space, bodies[i], (Fuel){2});
    }
    free(taken);
}

START_TEST(rel_20_a_member_that_left_and_entered_again_in_the_update_shows_its_new_values)
{
    paint_tree();
    for (uint32_t at = 1; at < 6; at++)
        act_in_update(at, move_all); // a visit of Propagate, which compares the addresses, too
    check_visits(&propagated, "013425");
    tinted.turns = 0;
    clear_visits();
    orrery_world_update(orrery, 1);
    ck_assert_uint_eq(tinted.turns, 1);
}
END_TEST

// ---- deep trees

START_TEST(rel_20_a_chain_of_a_hundred_thousand_is_visited_without_recursion)
{
    enum { DEPTH = 100000 };
    static space_entity chain[DEPTH];
    uint32_t depth = getenv("KIN_SWEEP_COUNTS") == NULL ? DEPTH : DEPTH / 100; // as in test_relation.c
    for (uint32_t i = 0; i < depth; i++) {
        chain[i] = space_create_entity(space);
        if (i > 0)
            space_add_orbits(space, chain[i], (Orbits){chain[i - 1]});
    }
    space_add_local(space, chain[depth - 1], (Local){1, 1});
    space_add_world(space, chain[depth - 1], (World){0, 0});
    orrery_world_update(orrery, 1);
    ck_assert_uint_eq(propagated.count, 1);
    ck_assert_uint_eq(propagated.all[0].depth, depth - 1);
}
END_TEST

Suite *runtime_tree_system_suite(void)
{
    Suite *suite = suite_create("runtime_tree_system");
    TCase *tests = tcase_create("visits");
    tcase_add_checked_fixture(tests, orrery_begin, orrery_end);
    tcase_add_test(tests, rel_20_a_member_that_was_destroyed_is_not_visited);
    tcase_add_test(tests, rel_20_a_member_that_left_the_group_is_not_visited_nor_shown_as_a_parent);
    tcase_add_test(tests, rel_20_a_move_in_the_update_is_seen_in_the_next_turn);
    tcase_add_test(tests, rel_20_a_member_that_entered_in_the_update_is_visited_in_the_next_turn);
    tcase_add_test(tests, rel_20_values_flow_from_parents_to_children_in_one_turn);
    tcase_add_test(tests, rel_20_a_shared_value_that_was_replaced_is_shown);
    tcase_add_test(tests, rel_20_a_shared_value_that_is_replaced_in_the_update_is_shown);
    tcase_add_test(tests, rel_20_a_member_that_left_and_entered_again_in_the_update_shows_its_new_values);
    tcase_add_test(tests, rel_20_a_chain_of_a_hundred_thousand_is_visited_without_recursion);
    suite_add_tcase(suite, tests);
    tests = tcase_create("only what has changed");
    tcase_add_checked_fixture(tests, orrery_begin, orrery_end);
    tcase_add_test(tests, rel_21_the_first_turn_visits_all_and_the_next_one_nothing);
    tcase_add_test(tests, rel_21_a_change_of_a_component_that_is_not_read_counts_for_nothing);
    tcase_add_test(tests, rel_21_a_change_during_the_update_counts_for_the_next_turn);
    tcase_add_test(tests, rel_21_a_change_in_its_own_update_counts_for_the_next_turn);
    tcase_add_test(tests, rel_21_an_entity_that_left_and_entered_again_has_changed);
    tcase_add_test(tests, rel_21_the_first_turn_after_a_reset_visits_all);
    tcase_add_test(tests, rel_21_a_change_in_a_chunk_that_is_newer_than_the_order_counts_for_nothing);
    tcase_add_test(tests, rel_21_a_chunk_that_comes_in_the_update_of_an_earlier_system_is_visited);
    tcase_add_test(tests, rel_21_a_chunk_that_a_probe_makes_is_known_to_the_order);
    tcase_add_test(tests, snp_01_a_turn_that_has_to_visit_all_does_so_after_a_restore_of_the_world);
    tcase_add_test(tests, rel_21_a_disabled_system_gets_what_has_changed_when_it_is_enabled);
    suite_add_tcase(suite, tests);
    return suite;
}
