// Relations with bad input and large input: targets that cannot be named, calls with dead entities, deep chains,
// circles, many holders. Where depth matters, the calls are made on a stack of 256 KiB.
#include "entity/entity.h"
#include "runtime/support/clan_case.h"
#include "runtime/support/small_stack.h"
#include "suites.h"

#include <kin/reflect.h>
#include <kinship/kinship.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Like ck_assert, which is slow in the millions.
#define SAME(condition)                                                                                                \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            ck_abort_msg("line %d: not %s", __LINE__, #condition);                                                     \
    } while (0)

// The sweep tries each creation twice, which needs no long chain.
static uint32_t length_of(uint32_t length)
{
    return getenv("KIN_SWEEP_COUNTS") != NULL ? 100 : length;
}

// ---- targets

START_TEST(rel_03_only_living_entities_can_be_named)
{
    clan_entity rider = clan_create_entity(clan), dead = clan_create_entity(clan);
    clan_destroy_entity(clan, dead);
    kin_entity never[] = {dead.id, 1, 0xffffff, UINT64_MAX, sun.id + ((kin_entity)1 << 24), (kin_entity)999 << 24 | 4};
    for (size_t i = 0; i < sizeof never / sizeof *never; i++)
        ck_assert_int_eq(clan_add_rides_on(clan, rider, (RidesOn){.mount.id = never[i]}), KIN_ERROR_NOT_ALIVE);
    ck_assert(!clan_has_rides_on(clan, rider));
    ck_assert_int_eq(clan_add_rides_on(clan, dead, (RidesOn){.mount = dead}), KIN_ERROR_NOT_ALIVE);
    ck_assert_int_eq(clan_add_rides_on(clan, rider, (RidesOn){.mount = rider}), KIN_OK); // no tree
    ck_assert_uint_eq(clan_riders_first(clan, rider).id, rider.id);
}
END_TEST

// A handle is a number: one of another context names the entity with the same number here, or none.
START_TEST(rel_18_a_handle_of_another_context_is_no_relation)
{
    atlas_context *atlas = atlas_context_create(NULL);
    atlas_entity page = atlas_create_entity(atlas);
    ck_assert_int_eq(atlas_add_shows(atlas, page, (Shows){.unit = mars}), KIN_OK);
    clan_destroy_entity(clan, mars);
    ck_assert_uint_eq(atlas_get_shows(atlas, page)->unit.id, mars.id);
    ck_assert_uint_eq(page.id, sun.id);
    ck_assert_int_eq(clan_replace_child_of(clan, moon, (ChildOf){.parent.id = page.id}), KIN_OK);
    ck_children(sun, "1 3 ");
    atlas_destroy_entity(atlas, page);
    ck_children(sun, "1 3 ");
    atlas_context_destroy(atlas);
}
END_TEST

START_TEST(rel_01_dead_entities_have_no_holders_and_are_none)
{
    clan_destroy_entity(clan, earth);
    clan_entity dead[] = {earth, moon, CLAN_NO_ENTITY, {.id = UINT64_MAX}};
    for (size_t i = 0; i < sizeof dead / sizeof *dead; i++) {
        clan_entity holder = mars;
        ck_assert_uint_eq(clan_children_count(clan, dead[i]), 0);
        ck_assert_uint_eq(clan_children_first(clan, dead[i]).id | clan_children_last(clan, dead[i]).id, 0);
        ck_assert_uint_eq(clan_children_next(clan, dead[i]).id | clan_children_previous(clan, dead[i]).id, 0);
        ck_assert_uint_eq(clan_copy_children(clan, dead[i], &holder, 1), 0);
        ck_assert_uint_eq(holder.id, mars.id);
        ck_assert_uint_eq(clan_children_root(clan, dead[i]).id, 0);
        ck_assert_uint_eq(clan_children_depth(clan, dead[i]), 0);
        ck_assert(!clan_children_contains(clan, dead[i], dead[i]) && !clan_children_contains(clan, sun, dead[i]) &&
                  !clan_children_contains(clan, dead[i], mars));
    }
    ck_assert_log("");
}
END_TEST

