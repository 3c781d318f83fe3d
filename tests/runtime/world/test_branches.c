// Tree systems in branches: the same values as on one thread, parents first, each member once.
#include "runtime/support/support.h"
#include "suites.h"
#include "threads/hostile.h"

#include <check.h>
#include <grove/grove.h>
#include <kin/parallel.h>
#include <kin/pool.h>
#include <stdlib.h>
#include <string.h>

static grove_grove_world *grove;
static grove_wood_context *wood;
static error_log errors;
static uint32_t seed;
static uint32_t pieces; // of the last turn
static bool falls;      // some members leave the group by commands
static uint32_t levelled;

static uint32_t random_below(uint32_t limit)
{
    seed = seed * 1664525 + 1013904223;
    return (seed >> 8) % limit;
}

// ---- systems

void grove_follow_update(grove_grove_world *world, grove_follow_iter *it, const kin_tick *tick)
{
    (void)world;
    (void)tick;
    while (grove_follow_next(it)) {
        it->shade->x = it->place->x + (it->parent_shade != NULL ? 3 * it->parent_shade->x : 1);
        it->shade->visits++;
    }
}

void grove_carry_update(grove_carry_job *job, grove_carry_iter *it, const kin_tick *tick)
{
    (void)tick;
    while (grove_carry_next(it)) {
        it->world->x = it->place->x + (it->parent_world != NULL ? 3 * it->parent_world->x : 1);
        it->world->visits++;
        it->world->piece = (int32_t)grove_carry_piece(job);
        if (falls && it->place->x % 11 == 0)
            grove_carry_set_fallen(job, it->entity, true);
    }
    if (grove_carry_piece(job) == 0)
        pieces = grove_carry_piece_count(job);
}

void grove_level_update(grove_level_job *job, grove_level_iter *it, const kin_tick *tick)
{
    (void)job;
    (void)tick;
    for (levelled = 0; grove_level_next(it); levelled++)
        it->place->x ^= 1;
}

void grove_rest_execute(grove_rest_job *job, const kin_tick *tick)
{
    (void)job;
    (void)tick;
}

// ---- the wood

static void begin(void)
{
    kin_context_options options = {.on_error = error_log_append, .error_user = &errors};
    grove = grove_grove_world_create(&options, NULL);
    wood = grove->contexts->wood;
    seed = 1;
    falls = false;
}

static void end(void)
{
    ck_assert_uint_eq(errors.count, 0);
    grove_grove_world_destroy(grove);
}

static grove_wood_entity grow(grove_wood_entity parent)
{
    grove_wood_entity tree = grove_wood_create_entity(wood);
    grove_wood_add_place(wood, tree, (grove_Place){random_below(100)});
    grove_wood_add_world(wood, tree, (grove_World){0});
    grove_wood_add_shade(wood, tree, (grove_Shade){0});
    if (parent.id != 0)
        grove_wood_add_child_of(wood, tree, (grove_ChildOf){parent});
    return tree;
}

// Each of the two systems visited every member once, and computed the same; pieces go on from parents to children.
static void check_wood(void)
{
    uint32_t count;
    const grove_wood_entity *all = grove_wood_grown_entities(wood, &count);
    for (uint32_t i = 0; i < count; i++) {
        const grove_World *world = grove_wood_get_world(wood, all[i]);
        const grove_Shade *shade = grove_wood_get_shade(wood, all[i]);
        ck_assert_uint_eq(world->x, shade->x);
        ck_assert_int_eq(world->visits, shade->visits);
        ck_assert_int_lt(world->piece, (int32_t)pieces);
        const grove_ChildOf *child = grove_wood_get_child_of(wood, all[i]);
        const grove_World *above = child == NULL ? NULL : grove_wood_get_world(wood, child->parent);
        if (above != NULL && !grove_wood_is_fallen(wood, child->parent))
            ck_assert(above->piece == world->piece || above->piece == 0);
    }
    ck_assert_uint_le(pieces, 128);
}

static void update(void)
{
    grove_grove_world_update(grove, 1);
    check_wood();
}

// ---- shapes

