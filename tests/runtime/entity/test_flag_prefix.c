// Flag prefix: the query of a flag has its own word; everything else is as for any flag.
#include "runtime/support/case.h"
#include "suites.h"

#include <harbour/harbour.h>

#include <check.h>

CASE(quay)

START_TEST(a_flag_with_a_prefix_is_set_by_set_and_queried_by_its_prefix)
{
    quay_entity ship = quay_create_entity(quay);
    ck_assert(!quay_can_movable(quay, ship));
    ck_assert_int_eq(quay_set_movable(quay, ship, true), KIN_OK);
    ck_assert(quay_can_movable(quay, ship));
    ck_assert(!quay_has_cargo(quay, ship));
    ck_assert(!quay_is_moored(quay, ship));
    ck_assert(kin_has(&quay->base, ship.id, QUAY_MOVABLE));
    ck_assert_int_eq(quay_set_movable(quay, ship, false), KIN_OK);
    ck_assert(!quay_can_movable(quay, ship));
}
END_TEST

START_TEST(a_prefixed_flag_is_separate_in_each_context)
{
    ocean_context *ocean = ocean_context_create(NULL);
    quay_entity ship = quay_create_entity(quay);
    ocean_entity wreck = ocean_create_entity(ocean);
    ck_assert_int_eq(quay_set_movable(quay, ship, true), KIN_OK);
    ck_assert(quay_can_movable(quay, ship));
    ck_assert(!ocean_can_movable(ocean, wreck));
    ocean_context_destroy(ocean);
}
END_TEST

START_TEST(a_unique_flag_has_the_word_in_both_questions)
{
    ck_assert(!quay_was_unique_open(quay));
    ck_assert_int_eq(quay_set_unique_open(quay, true), KIN_OK);
    ck_assert(quay_was_unique_open(quay));
    ck_assert(quay_was_open(quay, quay_unique_open_entity(quay)));
    ck_assert_int_eq(quay_set_unique_open(quay, false), KIN_OK);
    ck_assert(!quay_was_unique_open(quay));
}
END_TEST

START_TEST(a_group_goes_by_a_prefixed_flag_as_by_any)
{
    quay_entity ship = quay_create_entity(quay);
    ck_assert_int_eq(quay_add_berth(quay, ship, (Berth){7, SIZE_SMALL}), KIN_OK);
    ck_assert_uint_eq(kin_group_count(quay_leaving_group(quay)), 0);
    ck_assert_int_eq(quay_set_movable(quay, ship, true), KIN_OK);
    quay_leaving_iter it = quay_leaving_iterate(quay);
    ck_assert(quay_leaving_next(&it));
    ck_assert_int_eq(it.berth[0].number, 7);
    ck_assert_int_eq(quay_set_moored(quay, ship, true), KIN_OK);
    ck_assert_uint_eq(kin_group_count(quay_leaving_group(quay)), 0);
}
END_TEST

Suite *runtime_flag_prefix_suite(void)
{
    Suite *suite = suite_create("runtime_flag_prefix");
    TCase *tests = tcase_create("runtime_flag_prefix");
    tcase_add_checked_fixture(tests, quay_begin, quay_end);
    tcase_add_test(tests, a_flag_with_a_prefix_is_set_by_set_and_queried_by_its_prefix);
    tcase_add_test(tests, a_prefixed_flag_is_separate_in_each_context);
    tcase_add_test(tests, a_unique_flag_has_the_word_in_both_questions);
    tcase_add_test(tests, a_group_goes_by_a_prefixed_flag_as_by_any);
    suite_add_tcase(suite, tests);
    return suite;
}
