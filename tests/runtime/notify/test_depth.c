// Changes nest 64 deep in listeners (DSP-13).

#include "runtime/support/relay_case.h"
#include "suites.h"

enum { DEPTH = 64 };

// `one` is nested in itself; `other` has C, which is not watched, so that all columns exist; `dead` is dead.
static relay_entity one, other, dead;
static uint32_t depth, refused;
static relay_act *at_the_limit;

static void begin(void)
{
    relay_begin();
    depth = refused = 0;
    at_the_limit = NULL;
    one = relay_entity_with_a(1);
    other = relay_entity_with_a(1);
    dead = relay_entity_with_a(1);
    relay_add_b(relay, one, (B){1});
    relay_remove_b(relay, one);
    relay_add_c(relay, other, (C){1});
    relay_set_f(relay, other, true);
    relay_destroy_entity(relay, dead);
}

static void expect_limit(kin_status status)
{
    ck_assert_str_eq(kin_status_name(status), "KIN_ERROR_LIMIT");
    ck_assert_log("!LIMIT ");
    refused++;
}

static void go_deeper(const kin_change *change)
{
    log_begin();
    if (++depth < DEPTH) {
        ck_assert_int_eq(relay_replace_a(relay, one, (A){(int32_t)depth}), KIN_OK);
        return;
    }
    expect_limit(relay_replace_a(relay, one, (A){100}));
    if (at_the_limit != NULL)
        at_the_limit(change);
}

static void nest(relay_act *act)
{
    kin_subscription watching = relay_watch_and(relay_all(RELAY_A), KIN_MODIFIED, "~", go_deeper, DEPTH + 1);
    at_the_limit = act;
    ck_assert_int_eq(relay_replace_a(relay, one, (A){0}), KIN_OK);
    kin_unsubscribe(watching);
    ck_assert_uint_eq(depth, DEPTH);
}

START_TEST(dsp_13_changes_nest_64_deep_the_outermost_counted)
{
    nest(NULL);
    ck_assert_uint_eq(refused, 1);
    ck_assert_int_eq(relay_get_a(relay, one)->value, DEPTH - 1);
}
END_TEST

static void try_components(const kin_change *change)
{
    (void)change;
    expect_limit(relay_add_b(relay, one, (B){1}));
    expect_limit(relay_add_c(relay, one, (C){1}));
    expect_limit(relay_add_big(relay, one, (Big){{1}}));
    expect_limit(relay_replace_b(relay, one, (B){1}));
    expect_limit(relay_replace_c(relay, other, (C){9}));
    expect_limit(relay_touch_c(relay, other));
    expect_limit(relay_remove_c(relay, other));
    expect_limit(relay_set_f(relay, one, true));
    expect_limit(relay_set_f(relay, other, false));
    expect_limit(relay_set_g(relay, one, true));
}

START_TEST(dsp_13_a_change_of_a_component_without_watchers_is_refused_there_too)
{
    nest(try_components);
    ck_assert_uint_eq(refused, 11);
    ck_assert(!relay_has_b(relay, one) && !relay_has_c(relay, one) && !relay_is_f(relay, one));
    ck_assert_int_eq(relay_get_c(relay, other)->value, 1);
    ck_assert(relay_is_f(relay, other));
}
END_TEST

static void try_entities(const kin_change *change)
{
    (void)change;
    expect_limit(relay_create_entity(relay).id == 0 ? KIN_ERROR_LIMIT : KIN_OK);
    expect_limit(relay_destroy_entity(relay, other));
    expect_limit(relay_destroy_all_entities(relay));
    expect_limit(relay_context_reset(relay));
    expect_limit(kin_group_destroy_entities(relay_all(RELAY_C)));
}

START_TEST(dsp_13_creating_and_destroying_is_refused_there_too)
{
    nest(try_entities);
    ck_assert_uint_eq(refused, 6);
    ck_assert_uint_eq(relay_entity_count(relay), 2);
    ck_assert(relay_entity_is_alive(relay, other));
}
END_TEST

static void try_what_fails_before(const kin_change *change)
{
    (void)change;
    ck_assert_int_eq(relay_add_c(relay, dead, (C){1}), KIN_ERROR_NOT_ALIVE);
    ck_assert_int_eq(relay_replace_c(relay, dead, (C){1}), KIN_ERROR_NOT_ALIVE);
    ck_assert_int_eq(relay_add_c(relay, other, (C){1}), KIN_ERROR_HAS_COMPONENT);
    ck_assert_int_eq(relay_remove_c(relay, one), KIN_ERROR_NO_COMPONENT);
    ck_assert_int_eq(relay_touch_c(relay, one), KIN_ERROR_NO_COMPONENT);
    ck_assert_int_eq(relay_destroy_entity(relay, dead), KIN_ERROR_NOT_ALIVE);
    ck_assert_log("!NOT_ALIVE !NOT_ALIVE !HAS_COMPONENT !NO_COMPONENT !NO_COMPONENT !NOT_ALIVE ");
}

START_TEST(dsp_01_alive_and_has_are_checked_before_the_limit)
{
    nest(try_what_fails_before);
}
END_TEST

static void do_without_change(const kin_change *change)
{
    (void)change;
    ck_assert_int_eq(relay_set_f(relay, other, true), KIN_OK);
    ck_assert_int_eq(relay_set_f(relay, one, false), KIN_OK);
    relay_edit_c(relay, other)->value = 5;
    kin_unsubscribe(relay_watch(relay_all(RELAY_C), KIN_ADDED, "C+"));
    kin_collector *collector = kin_collector_create(&(kin_trigger){relay_all(RELAY_C), KIN_ADDED}, 1);
    ck_assert_ptr_nonnull(collector);
    kin_collector_destroy(collector);
    ck_assert_log("");
}

