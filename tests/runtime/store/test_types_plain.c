// Types that a header of the user shares with the package; the header is included before and after the package.
#include "schemas/shared/puppet.h"

#include "puppet/puppet.h"
#include "suites.h"

static uint32_t dropped;

void puppet_strings_drop(puppet_strings *strings)
{
    dropped += strings != NULL && strings->joints[0].x == 3;
}

START_TEST(a_header_of_an_opaque_type_may_use_types_of_the_package)
{
    puppet_strings strings = {.joints = {{.x = 3, .hand = HAND_RIGHT}}, .hand = HAND_LEFT};
    stage_context *stage = stage_context_create(NULL);
    stage_entity puppet = stage_create_entity(stage);
    strings.owner = puppet;
    Puppet value = {.knot = {.at = strings.joints[0], .strings = &strings}};
    ck_assert_int_eq(stage_add_puppet(stage, puppet, value), KIN_OK);
    ck_assert_int_eq(stage_get_puppet(stage, puppet)->knot.strings->joints[0].hand, HAND_RIGHT);
    dropped = 0;
    stage_destroy_entity(stage, puppet);
    ck_assert_uint_eq(dropped, 1);
    stage_context_destroy(stage);
}
END_TEST

Suite *runtime_types_plain_suite(void)
{
    Suite *suite = suite_create("runtime_types_plain");
    TCase *tests = tcase_create("runtime_types_plain");
    tcase_add_test(tests, a_header_of_an_opaque_type_may_use_types_of_the_package);
    suite_add_tcase(suite, tests);
    return suite;
}
