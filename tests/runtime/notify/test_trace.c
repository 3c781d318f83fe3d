// Traces: which change collected an entity, and what the filter of the system said.

#include "entity/entity.h"
#include "runtime/support/relay_case.h"
#include "suites.h"

#include <kin/journal.h>

static relay_entity one, other;
static kin_collection ring[4];
static kin_trace trace;
static kin_collector *collector;
static kin_systems *systems;
static bool rejects;

static bool let_pass(void *self, kin_context *context, kin_entity entity)
{
    (void)self;
    return !rejects && kin_entity_is_alive(context, entity);
}

static void execute(void *self, kin_context *context, const kin_entity *entities, uint32_t count)
{
    (void)self, (void)context, (void)entities;
    log_write("ran%u ", count);
}

static void find_collector(const kin_system_entry *entry, void *user)
{
    (void)user;
    collector = entry->collector;
}

static void begin(void)
{
    relay_begin();
    one = relay_entity_with_a(1);
    other = relay_entity_with_a(2);
    rejects = false;
    kin_trigger triggers[] = {{relay_all(RELAY_A), KIN_MODIFIED}, {relay_all(RELAY_B), KIN_ADDED_OR_REMOVED}};
    kin_reactive_system system = {
        .name = "Count", .triggers = triggers, .trigger_count = 2, .filter = let_pass, .execute = execute};
    systems = kin_systems_create("all", NULL);
    ck_assert_int_eq(kin_systems_add_reactive(systems, system), KIN_OK);
    kin_systems_walk(systems, find_collector, NULL);
    trace = (kin_trace){.ring = ring, .capacity = 4, .frame = 7, .system = 3, .step = 2, .role = KIN_ROLE_UPDATE};
    ck_assert_int_eq(kin_collector_trace(collector, &trace), KIN_OK);
    ck_assert_ptr_eq(kin_collector_trace_of(collector), &trace);
}

static void end(void)
{
    ck_assert(kin__context_is_valid(&relay->base));
    kin_systems_destroy(systems);
    relay_end();
}

#define expect_collection(number, of, with, changed, occurred, judged)                                                 \
    do {                                                                                                               \
        const kin_collection *found = &ring[(number) % 4];                                                             \
        ck_assert_uint_gt(trace.count, number);                                                                        \
        ck_assert_uint_eq(found->entity, (of).id);                                                                     \
        ck_assert_uint_eq(found->component, with);                                                                     \
        ck_assert_int_eq(found->change, changed);                                                                      \
        ck_assert_int_eq(found->event, occurred);                                                                      \
        ck_assert_int_eq(found->verdict, judged);                                                                      \
        ck_assert_ptr_eq(found->context, &relay->base);                                                                \
    } while (0)

START_TEST(rfl_26_the_first_change_that_collects_an_entity_is_noted)
{
    relay_replace_a(relay, one, (A){3});
    relay_replace_a(relay, one, (A){4});
    relay_add_b(relay, other, (B){1});
    ck_assert_uint_eq(trace.count, 2);
    expect_collection(0, one, RELAY_A, KIN_RECORD_REPLACED, KIN_MODIFIED, KIN_VERDICT_WAITING);
    expect_collection(1, other, RELAY_B, KIN_RECORD_ADDED, KIN_ADDED_OR_REMOVED, KIN_VERDICT_WAITING);
    ck_assert_ptr_eq(ring[1].group, relay_all(RELAY_B));
    ck_assert_uint_eq(ring[0].frame, 7);
    ck_assert_uint_eq(ring[0].system, 3);
    ck_assert_uint_eq(ring[0].step, 2);
    ck_assert_uint_eq(ring[0].role, KIN_ROLE_UPDATE);
}
END_TEST

START_TEST(rfl_26_a_run_says_what_its_filter_did)
{
    relay_replace_a(relay, one, (A){3});
    kin_systems_execute(systems, 1);
    expect_collection(0, one, RELAY_A, KIN_RECORD_REPLACED, KIN_MODIFIED, KIN_VERDICT_PASSED);
    rejects = true;
    relay_replace_a(relay, one, (A){4});
    kin_systems_execute(systems, 1);
    expect_collection(1, one, RELAY_A, KIN_RECORD_REPLACED, KIN_MODIFIED, KIN_VERDICT_REJECTED);
    relay_add_b(relay, other, (B){1});
    relay_destroy_entity(relay, other);
    kin_systems_execute(systems, 1);
    expect_collection(2, other, RELAY_B, KIN_RECORD_ADDED, KIN_ADDED_OR_REMOVED, KIN_VERDICT_DEAD);
    ck_assert_log("ran1 ");
}
END_TEST

