// Relations: what names what, the order of holders, and what becomes of them when their target is destroyed.
#include "lookup/lookup.h"
#include "runtime/support/clan_case.h"
#include "runtime/support/small_stack.h"
#include "suites.h"

#include <stdlib.h>

START_TEST(rel_01_lists_show_the_current_state)
{
    ck_children(sun, "1 2 ");
    clan_replace_child_of(clan, mars, (ChildOf){earth});
    ck_children(sun, "1 ");
    ck_children(earth, "3 2 ");
    clan_remove_child_of(clan, moon);
    ck_children(earth, "2 ");
}
END_TEST

START_TEST(rel_01_a_description_counts_the_holders_of_an_entity)
{
    char text[160];
    clan_entity rider = clan_create_entity(clan);
    clan_add_rides_on(clan, rider, (RidesOn){.mount = earth, .seat = 2});
    clan_add_aim(clan, rider, (Aim){sun});
    kin_describe_entity(&clan->base, sun.id, text, sizeof text);
    ck_assert_str_eq(text, "entity 1 in slot 0 (children: 2)");
    kin_describe_entity(&clan->base, earth.id, text, sizeof text);
    ck_assert_str_eq(text, "entity 2 in slot 1 (ChildOf {parent: entity 1 in slot 0}; children: 1, riders: 1)");
}
END_TEST

// Whether every relation names a living entity, or none, and all lists have what the fields say.
static void ck_relations(const kin_change *change, void *user)
{
    uint32_t *calls = user;
    ck_assert(kin__relations_are_valid(change->context));
    ++*calls;
}

START_TEST(rel_02_in_every_callback_a_relation_names_a_living_entity)
{
    uint32_t calls = 0;
    clan_entity rider = clan_create_entity(clan), circle = child_of(moon);
    clan_add_rides_on(clan, rider, (RidesOn){.mount = moon});
    clan_add_aim(clan, rider, (Aim){earth});
    clan_add_shadow(clan, sun, (Shadow){circle});
    clan_add_route(clan, mars, (Route){.from = moon, .to = earth, .owner = sun});
    kin_context_subscribe(&clan->base, KIN_COMPONENT_CHANGED, ck_relations, &calls);
    kin_context_subscribe(&clan->base, KIN_ENTITY_WILL_BE_DESTROYED, ck_relations, &calls);
    kin_context_subscribe(&clan->base, KIN_ENTITY_WAS_DESTROYED, ck_relations, &calls);
    clan_destroy_entity(clan, moon);
    ck_assert_uint_eq(clan_entity_count(clan), 1); // the rider
    ck_assert_uint_eq(calls, 20);
}
END_TEST

static void note_target(const kin_change *change, void *user)
{
    kin_entity target = clan_get_child_of(clan, moon)->parent.id;
    (void)user;
    log_write(kin_entity_is_alive(change->context, target) ? "alive " : "dead ");
}

START_TEST(rel_02_until_a_target_ends_it_is_named)
{
    kin_context_subscribe(&clan->base, KIN_ENTITY_WILL_BE_DESTROYED, note_target, NULL);
    clan_destroy_entity(clan, earth);
    ck_assert_log("alive alive "); // of earth and of moon
}
END_TEST

static void note_children(const kin_change *change, void *user)
{
    (void)user;
    log_write("%s%u:%u ", change->context->info->components[change->component].name, kin_entity_slot(change->entity),
              clan_children_count(clan, sun));
}

START_TEST(rel_06_a_holder_leaves_the_list_before_the_first_call)
{
    clan_add_aim(clan, earth, (Aim){mars}); // notified before ChildOf
    kin_context_subscribe(&clan->base, KIN_COMPONENT_CHANGED, note_children, NULL);
    clan_remove_child_of(clan, mars);
    ck_assert_log("ChildOf2:1 ");
    clan_destroy_entity(clan, earth);
    ck_assert_log("ChildOf3:1 Aim1:0 ChildOf1:0 ");
}
END_TEST

