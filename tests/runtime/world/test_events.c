// Generated events, chapter 14 of the rules: which listeners are notified of which changes, and when.
#include "runtime/support/board_case.h"
#include "runtime/support/event_case.h"
#include "suites.h"

#include <kin/generated/event_system.h>

static listener a, b, c;

static void begin(void)
{
    events_begin_solo();
    a = (listener){.label = "a"};
    b = (listener){.label = "b"};
    c = (listener){.label = "c"};
}

START_TEST(evt_01_a_change_calls_no_listener_until_the_system_is_executed)
{
    kin_entity label = evented_create();
    event_listen(label, ANY_PLACE, &a);
    kin_entity first = evented_create_at(1);
    ck_assert_str_eq(logged(), "");
    deliver_all();
    ck_assert_str_eq(logged(), "a1=1 ");
    deliver_all();
    ck_assert_str_eq(logged(), "");
    evented_place(first, 2);
    kin_systems_initialize(event_systems);
    kin_systems_cleanup(event_systems);
    kin_systems_tear_down(event_systems);
    ck_assert_str_eq(logged(), "");
    deliver_all();
    ck_assert_str_eq(logged(), "a1=2 ");
}
END_TEST

START_TEST(evt_01_a_second_collection_delivers_on_its_own_from_when_it_was_made)
{
    kin_entity label = evented_create();
    event_listen(label, ANY_PLACE, &a);
    event_listen(label, ANY_PLACE_REMOVED, &b);
    kin_entity first = evented_create_at(1), second = evented_create_at(2);
    kin_systems *other = kin__event_systems(evented());
    evented_unplace(first);
    evented_destroy(second);
    deliver_all();
    ck_assert_str_eq(logged(), "b1=1 b2=2 ");
    kin_systems_execute(other, 1);
    ck_assert_str_eq(logged(), "b1=1 b2=2 ");
    evented_place(first, 3);
    kin_systems_execute(other, 1);
    ck_assert_str_eq(logged(), "a1=3 ");
    kin_systems_destroy(other);
    deliver_all();
    ck_assert_str_eq(logged(), "a1=3 ");
}
END_TEST

START_TEST(evt_02_listening_needs_no_component_and_adds_none)
{
    kin_entity label = evented_create(), other = evented_create_at(1);
    deliver_all();
    kin_group *empty = kin_context_group(evented(), KIN_MATCHER(KIN_NONE(SOLO_PLACE)));
    event_listen(label, SELF_PLACE, &a);
    event_listen(label, ANY_PLACE, &b);
    event_listen(other, SELF_PLACE, &c);
    ck_assert_uint_eq(kin_group_count(empty), 1);
    solo_entity clone = solo_clone_entity(evented_solo, solo_entity_of(other));
    deliver_all();
    ck_assert_str_eq(logged(), "b2=1 "); // the clone has no listeners of its own
    unlisten(label, ANY_PLACE, &b);
    unlisten(label, SELF_PLACE, &a);
    ck_assert(kin_entity_is_alive(evented(), label));
    evented_place(clone.id, 4);
    deliver_all();
    ck_assert_str_eq(logged(), "");
}
END_TEST

static kin_status status_during_destruction;

static void listen_during_destruction(const kin_change *change, void *user)
{
    status_during_destruction =
        kin__event_listener_add(change->context, change->entity, ANY_PLACE, listener_function(), user);
    kin_systems_execute(event_systems, 1);
}

START_TEST(evt_02_listeners_are_removed_when_the_destruction_of_their_entity_begins)
{
    kin_entity label = evented_create_at(0), other = evented_create_at(1);
    event_listen(label, ANY_PLACE, &a);
    event_listen(label, ANY_PLACE_REMOVED, &b);
    kin_subscription subscription =
        kin_entity_subscribe(evented(), label, KIN_COMPONENT_REMOVED, listen_during_destruction, &a);
    evented_destroy(label);
    ck_assert_str_eq(logged(), "");
    ck_assert_refused(&event_errors, status_during_destruction, KIN_ERROR_NOT_ALIVE);
    kin_unsubscribe(subscription);
    evented_place(other, 2);
    kin_entity again = evented_create(); // in the same slot
    ck_assert_uint_eq(kin_entity_slot(again), 0);
    deliver_all();
    ck_assert_str_eq(logged(), "");
}
END_TEST