START_TEST(rel_05_only_siblings_are_moved)
{
    clan_entity other = child_of(mars);
    ck_assert_int_eq(clan_children_place_before(clan, moon, other), KIN_ERROR_INVALID);
    ck_assert_int_eq(clan_children_place_before(clan, earth, moon), KIN_ERROR_INVALID);
    ck_assert_int_eq(clan_children_place_before(clan, earth, sun), KIN_ERROR_INVALID);
    ck_assert_int_eq(clan_children_place_before(clan, earth, (clan_entity){.id = UINT64_MAX}), KIN_ERROR_INVALID);
    clan_destroy_entity(clan, other);
    ck_assert_int_eq(clan_children_place_before(clan, moon, other), KIN_ERROR_INVALID);
    ck_assert_int_eq(clan_children_place_before(clan, other, moon), KIN_ERROR_NOT_ALIVE);
    clan_replace_child_of(clan, mars, (ChildOf){CLAN_NO_ENTITY});
    ck_assert_int_eq(clan_children_place_before(clan, mars, CLAN_NO_ENTITY), KIN_ERROR_INVALID);
    ck_children(sun, "1 ");
    ck_children(earth, "3 ");
}
END_TEST

START_TEST(rel_01_a_copy_writes_no_more_than_it_may)
{
    clan_entity copy[3] = {{7}, {8}, {9}};
    ck_assert_uint_eq(clan_copy_children(clan, sun, NULL, 0), 2);
    ck_assert_uint_eq(clan_copy_children(clan, sun, copy, 1), 2);
    ck_assert(copy[0].id == earth.id && copy[1].id == 8);
    ck_assert_uint_eq(clan_copy_children(clan, sun, copy, 3), 2);
    ck_assert(copy[1].id == mars.id && copy[2].id == 9);
}
END_TEST

START_TEST(rel_07_one_entity_can_hold_and_be_named_by_four_relations)
{
    clan_entity all = clan_create_entity(clan);
    clan_add_child_of(clan, all, (ChildOf){mars});
    clan_add_rides_on(clan, all, (RidesOn){.mount = mars});
    clan_add_aim(clan, all, (Aim){mars});
    clan_add_shadow(clan, all, (Shadow){mars});
    clan_add_aim(clan, mars, (Aim){all});
    clan_add_marked(clan, mars, (Marked){all});
    clan_add_follows(clan, mars, (Follows){all});
    clan_add_lease(clan, mars, (Lease){all});
    clan_note_all();
    ck_assert_int_eq(clan_destroy_entity(clan, all), KIN_ERROR_REFERENCED);
    ck_assert_int_eq(clan_destroy_entity(clan, mars), KIN_OK);
    ck_assert_log("!REFERENCED !2 !4 =A2 =F2 =L2 -M2 -A4 -C4 -R4 -S4 x4 -A2 -C2 -F2 -L2 x2 ");
}
END_TEST

// ---- depth

static clan_entity first, last;
static uint32_t count;

static clan_entity append(clan_entity parent)
{
    clan_entity entity = clan_create_entity(clan);
    SAME(entity.id != 0 && clan_add_child_of(clan, entity, (ChildOf){parent}) == KIN_OK);
    return entity;
}

static void use_chain(void)
{
    SAME(clan_replace_child_of(clan, first, (ChildOf){last}) == KIN_ERROR_CIRCLE);
    SAME(clan_children_depth(clan, last) == count);
    SAME(clan_children_root(clan, last).id == sun.id);
    SAME(clan_children_contains(clan, first, last) && !clan_children_contains(clan, mars, last));
    SAME(clan_replace_child_of(clan, first, (ChildOf){mars}) == KIN_OK);
    SAME(clan_children_depth(clan, last) == count + 1);
    SAME(clan_destroy_children(clan, mars) == KIN_OK);
}

START_TEST(rel_03_a_long_chain_is_not_closed_to_a_circle)
{
    count = length_of(1000000);
    first = last = append(sun);
    for (uint32_t i = 1; i < count; i++)
        last = append(last);
    run_on_small_stack(use_chain);
    ck_assert_uint_eq(clan_entity_count(clan), 4);
    ck_assert_log("!CIRCLE ");
}
END_TEST

static void destroy_first(void)
{
    SAME(clan_destroy_entity(clan, first) == KIN_OK);
}

START_TEST(rel_08_a_large_circle_is_destroyed)
{
    count = length_of(100000);
    first = clan_create_entity(clan);
    clan_entity at = first;
    for (uint32_t i = 1; i < count; i++) {
        clan_entity next = clan_create_entity(clan);
        SAME(clan_add_shadow(clan, next, (Shadow){at}) == KIN_OK);
        at = next;
    }
    SAME(clan_add_shadow(clan, first, (Shadow){at}) == KIN_OK);
    run_on_small_stack(destroy_first);
    ck_assert_uint_eq(clan_entity_count(clan), 4);
}
END_TEST

