// The order of checks (DSP-01): a call with several faults reports the first of them. All calls are made at the maximal
// depth and without memory, so that the later checks would fail too.
#include "entity/entity.h"
#include "runtime/support/case.h"
#include "suites.h"

#include <check.h>
#include <keyed/keyed.h>

enum { DEPTH = 64 };

CASE(hall)

static hall_entity nested, leader, dead;
static uint32_t depth, error_count;
static kin_status error_status;
static void (*at_the_limit)(void);

static void on_error(const kin_error *error, void *user)
{
    (void)user;
    error_count++;
    error_status = error->status;
}

static void begin(void)
{
    hall_begin_with(&(kin_context_options){.on_error = on_error});
    nested = hall_create_entity(hall);
    hall_add_plain(hall, nested, (Plain){0});
    leader = hall_set_unique_leader(hall, (Leader){1, 0});
    hall_add_ticket(hall, leader, (Ticket){7});
    dead = hall_create_entity(hall);
    hall_destroy_entity(hall, dead);
    depth = error_count = 0;
}

static void expect(kin_status status, kin_status expected)
{
    ck_assert_str_eq(kin_status_name(status), kin_status_name(expected));
    ck_assert_uint_eq(error_count, 1);
    ck_assert_int_eq(error_status, expected);
    error_count = 0;
}

static void go_deeper(const kin_change *change, void *user)
{
    (void)change;
    (void)user;
    if (++depth < DEPTH) {
        ck_assert_int_eq(hall_replace_plain(hall, nested, (Plain){(int32_t)depth}), KIN_OK);
        return;
    }
    guard_fail(&memory, 1, true);
    at_the_limit();
    guard_fail(&memory, 0, false);
}

static void nest(void (*act)(void))
{
    kin_group *group = kin_context_group(&hall->base, KIN_MATCHER(KIN_ALL(HALL_PLAIN)));
    kin_group_subscribe(group, KIN_MODIFIED, go_deeper, NULL);
    at_the_limit = act;
    ck_assert_int_eq(hall_replace_plain(hall, nested, (Plain){0}), KIN_OK);
    ck_assert_uint_eq(depth, DEPTH);
}

static void do_wrong_things(void)
{
    expect(hall_add_leader(hall, dead, (Leader){1, 0}), KIN_ERROR_NOT_ALIVE);
    expect(hall_add_leader(hall, leader, (Leader){1, 0}), KIN_ERROR_HAS_COMPONENT);
    expect(hall_remove_ticket(hall, nested), KIN_ERROR_NO_COMPONENT);
    expect(hall_add_leader(hall, nested, (Leader){1, 0}), KIN_ERROR_UNIQUE);
    expect(hall_add_ticket(hall, nested, (Ticket){7}), KIN_ERROR_DUPLICATE_KEY);
    expect(hall_add_ticket(hall, nested, (Ticket){8}), KIN_ERROR_LIMIT);
    expect(hall_add_book(hall, nested, (Book){1, "a title"}), KIN_ERROR_LIMIT);
}

START_TEST(dsp_01_alive_has_unique_key_limit_and_memory_are_checked_in_this_order)
{
    nest(do_wrong_things);
    guard_fail(&memory, 1, true);
    expect(hall_add_book(hall, nested, (Book){1, "a title"}), KIN_ERROR_NO_MEMORY);
    guard_fail(&memory, 0, false);
    ck_assert_int_eq(hall_add_book(hall, nested, (Book){1, "a title"}), KIN_OK);
}
END_TEST

static void make_wrongly(void)
{
    ck_assert_uint_eq(hall_set_unique_leader(hall, (Leader){1, 0}).id, 0);
    expect(error_status, KIN_ERROR_UNIQUE);
    ck_assert_uint_eq(hall_clone_entity(hall, dead).id, 0);
    expect(error_status, KIN_ERROR_NOT_ALIVE);
    ck_assert_uint_eq(hall_clone_entity(hall, leader).id, 0);
    expect(error_status, KIN_ERROR_LIMIT);
    ck_assert_uint_eq(hall_create_entity(hall).id, 0);
    expect(error_status, KIN_ERROR_LIMIT);
}

START_TEST(dsp_01_what_makes_entities_is_checked_in_this_order_too)
{
    nest(make_wrongly);
    ck_assert_uint_eq(hall_entity_count(hall), 2);
}
END_TEST

Suite *runtime_check_order_suite(void)
{
    Suite *suite = suite_create("runtime_check_order");
    TCase *rules = tcase_create("rules");
    tcase_add_checked_fixture(rules, begin, hall_end);
    tcase_add_test(rules, dsp_01_alive_has_unique_key_limit_and_memory_are_checked_in_this_order);
    tcase_add_test(rules, dsp_01_what_makes_entities_is_checked_in_this_order_too);
    suite_add_tcase(suite, rules);
    return suite;
}
