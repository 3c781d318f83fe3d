// Walks over trees, beside a recursion over the children.
#include "runtime/support/clan_case.h"
#include "suites.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = 300, CHAIN = 100000, ROUNDS = 200 };

static clan_entity nodes[NODES];
static uint32_t state;

static uint32_t draw(uint32_t below)
{
    state = state * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)state * below >> 32);
}

static void make_random_tree(uint32_t seed)
{
    state = seed;
    nodes[0] = clan_create_entity(clan);
    for (uint32_t i = 1; i < NODES; i++)
        nodes[i] = child_of(nodes[draw(4) == 0 ? i - 1 : draw(i)]);
}

// ---- the order

typedef struct visit {
    clan_entity entity, parent;
    uint32_t depth;
} visit;

static visit expected[NODES];
static uint32_t expected_count;

// Lists a branch; of entities with an odd index the branch below is left out if `skips`.
static void list(clan_entity entity, clan_entity parent, uint32_t depth, bool skips)
{
    expected[expected_count++] = (visit){entity, parent, depth};
    if (skips && kin_entity_slot(entity.id) % 2 == 1)
        return;
    clan_entity children[NODES];
    uint32_t count = clan_copy_children(clan, entity, children, NODES);
    for (uint32_t i = 0; i < count; i++)
        list(children[i], entity, depth + 1, skips);
}

static void compare(clan_entity root, bool skips)
{
    uint32_t count = 0;
    const ChildOf *child = clan_get_child_of(clan, root);
    expected_count = 0;
    list(root, child == NULL ? CLAN_NO_ENTITY : child->parent, 0, skips);
    clan_children_walk walk = clan_children_walk_from(clan, root);
    while (clan_children_walk_next(&walk)) {
        ck_assert_uint_lt(count, expected_count);
        const visit *each = &expected[count++];
        ck_assert(clan_entity_equals(walk.entity, each->entity));
        ck_assert(clan_entity_equals(walk.parent, each->parent));
        ck_assert_uint_eq(walk.depth, each->depth);
        if (skips && kin_entity_slot(walk.entity.id) % 2 == 1)
            clan_children_walk_skip(&walk);
    }
    ck_assert_uint_eq(count, expected_count);
    ck_assert(!clan_children_walk_next(&walk));
    ck_assert(clan_entity_equals(walk.entity, CLAN_NO_ENTITY));
}

START_TEST(rel_19_a_walk_visits_parents_first_and_siblings_in_order)
{
    for (uint32_t seed = 0; seed < 10; seed++) {
        make_random_tree(seed);
        for (uint32_t i = 0; i < NODES; i += 7) {
            compare(nodes[i], false);
            compare(nodes[i], true);
        }
    }
}
END_TEST

// The nearest entity above that has an order, by a climb.
static clan_entity climb(clan_entity entity)
{
    for (;;) {
        const ChildOf *child = clan_get_child_of(clan, entity);
        entity = child == NULL ? CLAN_NO_ENTITY : child->parent;
        if (entity.id == 0 || clan_has_order(clan, entity))
            return entity;
    }
}

START_TEST(fnd_30_find_above_returns_the_nearest_that_matches)
{
    kin_rule ordered = CLAN_ALL(CLAN_ORDER);
    make_random_tree(7);
    for (uint32_t i = 0; i < NODES; i += 5)
        clan_add_order(clan, nodes[i], (Order){1});
    for (uint32_t i = 0; i < NODES; i++) {
        ck_assert_uint_eq(clan_child_of_find_above(clan, nodes[i], ordered).id, climb(nodes[i]).id);
        clan_entity without = clan_child_of_find_above(clan, nodes[i], CLAN_NONE(CLAN_CHILD_OF));
        ck_assert_uint_eq(without.id, i == 0 ? 0 : nodes[0].id);
    }
    ck_assert_uint_eq(clan_works_for_find_above(clan, nodes[9], ordered).id, 0);
    ck_assert_uint_eq(clan_child_of_find_above(clan, nodes[9], (kin_rule){0}).id, 0);
    clan_destroy_entity(clan, nodes[9]);
    ck_assert_uint_eq(clan_child_of_find_above(clan, nodes[9], ordered).id, 0);
    ck_assert_uint_eq(clan_child_of_find_above(clan, CLAN_NO_ENTITY, ordered).id, 0);
}
END_TEST

