// Groups that are written in a system: `group: { all: [...], none: [...] }`.
#include "mill/mill.h"
#include "runtime/support/support.h"
#include "suites.h"

#include <string.h>

static mill_world *mill;
static corn_context *corn;

// The figures that the systems found in their last turn.
static struct {
    int32_t ground, sifted, sold, kept;
    uint32_t entered, drawn, rolled, dried;
} seen;

void grind_update(mill_world *world, grind_iter *it, const kin_tick *tick)
{
    (void)world;
    (void)tick;
    while (grind_next(it))
        for (uint32_t i = 0; i < it->count; i++)
            seen.ground += ++it->grain[i].grams;
}

void sift_update(mill_world *world, sift_iter *it, const kin_tick *tick)
{
    (void)world;
    (void)tick;
    while (sift_next(it))
        for (uint32_t i = 0; i < it->count; i++)
            seen.sifted += it->flour.grams[i] += it->grain[i].grams;
}

void sell_enter(mill_world *world, const corn_entity *entities, uint32_t count)
{
    (void)world;
    (void)entities;
    seen.entered += count;
}

void sell_leave(mill_world *world, const corn_entity *entities, uint32_t count)
{
    (void)entities;
    for (uint32_t i = 0; i < count; i++) {
        const Grain *last = sell_left_grain(world, i);
        ck_assert_ptr_nonnull(last);
        seen.kept += last->grams;
    }
    seen.sold += (int32_t)count;
}

void sell_draw(mill_world *world, const corn_entity *entities, uint32_t count)
{
    (void)world;
    (void)entities;
    seen.drawn += count;
}

void roll_first_update(mill_world *world, const sluice_entity *entities, uint32_t count)
{
    (void)world;
    (void)entities;
    seen.rolled += count;
}

void dry_update(mill_world *world, dry_iter *it, const kin_tick *tick)
{
    (void)world;
    (void)tick;
    while (dry_next(it))
        seen.dried += it->count;
}

static void begin(void)
{
    mill = mill_world_create(NULL, NULL);
    corn = mill->contexts->corn;
    memset(&seen, 0, sizeof seen);
}

static void end(void)
{
    mill_world_destroy(mill);
}

static corn_entity add_sack(int32_t grams)
{
    corn_entity sack = corn_create_entity(corn);
    corn_add_grain(corn, sack, (Grain){grams});
    return sack;
}

START_TEST(rsy_15_a_system_iterates_its_own_group_with_its_columns)
{
    corn_entity sack = add_sack(5), wet = add_sack(100);
    corn_add_flour(corn, sack, (Flour){.grams = 10});
    corn_add_flour(corn, wet, (Flour){.grams = 10});
    corn_set_wet(corn, wet, true);
    mill_world_update(mill, 0);
    ck_assert_int_eq(seen.ground, 6);
    ck_assert_int_eq(seen.sifted, 16);
    ck_assert_int_eq(corn_get_grain(corn, wet)->grams, 100);
}
END_TEST

START_TEST(rsy_15_equal_rules_are_one_group)
{
    const kin_context_info *info = &corn_info;
    ck_assert_uint_eq(info->group_count, 4);
    ck_assert_str_eq(info->groups[0].name, "dry");
    ck_assert_str_eq(info->groups[1].name, "Grind");
    ck_assert_str_eq(info->groups[2].name, "Sell");
    ck_assert_str_eq(info->groups[3].name, "Sift");
    ck_assert_ptr_eq(corn->base.groups[0], corn->base.groups[1]);
    ck_assert_ptr_ne(corn->base.groups[2], corn->base.groups[3]);
    ck_assert_ptr_eq(corn->base.groups[3],
                     kin_context_group(&corn->base, KIN_MATCHER(KIN_ALL(CORN_GRAIN, CORN_FLOUR), KIN_NONE(CORN_WET))));
    add_sack(1);
    mill_world_update(mill, 0);
    ck_assert_uint_eq(seen.dried, 1);
    ck_assert_str_eq(sluice_info.groups[0].name, "Roll");
    ck_assert_str_eq(sluice_info.groups[0].doc, "All carts.");
}
END_TEST

START_TEST(rsy_15_a_system_with_its_own_group_has_the_roles_of_a_group_system)
{
    corn_entity sack = add_sack(7);
    sluice_add_cart(mill->contexts->sluice, sluice_create_entity(mill->contexts->sluice), (Cart){4});
    mill_world_update(mill, 0);
    ck_assert_uint_eq(seen.entered, 1);
    ck_assert_uint_eq(seen.rolled, 1);
    mill_world_draw(mill);
    ck_assert_uint_eq(seen.drawn, 1);
    corn_set_wet(corn, sack, true);
    mill_world_update(mill, 0);
    ck_assert_int_eq(seen.sold, 1);
    ck_assert_int_eq(seen.kept, 8);
    corn_set_wet(corn, sack, false);
    mill_world_update(mill, 0);
    int32_t grams = corn_get_grain(corn, sack)->grams;
    corn_destroy_entity(corn, sack);
    mill_world_update(mill, 0);
    ck_assert_int_eq(seen.kept, 8 + grams);
}
END_TEST

Suite *runtime_world_own_group_suite(void)
{
    Suite *suite = suite_create("runtime_world_own_group");
    TCase *tests = tcase_create("runtime_world_own_group");
    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_test(tests, rsy_15_a_system_iterates_its_own_group_with_its_columns);
    tcase_add_test(tests, rsy_15_equal_rules_are_one_group);
    tcase_add_test(tests, rsy_15_a_system_with_its_own_group_has_the_roles_of_a_group_system);
    suite_add_tcase(suite, tests);
    return suite;
}