static void plant(uint32_t trees, uint32_t children, uint32_t depth)
{
    for (uint32_t i = 0; i < trees; i++) {
        grove_wood_entity tree = grow((grove_wood_entity){0});
        for (uint32_t k = 0; k < children; k++) {
            grove_wood_entity branch = tree;
            for (uint32_t level = 0; level < depth; level++)
                branch = grow(branch);
        }
    }
}

START_TEST(rel_23_a_large_tree_beside_many_small_ones_is_divided_too)
{
    plant(200, 1, 4);
    plant(1, 300, 300);
    update();
    ck_assert_uint_ge(pieces, 64);
}
END_TEST

static const struct {
    uint32_t trees, children, depth, pieces;
} shapes[] = {
    {1, 0, 0, 1},       // one tree without branches
    {1, 1, 5000, 1},    // a chain, which has one branch at each depth
    {20, 0, 0, 1},      // too few for two pieces
    {1000, 1, 3, 63},   // whole trees: 64 members a piece
    {20000, 1, 1, 127}, // whole trees, at most 128 pieces
    {1, 2000, 1, 33},   // branches of one tree, and what is above them
    {1, 300, 300, 101}, // long branches: three in each piece
    {3, 100, 10, 44},   // branches of several trees
};

START_TEST(rel_23_a_tree_is_divided_into_whole_trees_or_branches_at_the_shallowest_depth_with_enough)
{
    plant(shapes[_i].trees, shapes[_i].children, shapes[_i].depth);
    update();
    ck_assert_uint_eq(pieces, shapes[_i].pieces);
    update();
}
END_TEST

// Moves, adds and destroys a few; some members in the middle of a tree leave the group.
static void change(void)
{
    uint32_t count;
    const grove_wood_entity *listed = grove_wood_entities(wood, &count);
    grove_wood_entity *all = malloc(count * sizeof *all);
    memcpy(all, listed, count * sizeof *all);
    for (uint32_t i = 0; i < 40; i++) {
        grove_wood_entity one = all[random_below(count)], other = all[random_below(count)];
        if (!grove_wood_entity_is_alive(wood, one) || !grove_wood_entity_is_alive(wood, other))
            continue;
        uint32_t kind = random_below(4);
        if (kind == 0)
            grow(one);
        else if (kind == 1 && one.id != other.id && !grove_wood_children_contains(wood, one, other))
            grove_wood_replace_child_of(wood, one, (grove_ChildOf){other});
        else if (kind == 2)
            grove_wood_set_fallen(wood, one, !grove_wood_is_fallen(wood, one));
        else if (random_below(20) == 0)
            grove_wood_destroy_entity(wood, one);
    }
    free(all);
}

START_TEST(rel_23_par_03_branches_give_what_one_thread_gives_on_any_executor)
{
    kin_executor *pool = _i < 3 ? kin_pool_create(1U << _i) : NULL, executor;
    executor = pool != NULL ? *pool : hostile_executors[_i - 3];
    executor.now = NULL; // splits each turn, however short it is
    ck_assert_int_eq(grove_grove_world_set_executor(grove, &executor), KIN_OK);
    plant(5, 60, 8);
    for (int i = 0; i < 60; i++) {
        falls = i % 7 == 0;
        update();
        change();
    }
    kin_pool_destroy(pool);
}
END_TEST

START_TEST(rel_23_a_tree_system_in_one_piece_visits_all_in_its_order)
{
    plant(10, 10, 3);
    update();
    ck_assert_uint_eq(levelled, 310);
}
END_TEST

Suite *runtime_branches_suite(void)
{
    Suite *suite = suite_create("runtime_branches");
    TCase *tests = tcase_create("runtime_branches");
    tcase_add_checked_fixture(tests, begin, end);
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests,
                        rel_23_a_tree_is_divided_into_whole_trees_or_branches_at_the_shallowest_depth_with_enough, 0,
                        sizeof shapes / sizeof *shapes);
    tcase_add_loop_test(tests, rel_23_par_03_branches_give_what_one_thread_gives_on_any_executor, 0, 3 + HOSTILE_COUNT);
    tcase_add_test(tests, rel_23_a_large_tree_beside_many_small_ones_is_divided_too);
    tcase_add_test(tests, rel_23_a_tree_system_in_one_piece_visits_all_in_its_order);
    suite_add_tcase(suite, tests);
    return suite;
}
