// Include: the declarations of all files of a package are generated as if they were in one file.
#include "suites.h"

#include <harbour/harbour.h>

#include <check.h>

START_TEST(contexts_components_types_and_groups_of_included_files_work_together)
{
    harbour_contexts *contexts = harbour_contexts_create(NULL);
    quay_entity port = quay_create_entity(contexts->quay);
    ocean_entity ship = ocean_create_entity(contexts->ocean);
    ck_assert_int_eq(quay_add_berth(contexts->quay, port, (Berth){1, SIZE_LARGE}), KIN_OK);
    Course course = course_default();
    course.port = port;
    ck_assert_int_eq(ocean_add_course(contexts->ocean, ship, course), KIN_OK);
    ck_assert_int_eq(ocean_set_movable(contexts->ocean, ship, true), KIN_OK);

    ocean_sailing_iter it = ocean_sailing_iterate(contexts->ocean);
    ck_assert(ocean_sailing_next(&it));
    ck_assert_float_eq(it.course[0].speed.value, 5);
    ck_assert_int_eq(quay_get_berth(contexts->quay, it.course[0].port)->size, SIZE_LARGE);
    harbour_contexts_destroy(contexts);
}
END_TEST

START_TEST(the_component_table_has_those_of_all_files_by_name)
{
    ck_assert_int_eq(QUAY_BERTH, 0);
    ck_assert_int_eq(QUAY_CARGO, 1);
    ck_assert_int_eq(QUAY_MOORED, 2);
    ck_assert_int_eq(QUAY_MOVABLE, 3);
    ck_assert_int_eq(QUAY_OPEN, 4);
    ck_assert_int_eq(QUAY_COMPONENT_COUNT, 5);
    ck_assert_str_eq(ocean_info.components[OCEAN_COURSE].name, "Course");
}
END_TEST

Suite *runtime_include_suite(void)
{
    Suite *suite = suite_create("runtime_include");
    TCase *tests = tcase_create("runtime_include");
    tcase_add_test(tests, contexts_components_types_and_groups_of_included_files_work_together);
    tcase_add_test(tests, the_component_table_has_those_of_all_files_by_name);
    suite_add_tcase(suite, tests);
    return suite;
}
