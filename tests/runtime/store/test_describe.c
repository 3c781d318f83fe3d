// Descriptions of entities and matchers, as snprintf writes.

#include "runtime/support/relay_case.h"
#include "suites.h"

#include <string.h>

static char text[128];

static void begin(void)
{
    relay_begin();
    memset(text, '#', sizeof text);
}

static const char *entity_text(relay_entity entity)
{
    size_t length = kin_describe_entity(&relay->base, entity.id, text, sizeof text);
    ck_assert_uint_eq(length, strlen(text));
    return text;
}

static const char *matcher_text(kin_matcher matcher)
{
    size_t length = kin_describe_matcher(&relay->base, matcher, text, sizeof text);
    ck_assert_uint_eq(length, strlen(text));
    return text;
}

START_TEST(an_entity_is_described_with_its_components_in_order)
{
    relay_entity one = relay_create_entity(relay), two = relay_entity_with_a(1);
    relay_set_f(relay, two, true);
    ck_assert_str_eq(entity_text(one), "entity 1 in slot 0 ()");
    ck_assert_str_eq(entity_text(two), "entity 2 in slot 1 (A {value: 1}, F)");
    relay_destroy_entity(relay, two);
    ck_assert_str_eq(entity_text(two), "entity 2 in slot 1, not alive");
    ck_assert_str_eq(entity_text(RELAY_NO_ENTITY), "no entity");
    ck_assert_log("");
}
END_TEST

START_TEST(mat_03_a_matcher_is_described_in_its_normal_form)
{
    ck_assert_str_eq(matcher_text(KIN_MATCHER(KIN_NONE(RELAY_F), KIN_ALL(RELAY_B, RELAY_A, RELAY_B))),
                     "all(A, B), none(F)");
    ck_assert_str_eq(matcher_text(KIN_MATCHER(KIN_ONLY(RELAY_G), KIN_ANY(RELAY_C, RELAY_A))), "any(A, C), only(G)");
    ck_assert_int_eq(strncmp(matcher_text((kin_matcher){0}), "invalid: ", 9), 0);
    ck_assert_log("");
}
END_TEST

START_TEST(a_description_that_does_not_fit_is_cut_off_and_its_length_returned)
{
    static const char whole[] = "all(A, B), none(F)";
    kin_matcher matcher = KIN_MATCHER(KIN_ALL(RELAY_A, RELAY_B), KIN_NONE(RELAY_F));
    ck_assert_uint_eq(kin_describe_matcher(&relay->base, matcher, NULL, 0), strlen(whole));
    ck_assert_uint_eq(kin_describe_entity(&relay->base, 0, NULL, 0), strlen("no entity"));
    for (size_t size = 1; size <= sizeof whole + 1; size++) {
        memset(text, '#', sizeof text);
        ck_assert_uint_eq(kin_describe_matcher(&relay->base, matcher, text, size), strlen(whole));
        size_t kept = size - 1 < strlen(whole) ? size - 1 : strlen(whole);
        ck_assert_uint_eq(strlen(text), kept);
        ck_assert_int_eq(memcmp(text, whole, kept), 0);
        ck_assert_int_eq(text[size], '#');
    }
}
END_TEST

Suite *runtime_describe_suite(void)
{
    Suite *suite = suite_create("runtime_describe");
    TCase *texts = tcase_create("texts");
    tcase_add_checked_fixture(texts, begin, relay_end);
    tcase_add_test(texts, an_entity_is_described_with_its_components_in_order);
    tcase_add_test(texts, mat_03_a_matcher_is_described_in_its_normal_form);
    tcase_add_test(texts, a_description_that_does_not_fit_is_cut_off_and_its_length_returned);
    suite_add_tcase(suite, texts);
    return suite;
}