START_TEST(dsp_13_calls_that_change_nothing_are_not_refused)
{
    nest(do_without_change);
}
END_TEST

START_TEST(dsp_13_everything_works_again_afterwards)
{
    nest(try_components);
    log_begin();
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(relay_add_b(relay, one, (B){1}), KIN_OK);
        ck_assert_int_eq(relay_remove_b(relay, one), KIN_OK);
        ck_assert_int_eq(relay_replace_c(relay, other, (C){2}), KIN_OK);
        ck_assert_int_eq(relay_touch_a(relay, one), KIN_OK);
        ck_assert_int_eq(relay_set_f(relay, other, i == 0 ? false : true), KIN_OK);
        ck_assert_int_eq(relay_destroy_entity(relay, relay_create_entity(relay)), KIN_OK);
    }
    depth = 0;
    nest(NULL);
    ck_assert_log("");
}
END_TEST

START_TEST(dsp_13_the_depth_of_one_context_is_not_that_of_another)
{
    relay_context *first = relay;
    relay_context *second = relay_context_create(NULL);
    relay_watch_and(relay_all(RELAY_A), KIN_MODIFIED, "~", go_deeper, DEPTH - 1);
    relay_replace_a(first, one, (A){0});
    ck_assert_int_eq(relay_add_a(second, relay_create_entity(second), (A){1}), KIN_OK);
    relay_context_destroy(second);
}
END_TEST

// ---- other kinds of change

static kin_subscription watching;

static void create_another(const kin_change *change)
{
    (void)change;
    log_begin();
    depth++;
    if (relay_create_entity(relay).id == 0)
        expect_limit(KIN_ERROR_LIMIT);
}

START_TEST(dsp_13_creations_nest_as_deep)
{
    uint32_t before = relay_entity_count(relay);
    watching = relay_watch_and(relay_none(RELAY_A), KIN_ADDED, "+", create_another, 1000);
    ck_assert_uint_ne(relay_create_entity(relay).id, 0);
    ck_assert_uint_eq(depth, DEPTH);
    ck_assert_uint_eq(refused, 1);
    ck_assert_uint_eq(relay_entity_count(relay), before + DEPTH);
}
END_TEST

static relay_entity chain[DEPTH + 1];

static void destroy_next(const kin_change *change)
{
    (void)change;
    log_begin();
    if (++depth < DEPTH)
        ck_assert_int_eq(relay_destroy_entity(relay, chain[depth]), KIN_OK);
    else
        expect_limit(relay_destroy_entity(relay, chain[depth]));
}

START_TEST(dsp_13_destructions_nest_as_deep)
{
    for (int i = 0; i <= DEPTH; i++)
        chain[i] = relay_entity_with_a(i);
    relay_watch_and(relay_all(RELAY_A), KIN_REMOVED, "-", destroy_next, 1000);
    ck_assert_int_eq(relay_destroy_entity(relay, chain[0]), KIN_OK);
    ck_assert_uint_eq(refused, 1);
    ck_assert(!relay_entity_is_alive(relay, chain[DEPTH - 1]));
    ck_assert(relay_entity_is_alive(relay, chain[DEPTH]));
}
END_TEST

static void toggle_a(const kin_change *change)
{
    log_begin();
    depth++;
    relay_entity entity = relay_changed_entity(change);
    kin_status status = relay_has_a(relay, entity) ? relay_remove_a(relay, entity) : relay_add_a(relay, entity, (A){1});
    if (status != KIN_OK)
        expect_limit(status);
}

START_TEST(dsp_13_adds_and_removes_nest_as_deep)
{
    relay_watch_and(relay_all(RELAY_A), KIN_ADDED_OR_REMOVED, "*", toggle_a, DEPTH);
    ck_assert_int_eq(relay_remove_a(relay, one), KIN_OK);
    ck_assert_uint_eq(depth, DEPTH);
    ck_assert_uint_eq(refused, 1);
    ck_assert(relay_has_a(relay, one));
}
END_TEST

Suite *runtime_depth_suite(void)
{
    Suite *suite = suite_create("runtime_depth");
    TCase *tests = tcase_create("depth");
    tcase_add_checked_fixture(tests, begin, relay_end);
    tcase_add_test(tests, dsp_13_changes_nest_64_deep_the_outermost_counted);
    tcase_add_test(tests, dsp_13_a_change_of_a_component_without_watchers_is_refused_there_too);
    tcase_add_test(tests, dsp_13_creating_and_destroying_is_refused_there_too);
    tcase_add_test(tests, dsp_01_alive_and_has_are_checked_before_the_limit);
    tcase_add_test(tests, dsp_13_calls_that_change_nothing_are_not_refused);
    tcase_add_test(tests, dsp_13_everything_works_again_afterwards);
    tcase_add_test(tests, dsp_13_the_depth_of_one_context_is_not_that_of_another);
    tcase_add_test(tests, dsp_13_creations_nest_as_deep);
    tcase_add_test(tests, dsp_13_destructions_nest_as_deep);
    tcase_add_test(tests, dsp_13_adds_and_removes_nest_as_deep);
    suite_add_tcase(suite, tests);
    return suite;
}