START_TEST(evt_03_any_is_notified_of_every_entity_and_self_of_its_own)
{
    kin_entity first = evented_create(), second = evented_create();
    event_listen(first, SELF_PLACE, &a);
    event_listen(second, SELF_PLACE, &b);
    event_listen(first, ANY_PLACE, &c);
    evented_place(first, 1);
    evented_place(second, 2);
    evented_place(evented_create(), 3);
    deliver_all();
    ck_assert_str_eq(logged(), "c0=1 c1=2 c2=3 a0=1 b1=2 ");
}
END_TEST

START_TEST(evt_04_added_is_triggered_by_add_replace_and_touch)
{
    kin_entity first = evented_create();
    event_listen(first, SELF_PLACE, &a);
    solo_add_place(evented_solo, solo_entity_of(first), (Place){1});
    deliver_all();
    evented_place(first, 2);
    deliver_all();
    solo_edit_place(evented_solo, solo_entity_of(first))->x = 3;
    deliver_all();
    solo_touch_place(evented_solo, solo_entity_of(first));
    deliver_all();
    ck_assert_str_eq(logged(), "a0=1 a0=2 a0=3 ");
}
END_TEST

START_TEST(evt_04_removed_is_triggered_by_remove_and_destroy_but_not_by_replace)
{
    kin_entity label = evented_create(), first = evented_create_at(1), second = evented_create_at(2);
    event_listen(label, ANY_PLACE_REMOVED, &a);
    evented_place(first, 3);
    evented_place(second, 4);
    deliver_all();
    ck_assert_str_eq(logged(), "");
    evented_destroy(second);
    evented_place(first, 5);
    evented_unplace(first);
    deliver_all();
    ck_assert_str_eq(logged(), "a2=4 a1=5 "); // the replace did not collect the first, so the second is reported first
}
END_TEST

START_TEST(evt_04_on_and_off_between_two_executes_reports_only_removed)
{
    kin_entity label = evented_create(), first = evented_create();
    event_listen(label, ANY_PLACE, &a);
    event_listen(label, ANY_PLACE_REMOVED, &b);
    evented_place(first, 1);
    evented_unplace(first);
    deliver_all();
    ck_assert_str_eq(logged(), "b1=1 ");
    evented_place(first, 2);
    deliver_all();
    ck_assert_str_eq(logged(), "a1=2 ");
    evented_unplace(first);
    evented_place(first, 3);
    deliver_all();
    ck_assert_str_eq(logged(), "a1=3 "); // off and on
    evented_unplace(first);
    evented_place(first, 4);
    evented_unplace(first);
    deliver_all();
    ck_assert_str_eq(logged(), "b1=4 ");
}
END_TEST

START_TEST(evt_05_added_passes_the_component_as_it_is_and_removed_the_last_value)
{
    kin_entity label = evented_create(), first = evented_create_at(1);
    event_listen(label, ANY_PLACE, &a);
    event_listen(label, ANY_PLACE_REMOVED, &b);
    event_listen(label, ANY_QUIET, &c);
    event_listen(label, ANY_QUIET_REMOVED, &c);
    solo_edit_place(evented_solo, solo_entity_of(first))->x = 9;
    solo_set_quiet(evented_solo, solo_entity_of(first), true); // a flag has no value to pass
    deliver_all();
    ck_assert_str_eq(logged(), "a1=9 c1 ");
    solo_edit_place(evented_solo, solo_entity_of(first))->x = 10;
    evented_unplace(first);
    solo_set_quiet(evented_solo, solo_entity_of(first), false);
    deliver_all();
    ck_assert_str_eq(logged(), "b1=10 c1 ");
}
END_TEST

START_TEST(evt_06_a_destroyed_entity_is_reported_to_any_removed_only)
{
    kin_entity label = evented_create(), first = evented_create_at(7);
    kin_systems_clear_reactive(event_systems);
    event_listen(label, ANY_PLACE, &a);
    event_listen(label, ANY_PLACE_REMOVED, &b);
    event_listen(first, SELF_PLACE_REMOVED, &c);
    evented_place(first, 8);
    evented_destroy(first);
    ck_assert_uint_eq(kin_context_retained_count(evented()), 1);
    kin_entity other = evented_create(); // RET-05: the event system holds what it has not delivered
    ck_assert_uint_eq(kin_entity_slot(other), 2);
    deliver_all();
    ck_assert_str_eq(logged(), "b1=8 ");
    ck_assert_uint_eq(kin_context_retained_count(evented()), 0);
}
END_TEST

