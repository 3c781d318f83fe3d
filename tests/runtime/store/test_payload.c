// The values that a change shows stay the same (DSP-09), whatever its listeners do.

#include "runtime/support/relay_case.h"
#include "suites.h"

// Changes the component, and then reads the values that it got at the beginning.
static void act_and_read(const kin_change *change, relay_act *act)
{
    const A *previous = change->previous, *value = change->value;
    act(change);
    log_write("(%d,%d) ", previous == NULL ? -1 : (int)previous->value, value == NULL ? -1 : (int)value->value);
}

static void replace_twice(const kin_change *change)
{
    relay_replace_a(relay, relay_changed_entity(change), (A){50});
    relay_replace_a(relay, relay_changed_entity(change), (A){60});
}

static void remove_and_add(const kin_change *change)
{
    relay_remove_a(relay, relay_changed_entity(change));
    relay_add_a(relay, relay_changed_entity(change), (A){70});
}

static void add_again(const kin_change *change)
{
    relay_add_a(relay, relay_changed_entity(change), (A){80});
}

static void write_in_place(const kin_change *change)
{
    relay_edit_a(relay, relay_changed_entity(change))->value = 90;
}

static void destroy_and_use_the_slot_again(const kin_change *change)
{
    relay_destroy_entity(relay, relay_changed_entity(change));
    relay_entity entity = relay_entity_with_a(99);
    ck_assert_uint_eq(kin_entity_slot(entity.id), kin_entity_slot(change->entity));
}

#define ACT_AND_READ(name)                                                                                             \
    static void name##_and_read(const kin_change *change)                                                              \
    {                                                                                                                  \
        act_and_read(change, name);                                                                                    \
    }

ACT_AND_READ(replace_twice)
ACT_AND_READ(remove_and_add)
ACT_AND_READ(add_again)
ACT_AND_READ(write_in_place)
ACT_AND_READ(destroy_and_use_the_slot_again)

static const struct {
    relay_act *act;
    int32_t after; // the component's value at the end
    const char *of_add, *of_replace;
} cases[] = {
    {replace_twice_and_read, 60, "+ + next=-,50 + next=-,60 (-1,10) next=-,10 ",
     "~ ~ next=20,50 ~ next=50,60 (10,20) next=10,20 "},
    {remove_and_add_and_read, 70, "+ + next=-,70 (-1,10) next=-,10 ", "~ (10,20) next=10,20 "},
    {write_in_place_and_read, 90, "+ (-1,10) next=-,10 ", "~ (10,20) next=10,20 "},
};

enum { CASE_COUNT = sizeof cases / sizeof *cases };

START_TEST(dsp_09_the_value_of_an_add_stays_whatever_nested_changes_do)
{
    kin_group *a = relay_all(RELAY_A);
    relay_entity entity = relay_create_entity(relay);
    relay_watch_and(a, KIN_ADDED, "+", cases[_i].act, 1);
    relay_watch(a, KIN_ADDED, "next=");
    ck_assert_int_eq(relay_add_a(relay, entity, (A){10}), KIN_OK);
    ck_assert_int_eq(relay_get_a(relay, entity)->value, cases[_i].after);
    ck_assert_log(cases[_i].of_add);
}
END_TEST

START_TEST(dsp_09_both_values_of_a_replace_stay_whatever_nested_changes_do)
{
    kin_group *a = relay_all(RELAY_A);
    relay_entity entity = relay_entity_with_a(10);
    relay_watch_and(a, KIN_MODIFIED, "~", cases[_i].act, 1);
    relay_watch(a, KIN_MODIFIED, "next=");
    ck_assert_int_eq(relay_replace_a(relay, entity, (A){20}), KIN_OK);
    ck_assert_int_eq(relay_get_a(relay, entity)->value, cases[_i].after);
    ck_assert_log(cases[_i].of_replace);
}
END_TEST

START_TEST(dsp_09_the_value_of_a_touch_stays)
{
    kin_group *a = relay_all(RELAY_A);
    relay_entity entity = relay_entity_with_a(10);
    relay_watch_and(a, KIN_MODIFIED, "~", write_in_place_and_read, 1);
    relay_watch(a, KIN_MODIFIED, "next=");
    relay_touch_a(relay, entity);
    ck_assert_log("~ (10,10) next=10,10 ");
}
END_TEST

START_TEST(dsp_09_the_value_of_a_remove_stays_when_the_component_is_added_again)
{
    kin_group *a = relay_all(RELAY_A);
    relay_entity entity = relay_entity_with_a(10);
    relay_watch_and(a, KIN_REMOVED, "-", add_again_and_read, 1);
    relay_watch(a, KIN_REMOVED, "next=");
    relay_remove_a(relay, entity);
    ck_assert_int_eq(relay_get_a(relay, entity)->value, 80);
    ck_assert_log("- (10,-1) next=10,- ");
}
END_TEST

