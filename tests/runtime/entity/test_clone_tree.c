// Clones of an entity with all entities below it.
#include "entity/entity.h"
#include "runtime/support/clan_case.h"
#include "suites.h"

#include <check.h>
#include <string.h>

enum { NODES = 200, ROUNDS = 40 };

static uint32_t state;

static uint32_t draw(uint32_t below)
{
    state = state * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)state * below >> 32);
}

// ---- what is cloned

START_TEST(rel_15_a_clone_with_children_has_all_below_in_order)
{
    clan_entity sun = clan_create_entity(clan), earth = child_of(sun), mars = child_of(sun), moon = child_of(earth);
    clan_add_order(clan, moon, (Order){7});
    clan_add_name(clan, mars, (Name){"mars"});
    clan_entity copy = clan_clone_with_children(clan, sun);
    ck_assert_uint_eq(clan_children_count(clan, copy), 2);
    clan_entity first = clan_children_first(clan, copy), last = clan_children_last(clan, copy);
    ck_assert_str_eq(clan_get_name(clan, last)->value, "mars");
    ck_assert_uint_eq(clan_children_count(clan, first), 1);
    ck_assert_int_eq(clan_get_order(clan, clan_children_first(clan, first))->number, 7);
    ck_assert_uint_eq(clan_entity_count(clan), 8);
    ck_assert_uint_eq(clan_children_count(clan, sun), 2);
}
END_TEST

START_TEST(rel_15_relations_among_the_cloned_name_the_clones)
{
    clan_entity sun = clan_create_entity(clan), earth = child_of(sun), mars = child_of(sun);
    clan_entity outside = clan_create_entity(clan);
    clan_add_aim(clan, earth, (Aim){mars}); // a later one
    clan_add_aim(clan, mars, (Aim){sun});   // an earlier one
    clan_add_aim(clan, sun, (Aim){outside});
    clan_add_seen(clan, mars, (Seen){earth}); // a handle, no relation
    clan_add_route(clan, earth, (Route){.name = "a", .from = mars, .to = outside, .owner = earth});
    clan_entity copy = clan_clone_with_children(clan, sun);
    clan_entity first = clan_children_first(clan, copy), last = clan_children_last(clan, copy);
    ck_assert(clan_entity_equals(clan_get_aim(clan, first)->at, last));
    ck_assert(clan_entity_equals(clan_get_aim(clan, last)->at, copy));
    ck_assert(clan_entity_equals(clan_get_aim(clan, copy)->at, outside));
    ck_assert(clan_entity_equals(clan_get_seen(clan, last)->last, earth));
    const Route *route = clan_get_route(clan, first);
    ck_assert(clan_entity_equals(route->from, last));
    ck_assert(clan_entity_equals(route->to, outside));
    ck_assert(clan_entity_equals(route->owner, first));
    ck_assert_str_eq(route->name, "a");
    ck_assert_ptr_ne(route->name, clan_get_route(clan, earth)->name);
    ck_assert_uint_eq(clan_arrivals_count(clan, outside), 2);
}
END_TEST

START_TEST(rel_15_the_clone_of_a_branch_comes_last_below_the_same_parent)
{
    clan_entity sun = clan_create_entity(clan), earth = child_of(sun), moon = child_of(earth);
    child_of(sun);
    clan_entity copy = clan_clone_with_children(clan, earth);
    ck_assert(clan_entity_equals(clan_children_last(clan, sun), copy));
    ck_assert_uint_eq(clan_children_count(clan, copy), 1);
    ck_assert_uint_eq(clan_children_count(clan, earth), 1);
    ck_assert(clan_entity_equals(clan_children_first(clan, earth), moon));
}
END_TEST

START_TEST(cpy_02_each_clone_lacks_what_clones_lack)
{
    clan_entity sun = clan_create_entity(clan), earth = child_of(sun);
    clan_add_crown(clan, earth, (Crown){sun}); // unique
    clan_add_order(clan, earth, (Order){1});
    clan_entity copy = clan_children_first(clan, clan_clone_with_children(clan, sun));
    ck_assert(!clan_has_crown(clan, copy));
    ck_assert(clan_has_order(clan, copy));
}
END_TEST

// ---- refusals

START_TEST(ent_03_an_entity_that_is_not_alive_is_not_cloned)
{
    clan_entity sun = clan_create_entity(clan);
    clan_destroy_entity(clan, sun);
    ck_assert_uint_eq(clan_clone_with_children(clan, sun).id, 0);
    ck_assert_uint_eq(clan_clone_with_children(clan, CLAN_NO_ENTITY).id, 0);
    ck_assert_uint_eq(clan_entity_count(clan), 0);
}
END_TEST

START_TEST(cpy_03_a_key_of_one_entity_below_keeps_all_from_being_cloned)
{
    clan_entity sun = clan_create_entity(clan), earth = child_of(child_of(sun));
    clan_add_likes(clan, earth, (Likes){sun, earth, .amount = 1}); // both are the key of a primary index
    ck_assert_uint_eq(clan_clone_with_children(clan, sun).id, 0);
    ck_assert_uint_eq(clan_entity_count(clan), 3);
}
END_TEST