START_TEST(evt_06_self_removed_is_notified_of_a_living_entity)
{
    kin_entity first = evented_create_at(7);
    event_listen(first, SELF_PLACE_REMOVED, &c);
    evented_unplace(first);
    deliver_all();
    ck_assert_str_eq(logged(), "c0=7 ");
}
END_TEST

START_TEST(evt_07_entities_in_order_of_collection_listening_ones_by_slot_listeners_by_adding)
{
    kin_entity low = evented_create(), high = evented_create();
    solo_entity more[1100];
    for (uint32_t i = 0; i < 1100; i++)
        more[i] = solo_create_entity(evented_solo);
    event_listen(more[1099].id, ANY_PLACE, &c);
    event_listen(high, ANY_PLACE, &b);
    event_listen(low, ANY_PLACE, &c);
    event_listen(low, ANY_PLACE, &a);
    evented_place(high, 1);
    evented_place(low, 2);
    deliver_all();
    ck_assert_str_eq(logged(), "c1=1 a1=1 b1=1 c1=1 c0=2 a0=2 b0=2 c0=2 ");
    unlisten(low, ANY_PLACE, &c);
    unlisten(low, ANY_PLACE, &a);
    evented_place(high, 3);
    deliver_all();
    ck_assert_str_eq(logged(), "b1=3 c1=3 ");
}
END_TEST

START_TEST(evt_07_a_listener_added_twice_is_called_twice_and_remove_removes_the_earliest)
{
    kin_entity label = evented_create();
    event_listen(label, ANY_PLACE, &a);
    event_listen(label, ANY_PLACE, &b);
    event_listen(label, ANY_PLACE, &a);
    evented_place(label, 1);
    deliver_all();
    ck_assert_str_eq(logged(), "a0=1 b0=1 a0=1 ");
    unlisten(label, ANY_PLACE, &a);
    evented_place(label, 2);
    deliver_all();
    ck_assert_str_eq(logged(), "b0=2 a0=2 ");
}
END_TEST

START_TEST(evt_11_systems_run_in_the_order_of_the_table)
{
    kin_entity label = evented_create();
    event_listen(label, ANY_SCORE, &c);
    event_listen(label, ANY_QUIET, &b);
    event_listen(label, ANY_FIRST, &a);
    solo_set_unique_score(evented_solo, (Score){.value = 3});
    solo_set_quiet(evented_solo, solo_entity_of(label), true);
    evented_place(label, 4);
    deliver_all();
    ck_assert_str_eq(logged(), "a0=4 b0 c1=3 ");
}
END_TEST

static kin_status try_add(kin_entity entity, kin_function *function)
{
    return kin__event_listener_add(evented(), entity, ANY_PLACE, function, &a);
}

static kin_status try_remove(kin_entity entity, void *user)
{
    return kin__event_listener_remove(evented(), entity, ANY_PLACE, listener_function(), user);
}

static void expect_error(kin_status status, const char *message)
{
    ck_assert_str_eq(event_errors.entries[0].message, message);
    ck_assert_str_eq(event_errors.entries[0].component, "Place");
    ck_assert_reported(&event_errors, status);
}

START_TEST(evt_12_removing_an_unknown_listener_and_adding_none_is_refused)
{
    kin_entity label = evented_create(), dead = evented_create();
    evented_destroy(dead);
    ck_assert_int_eq(try_add(label, NULL), KIN_ERROR_INVALID);
    expect_error(KIN_ERROR_INVALID, "solo: cannot add a listener of any_place for Place to entity 1 in slot 0: the "
                                    "function is NULL; pass a function");
    ck_assert_int_eq(try_remove(label, &a), KIN_ERROR_INVALID);
    expect_error(KIN_ERROR_INVALID,
                 "solo: cannot remove a listener of any_place for Place from entity 1 in slot 0: the entity has no "
                 "listener with this function and user; remove a listener only once");
    ck_assert_int_eq(try_add(dead, NULL), KIN_ERROR_NOT_ALIVE);
    expect_error(KIN_ERROR_NOT_ALIVE, "solo: cannot add a listener of any_place for Place to entity 2 in slot 1: the "
                                      "entity was destroyed; check that it is alive first");
    ck_assert_refused(&event_errors, try_remove(dead, &a), KIN_ERROR_NOT_ALIVE);
    event_listen(label, ANY_PLACE, &a);
    ck_assert_refused(&event_errors, try_remove(label, &b), KIN_ERROR_INVALID);
    unlisten(label, ANY_PLACE, &a);
    ck_assert_refused(&event_errors, try_remove(label, &a), KIN_ERROR_INVALID);
}
END_TEST