START_TEST(a_walk_from_an_entity_that_is_not_alive_visits_nothing)
{
    clan_entity root = clan_create_entity(clan);
    clan_children_walk walk = clan_children_walk_from(clan, CLAN_NO_ENTITY);
    ck_assert(!clan_children_walk_next(&walk));
    walk = clan_children_walk_from(clan, root);
    clan_destroy_entity(clan, root);
    ck_assert(!clan_children_walk_next(&walk));
    ck_assert(!clan_children_walk_next(&walk));
}
END_TEST

START_TEST(a_walk_down_a_long_chain_and_back_is_linear)
{
    clan_entity root = clan_create_entity(clan), last = root;
    uint32_t count = 0, length = getenv("KIN_SWEEP_COUNTS") == NULL ? CHAIN : CHAIN / 100; // as in test_relation.c
    for (uint32_t i = 1; i < length; i++)
        last = child_of(last);
    clan_children_walk walk = clan_children_walk_from(clan, root);
    while (clan_children_walk_next(&walk))
        if (walk.depth != count++)
            ck_abort_msg("depth %u of node %u", walk.depth, count - 1);
    ck_assert_uint_eq(count, length);
}
END_TEST

// ---- changes during the walk

// The tree of the tests below: 0 has 1, 2 and 3; 1 has 4 and 5; 2 has 6.
static clan_entity small[7];

static void make_small_tree(void)
{
    static const uint32_t parents[] = {0, 0, 0, 0, 1, 1, 2};
    small[0] = clan_create_entity(clan);
    for (uint32_t i = 1; i < 7; i++)
        small[i] = child_of(small[parents[i]]);
}

static void destroy(uint32_t node)
{
    ck_assert_int_eq(clan_destroy_entity(clan, small[node]), KIN_OK);
}

static void move(uint32_t node, uint32_t parent)
{
    ck_assert_int_eq(clan_replace_child_of(clan, small[node], (ChildOf){small[parent]}), KIN_OK);
}

typedef void act(void);

static void destroy_1(void)
{
    destroy(1);
}

static void destroy_4(void)
{
    destroy(4);
}

static void destroy_4_and_5(void)
{
    destroy(4);
    destroy(5);
}

static void destroy_5(void)
{
    destroy(5);
}

static void destroy_0(void)
{
    destroy(0);
}

static void remove_5(void)
{
    ck_assert_int_eq(clan_remove_child_of(clan, small[5]), KIN_OK);
}

static void move_1_below_3(void)
{
    move(1, 3);
}

static void move_5_below_0(void)
{
    move(5, 0);
}

static void move_3_below_1(void)
{
    move(3, 1);
}

static void place_3_before_1(void)
{
    ck_assert_int_eq(clan_children_place_before(clan, small[3], small[1]), KIN_OK);
}

static void place_3_before_2(void)
{
    ck_assert_int_eq(clan_children_place_before(clan, small[3], small[2]), KIN_OK);
}

static void move_2_below_5(void)
{
    move(2, 5);
}

static const struct {
    const char *what;
    uint32_t at; // the visited node at which the loop acts
    act *act;
    const char *visited;
} cases[] = {
    {"nothing changes", 9, NULL, "0145263"},
    {"the current entity is destroyed with its children", 1, destroy_1, "01263"},
    {"a leaf is destroyed", 4, destroy_4, "0145263"},
    {"the next entity is destroyed", 4, destroy_5, "014263"},
    {"the current entity and the next one are destroyed", 4, destroy_4_and_5, "014"},
    {"the last child is destroyed", 5, destroy_5, "0145263"},
    {"the last child loses its component", 5, remove_5, "0145263"},
    {"the root is destroyed", 4, destroy_0, "014"},
    {"the current entity moves behind", 1, move_1_below_3, "01263145"},
    {"an entity moves ahead", 4, move_5_below_0, "0142635"},
    {"the current leaf moves up to the end", 5, move_5_below_0, "01452635"},
    {"an entity moves from ahead to below the current one", 1, move_3_below_1, "0145326"},
    {"an entity moves to a place that was visited", 4, place_3_before_1, "014526"},
    {"an entity moves to the next place", 4, place_3_before_2, "0145326"},
    {"an entity moves below the current one", 5, move_2_below_5, "0145263"},
};