START_TEST(cpy_05_without_memory_nothing_is_cloned)
{
    clan_entity sun = clan_create_entity(clan), earth = child_of(sun), copy = CLAN_NO_ENTITY;
    clan_add_route(clan, earth, (Route){.name = "a", .from = sun});
    for (uint32_t i = 0; i < 40; i++)
        child_of(earth);
    for (uint32_t allowed = 0; copy.id == 0; allowed++) {
        ck_assert_uint_lt(allowed, 1000);
        ck_assert_uint_eq(clan_entity_count(clan), 42);
        guard_fail(&clan_memory, allowed + 1, true);
        copy = clan_clone_with_children(clan, sun);
        guard_fail(&clan_memory, 0, false);
        ck_assert(kin__context_is_valid(&clan->base));
    }
    ck_assert_uint_eq(clan_entity_count(clan), 84);
}
END_TEST

// ---- listeners

static uint32_t calls, acts_at;

static void destroy_last_child(const kin_change *change, void *user)
{
    clan_entity root = *(clan_entity *)user;
    (void)change;
    if (++calls == acts_at)
        clan_destroy_entity(clan, clan_children_last(clan, root));
}

static void destroy_changed(const kin_change *change, void *user)
{
    (void)user;
    if (++calls == acts_at)
        clan_destroy_entity(clan, clan_entity_of(change->entity));
}

static void create_another(const kin_change *change, void *user)
{
    (void)change, (void)user;
    if (++calls < 9)
        clan_create_entity(clan);
}

static void reset(const kin_change *change, void *user)
{
    (void)change, (void)user;
    if (++calls == acts_at)
        clan_context_reset(clan);
}

START_TEST(rel_15_listeners_that_create_entities_do_not_confuse_the_clones)
{
    clan_entity sun = clan_create_entity(clan), earth = child_of(sun), mars = child_of(sun);
    clan_add_aim(clan, earth, (Aim){mars});
    calls = 0;
    kin_context_subscribe(&clan->base, KIN_ENTITY_CREATED, create_another, NULL);
    clan_entity copy = clan_clone_with_children(clan, sun);
    clan_entity first = clan_children_first(clan, copy);
    ck_assert_uint_eq(clan_children_count(clan, copy), 2);
    ck_assert(clan_entity_equals(clan_get_aim(clan, first)->at, clan_children_last(clan, copy)));
}
END_TEST

// A clone that has all its components may be destroyed.
START_TEST(cpy_05_when_a_listener_destroys_an_incomplete_clone_all_are_destroyed)
{
    clan_entity sun = clan_create_entity(clan), earth = child_of(sun), mars = child_of(sun);
    clan_add_aim(clan, earth, (Aim){mars});
    clan_add_order(clan, mars, (Order){1});
    for (acts_at = 1; acts_at <= 5; acts_at++) {
        calls = 0;
        kin_subscription subscription =
            kin_context_subscribe(&clan->base, KIN_COMPONENT_CHANGED, destroy_changed, NULL);
        clan_entity copy = clan_clone_with_children(clan, sun);
        kin_unsubscribe(subscription);
        ck_assert_int_eq(copy.id == 0, acts_at == 1 || acts_at == 3);
        ck_assert(kin__context_is_valid(&clan->base));
        if (copy.id == 0)
            ck_assert_uint_eq(clan_entity_count(clan), 3);
        else
            clan_destroy_entity(clan, copy);
    }
}
END_TEST

START_TEST(rel_15_listeners_may_destroy_sources)
{
    clan_entity sun = clan_create_entity(clan), earth = child_of(sun);
    child_of(sun);
    clan_add_order(clan, earth, (Order){1});
    calls = 0, acts_at = 1;
    kin_context_subscribe(&clan->base, KIN_COMPONENT_CHANGED, destroy_last_child, &sun);
    clan_entity copy = clan_clone_with_children(clan, sun);
    ck_assert_uint_eq(clan_children_count(clan, copy), 2);
    ck_assert_uint_eq(clan_children_count(clan, sun), 1);
}
END_TEST

static void clone_once(const kin_change *change, void *user)
{
    clan_entity *clone = user;
    (void)change;
    if (clone[1].id == 0) {
        clone[1].id = clone[0].id;
        clone[1] = clan_clone_with_children(clan, clone[0]);
    }
}

START_TEST(rel_15_a_listener_may_clone_with_children)
{
    clan_entity sun = clan_create_entity(clan), clone[2] = {sun, CLAN_NO_ENTITY};
    child_of(child_of(sun));
    kin_context_subscribe(&clan->base, KIN_ENTITY_CREATED, clone_once, clone);
    clan_create_entity(clan);
    ck_assert_uint_eq(clan_entity_count(clan), 7);
    ck_assert_uint_eq(clan_children_count(clan, clan_children_first(clan, clone[1])), 1);
}
END_TEST