START_TEST(dsp_09_values_stay_when_the_slot_is_used_again_inside_the_call)
{
    kin_group *a = relay_all(RELAY_A);
    relay_entity entity = relay_entity_with_a(10);
    kin_subscription added = relay_watch_and(a, KIN_MODIFIED, "~", destroy_and_use_the_slot_again_and_read, 1);
    relay_replace_a(relay, entity, (A){20});
    ck_assert_log("~ (10,20) ");
    kin_unsubscribe(added);
    relay_watch_and(a, KIN_ADDED, "+", destroy_and_use_the_slot_again_and_read, 1);
    relay_entity_with_a(30);
    ck_assert_log("+ + (-1,30) ");
}
END_TEST

static void reset_and_fill(const kin_change *change)
{
    (void)change;
    relay_context_reset(relay);
    for (int i = 0; i < 3; i++)
        relay_entity_with_a(99);
}

ACT_AND_READ(reset_and_fill)

START_TEST(dsp_09_values_stay_when_a_reset_gives_all_slots_out_again)
{
    relay_entity entity = relay_entity_with_a(10);
    kin_subscription removed = relay_watch_and(relay_all(RELAY_A), KIN_REMOVED, "-", reset_and_fill_and_read, 1);
    relay_destroy_entity(relay, entity);
    kin_unsubscribe(removed);
    relay_watch_and(relay_all(RELAY_A), KIN_MODIFIED, "~", reset_and_fill_and_read, 1);
    relay_replace_a(relay, relay_entity_of((kin_entity)1 << 24 | 1), (A){20});
    ck_assert_log("- (10,-1) ~ (99,20) ");
}
END_TEST

static void watch_a_larger_component(const kin_change *change)
{
    relay_entity entity = relay_create_entity(relay);
    relay_watch(relay_all(RELAY_BIG), KIN_MODIFIED, "big=");
    Big big = {{1}};
    relay_add_big(relay, entity, big);
    big.values[0] = 2;
    relay_replace_big(relay, entity, big);
    relay_replace_a(relay, relay_changed_entity(change), (A){30});
}

ACT_AND_READ(watch_a_larger_component)

START_TEST(dsp_09_values_stay_when_a_larger_component_gets_its_first_subscriber)
{
    relay_entity entity = relay_entity_with_a(10);
    relay_watch_and(relay_all(RELAY_A), KIN_MODIFIED, "~", watch_a_larger_component_and_read, 1);
    relay_watch(relay_all(RELAY_A), KIN_MODIFIED, "next=");
    relay_replace_a(relay, entity, (A){20});
    ck_assert_log("~ big=1,2 ~ next=20,30 (10,20) next=10,20 ");
}
END_TEST

static void change_all_of_it(const kin_change *change)
{
    const Big *previous = change->previous, *value = change->value;
    Big other;
    memset(&other, 0x33, sizeof other);
    relay_replace_big(relay, relay_changed_entity(change), other);
    for (int i = 0; i < 40; i++) {
        ck_assert_int_eq(previous->values[i], i);
        ck_assert_int_eq(value->values[i], -i);
    }
}

START_TEST(dsp_09_every_byte_of_a_large_value_stays)
{
    Big big, negative;
    for (int i = 0; i < 40; i++) {
        big.values[i] = i;
        negative.values[i] = -i;
    }
    relay_entity entity = relay_create_entity(relay);
    relay_add_big(relay, entity, big);
    relay_watch_and(relay_all(RELAY_BIG), KIN_MODIFIED, "~", change_all_of_it, 1);
    relay_replace_big(relay, entity, negative);
    ck_assert_log("~ ~ ");
}
END_TEST

START_TEST(cmp_05_a_value_may_be_replaced_by_itself)
{
    relay_entity entity = relay_entity_with_a(10);
    relay_watch(relay_all(RELAY_A), KIN_MODIFIED, "~=");
    relay_replace_a(relay, entity, *relay_get_a(relay, entity));
    ck_assert_log("~=10,10 ");
}
END_TEST

Suite *runtime_payload_suite(void)
{
    Suite *suite = suite_create("runtime_payload");
    TCase *tests = tcase_create("payload");
    tcase_add_checked_fixture(tests, relay_begin, relay_end);
    tcase_add_loop_test(tests, dsp_09_the_value_of_an_add_stays_whatever_nested_changes_do, 0, CASE_COUNT);
    tcase_add_loop_test(tests, dsp_09_both_values_of_a_replace_stay_whatever_nested_changes_do, 0, CASE_COUNT);
    tcase_add_test(tests, dsp_09_the_value_of_a_touch_stays);
    tcase_add_test(tests, dsp_09_the_value_of_a_remove_stays_when_the_component_is_added_again);
    tcase_add_test(tests, dsp_09_values_stay_when_the_slot_is_used_again_inside_the_call);
    tcase_add_test(tests, dsp_09_values_stay_when_a_reset_gives_all_slots_out_again);
    tcase_add_test(tests, dsp_09_values_stay_when_a_larger_component_gets_its_first_subscriber);
    tcase_add_test(tests, dsp_09_every_byte_of_a_large_value_stays);
    tcase_add_test(tests, cmp_05_a_value_may_be_replaced_by_itself);
    suite_add_tcase(suite, tests);
    return suite;
}
