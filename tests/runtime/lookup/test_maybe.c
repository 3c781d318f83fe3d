// Optional columns: NULL in a run or block without the component, and runs and blocks that end where that changes
// (GRP-12); views of iterators with them (GRP-13).
#include "meadow/meadow.h"
#include "suites.h"

#include <check.h>
#include <string.h>

enum { COUNT = 1300 };

static meadow_world *world;
static meadow_context *meadow;
static meadow_entity entities[COUNT]; // in slots 0, 1, 2, …

// What the systems found in their last turn.
static struct {
    int32_t stems, without_stem, blooms, leaves, scents, left, viewed;
} seen;

// Returns the sum of all numbers of a plant.
static int32_t sum_plant(const meadow_plants_view *view, uint32_t i)
{
    return view->root[i].depth + (view->stem != NULL ? view->stem[i].height : 0) +
           (view->leaf.x != NULL ? (int32_t)view->leaf.x[i] + view->leaf.veins[i][1] : 0);
}

void grow_update(meadow_world *self, grow_iter *it, const kin_tick *tick)
{
    (void)self;
    (void)tick;
    while (grow_next(it)) {
        meadow_plants_view view = grow_view(it);
        for (uint32_t i = 0; i < view.count; i++)
            seen.viewed += sum_plant(&view, i);
        for (uint32_t i = 0; i < it->count; i++) {
            if (it->stem != NULL)
                seen.stems += ++it->stem[i].height;
            else
                seen.without_stem++;
            if (it->bloom != NULL)
                seen.blooms += it->bloom[i]->petals;
        }
    }
}

void bend_update(meadow_world *self, bend_iter *it, const kin_tick *tick)
{
    (void)self;
    (void)tick;
    while (bend_next_block(it))
        KIN_EACH_BIT(i, it->mask)
        {
            if (it->leaf.x != NULL)
                seen.leaves += it->leaf.veins[i][1] += (int32_t)it->leaf.x[i];
            if (it->scent != NULL)
                seen.scents += (int32_t)strlen(it->scent[i].name);
        }
}

void smell_update(meadow_world *self, smell_iter *it, const kin_tick *tick)
{
    (void)self;
    (void)tick;
    while (smell_next(it))
        seen.scents += it->scent == NULL ? 0 : (int32_t)it->count;
}

void smell_leave(meadow_world *self, const meadow_entity *gone, uint32_t count)
{
    (void)gone;
    for (uint32_t i = 0; i < count; i++)
        seen.left += smell_left_root(self, i)->depth;
}

static void begin(void)
{
    world = meadow_world_create(NULL, NULL);
    ck_assert_ptr_nonnull(world);
    meadow = world->contexts->meadow;
    memset(&seen, 0, sizeof seen);
    for (uint32_t i = 0; i < COUNT; i++) {
        entities[i] = meadow_create_entity(meadow);
        ck_assert_uint_eq(kin_entity_slot(entities[i].id), i);
        meadow_add_root(meadow, entities[i], (Root){(int32_t)i});
    }
}

static void end(void)
{
    meadow_world_destroy(world);
}

static void add_stems(uint32_t first, uint32_t last)
{
    for (uint32_t i = first; i < last; i++)
        meadow_replace_stem(meadow, entities[i], (Stem){(int32_t)i});
}

static void add_leaves(uint32_t first, uint32_t last)
{
    for (uint32_t i = first; i < last; i++)
        meadow_replace_leaf(meadow, entities[i], (Leaf){.x = (float)i, .veins = {0, (int32_t)i}});
}

// ---- runs and blocks against what each entity has

static bool is_plant(uint32_t slot)
{
    return meadow_has_root(meadow, entities[slot]) && !meadow_is_wilted(meadow, entities[slot]);
}

// Whether two entities have the same optional components.
static bool is_alike(uint32_t a, uint32_t b)
{
    return meadow_has_stem(meadow, entities[a]) == meadow_has_stem(meadow, entities[b]) &&
           meadow_has_leaf(meadow, entities[a]) == meadow_has_leaf(meadow, entities[b]);
}