START_TEST(rel_03_dead_targets_and_circles_are_refused)
{
    clan_entity dead = clan_create_entity(clan);
    clan_destroy_entity(clan, dead);
    ck_assert_int_eq(clan_replace_child_of(clan, mars, (ChildOf){dead}), KIN_ERROR_NOT_ALIVE);
    ck_assert_int_eq(clan_replace_child_of(clan, earth, (ChildOf){moon}), KIN_ERROR_CIRCLE);
    ck_assert_int_eq(clan_add_child_of(clan, sun, (ChildOf){sun}), KIN_ERROR_CIRCLE);
    ck_assert_int_eq(clan_add_child_of(clan, sun, (ChildOf){moon}), KIN_ERROR_CIRCLE);
    ck_assert_log("!NOT_ALIVE !CIRCLE !CIRCLE !CIRCLE ");
    ck_children(sun, "1 2 ");
    ck_assert_int_eq(clan_add_child_of(clan, sun, (ChildOf){CLAN_NO_ENTITY}), KIN_OK);
    ck_assert_uint_eq(clan_children_next(clan, sun).id, 0);
}
END_TEST

START_TEST(rel_04_the_last_holder_comes_last_and_the_same_target_keeps_the_place)
{
    clan_replace_child_of(clan, earth, (ChildOf){sun});
    ck_children(sun, "1 2 ");
    clan_replace_child_of(clan, moon, (ChildOf){sun});
    clan_replace_child_of(clan, earth, (ChildOf){mars});
    clan_replace_child_of(clan, earth, (ChildOf){sun});
    ck_children(sun, "2 3 1 ");
}
END_TEST

START_TEST(rel_05_moving_a_holder_notifies_as_a_touch)
{
    clan_note_all();
    ck_assert_int_eq(clan_children_place_before(clan, mars, earth), KIN_OK);
    ck_children(sun, "2 1 ");
    ck_assert_int_eq(clan_children_place_before(clan, mars, CLAN_NO_ENTITY), KIN_OK);
    ck_children(sun, "1 2 ");
    ck_assert_log("=C2 =C2 ");
    ck_assert_int_eq(clan_children_place_before(clan, mars, mars), KIN_OK);
    ck_assert_int_eq(clan_children_place_before(clan, mars, moon), KIN_ERROR_INVALID);
    ck_assert_int_eq(clan_children_place_before(clan, sun, CLAN_NO_ENTITY), KIN_ERROR_NO_COMPONENT);
    ck_assert_int_eq(clan_children_place_before(clan, CLAN_NO_ENTITY, mars), KIN_ERROR_NOT_ALIVE);
    ck_assert_log("!INVALID !NO_COMPONENT !NOT_ALIVE ");
}
END_TEST

START_TEST(fnd_50_an_edited_holder_keeps_its_place_and_a_touch_notifies)
{
    clan_entity riders[3];
    for (uint32_t i = 0; i < 3; i++) {
        riders[i] = clan_create_entity(clan);
        clan_add_rides_on(clan, riders[i], (RidesOn){.mount = earth, .seat = 1});
    }
    clan_note_all();
    clan_edit_rides_on(clan, riders[0])->seat = 2;
    ck_assert_log("");
    ck_assert_int_eq(clan_touch_rides_on(clan, riders[0]), KIN_OK);
    ck_assert_log("=R4 ");
    ck_assert_uint_eq(clan_get_rides_on(clan, riders[0])->seat, 2);
    ck_assert_uint_eq(clan_riders_first(clan, earth).id, riders[0].id);
    ck_assert_uint_eq(clan_riders_last(clan, earth).id, riders[2].id);
    clan_replace_rides_on(clan, riders[0], (RidesOn){.mount = moon, .seat = 3});
    ck_assert_uint_eq(clan_edit_rides_on(clan, riders[0])->mount.id, moon.id);
    ck_assert_ptr_null(clan_edit_rides_on(clan, earth));
    ck_assert_int_eq(clan_touch_rides_on(clan, earth), KIN_ERROR_NO_COMPONENT);
    ck_assert_log("=R4 !NO_COMPONENT ");
    ck_assert(kin__relations_are_valid(&clan->base));
}
END_TEST