START_TEST(rfl_26_destroying_an_entity_is_the_removal_of_its_component)
{
    relay_add_b(relay, one, (B){1});
    kin_systems_execute(systems, 1);
    relay_destroy_entity(relay, one);
    expect_collection(1, one, RELAY_B, KIN_RECORD_REMOVED, KIN_ADDED_OR_REMOVED, KIN_VERDICT_WAITING);
    ck_assert_log("ran1 ");
}
END_TEST

START_TEST(rfl_26_the_newest_collections_stay)
{
    for (int32_t i = 0; i < 6; i++) {
        relay_replace_a(relay, i % 2 == 0 ? one : other, (A){i});
        kin_collector_clear(collector);
    }
    ck_assert_uint_eq(trace.count, 6);
    expect_collection(5, other, RELAY_A, KIN_RECORD_REPLACED, KIN_MODIFIED, KIN_VERDICT_WAITING);
    expect_collection(2, one, RELAY_A, KIN_RECORD_REPLACED, KIN_MODIFIED, KIN_VERDICT_WAITING);
    ck_assert(!kin_collector_contains(collector, &relay->base, one.id));
}
END_TEST

START_TEST(rfl_26_without_a_trace_a_collector_is_collected_directly_again)
{
    uintptr_t library = relay->base.components[RELAY_A].replace_path;
    relay_replace_a(relay, one, (A){3});
    ck_assert_int_eq(kin_collector_trace(collector, NULL), KIN_OK);
    ck_assert_uint_ne(relay->base.components[RELAY_A].replace_path, library);
    relay_replace_a(relay, other, (A){3});
    ck_assert_uint_eq(kin_collector_count(collector), 2);
    ck_assert_uint_eq(trace.count, 1);
    ck_assert(kin__context_is_valid(&relay->base));
}
END_TEST

START_TEST(rfl_26_a_collector_that_is_not_active_may_be_traced)
{
    kin_collector_deactivate(collector);
    ck_assert_int_eq(kin_collector_trace(collector, NULL), KIN_OK);
    ck_assert_int_eq(kin_collector_trace(collector, &trace), KIN_OK);
    relay_replace_a(relay, one, (A){3});
    ck_assert_uint_eq(trace.count, 0);
    kin_collector_activate(collector);
    relay_replace_a(relay, one, (A){4});
    ck_assert_uint_eq(trace.count, 1);
}
END_TEST

static void trace_it(const kin_change *change)
{
    (void)change;
    ck_assert_int_eq(kin_collector_trace(collector, trace.count == 0 ? NULL : &trace), KIN_OK);
}

START_TEST(rfl_26_a_listener_may_end_a_trace)
{
    relay_watch_and(relay_all(RELAY_A), KIN_MODIFIED, "A", trace_it, 9);
    relay_replace_a(relay, one, (A){4});
    relay_replace_a(relay, other, (A){4});
    ck_assert_uint_eq(kin_collector_count(collector), 2);
    ck_assert_log("A A ");
}
END_TEST

START_TEST(rfl_26_a_trace_without_a_ring_is_refused)
{
    kin_trace bad = {.capacity = 4};
    ck_assert_int_eq(kin_collector_trace(collector, &bad), KIN_ERROR_INVALID);
    ck_assert_int_eq(kin_collector_trace(NULL, &trace), KIN_ERROR_INVALID);
    ck_assert_ptr_null(kin_collector_trace_of(NULL));
    ck_assert_log("!INVALID ");
}
END_TEST

Suite *runtime_trace_suite(void)
{
    Suite *suite = suite_create("runtime_trace");
    TCase *tests = tcase_create("trace");
    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_test(tests, rfl_26_the_first_change_that_collects_an_entity_is_noted);
    tcase_add_test(tests, rfl_26_a_run_says_what_its_filter_did);
    tcase_add_test(tests, rfl_26_destroying_an_entity_is_the_removal_of_its_component);
    tcase_add_test(tests, rfl_26_the_newest_collections_stay);
    tcase_add_test(tests, rfl_26_without_a_trace_a_collector_is_collected_directly_again);
    tcase_add_test(tests, rfl_26_a_collector_that_is_not_active_may_be_traced);
    tcase_add_test(tests, rfl_26_a_listener_may_end_a_trace);
    tcase_add_test(tests, rfl_26_a_trace_without_a_ring_is_refused);
    suite_add_tcase(suite, tests);
    return suite;
}