static void check_columns(const meadow_plants_iter *it, uint32_t i, uint32_t slot)
{
    ck_assert_uint_eq(meadow_plants_at(it, i).id, entities[slot].id);
    ck_assert_ptr_eq(&it->root[i], meadow_get_root(meadow, entities[slot]));
    const Stem *stem = meadow_get_stem(meadow, entities[slot]);
    ck_assert_ptr_eq(it->stem == NULL ? NULL : &it->stem[i], stem);
    ck_assert((it->leaf.x != NULL) == meadow_has_leaf(meadow, entities[slot]));
    ck_assert((it->leaf.veins != NULL) == (it->leaf.x != NULL));
    if (it->leaf.x == NULL)
        return;
    ck_assert(it->leaf.x[i] == (float)slot);
    ck_assert_int_eq(it->leaf.veins[i][1], (int32_t)slot);
}

// The next member from `slot` on; COUNT if there is none.
static uint32_t next_plant(uint32_t slot)
{
    while (slot < COUNT && !is_plant(slot))
        slot++;
    return slot;
}

// Compares all runs with the members, and returns how many there are.
static uint32_t check_runs(void)
{
    uint32_t runs = 0, slot = 0;
    for (meadow_plants_iter it = meadow_plants_iterate(meadow); meadow_plants_next(&it); runs++) {
        uint32_t first = slot = next_plant(slot);
        ck_assert_uint_gt(it.count, 0);
        for (uint32_t i = 0; i < it.count; i++, slot++) {
            ck_assert(is_plant(slot) && is_alike(first, slot));
            check_columns(&it, i, slot);
        }
        ck_assert(slot == COUNT || slot % 512 == 0 || !is_plant(slot) || !is_alike(first, slot)); // no run is too short
    }
    ck_assert_uint_eq(next_plant(slot), COUNT);
    return runs;
}

static uint32_t check_blocks(void)
{
    uint32_t blocks = 0, slot = 0;
    for (meadow_plants_iter it = meadow_plants_iterate(meadow); meadow_plants_next_block(&it); blocks++) {
        uint32_t first = slot = next_plant(slot), start = first / 64 * 64;
        KIN_EACH_BIT(i, it.mask)
        {
            slot = next_plant(slot);
            ck_assert_uint_eq(start + i, slot);
            ck_assert(is_alike(first, slot));
            check_columns(&it, i, slot);
            slot++;
        }
        uint32_t following = next_plant(slot);
        ck_assert(following >= start + 64 || following == COUNT || !is_alike(first, following));
    }
    ck_assert_uint_eq(next_plant(slot), COUNT);
    return blocks;
}

// Ranges of slots with a stem, and the number of runs and blocks of 1300 members, which lie in 3 chunks and 21 words.
static const struct {
    uint32_t first, end, runs, blocks;
} cases[] = {
    {0, 0, 3, 21},      {0, 1, 4, 22},      {63, 64, 5, 22},     {64, 65, 5, 22},     {63, 65, 5, 23},
    {64, 128, 5, 21},   {0, 512, 3, 21},    {511, 512, 4, 22},   {511, 513, 5, 23},   {512, 513, 4, 22},
    {512, 1024, 3, 21}, {500, 1100, 5, 23}, {1299, 1300, 4, 22}, {1279, 1281, 5, 23}, {0, 1300, 3, 21},
};

enum { CASES = sizeof cases / sizeof *cases };

START_TEST(grp_12_runs_and_blocks_end_where_an_optional_component_begins_or_ends)
{
    add_stems(cases[_i].first, cases[_i].end);
    ck_assert_uint_eq(check_runs(), cases[_i].runs);
    ck_assert_uint_eq(check_blocks(), cases[_i].blocks);
}
END_TEST

START_TEST(grp_12_each_of_several_optional_components_ends_a_run)
{
    add_stems(10, 20);
    add_leaves(15, 700);
    ck_assert_uint_eq(check_runs(), 7); // 0, 10, 15, 20, 512, 700, 1024
    check_blocks();
}
END_TEST

START_TEST(grp_12_any_pattern_of_components_is_visited_once_with_its_columns)
{
    uint64_t random = 88172645463325252u + (uint64_t)_i;
    for (uint32_t i = 0; i < COUNT; i++) {
        random ^= random << 13, random ^= random >> 7, random ^= random << 17;
        uint32_t odds = (uint32_t)_i + 2;
        if (random % odds == 0)
            add_stems(i, i + 1);
        if ((random >> 16) % odds == 0)
            add_leaves(i, i + 1);
        if ((random >> 32) % (odds * 3) == 0)
            meadow_set_wilted(meadow, entities[i], true);
        if ((random >> 48) % (odds * 4) == 0)
            meadow_destroy_entity(meadow, entities[i]);
    }
    check_runs();
    check_blocks();
}
END_TEST