START_TEST(rel_09_a_circle_of_refusals_keeps_all_until_it_is_opened)
{
    clan_entity circle[3] = {clan_create_entity(clan), clan_create_entity(clan), clan_create_entity(clan)};
    for (int i = 0; i < 3; i++)
        clan_add_lease(clan, circle[i], (Lease){circle[(i + 1) % 3]});
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(clan_destroy_entity(clan, circle[i]), KIN_ERROR_REFERENCED);
    clan_replace_lease(clan, circle[0], (Lease){CLAN_NO_ENTITY});
    ck_assert_int_eq(clan_destroy_entity(clan, circle[1]), KIN_OK);
    ck_assert_int_eq(clan_destroy_entity(clan, circle[2]), KIN_OK);
    ck_assert_int_eq(clan_destroy_entity(clan, circle[0]), KIN_OK);
}
END_TEST

// ---- many holders

static void destroy_children_of_sun(void)
{
    SAME(clan_destroy_children(clan, sun) == KIN_OK);
}

START_TEST(rel_14_many_children_keep_their_order_and_end_in_it)
{
    clan_entity *copy;
    count = length_of(100000);
    for (uint32_t i = 2; i < count; i++)
        last = append(sun);
    copy = malloc(count * sizeof *copy);
    ck_assert_uint_eq(clan_copy_children(clan, sun, copy, count), count);
    clan_entity middle = copy[count / 2];
    ck_assert_int_eq(clan_children_place_before(clan, last, middle), KIN_OK);
    ck_assert_int_eq(clan_children_place_before(clan, earth, middle), KIN_OK);
    ck_assert_int_eq(clan_children_place_before(clan, middle, CLAN_NO_ENTITY), KIN_OK);
    ck_assert_uint_eq(clan_children_next(clan, last).id, earth.id);
    ck_assert_uint_eq(clan_children_next(clan, earth).id, copy[count / 2 + 1].id);
    ck_assert_uint_eq(clan_children_last(clan, sun).id, middle.id);
    ck_assert_uint_eq(clan_children_first(clan, sun).id, mars.id);
    ck_assert_uint_eq(clan_copy_children(clan, sun, copy, count), count);
    ck_assert_uint_eq(copy[count / 2 - 1].id, last.id);
    free(copy);
    run_on_small_stack(destroy_children_of_sun);
    ck_assert_uint_eq(clan_entity_count(clan), 1);
}
END_TEST

static uint32_t changes;

static void count_change(const kin_change *change, void *user)
{
    (void)user;
    changes += change->context->depth == 1;
}

static void destroy_sun(void)
{
    SAME(clan_destroy_entity(clan, sun) == KIN_OK);
}

// Each holder is notified, and has another component to keep its value.
START_TEST(rel_12_many_holders_are_detached_without_memory)
{
    count = length_of(5000);
    kin_context_subscribe(&clan->base, KIN_COMPONENT_CHANGED, count_change, NULL);
    for (uint32_t i = 0; i < count; i++) {
        clan_entity holder = clan_create_entity(clan);
        SAME(clan_add_aim(clan, holder, (Aim){sun}) == KIN_OK);
        SAME(clan_add_rides_on(clan, holder, (RidesOn){.mount = sun}) == KIN_OK);
        SAME(clan_add_route(clan, holder, (Route){.name = "route", .to = sun}) == KIN_OK);
        SAME(clan_add_flock(clan, holder, (Flock){.head = sun}) == KIN_OK);
    }
    changes = 0;
    guard_fail(&clan_memory, 1, true);
    run_on_small_stack(destroy_sun);
    ck_assert(!guard_has_failed(&clan_memory));
    guard_fail(&clan_memory, 0, false);
    ck_assert_uint_eq(changes, 4 * count + 3);
    ck_assert_uint_eq(clan_entity_count(clan), count);
    kin_group *routes = kin_context_group(&clan->base, KIN_MATCHER(KIN_ALL(CLAN_ROUTE, CLAN_AIM)));
    ck_assert_uint_eq(kin_group_count(routes), count); // emptied, not removed
}
END_TEST

// ---- nesting

static uint32_t deepest;

static void replace_again(const kin_change *change, void *user)
{
    (void)user;
    deepest = deepest < change->context->depth ? change->context->depth : deepest;
    if (change->event == KIN_COMPONENT_REPLACED)
        kin_replace((kin_context *)(uintptr_t)change->context, change->entity, change->component, change->value);
}