START_TEST(rel_19_a_walk_goes_on_where_the_changed_entity_stood)
{
    char visited[32] = "";
    make_small_tree();
    clan_children_walk walk = clan_children_walk_from(clan, small[0]);
    while (clan_children_walk_next(&walk)) {
        uint32_t node = 0;
        while (!clan_entity_equals(small[node], walk.entity))
            node++;
        bool acts = node == cases[_i].at && strchr(visited, (int)('0' + node)) == NULL;
        snprintf(visited + strlen(visited), 2, "%u", node);
        ck_assert_uint_eq(walk.depth, clan_children_depth(clan, walk.entity));
        if (acts)
            cases[_i].act();
    }
    ck_assert_msg(strcmp(visited, cases[_i].visited) == 0, "%s: visited %s instead of %s", cases[_i].what, visited,
                  cases[_i].visited);
}
END_TEST

// ---- random changes

static bool has_changed[NODES]; // it, or an entity above it, was moved or destroyed
static uint32_t visits[NODES];

static uint32_t number_of(clan_entity entity)
{
    for (uint32_t i = 0; i < NODES; i++)
        if (clan_entity_equals(nodes[i], entity))
            return i;
    return NODES;
}

static void note_change(clan_entity entity)
{
    for (uint32_t i = 0; i < NODES; i++)
        if (clan_children_contains(clan, entity, nodes[i]))
            has_changed[i] = true;
}

// Changes one entity, but none above the current one: the walk would end. Nor is the current one placed among its
// siblings: the walk goes on from there.
static void change(const clan_children_walk *walk)
{
    uint32_t number = draw(4) == 0 ? number_of(walk->entity) : 1 + draw(NODES - 1);
    clan_entity entity = nodes[number % NODES], parent = nodes[draw(NODES)];
    bool is_above = !clan_entity_equals(entity, walk->entity) && clan_children_contains(clan, entity, walk->entity);
    if (number == 0 || !clan_entity_is_alive(clan, entity) || is_above)
        return;
    switch (draw(4)) {
    case 0:
        note_change(entity);
        ck_assert_int_eq(clan_destroy_entity(clan, entity), KIN_OK);
        break;
    case 1:
        if (clan_entity_equals(entity, walk->entity))
            return;
        note_change(entity);
        (void)clan_children_place_before(clan, entity, CLAN_NO_ENTITY);
        break;
    default:
        if (!clan_entity_is_alive(clan, parent) || clan_children_contains(clan, entity, parent))
            return;
        note_change(entity);
        ck_assert_int_eq(clan_replace_child_of(clan, entity, (ChildOf){parent}), KIN_OK);
        break;
    }
}

START_TEST(rel_19_a_walk_visits_once_what_nobody_moves)
{
    for (uint32_t round = 0; round < ROUNDS; round++) {
        make_random_tree(round);
        memset(visits, 0, sizeof visits);
        memset(has_changed, 0, sizeof has_changed);
        clan_children_walk walk = clan_children_walk_from(clan, nodes[0]);
        for (uint32_t steps = 0; clan_children_walk_next(&walk) && steps < 10 * NODES; steps++) {
            ck_assert(clan_children_contains(clan, nodes[0], walk.entity));
            ck_assert_uint_eq(walk.depth, clan_children_depth(clan, walk.entity));
            visits[number_of(walk.entity)]++;
            if (steps < NODES && draw(3) == 0)
                change(&walk);
        }
        for (uint32_t i = 0; i < NODES; i++)
            if (!has_changed[i] && visits[i] != 1)
                ck_abort_msg("round %u: node %u was visited %u times", round, i, visits[i]);
        ck_assert_int_eq(clan_destroy_all_entities(clan), KIN_OK);
    }
}
END_TEST

Suite *runtime_walk_suite(void)
{
    Suite *suite = suite_create("runtime_walk");
    TCase *tests = tcase_create("walks");
    tcase_add_checked_fixture(tests, clan_begin_empty, clan_end);
    tcase_add_test(tests, rel_19_a_walk_visits_parents_first_and_siblings_in_order);
    tcase_add_test(tests, fnd_30_find_above_returns_the_nearest_that_matches);
    tcase_add_test(tests, a_walk_from_an_entity_that_is_not_alive_visits_nothing);
    tcase_add_test(tests, a_walk_down_a_long_chain_and_back_is_linear);
    tcase_add_loop_test(tests, rel_19_a_walk_goes_on_where_the_changed_entity_stood, 0, sizeof cases / sizeof *cases);
    tcase_add_test(tests, rel_19_a_walk_visits_once_what_nobody_moves);
    suite_add_tcase(suite, tests);
    return suite;
}