// Each member has one of two components, both of which are optional.
START_TEST(grp_12_components_of_an_any_rule_may_be_optional_columns)
{
    for (uint32_t i = 0; i < COUNT; i++)
        if (i % 3 == 0) {
            meadow_add_stem(meadow, entities[i], (Stem){(int32_t)i});
            meadow_remove_root(meadow, entities[i]);
        }
    uint32_t roots = 0, stems = 0;
    for (meadow_parts_iter it = meadow_parts_iterate(meadow); meadow_parts_next(&it);) {
        ck_assert((it.root == NULL) != (it.stem == NULL));
        roots += it.root != NULL ? it.count : 0;
        stems += it.stem != NULL ? it.count : 0;
    }
    ck_assert_uint_eq(stems, (COUNT + 2) / 3);
    ck_assert_uint_eq(roots, COUNT - stems);
}
END_TEST

START_TEST(grp_12_a_run_keeps_its_columns_whatever_the_loop_does)
{
    add_stems(0, 100);
    uint32_t runs = 0;
    int32_t sum = 0;
    for (meadow_plants_iter it = meadow_plants_iterate(meadow); meadow_plants_next(&it); runs++)
        for (uint32_t i = 0; i < it.count && it.stem != NULL; i++) {
            meadow_remove_stem(meadow, meadow_plants_at(&it, i));
            sum += it.stem[i].height;
        }
    ck_assert_int_eq(sum, 99 * 100 / 2);
    ck_assert_uint_eq(runs, 4);
    ck_assert_uint_eq(check_runs(), 3);
}
END_TEST

// The second run begins after the entities that the first one gives a stem.
START_TEST(grp_12_the_next_run_shows_what_the_loop_has_changed)
{
    meadow_plants_iter it = meadow_plants_iterate(meadow);
    add_stems(5, 6);
    ck_assert(meadow_plants_next(&it));
    ck_assert_uint_eq(it.count, 5);
    add_stems(6, 40);
    ck_assert(meadow_plants_next(&it));
    ck_assert_ptr_nonnull(it.stem);
    ck_assert_uint_eq(it.count, 35);
    meadow_plants_iter blocks = meadow_plants_iterate(meadow);
    ck_assert(meadow_plants_next_block(&blocks));
    ck_assert_uint_eq(blocks.mask, 31);
    meadow_remove_root(meadow, entities[5]);
    ck_assert(meadow_plants_next_block(&blocks));
    ck_assert(blocks.mask == (((uint64_t)1 << 40) - ((uint64_t)1 << 6)));
    for (uint32_t i = 40; i < 64; i++)
        meadow_remove_root(meadow, entities[i]);
    ck_assert(meadow_plants_next_block(&blocks));
    ck_assert_uint_eq(meadow_plants_at(&blocks, 0).id, entities[64].id);
}
END_TEST

// ---- systems

START_TEST(grp_12_a_system_has_the_optional_columns_of_its_group_and_its_own)
{
    add_stems(2, 4);
    meadow_add_bloom(meadow, entities[3], (Bloom){5});
    meadow_add_bloom(meadow, entities[9], (Bloom){7});
    add_leaves(10, 12);
    meadow_add_scent(meadow, entities[11], (Scent){"mint"});
    meadow_world_update(world, 0);
    ck_assert_int_eq(seen.stems, 3 + 4);
    ck_assert_int_eq(meadow_get_stem(meadow, entities[3])->height, 4);
    ck_assert_int_eq(seen.without_stem, COUNT - 2);
    ck_assert_int_eq(seen.blooms, 12);
    ck_assert_int_eq(seen.leaves, 20 + 22);
    ck_assert_int_eq(seen.scents, 4 + 1);
    meadow_remove_root(meadow, entities[11]);
    meadow_world_update(world, 0);
    ck_assert_int_eq(seen.left, 11);
}
END_TEST

START_TEST(grp_12_only_declared_writes_and_values_without_owned_memory_are_writable)
{
    grow_iter grow;
    bend_iter bend;
    memset(&grow, 0, sizeof grow);
    memset(&bend, 0, sizeof bend);
    ck_assert(_Generic(grow.stem, Stem * : true, default : false));
    ck_assert(_Generic(grow.leaf.x, const float * : true, default : false));
    ck_assert(_Generic(grow.bloom, const Bloom *const * : true, default : false));
    ck_assert(_Generic(bend.leaf.x, float * : true, default : false));
    ck_assert(_Generic(bend.scent, const Scent * : true, default : false));
}
END_TEST

