// Blueprints with children while listeners change everything (REL-16): a tree is complete, or nothing of it is left.
#include "entity/entity.h"
#include "runtime/support/case.h"
#include "suites.h"

#include <garage/garage.h>

#include <stdlib.h>
#include <string.h>

CASE(fleet)

static void watch_all(kin_listener *handler)
{
    kin_context_subscribe(&fleet->base, KIN_COMPONENT_CHANGED, handler, NULL);
    kin_context_subscribe(&fleet->base, KIN_ENTITY_CREATED, handler, NULL);
}

static fleet_entity parent_of(fleet_entity entity)
{
    const ChildOf *child_of = fleet_get_child_of(fleet, entity);
    return child_of == NULL ? FLEET_NO_ENTITY : child_of->parent;
}

typedef enum deed {
    DESTROY_FIRST,
    DESTROY_LAST,
    DESTROY_ALL,
    RESET,
    DETACH,
    CLOSE_CIRCLE,
    DESTROY_AND_SPAWN,
    CREATE_MANY, // this and those below leave the tree as it is
    SPAWN_ANOTHER,
    TRIM,
    DEEDS
} deed;

static deed wanted;
static uint32_t due; // the number of the call in which to do it, from 1 on
static uint32_t done;
static kin_entity first, last;

static void destroy_if_alive(kin_entity entity)
{
    if (kin_entity_is_alive(&fleet->base, entity))
        kin_destroy(&fleet->base, entity);
}

static void act(void)
{
    fleet_entity child = fleet_children_first(fleet, fleet_entity_of(first));
    switch (wanted) {
    case DESTROY_FIRST:
    case DESTROY_AND_SPAWN:
        destroy_if_alive(first);
        if (wanted == DESTROY_AND_SPAWN)
            fleet_destroy_entity(fleet, fleet_spawn_car(fleet));
        break;
    case DESTROY_LAST:
        destroy_if_alive(last);
        break;
    case DESTROY_ALL:
        fleet_destroy_all_entities(fleet);
        break;
    case RESET:
        fleet_context_reset(fleet);
        break;
    case DETACH:
        if (child.id != 0)
            fleet_remove_child_of(fleet, child);
        break;
    case CLOSE_CIRCLE: // the next entities would be below themselves, or are no problem
        if (last != first && !fleet_has_child_of(fleet, fleet_entity_of(first)))
            fleet_add_child_of(fleet, fleet_entity_of(first), (ChildOf){fleet_entity_of(last)});
        break;
    case CREATE_MANY:
        for (int i = 0; i < 600; i++)
            fleet_spawn_wheel(fleet);
        break;
    case SPAWN_ANOTHER:
        fleet_spawn_car(fleet);
        break;
    default:
        kin_context_trim(&fleet->base);
    }
}

static void meddle(const kin_change *change, void *user)
{
    (void)user;
    if (done == 0)
        first = change->entity;
    last = change->entity;
    if (++done == due)
        act();
}

// Whether the entity is a holder in the list of a living parent.
static bool is_linked(fleet_entity entity)
{
    fleet_entity parent = parent_of(entity);
    return parent.id != 0 && fleet_entity_is_alive(fleet, parent);
}

// A listener that takes the expected slots makes the spawn need memory after it has begun. The sweep expects that a
// call without memory changes nothing, which is not so then: the entities of the listener stay.
static bool is_in_sweep(void)
{
    return getenv("KIN_SWEEP_COUNTS") != NULL;
}

// Meddles in each call, for as long as there are more.
START_TEST(rel_16_a_listener_never_leaves_half_a_tree)
{
    wanted = (deed)_i;
    if (is_in_sweep() && (wanted == CREATE_MANY || wanted == SPAWN_ANOTHER))
        return;
    bool was_last = false;
    for (due = 1; !was_last; due++) {
        fleet_end();
        fleet_begin();
        watch_all(meddle);
        done = 0;
        fleet_convoy_parts convoy;
        memset(&convoy, 1, sizeof convoy);
        fleet_entity root = fleet_spawn_convoy_parts(fleet, &convoy);
        was_last = done < due;
        ck_assert_uint_eq(root.id, convoy.entity.id);
        ck_assert(kin__context_is_valid(&fleet->base));
        const fleet_entity *all = &convoy.entity;
        if (root.id == 0) {
            ck_assert_uint_eq(errors.count, 1);
            for (size_t i = 0; i < sizeof convoy / sizeof root; i++)
                ck_assert_uint_eq(all[i].id, 0);
            ck_assert_uint_eq(fleet_entity_count(fleet), 0);
        } else if (wanted >= CREATE_MANY) {
            for (size_t i = 1; i < sizeof convoy / sizeof root; i++)
                ck_assert(is_linked(all[i]));
        }
        error_log_clear(&errors);
    }
    ck_assert_uint_gt(due, 80);
}
END_TEST

