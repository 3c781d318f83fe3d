// Event table: the events in the tables of generated code, and the calls of their listeners.
#include "runtime/support/guard.h"
#include "store/store.h"
#include "suites.h"

#include <herald/herald.h>

#include <check.h>

// The events of the context `tower`, in order.
static const kin_event_info expected[] = {
    {"bell_removed", TOWER_BELL, false, true, INT32_MIN, NULL},
    {"any_away", TOWER_AWAY, true, false, -3, NULL},
    {"any_alarm_removed", TOWER_ALARM, true, true, 0, NULL},
    {"bell", TOWER_BELL, false, false, 0, NULL},
    {"any_zeal", TOWER_ZEAL, true, false, 0, NULL},
    {"any_banner_removed", TOWER_BANNER, true, true, 2, NULL},
    {"any_bell", TOWER_BELL, true, false, 2, NULL},
    {"any_bell_removed", TOWER_BELL, true, true, 2, NULL},
    {"zeal", TOWER_ZEAL, false, false, 2, NULL},
    {"alarm", TOWER_ALARM, false, false, INT32_MAX, NULL},
};

enum { EVENT_COUNT = sizeof expected / sizeof expected[0] };

START_TEST(evt_11_events_stand_by_priority_then_component_then_declaration)
{
    const kin_event_info *event = &tower_info.events[_i];
    ck_assert_uint_eq(tower_info.event_count, EVENT_COUNT);
    ck_assert_str_eq(event->name, expected[_i].name);
    ck_assert_uint_eq(event->component, expected[_i].component);
    ck_assert(event->is_any == expected[_i].is_any);
    ck_assert(event->is_removed == expected[_i].is_removed);
    ck_assert_int_eq(event->priority, expected[_i].priority);
    ck_assert(event->deliver != NULL);
}
END_TEST

START_TEST(each_context_has_the_events_of_its_own_components)
{
    ck_assert_uint_eq(gate_info.event_count, 3);
    ck_assert_str_eq(gate_info.events[0].name, "any_away");
    ck_assert_uint_eq(gate_info.events[0].component, GATE_AWAY);
    ck_assert_str_eq(gate_info.events[1].name, "any_zeal");
    ck_assert_str_eq(gate_info.events[2].name, "zeal");
    ck_assert_uint_eq(gate_info.events[2].component, GATE_ZEAL);
}
END_TEST

START_TEST(a_context_without_events_has_no_table)
{
    ck_assert_uint_eq(wall_info.event_count, 0);
    ck_assert_ptr_null(wall_info.events);
}
END_TEST

// The arguments of a listener's call.
typedef struct call {
    tower_context *tower;
    tower_entity entity;
    const Bell *bell;
} call;

static void on_any_bell_removed(tower_context *tower, tower_entity entity, const Bell *value, void *user)
{
    *(call *)user = (call){tower, entity, value};
}

static void on_alarm(tower_context *tower, tower_entity entity, void *user)
{
    *(call *)user = (call){.tower = tower, .entity = entity};
}

START_TEST(deliver_calls_the_typed_listener_with_the_value)
{
    tower_context *tower = tower_context_create(NULL);
    tower_any_bell_removed_listener *listener = on_any_bell_removed;
    const Bell bell = {7};
    call call = {0};
    tower_info.events[7].deliver(&tower->base, 42, &bell, (kin_function *)listener, &call);
    ck_assert_ptr_eq(call.tower, tower);
    ck_assert_uint_eq(call.entity.id, 42);
    ck_assert_ptr_eq(call.bell, &bell);
    tower_context_destroy(tower);
}
END_TEST

START_TEST(deliver_calls_the_listener_of_a_flag_without_a_value)
{
    tower_context *tower = tower_context_create(NULL);
    tower_alarm_listener *listener = on_alarm;
    call call = {0};
    tower_info.events[9].deliver(&tower->base, 43, NULL, (kin_function *)listener, &call);
    ck_assert_ptr_eq(call.tower, tower);
    ck_assert_uint_eq(call.entity.id, 43);
    tower_context_destroy(tower);
}
END_TEST

static void count_group(const kin_change *change, void *count)
{
    (void)change;
    ++*(uint32_t *)count;
}

static void ignore(const kin_error *error, void *user)
{
    (void)user;
    ck_assert_int_eq(error->status, KIN_ERROR_NO_MEMORY);
}

START_TEST(err_01_ctx_04_groups_of_event_systems_are_reported_once_all_exist_or_none_is_created)
{
    guard memory;
    uint32_t group_count = 0;
    kin_systems *made = NULL;
    kin_context_options options = {.allocator = guard_begin(&memory), .on_error = ignore};
    tower_context *tower = tower_context_create(&options);
    kin_context_subscribe(&tower->base, KIN_GROUP_CREATED, count_group, &group_count);
    for (uint64_t request = 1; made == NULL; request++) {
        ck_assert_uint_eq(group_count, 0);
        ck_assert_uint_eq(tower->base.core->group_count, 0);
        guard_fail(&memory, request, false);
        made = tower_event_systems(tower);
        guard_fail(&memory, 0, false);
    }
    ck_assert_uint_eq(group_count, 5); // a group for each component with events
    kin_systems_destroy(made);
    tower_context_destroy(tower);
    guard_end(&memory);
}
END_TEST

Suite *runtime_event_table_suite(void)
{
    Suite *suite = suite_create("runtime_event_table");
    TCase *tests = tcase_create("runtime_event_table");
    tcase_add_loop_test(tests, evt_11_events_stand_by_priority_then_component_then_declaration, 0, EVENT_COUNT);
    tcase_add_test(tests, each_context_has_the_events_of_its_own_components);
    tcase_add_test(tests, a_context_without_events_has_no_table);
    tcase_add_test(tests, deliver_calls_the_typed_listener_with_the_value);
    tcase_add_test(tests, deliver_calls_the_listener_of_a_flag_without_a_value);
    tcase_add_test(tests, err_01_ctx_04_groups_of_event_systems_are_reported_once_all_exist_or_none_is_created);
    suite_add_tcase(suite, tests);
    return suite;
}