START_TEST(cpy_05_a_reset_by_a_listener_ends_the_clone)
{
    for (acts_at = 1; acts_at <= 3; acts_at++) {
        clan_entity sun = clan_create_entity(clan);
        child_of(child_of(sun));
        calls = 0;
        kin_subscription subscription = kin_context_subscribe(&clan->base, KIN_ENTITY_CREATED, reset, NULL);
        ck_assert_uint_eq(clan_clone_with_children(clan, sun).id, 0);
        kin_unsubscribe(subscription);
        ck_assert_uint_eq(clan_entity_count(clan), 0);
    }
}
END_TEST

// ---- random trees

static clan_entity nodes[NODES];

static void make_random_tree(uint32_t seed)
{
    state = seed;
    nodes[0] = clan_create_entity(clan);
    for (uint32_t i = 1; i < NODES; i++) {
        nodes[i] = draw(5) == 0 ? clan_spawn_node(clan) : clan_create_entity(clan);
        ck_assert_int_eq(clan_replace_child_of(clan, nodes[i], (ChildOf){nodes[draw(4) == 0 ? i - 1 : draw(i)]}),
                         KIN_OK);
        if (draw(2) == 0)
            clan_add_aim(clan, nodes[i], (Aim){nodes[draw(i)]});
        if (draw(3) == 0)
            clan_add_follows(clan, nodes[draw(i)], (Follows){nodes[i]});
        clan_replace_order(clan, nodes[i], (Order){(int32_t)i});
    }
}

// Compares two trees by walking both: the number of an entity in one is that of its clone in the other.
static void compare(clan_entity source, clan_entity clone)
{
    static clan_entity sources[NODES], clones[NODES];
    uint32_t count = 0;
    clan_children_walk a = clan_children_walk_from(clan, source), b = clan_children_walk_from(clan, clone);
    while (clan_children_walk_next(&a)) {
        ck_assert(clan_children_walk_next(&b));
        ck_assert_uint_eq(a.depth, b.depth);
        sources[count] = a.entity;
        clones[count++] = b.entity;
    }
    ck_assert(!clan_children_walk_next(&b));
    for (uint32_t i = 0; i < count; i++) {
        const Aim *aim = clan_get_aim(clan, sources[i]), *copy = clan_get_aim(clan, clones[i]);
        ck_assert((aim == NULL) == (copy == NULL));
        uint32_t number = 0;
        while (aim != NULL && number < count && !clan_entity_equals(sources[number], aim->at))
            number++;
        if (aim != NULL)
            ck_assert(clan_entity_equals(copy->at, number < count ? clones[number] : aim->at));
        const Order *order = clan_get_order(clan, sources[i]);
        if (order != NULL)
            ck_assert_int_eq(clan_get_order(clan, clones[i])->number, order->number);
    }
}

START_TEST(rel_15_random_trees_are_cloned_node_by_node)
{
    for (uint32_t seed = 0; seed < ROUNDS; seed++) {
        make_random_tree(seed);
        clan_entity source = nodes[draw(3) == 0 ? 0 : draw(NODES)];
        compare(source, clan_clone_with_children(clan, source));
        ck_assert(kin__context_is_valid(&clan->base));
        ck_assert_int_eq(clan_destroy_all_entities(clan), KIN_OK);
    }
}
END_TEST

Suite *runtime_clone_tree_suite(void)
{
    Suite *suite = suite_create("runtime_clone_tree");
    TCase *tests = tcase_create("clones");
    tcase_add_checked_fixture(tests, clan_begin_empty, clan_end);
    tcase_add_test(tests, rel_15_a_clone_with_children_has_all_below_in_order);
    tcase_add_test(tests, rel_15_relations_among_the_cloned_name_the_clones);
    tcase_add_test(tests, rel_15_the_clone_of_a_branch_comes_last_below_the_same_parent);
    tcase_add_test(tests, cpy_02_each_clone_lacks_what_clones_lack);
    tcase_add_test(tests, ent_03_an_entity_that_is_not_alive_is_not_cloned);
    tcase_add_test(tests, cpy_03_a_key_of_one_entity_below_keeps_all_from_being_cloned);
    tcase_add_test(tests, cpy_05_without_memory_nothing_is_cloned);
    tcase_add_test(tests, rel_15_listeners_that_create_entities_do_not_confuse_the_clones);
    tcase_add_test(tests, cpy_05_when_a_listener_destroys_an_incomplete_clone_all_are_destroyed);
    tcase_add_test(tests, rel_15_listeners_may_destroy_sources);
    tcase_add_test(tests, rel_15_a_listener_may_clone_with_children);
    tcase_add_test(tests, cpy_05_a_reset_by_a_listener_ends_the_clone);
    tcase_add_test(tests, rel_15_random_trees_are_cloned_node_by_node);
    suite_add_tcase(suite, tests);
    return suite;
}