START_TEST(rel_07_each_relation_has_its_own_list)
{
    clan_entity rider = clan_create_entity(clan);
    clan_add_rides_on(clan, rider, (RidesOn){.mount = earth, .seat = 2});
    clan_add_child_of(clan, rider, (ChildOf){earth});
    ck_assert_uint_eq(clan_riders_count(clan, earth), 1);
    ck_children(earth, "3 4 ");
    clan_remove_rides_on(clan, rider);
    ck_assert_uint_eq(clan_riders_first(clan, earth).id, 0);
    ck_children(earth, "3 4 ");
}
END_TEST

START_TEST(rel_09_a_relation_that_refuses_keeps_all_alive)
{
    clan_entity tenant = clan_create_entity(clan);
    clan_add_lease(clan, tenant, (Lease){moon});
    clan_note_all();
    ck_assert_int_eq(clan_destroy_entity(clan, sun), KIN_ERROR_REFERENCED);
    ck_assert_log("!REFERENCED ");
    clan_add_child_of(clan, tenant, (ChildOf){mars}); // now it is taken along
    ck_assert_log("+C4 ");
    ck_assert_int_eq(clan_destroy_entity(clan, sun), KIN_OK);
    ck_assert_uint_eq(clan_entity_count(clan), 0);
}
END_TEST

START_TEST(rel_10_children_end_before_their_parents_and_siblings_in_order)
{
    clan_entity rider = clan_create_entity(clan), hunter = clan_create_entity(clan);
    clan_add_rides_on(clan, rider, (RidesOn){.mount = earth});
    clan_add_aim(clan, hunter, (Aim){earth});
    clan_note_all();
    clan_destroy_entity(clan, sun);
    ck_assert_log("!0 !1 !3 -C3 x3 =A5 -R4 -C1 x1 !2 -C2 x2 x0 ");
    ck_assert(clan_entity_is_alive(clan, rider) && !clan_has_rides_on(clan, rider));
    ck_assert_uint_eq(clan_get_aim(clan, hunter)->at.id, 0);
}
END_TEST

START_TEST(rel_08_each_entity_of_a_circle_is_destroyed_once)
{
    clan_entity one = clan_create_entity(clan), other = clan_create_entity(clan);
    clan_add_shadow(clan, one, (Shadow){other});
    clan_add_shadow(clan, other, (Shadow){one});
    clan_note_all();
    clan_destroy_entity(clan, one);
    ck_assert_log("!4 !5 =S4 -S5 x5 -S4 x4 ");
}
END_TEST

static void detach_moon(const kin_change *change, void *user)
{
    (void)user;
    if (change->entity == earth.id)
        clan_remove_child_of(clan, moon);
}

START_TEST(rel_11_what_a_listener_detaches_lives_on)
{
    kin_context_subscribe(&clan->base, KIN_ENTITY_WILL_BE_DESTROYED, detach_moon, NULL);
    clan_destroy_entity(clan, sun);
    ck_assert_uint_eq(clan_entity_count(clan), 1);
    ck_assert(clan_entity_is_alive(clan, moon));
}
END_TEST

static int added;

static void add_child(const kin_change *change, void *user)
{
    (void)user;
    if (added++ < 20)
        child_of(clan_entity_of(change->entity));
}

START_TEST(rel_11_what_a_listener_adds_is_taken_along)
{
    added = 0;
    kin_context_subscribe(&clan->base, KIN_ENTITY_WILL_BE_DESTROYED, add_child, NULL);
    clan_destroy_entity(clan, sun);
    ck_assert_uint_eq(clan_entity_count(clan), 0);
    ck_assert_int_eq(added, 24);
}
END_TEST

static void destroy_root(const kin_change *change, void *user)
{
    (void)user;
    (void)change;
    ck_assert_int_eq(clan_destroy_entity(clan, sun), KIN_ERROR_NOT_ALIVE);
}

START_TEST(rel_11_a_listener_cannot_destroy_what_is_being_destroyed)
{
    kin_context_subscribe(&clan->base, KIN_ENTITY_WAS_DESTROYED, destroy_root, NULL);
    clan_destroy_entity(clan, sun);
    ck_assert_log("!NOT_ALIVE !NOT_ALIVE !NOT_ALIVE !NOT_ALIVE ");
}
END_TEST

