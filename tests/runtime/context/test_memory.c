// Every call that needs memory is tried with each of its requests failing: it is refused, reports that once, and
// changes nothing. Calls that must never need memory are made without any. (tests/sweep does so with all tests.)

#include "base/base.h"
#include "runtime/support/memory_steps.h"
#include "suites.h"

#include <stdio.h>
#include <string.h>

enum { MOST_REQUESTS = 1000 };

// Tries a step with its `number`-th request failing. Returns whether it succeeded without making that request.
static bool try_step(memory_step *step, uint64_t number, bool on)
{
    static visible before, after;
    memory_steps_look(&before);
    made.error_count = 0;
    guard_fail(&made.memory, number, on);
    bool done = step(), failed = guard_has_failed(&made.memory);
    guard_fail(&made.memory, 0, false);
    guard_check(&made.memory);
    ck_assert_int_eq(done, !failed);
    ck_assert_uint_eq(made.error_count, failed);
    if (!failed)
        return true;
    char bytes[64];
    snprintf(bytes, sizeof bytes, "no memory for %zu bytes; ", made.memory.refused);
    ck_assert_int_eq(made.error_status, KIN_ERROR_NO_MEMORY);
    if (strstr(made.error_message, bytes) == NULL)
        ck_abort_msg("\"%s\" should say \"%s\"", made.error_message, bytes);
    memory_steps_look(&after);
    ck_assert_str_eq(before.text, after.text);
    return false;
}

START_TEST(err_01_a_call_that_gets_no_memory_changes_nothing)
{
    for (uint32_t i = 0; i < memory_step_count; i++) {
        uint64_t number = 1;
        while (!try_step(memory_steps[i], number, _i == 1))
            ck_assert_uint_lt(++number, MOST_REQUESTS);
    }
}
END_TEST

// Stops where the `number`-th request of the whole run fails, and destroys everything while memory stays unavailable.
static bool run_until_failure(uint64_t number)
{
    bool done = true;
    memory_steps_begin();
    guard_fail(&made.memory, number, true);
    for (uint32_t i = 0; i < memory_step_count && done; i++)
        done = memory_steps[i]();
    memory_steps_end();
    return done;
}

START_TEST(err_01_all_that_was_created_is_freed_also_without_memory)
{
    uint64_t number = 1;
    while (!run_until_failure(number))
        ck_assert_uint_lt(++number, MOST_REQUESTS);
    ck_assert_uint_gt(number, memory_step_count);
    memory_steps_begin();
}
END_TEST

// ---- inside listeners

static kin_status inner;

static void add_more(const kin_change *change, void *user)
{
    (void)user;
    inner = relay_add_big(relay, relay_changed_entity(change), (Big){{1}});
    ck_assert_int_eq(relay_has_big(relay, relay_changed_entity(change)), inner == KIN_OK);
}

START_TEST(dsp_11_a_change_that_gets_no_memory_in_a_listener_does_not_disturb_the_outer_one)
{
    memory_step_context();
    memory_step_entity();
    memory_step_group();
    kin_group_subscribe(made.groups[0], KIN_ADDED, add_more, NULL);
    guard_fail(&made.memory, (uint64_t)_i, true);
    made.error_count = 0;
    inner = KIN_OK;
    kin_status outer = relay_add_a(relay, made.first, (A){1});
    guard_fail(&made.memory, 0, false);
    ck_assert_int_eq(outer, _i == 1 ? KIN_ERROR_NO_MEMORY : KIN_OK);
    ck_assert_int_eq(inner, _i == 2 ? KIN_ERROR_NO_MEMORY : KIN_OK);
    ck_assert_int_eq(relay_has_a(relay, made.first), _i != 1);
    ck_assert_uint_eq(made.error_count, _i < 3);
}
END_TEST

// ---- calls that never need memory

static void take_all_steps(void)
{
    for (uint32_t i = 0; i + 1 < memory_step_count; i++)
        ck_assert(memory_steps[i]());
}

static void change_without_memory(void)
{
    ck_assert_int_eq(relay_replace_a(relay, made.first, (A){2}), KIN_OK);
    ck_assert_int_eq(relay_replace_big(relay, made.first, (Big){{4}}), KIN_OK);
    ck_assert_int_eq(relay_touch_a(relay, made.first), KIN_OK);
    ck_assert_int_eq(relay_remove_a(relay, made.first), KIN_OK);
    ck_assert_int_eq(relay_add_a(relay, made.first, (A){3}), KIN_OK);
    ck_assert_int_eq(relay_set_f(relay, made.first, false), KIN_OK);
    ck_assert_int_eq(relay_destroy_entity(relay, made.first), KIN_OK);
    ck_assert_int_eq(relay_destroy_all_entities(relay), KIN_ERROR_RETAINED);
    ck_assert_int_eq(relay_context_reset(relay), KIN_ERROR_RETAINED);
}