START_TEST(grp_13_views_of_a_group_and_of_a_system_on_it_show_the_same)
{
    add_stems(2, 4);
    add_leaves(3, 700);
    int32_t runs = 0, blocks = 0;
    for (meadow_plants_iter it = meadow_plants_iterate(meadow); meadow_plants_next(&it);) {
        meadow_plants_view view = meadow_plants_view_of(&it);
        for (uint32_t i = 0; i < view.count; i++)
            runs += sum_plant(&view, i);
        ck_assert_uint_eq(meadow_plants_view_at(&view, 0).id, meadow_plants_at(&it, 0).id);
    }
    for (meadow_plants_iter it = meadow_plants_iterate(meadow); meadow_plants_next_block(&it);) {
        meadow_plants_view view = meadow_plants_view_of(&it);
        KIN_EACH_BIT(i, view.mask)
        {
            blocks += sum_plant(&view, i);
        }
    }
    meadow_world_update(world, 0); // Grow reads before it writes
    ck_assert_int_eq(runs, (COUNT - 1) * COUNT / 2 + 2 + 3 + 2 * (699 * 700 / 2 - 3));
    ck_assert_int_eq(blocks, runs);
    ck_assert_int_eq(seen.viewed, runs);
}
END_TEST

START_TEST(grp_13_all_columns_of_a_view_are_const)
{
    meadow_plants_view plants;
    meadow_blooms_view blooms;
    memset(&plants, 0, sizeof plants);
    memset(&blooms, 0, sizeof blooms);
    ck_assert(_Generic(plants.root, const Root * : true, default : false));
    ck_assert(_Generic(plants.stem, const Stem * : true, default : false));
    ck_assert(_Generic(plants.leaf.x, const float * : true, default : false));
    ck_assert(_Generic(plants.leaf.veins, const int32_t(*)[2] : true, default : false));
    ck_assert(_Generic(blooms.bloom, const Bloom *const * : true, default : false));
}
END_TEST

START_TEST(grp_12_optional_columns_do_not_change_the_group)
{
    ck_assert_uint_eq(kin_group_count(meadow_plants_group(meadow)), COUNT);
    ck_assert_ptr_eq(meadow_plants_group(meadow),
                     meadow_group(meadow, KIN_MATCHER(KIN_ALL(MEADOW_ROOT), KIN_NONE(MEADOW_WILTED))));
    ck_assert_ptr_eq(meadow_roots_group(meadow), meadow_group(meadow, KIN_MATCHER(KIN_ALL(MEADOW_ROOT))));
}
END_TEST

Suite *runtime_maybe_suite(void)
{
    Suite *suite = suite_create("runtime_maybe");
    TCase *loops = tcase_create("loops");
    tcase_add_checked_fixture(loops, begin, end);
    tcase_add_loop_test(loops, grp_12_runs_and_blocks_end_where_an_optional_component_begins_or_ends, 0, CASES);
    tcase_add_test(loops, grp_12_each_of_several_optional_components_ends_a_run);
    tcase_add_loop_test(loops, grp_12_any_pattern_of_components_is_visited_once_with_its_columns, 0, 6);
    tcase_add_test(loops, grp_12_components_of_an_any_rule_may_be_optional_columns);
    tcase_add_test(loops, grp_12_a_run_keeps_its_columns_whatever_the_loop_does);
    tcase_add_test(loops, grp_12_the_next_run_shows_what_the_loop_has_changed);
    suite_add_tcase(suite, loops);

    TCase *systems = tcase_create("systems");
    tcase_add_checked_fixture(systems, begin, end);
    tcase_add_test(systems, grp_12_a_system_has_the_optional_columns_of_its_group_and_its_own);
    tcase_add_test(systems, grp_12_only_declared_writes_and_values_without_owned_memory_are_writable);
    tcase_add_test(systems, grp_13_views_of_a_group_and_of_a_system_on_it_show_the_same);
    tcase_add_test(systems, grp_13_all_columns_of_a_view_are_const);
    tcase_add_test(systems, grp_12_optional_columns_do_not_change_the_group);
    suite_add_tcase(suite, systems);
    return suite;
}