static void reset(const kin_change *change, void *user)
{
    (void)user;
    if (change->entity == moon.id)
        clan_context_reset(clan);
}

START_TEST(rel_11_a_listener_may_reset_the_context)
{
    kin_context_subscribe(&clan->base, _i == 0 ? KIN_ENTITY_WILL_BE_DESTROYED : KIN_ENTITY_WAS_DESTROYED, reset, NULL);
    ck_assert_int_eq(clan_destroy_entity(clan, sun), KIN_OK);
    ck_assert_uint_eq(clan_entity_count(clan), 0);
    ck_assert_uint_ne(clan_create_entity(clan).id, 0);
}
END_TEST

static uint32_t ended;

static void count_end(const kin_change *change, void *user)
{
    (void)user;
    ended += change->context->depth == 1;
}

static void destroy_sun(void)
{
    ck_assert_int_eq(clan_destroy_entity(clan, sun), KIN_OK);
}

// Each creation is tried twice in the sweep, which needs no long chain.
START_TEST(rel_12_a_long_cascade_needs_neither_memory_nor_depth)
{
    uint32_t length = getenv("KIN_SWEEP_COUNTS") != NULL ? 100 : 1000000;
    clan_entity at = moon;
    for (uint32_t i = 0; i < length; i++) {
        clan_entity next = clan_create_entity(clan);
        clan_add_child_of(clan, next, (ChildOf){at});
        at = next;
    }
    if (clan_children_depth(clan, at) != length + 2)
        ck_abort_msg("the chain has another length");
    ended = 0;
    kin_context_subscribe(&clan->base, KIN_ENTITY_WAS_DESTROYED, count_end, NULL);
    guard_fail(&clan_memory, 1, true);
    run_on_small_stack(destroy_sun);
    ck_assert(!guard_has_failed(&clan_memory));
    guard_fail(&clan_memory, 0, false);
    ck_assert_uint_eq(clan_entity_count(clan), 0);
    ck_assert_uint_eq(ended, length + 4);
}
END_TEST

START_TEST(rel_13_all_entities_end_though_a_relation_refuses)
{
    clan_entity tenant = clan_create_entity(clan);
    clan_add_lease(clan, tenant, (Lease){moon});
    kin_group *leases = kin_context_group(&clan->base, KIN_MATCHER(KIN_ANY(CLAN_CHILD_OF)));
    ck_assert_int_eq(kin_group_destroy_entities(leases), KIN_OK);
    ck_assert_log("!REFERENCED !REFERENCED "); // of earth and of moon
    ck_assert(!clan_entity_is_alive(clan, mars) && clan_entity_is_alive(clan, moon));
    ck_assert_int_eq(_i == 0 ? clan_destroy_all_entities(clan) : clan_context_reset(clan), KIN_OK);
    ck_assert_uint_eq(clan_entity_count(clan), 0);
}
END_TEST

START_TEST(rel_14_all_children_are_asked_before_the_first_is_destroyed)
{
    clan_entity tenant = clan_create_entity(clan);
    clan_add_lease(clan, tenant, (Lease){mars});
    ck_assert_int_eq(clan_destroy_children(clan, sun), KIN_ERROR_REFERENCED);
    ck_children(sun, "1 2 ");
    clan_remove_lease(clan, tenant);
    ck_assert_log("!REFERENCED ");
    clan_add_lease(clan, tenant, (Lease){sun}); // the sun stays
    ck_assert_int_eq(clan_destroy_children(clan, sun), KIN_OK);
    clan_remove_lease(clan, tenant);
    ck_assert(clan_entity_is_alive(clan, sun));
    ck_assert_uint_eq(clan_entity_count(clan), 2);
    ck_assert_int_eq(clan_destroy_children(clan, moon), KIN_ERROR_NOT_ALIVE);
    ck_assert_log("!NOT_ALIVE ");
}
END_TEST