static void end_without_memory(void)
{
    kin_systems_initialize(made.root);
    kin_systems_execute(made.root, 1);
    kin_systems_deactivate_reactive(made.root);
    kin_systems_activate_reactive(made.root);
    kin_systems_clear_reactive(made.root);
    kin_collector_clear(made.narrow);
    kin_collector_deactivate(made.broad);
    kin_collector_activate(made.broad);
    kin_collector_clear(made.broad);
    kin_unsubscribe(made.subscription);
    ck_assert_int_eq(relay_context_reset(relay), KIN_OK);
    ck_assert_int_eq(links_contexts_reset(made.contexts), KIN_OK);
    for (int i = 0; i < 512; i++)
        ck_assert_uint_ne(relay_create_entity(relay).id, 0);
}

START_TEST(dsp_12_changing_removing_destroying_and_resetting_never_need_memory)
{
    take_all_steps();
    guard_fail(&made.memory, 1, true);
    change_without_memory();
    end_without_memory();
    ck_assert_uint_eq(made.memory.request_count, 0);
}
END_TEST

static void replace_deeper(const kin_change *change, void *user)
{
    uint32_t *left = user;
    if ((*left)-- > 1)
        ck_assert_int_eq(relay_replace_big(relay, relay_changed_entity(change), (Big){{(int32_t)*left}}), KIN_OK);
}

START_TEST(dsp_12_replaces_nested_64_deep_need_no_memory)
{
    uint32_t left = 64;
    take_all_steps();
    kin_group_subscribe(made.groups[RELAY_BIG], KIN_MODIFIED, replace_deeper, &left);
    guard_fail(&made.memory, 1, true);
    ck_assert_int_eq(relay_replace_big(relay, made.first, (Big){{64}}), KIN_OK);
    ck_assert_uint_eq(left, 0);
    ck_assert_uint_eq(made.memory.request_count, 0);
    guard_check(&made.memory);
}
END_TEST

START_TEST(collecting_never_needs_memory)
{
    take_all_steps();
    for (uint32_t i = 0; i < 512; i++)
        ck_assert_int_eq(relay_replace_a(relay, relay_entity_of(relay->base.chunks[0]->ids[i]), (A){(int32_t)i}),
                         KIN_OK);
    kin_collector_clear(made.narrow);
    guard_fail(&made.memory, 1, true);
    for (uint32_t i = 0; i < 512; i++)
        ck_assert_int_eq(relay_touch_a(relay, relay_entity_of(relay->base.chunks[0]->ids[i])), KIN_OK);
    ck_assert_uint_eq(kin_collector_count(made.narrow), 512);
    ck_assert_uint_eq(made.memory.request_count, 0);
}
END_TEST

// On 32 bits an array of 2 GiB reaches that when it grows.
START_TEST(err_01_an_array_of_more_bytes_than_there_can_be_gets_no_memory)
{
    guard given;
    kin__memory memory = kin__memory_of(guard_begin(&given));
    kin__array array = {0};
    ck_assert(!kin__array_reserve(&memory, &array, 4, SIZE_MAX / 4 + 1));
    ck_assert(!kin__array_reserve(&memory, &array, 5, SIZE_MAX / 4 + 2));
    ck_assert_ptr_null(array.elements);
    ck_assert(memory.refused == SIZE_MAX);
    ck_assert_uint_eq(given.request_count, 0);
}
END_TEST

Suite *runtime_memory_suite(void)
{
    Suite *suite = suite_create("runtime_memory");
    TCase *tests = tcase_create("memory");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, memory_steps_begin, memory_steps_end);
    tcase_add_loop_test(tests, err_01_a_call_that_gets_no_memory_changes_nothing, 0, 2);
    tcase_add_test(tests, err_01_all_that_was_created_is_freed_also_without_memory);
    tcase_add_loop_test(tests, dsp_11_a_change_that_gets_no_memory_in_a_listener_does_not_disturb_the_outer_one, 1, 4);
    tcase_add_test(tests, dsp_12_changing_removing_destroying_and_resetting_never_need_memory);
    tcase_add_test(tests, dsp_12_replaces_nested_64_deep_need_no_memory);
    tcase_add_test(tests, collecting_never_needs_memory);
    tcase_add_test(tests, err_01_an_array_of_more_bytes_than_there_can_be_gets_no_memory);
    suite_add_tcase(suite, tests);
    return suite;
}