START_TEST(evt_13_event_systems_are_cleared_deactivated_and_disabled_as_reactive_ones_are)
{
    kin_entity label = evented_create(), first = evented_create_at(1), second = evented_create_at(2);
    event_listen(label, ANY_PLACE, &a);
    event_listen(label, ANY_PLACE_REMOVED, &b);
    evented_destroy(second);
    kin_systems_clear_reactive(event_systems);
    ck_assert_uint_eq(kin_context_retained_count(evented()), 0);
    deliver_all();
    kin_systems_deactivate_reactive(event_systems);
    evented_place(first, 3);
    kin_systems_activate_reactive(event_systems);
    deliver_all();
    ck_assert_str_eq(logged(), "");
    ck_assert_int_eq(kin_systems_set_enabled(event_systems, "any_place_removed", false), KIN_OK);
    evented_unplace(first);
    ck_assert_int_eq(kin_systems_set_enabled(event_systems, "any_place_removed", true), KIN_OK);
    deliver_all();
    ck_assert_str_eq(logged(), "");
    evented_place(first, 4);
    ck_assert_int_eq(kin_systems_remove(event_systems, "any_place"), KIN_OK);
    evented_unplace(first);
    deliver_all();
    ck_assert_str_eq(logged(), "b1=4 ");
}
END_TEST

START_TEST(evt_13_without_events_the_collection_is_empty)
{
    board_begin();
    kin_systems *systems = kin__event_systems(&board->base);
    board_entity made = board_create_entity(board);
    kin_systems_execute(systems, 1);
    board_destroy_entity(board, made);
    ck_assert_uint_eq(kin_context_retained_count(&board->base), 0);
    ck_assert_refused(&board_errors, kin_systems_set_enabled(systems, "any_place", true), KIN_ERROR_INVALID);
    kin_systems_destroy(systems);
    board_end();
}
END_TEST

Suite *runtime_events_suite(void)
{
    Suite *suite = suite_create("runtime_events");
    TCase *tests = tcase_create("events");
    tcase_add_checked_fixture(tests, begin, events_end);
    tcase_add_test(tests, evt_01_a_change_calls_no_listener_until_the_system_is_executed);
    tcase_add_test(tests, evt_01_a_second_collection_delivers_on_its_own_from_when_it_was_made);
    tcase_add_test(tests, evt_02_listening_needs_no_component_and_adds_none);
    tcase_add_test(tests, evt_02_listeners_are_removed_when_the_destruction_of_their_entity_begins);
    tcase_add_test(tests, evt_03_any_is_notified_of_every_entity_and_self_of_its_own);
    tcase_add_test(tests, evt_04_added_is_triggered_by_add_replace_and_touch);
    tcase_add_test(tests, evt_04_removed_is_triggered_by_remove_and_destroy_but_not_by_replace);
    tcase_add_test(tests, evt_04_on_and_off_between_two_executes_reports_only_removed);
    tcase_add_test(tests, evt_05_added_passes_the_component_as_it_is_and_removed_the_last_value);
    tcase_add_test(tests, evt_06_a_destroyed_entity_is_reported_to_any_removed_only);
    tcase_add_test(tests, evt_06_self_removed_is_notified_of_a_living_entity);
    tcase_add_test(tests, evt_07_entities_in_order_of_collection_listening_ones_by_slot_listeners_by_adding);
    tcase_add_test(tests, evt_07_a_listener_added_twice_is_called_twice_and_remove_removes_the_earliest);
    tcase_add_test(tests, evt_11_systems_run_in_the_order_of_the_table);
    tcase_add_test(tests, evt_12_removing_an_unknown_listener_and_adding_none_is_refused);
    tcase_add_test(tests, evt_13_event_systems_are_cleared_deactivated_and_disabled_as_reactive_ones_are);
    tcase_add_test(tests, evt_13_without_events_the_collection_is_empty);
    suite_add_tcase(suite, tests);
    return suite;
}