// Entities of the first three chunks; those before are trimmed of what nobody uses.
static void make_far_apart(clan_entity far[3])
{
    for (int i = 0; i < 1200; i++) {
        clan_entity entity = clan_create_entity(clan);
        if (i % 500 == 499)
            far[i / 500] = entity;
    }
    far[2] = clan_create_entity(clan);
}

START_TEST(rel_03_trimmed_holders_and_targets_are_found_again)
{
    clan_entity far[3];
    make_far_apart(far);
    ck_assert_int_eq(clan_add_follows(clan, far[2], (Follows){CLAN_NO_ENTITY}), KIN_OK);
    kin_context_trim(&clan->base);
    ck_assert_int_eq(_i == 0 ? clan_replace_follows(clan, far[2], (Follows){far[1]})
                             : kin_replace(&clan->base, far[2].id, CLAN_FOLLOWS, &(Follows){far[1]}),
                     KIN_OK);
    ck_assert_uint_eq(clan_followers_first(clan, far[1]).id, far[2].id);
    ck_assert_uint_eq(clan_followers_count(clan, far[1]), 1);
    clan_replace_follows(clan, far[2], (Follows){CLAN_NO_ENTITY});
    ck_assert_uint_eq(clan_followers_count(clan, far[1]), 0);
    ck_assert_uint_eq(clan_followers_next(clan, far[2]).id, 0);
}
END_TEST

START_TEST(rel_15_a_clone_is_the_last_holder_and_has_none)
{
    clan_entity clone = clan_clone_entity(clan, earth);
    ck_children(sun, "1 2 4 ");
    ck_children(clone, "");
}
END_TEST

Suite *runtime_relation_suite(void)
{
    Suite *suite = suite_create("runtime_relation");
    TCase *rules = tcase_create("rules");
    tcase_set_timeout(rules, 60);
    tcase_add_checked_fixture(rules, clan_begin, clan_end);
    tcase_add_test(rules, rel_01_lists_show_the_current_state);
    tcase_add_test(rules, rel_01_a_description_counts_the_holders_of_an_entity);
    tcase_add_test(rules, rel_02_in_every_callback_a_relation_names_a_living_entity);
    tcase_add_test(rules, rel_02_until_a_target_ends_it_is_named);
    tcase_add_test(rules, rel_06_a_holder_leaves_the_list_before_the_first_call);
    tcase_add_test(rules, rel_03_dead_targets_and_circles_are_refused);
    tcase_add_loop_test(rules, rel_03_trimmed_holders_and_targets_are_found_again, 0, 2);
    tcase_add_test(rules, rel_04_the_last_holder_comes_last_and_the_same_target_keeps_the_place);
    tcase_add_test(rules, rel_05_moving_a_holder_notifies_as_a_touch);
    tcase_add_test(rules, fnd_50_an_edited_holder_keeps_its_place_and_a_touch_notifies);
    tcase_add_test(rules, rel_07_each_relation_has_its_own_list);
    tcase_add_test(rules, rel_08_each_entity_of_a_circle_is_destroyed_once);
    tcase_add_test(rules, rel_09_a_relation_that_refuses_keeps_all_alive);
    tcase_add_test(rules, rel_10_children_end_before_their_parents_and_siblings_in_order);
    tcase_add_test(rules, rel_11_what_a_listener_detaches_lives_on);
    tcase_add_test(rules, rel_11_what_a_listener_adds_is_taken_along);
    tcase_add_test(rules, rel_11_a_listener_cannot_destroy_what_is_being_destroyed);
    tcase_add_loop_test(rules, rel_11_a_listener_may_reset_the_context, 0, 2);
    tcase_add_test(rules, rel_12_a_long_cascade_needs_neither_memory_nor_depth);
    tcase_add_loop_test(rules, rel_13_all_entities_end_though_a_relation_refuses, 0, 2);
    tcase_add_test(rules, rel_14_all_children_are_asked_before_the_first_is_destroyed);
    tcase_add_test(rules, rel_15_a_clone_is_the_last_holder_and_has_none);
    suite_add_tcase(suite, rules);
    return suite;
}