// Each listener replaces the value again, until the limit; the cascade goes on.
START_TEST(rel_12_listeners_nest_to_the_limit_in_a_cascade)
{
    clan_entity hunter = clan_create_entity(clan), other = clan_create_entity(clan);
    clan_add_aim(clan, hunter, (Aim){moon});
    clan_add_aim(clan, other, (Aim){sun});
    deepest = 0;
    kin_context_subscribe(&clan->base, KIN_COMPONENT_CHANGED, replace_again, NULL);
    ck_assert_int_eq(clan_destroy_entity(clan, sun), KIN_OK);
    ck_assert_uint_eq(deepest, 64);
    ck_assert_log("!LIMIT !LIMIT ");
    ck_assert_uint_eq(clan_entity_count(clan), 2);
    ck_assert_uint_eq(clan_get_aim(clan, hunter)->at.id | clan_get_aim(clan, other)->at.id, 0);
}
END_TEST

static clan_entity victims[70];

// Destroys the next chain in the announcement of each one.
static void destroy_next(const kin_change *change, void *user)
{
    (void)user;
    for (int i = 0; i + 2 < 70; i += 2)
        if (victims[i].id == change->entity)
            clan_destroy_entity(clan, victims[i + 2]);
}

START_TEST(rel_12_cascades_nest_to_the_limit)
{
    for (int i = 0; i < 70; i += 2) {
        victims[i] = clan_create_entity(clan);
        victims[i + 1] = child_of(victims[i]);
    }
    kin_context_subscribe(&clan->base, KIN_ENTITY_WILL_BE_DESTROYED, destroy_next, NULL);
    ck_assert_int_eq(clan_destroy_entity(clan, victims[0]), KIN_OK);
    ck_assert_uint_eq(clan_entity_count(clan), 4);
    for (int i = 0; i < 70; i++)
        ck_assert(!clan_entity_is_alive(clan, victims[i]));
}
END_TEST

static void move_child(const kin_change *change, void *user)
{
    uint32_t *left = user;
    if (change->event != KIN_COMPONENT_REPLACED || --*left == 0)
        return;
    kin_status status = clan_children_place_before(clan, mars, CLAN_NO_ENTITY);
    if (status != KIN_OK)
        ck_assert_int_eq(clan_children_place_before(clan, mars, mars), KIN_OK); // changes nothing
}

START_TEST(rel_05_moves_nest_to_the_limit)
{
    uint32_t left = 100;
    kin_context_subscribe(&clan->base, KIN_COMPONENT_CHANGED, move_child, &left);
    ck_assert_int_eq(clan_children_place_before(clan, mars, earth), KIN_OK);
    ck_assert_log("!LIMIT ");
    ck_children(sun, "1 2 ");
    ck_assert_uint_eq(left, 100 - 64);
}
END_TEST

Suite *runtime_relation_input_suite(void)
{
    Suite *suite = suite_create("runtime_relation_input");
    TCase *tests = tcase_create("input");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, clan_begin, clan_end);
    tcase_add_test(tests, rel_03_only_living_entities_can_be_named);
    tcase_add_test(tests, rel_18_a_handle_of_another_context_is_no_relation);
    tcase_add_test(tests, rel_01_dead_entities_have_no_holders_and_are_none);
    tcase_add_test(tests, rel_05_only_siblings_are_moved);
    tcase_add_test(tests, rel_01_a_copy_writes_no_more_than_it_may);
    tcase_add_test(tests, rel_07_one_entity_can_hold_and_be_named_by_four_relations);
    tcase_add_test(tests, rel_03_a_long_chain_is_not_closed_to_a_circle);
    tcase_add_test(tests, rel_08_a_large_circle_is_destroyed);
    tcase_add_test(tests, rel_09_a_circle_of_refusals_keeps_all_until_it_is_opened);
    tcase_add_test(tests, rel_14_many_children_keep_their_order_and_end_in_it);
    tcase_add_test(tests, rel_12_many_holders_are_detached_without_memory);
    tcase_add_test(tests, rel_12_listeners_nest_to_the_limit_in_a_cascade);
    tcase_add_test(tests, rel_12_cascades_nest_to_the_limit);
    tcase_add_test(tests, rel_05_moves_nest_to_the_limit);
    suite_add_tcase(suite, tests);
    return suite;
}