START_TEST(rel_16_a_listener_that_destroys_the_root_undoes_all)
{
    wanted = DESTROY_FIRST;
    due = 5;
    done = 0;
    watch_all(meddle);
    fleet_entity roots[2];
    ck_assert_int_eq(fleet_spawn_many_car(fleet, 2, roots), KIN_ERROR_NOT_ALIVE);
    ck_assert_uint_eq(roots[0].id | roots[1].id, 0);
    ck_assert_uint_eq(fleet_entity_count(fleet), 0);
    ck_assert_uint_eq(errors.count, 1);
    ck_assert_ptr_nonnull(strstr(errors.entries[0].message, "Car."));
    error_log_clear(&errors);
}
END_TEST

static void reset_and_spawn(const kin_change *change, void *user)
{
    (void)change;
    if (++done != due)
        return;
    fleet_context_reset(fleet);
    fleet_spawn_car_parts(fleet, user);
}

// The entities of the listener have the handles of those that the reset took.
START_TEST(rel_16_a_child_never_gets_a_parent_from_after_a_reset)
{
    fleet_car_parts after;
    fleet_entity root = fleet_spawn_car(fleet);
    fleet_context_reset(fleet);
    kin_group_subscribe(fleet_placed_group(fleet), KIN_ADDED, reset_and_spawn, &after);
    due = 1; // the root is complete, and its first child is next
    done = 0;
    ck_assert_uint_eq(fleet_spawn_car(fleet).id, 0);
    ck_assert_uint_eq(after.entity.id, root.id);
    ck_assert_uint_eq(fleet_children_count(fleet, after.entity), 4);
    ck_assert_uint_eq(fleet_entity_count(fleet), 5);
    ck_assert_reported(&errors, KIN_ERROR_NOT_ALIVE);
}
END_TEST

static void clone_often(const kin_change *change, void *user)
{
    (void)user;
    for (uint32_t i = done; i < 600; i++) {
        done = 600;
        fleet_clone_entity(fleet, fleet_entity_of(change->entity));
    }
}

// The clones take the slots that were expected for the second root, up to another chunk.
START_TEST(rel_16_links_are_made_wherever_listeners_left_slots)
{
    fleet_entity roots[2];
    if (is_in_sweep())
        return;
    done = 0;
    kin_context_subscribe(&fleet->base, KIN_ENTITY_CREATED, clone_often, NULL);
    ck_assert_int_eq(fleet_spawn_many_car(fleet, 2, roots), KIN_OK);
    ck_assert_uint_gt(kin_entity_slot(roots[1].id), kin_entity_slot(roots[0].id) + 600);
    ck_assert_uint_eq(fleet_children_count(fleet, roots[1]), 4);
}
END_TEST

static void spawn_two_once(const kin_change *change, void *user)
{
    (void)change;
    fleet_entity *roots = user;
    if (done++ == 0)
        ck_assert_int_eq(fleet_spawn_many_car(fleet, 2, roots), KIN_OK);
}

START_TEST(rel_16_a_listener_may_spawn_trees)
{
    fleet_entity roots[2];
    done = 0;
    kin_context_subscribe(&fleet->base, KIN_ENTITY_CREATED, spawn_two_once, roots);
    fleet_entity entity = fleet_create_entity(fleet);
    ck_assert(fleet_entity_is_alive(fleet, entity));
    ck_assert_uint_eq(fleet_entity_count(fleet), 11);
    ck_assert_uint_eq(fleet_children_count(fleet, roots[0]), 4);
    ck_assert_uint_eq(fleet_children_count(fleet, roots[1]), 4);
}
END_TEST

Suite *runtime_spawn_tree_listener_suite(void)
{
    Suite *suite = suite_create("runtime_spawn_tree_listener");
    TCase *rules = tcase_create("rules");
    tcase_set_timeout(rules, 120);
    tcase_add_checked_fixture(rules, fleet_begin, fleet_end);
    tcase_add_loop_test(rules, rel_16_a_listener_never_leaves_half_a_tree, 0, DEEDS);
    tcase_add_test(rules, rel_16_a_listener_that_destroys_the_root_undoes_all);
    tcase_add_test(rules, rel_16_a_child_never_gets_a_parent_from_after_a_reset);
    tcase_add_test(rules, rel_16_links_are_made_wherever_listeners_left_slots);
    tcase_add_test(rules, rel_16_a_listener_may_spawn_trees);
    suite_add_tcase(suite, rules);
    return suite;
}
