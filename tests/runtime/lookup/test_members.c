// Members: the arrays of declared groups, which generated code reads before it calls the library (GRP-03).
#include "runtime/support/case.h"
#include "suites.h"

#include <check.h>
#include <wide/wide.h>

enum { ENTITIES = 700, CHANGES = 40 };

CASE(more)

static more_entity entities[ENTITIES];

static void begin(void)
{
    more_begin();
    for (uint32_t i = 0; i < ENTITIES; i++)
        entities[i] = more_create_entity(more);
}

// The array has exactly the living entities that the group contains.
static void ck_assert_members(const kin_group *group, const more_entity *members, uint32_t count)
{
    uint32_t all = 0, found = 0;
    const more_entity *living = more_entities(more, &all);
    for (uint32_t i = 0; i < all; i++)
        if (kin_group_contains(group, living[i].id)) {
            ck_assert_uint_lt(found, count);
            ck_assert_uint_eq(members[found++].id, living[i].id);
        }
    ck_assert_uint_eq(found, count);
    ck_assert(members != NULL || count == 0);
}

#define CHECK_MEMBERS(name)                                                                                            \
    do {                                                                                                               \
        uint32_t count = UINT32_MAX;                                                                                   \
        const more_entity *members = more_##name##_entities(more, &count);                                             \
        ck_assert_members(more_##name##_group(more), members, count);                                                  \
    } while (0)

static void check_all(void)
{
    CHECK_MEMBERS(across);
    CHECK_MEMBERS(across_again);
    CHECK_MEMBERS(around);
    CHECK_MEMBERS(crowded);
    CHECK_MEMBERS(exact);
}

static void change(uint32_t step)
{
    more_entity entity = entities[step * 97 % ENTITIES];
    more_replace_c00(more, entity, (C00){step});
    if (step % 2 == 0)
        more_replace_c69(more, entity, (C69){step});
    more_set_c64(more, entities[step * 31 % ENTITIES], step % 3 == 0);
    more_set_c68(more, entity, step % 5 == 0);
    more_replace_c63(more, entities[step], (C63){step});
}

START_TEST(grp_03_after_each_change_the_array_has_the_current_members)
{
    for (uint32_t step = 0; step < CHANGES; step++) {
        change(step);
        check_all();
    }
    for (uint32_t step = 0; step < CHANGES; step++) {
        more_destroy_entity(more, entities[step * 97 % ENTITIES]);
        check_all();
    }
}
END_TEST

START_TEST(grp_03_the_array_is_the_same_until_a_change)
{
    uint32_t count = 0, again = 0;
    change(4);
    const more_entity *members = more_across_entities(more, &count);
    ck_assert_uint_eq(count, 1);
    more_set_c64(more, members[0], false); // unchanged
    more_replace_c00(more, members[0], (C00){5});
    more_set_c68(more, entities[5], true); // a flag that the group does not name
    ck_assert_ptr_eq(more_across_entities(more, &again), members);
    ck_assert_uint_eq(again, 1);
}
END_TEST

START_TEST(grp_03_groups_of_one_matcher_share_their_array)
{
    uint32_t count = 0, again = 0;
    change(4);
    ck_assert_ptr_eq(more_across_group(more), more_across_again_group(more));
    const more_entity *members = more_across_again_entities(more, &again);
    ck_assert_ptr_eq(more_across_entities(more, &count), members);
    ck_assert_uint_eq(count, again);
    ck_assert_ptr_eq(kin_group_entities(more_across_group(more), &count), members);
}
END_TEST

START_TEST(grp_03_a_reset_leaves_an_empty_array)
{
    change(4);
    check_all();
    ck_assert_uint_eq(more_context_reset(more), KIN_OK);
    check_all();
}
END_TEST

Suite *runtime_members_suite(void)
{
    Suite *suite = suite_create("runtime_members");
    TCase *rules = tcase_create("rules");
    tcase_add_checked_fixture(rules, begin, more_end);
    tcase_add_test(rules, grp_03_after_each_change_the_array_has_the_current_members);
    tcase_add_test(rules, grp_03_the_array_is_the_same_until_a_change);
    tcase_add_test(rules, grp_03_groups_of_one_matcher_share_their_array);
    tcase_add_test(rules, grp_03_a_reset_leaves_an_empty_array);
    suite_add_tcase(suite, rules);
    return suite;
}
