// Generated events, chapter 14 of the rules: which listeners are notified of which changes, and when.
#include "event_case.h"
#include "suites.h"

#include <kin/generated/event_system.h>

#include <string.h>

static ear a, b, c;

static void begin(void)
{
    events_begin_solo();
    a = (ear){.label = "a"};
    b = (ear){.label = "b"};
    c = (ear){.label = "c"};
}

// An entity in the next slot, from 0 on.
static kin_entity create(void)
{
    return solo_create_entity(evented_solo).id;
}

static kin_entity create_at(int32_t x)
{
    solo_entity made = solo_create_entity(evented_solo);
    solo_add_place(evented_solo, made, (Place){x});
    return made.id;
}

static void place(kin_entity entity, int32_t x)
{
    ck_assert_int_eq(solo_replace_place(evented_solo, solo_entity_of(entity), (Place){x}), KIN_OK);
}

static void unplace(kin_entity entity)
{
    ck_assert_int_eq(solo_remove_place(evented_solo, solo_entity_of(entity)), KIN_OK);
}

static void destroy(kin_entity entity)
{
    ck_assert_int_eq(solo_destroy_entity(evented_solo, solo_entity_of(entity)), KIN_OK);
}

START_TEST(evt_01_a_change_calls_no_listener_until_the_system_is_executed)
{
    kin_entity label = create();
    listen(label, ANY_PLACE, &a);
    kin_entity first = create_at(1);
    ck_assert_str_eq(heard(), "");
    deliver_all();
    ck_assert_str_eq(heard(), "a1=1 ");
    deliver_all();
    ck_assert_str_eq(heard(), "");
    place(first, 2);
    kin_systems_initialize(event_systems);
    kin_systems_cleanup(event_systems);
    kin_systems_tear_down(event_systems);
    ck_assert_str_eq(heard(), "");
    deliver_all();
    ck_assert_str_eq(heard(), "a1=2 ");
}
END_TEST

START_TEST(evt_01_a_second_collection_delivers_on_its_own_from_when_it_was_made)
{
    kin_entity label = create();
    listen(label, ANY_PLACE, &a);
    listen(label, ANY_PLACE_REMOVED, &b);
    kin_entity first = create_at(1), second = create_at(2);
    kin_systems *other = kin__event_systems(evented());
    unplace(first);
    destroy(second);
    deliver_all();
    ck_assert_str_eq(heard(), "b1=1 b2=2 ");
    kin_systems_execute(other, 1);
    ck_assert_str_eq(heard(), "b1=1 b2=2 ");
    place(first, 3);
    kin_systems_execute(other, 1);
    ck_assert_str_eq(heard(), "a1=3 ");
    kin_systems_destroy(other);
    deliver_all();
    ck_assert_str_eq(heard(), "a1=3 ");
}
END_TEST

START_TEST(evt_02_listening_needs_no_component_and_adds_none)
{
    kin_entity label = create(), other = create_at(1);
    deliver_all();
    kin_group *empty = kin_context_group(evented(), KIN_MATCHER(KIN_NONE(SOLO_PLACE)));
    listen(label, SELF_PLACE, &a);
    listen(label, ANY_PLACE, &b);
    listen(other, SELF_PLACE, &c);
    ck_assert_uint_eq(kin_group_count(empty), 1);
    solo_entity clone = solo_clone_entity(evented_solo, solo_entity_of(other));
    deliver_all();
    ck_assert_str_eq(heard(), "b2=1 "); // the clone has no listeners of its own
    unlisten(label, ANY_PLACE, &b);
    unlisten(label, SELF_PLACE, &a);
    ck_assert(kin_entity_is_alive(evented(), label));
    place(clone.id, 4);
    deliver_all();
    ck_assert_str_eq(heard(), "");
}
END_TEST

static kin_status status_during_destruction;

static void listen_during_destruction(const kin_change *change, void *user)
{
    status_during_destruction =
        kin__event_listener_add(change->context, change->entity, ANY_PLACE, ear_function(), user);
    kin_systems_execute(event_systems, 1);
}

START_TEST(evt_02_listeners_are_removed_when_the_destruction_of_their_entity_begins)
{
    kin_entity label = create_at(0), other = create_at(1);
    listen(label, ANY_PLACE, &a);
    listen(label, ANY_PLACE_REMOVED, &b);
    kin_subscription subscription =
        kin_entity_subscribe(evented(), label, KIN_COMPONENT_REMOVED, listen_during_destruction, &a);
    destroy(label);
    ck_assert_str_eq(heard(), "");
    ck_assert_int_eq(status_during_destruction, KIN_ERROR_NOT_ALIVE);
    ck_assert_reported(&event_errors, KIN_ERROR_NOT_ALIVE);
    kin_unsubscribe(subscription);
    place(other, 2);
    kin_entity again = create(); // in the same slot
    ck_assert_uint_eq(kin_entity_slot(again), 0);
    deliver_all();
    ck_assert_str_eq(heard(), "");
}
END_TEST

START_TEST(evt_03_any_is_notified_of_every_entity_and_self_of_its_own)
{
    kin_entity first = create(), second = create();
    listen(first, SELF_PLACE, &a);
    listen(second, SELF_PLACE, &b);
    listen(first, ANY_PLACE, &c);
    place(first, 1);
    place(second, 2);
    place(create(), 3);
    deliver_all();
    ck_assert_str_eq(heard(), "c0=1 c1=2 c2=3 a0=1 b1=2 ");
}
END_TEST

START_TEST(evt_04_added_is_triggered_by_add_replace_and_touch)
{
    kin_entity first = create();
    listen(first, SELF_PLACE, &a);
    solo_add_place(evented_solo, solo_entity_of(first), (Place){1});
    deliver_all();
    place(first, 2);
    deliver_all();
    solo_edit_place(evented_solo, solo_entity_of(first))->x = 3;
    deliver_all();
    solo_touch_place(evented_solo, solo_entity_of(first));
    deliver_all();
    ck_assert_str_eq(heard(), "a0=1 a0=2 a0=3 ");
}
END_TEST

START_TEST(evt_04_removed_is_triggered_by_remove_and_destroy_but_not_by_replace)
{
    kin_entity label = create(), first = create_at(1), second = create_at(2);
    listen(label, ANY_PLACE_REMOVED, &a);
    place(first, 3);
    place(second, 4);
    deliver_all();
    ck_assert_str_eq(heard(), "");
    destroy(second);
    place(first, 5);
    unplace(first);
    deliver_all();
    ck_assert_str_eq(heard(), "a2=4 a1=5 "); // the replace of the first did not collect it before the second
}
END_TEST

START_TEST(evt_04_on_and_off_between_two_executes_reports_only_removed)
{
    kin_entity label = create(), first = create();
    listen(label, ANY_PLACE, &a);
    listen(label, ANY_PLACE_REMOVED, &b);
    place(first, 1);
    unplace(first);
    deliver_all();
    ck_assert_str_eq(heard(), "b1=1 ");
    place(first, 2);
    deliver_all();
    ck_assert_str_eq(heard(), "a1=2 ");
    unplace(first);
    place(first, 3);
    deliver_all();
    ck_assert_str_eq(heard(), "a1=3 "); // off and on
    unplace(first);
    place(first, 4);
    unplace(first);
    deliver_all();
    ck_assert_str_eq(heard(), "b1=4 ");
}
END_TEST

START_TEST(evt_05_added_passes_the_component_as_it_is_and_removed_the_last_value)
{
    kin_entity label = create(), first = create_at(1);
    listen(label, ANY_PLACE, &a);
    listen(label, ANY_PLACE_REMOVED, &b);
    listen(label, ANY_QUIET, &c);
    listen(label, ANY_QUIET_REMOVED, &c);
    solo_edit_place(evented_solo, solo_entity_of(first))->x = 9;
    solo_set_quiet(evented_solo, solo_entity_of(first), true); // a flag has no value to pass
    deliver_all();
    ck_assert_str_eq(heard(), "a1=9 c1 ");
    solo_edit_place(evented_solo, solo_entity_of(first))->x = 10;
    unplace(first);
    solo_set_quiet(evented_solo, solo_entity_of(first), false);
    deliver_all();
    ck_assert_str_eq(heard(), "b1=10 c1 ");
}
END_TEST

START_TEST(evt_06_a_destroyed_entity_is_reported_to_any_removed_only)
{
    kin_entity label = create(), first = create_at(7);
    kin_systems_clear_reactive(event_systems);
    listen(label, ANY_PLACE, &a);
    listen(label, ANY_PLACE_REMOVED, &b);
    listen(first, SELF_PLACE_REMOVED, &c);
    place(first, 8);
    destroy(first);
    ck_assert_uint_eq(kin_context_retained_count(evented()), 1);
    kin_entity other = create(); // RET-05: the event system holds what it has not delivered
    ck_assert_uint_eq(kin_entity_slot(other), 2);
    deliver_all();
    ck_assert_str_eq(heard(), "b1=8 ");
    ck_assert_uint_eq(kin_context_retained_count(evented()), 0);
}
END_TEST

START_TEST(evt_06_self_removed_is_notified_of_a_living_entity)
{
    kin_entity first = create_at(7);
    listen(first, SELF_PLACE_REMOVED, &c);
    unplace(first);
    deliver_all();
    ck_assert_str_eq(heard(), "c0=7 ");
}
END_TEST

START_TEST(evt_07_entities_in_order_of_collection_listening_ones_by_slot_listeners_by_adding)
{
    kin_entity low = create(), high = create();
    solo_entity more[1100];
    for (uint32_t i = 0; i < 1100; i++)
        more[i] = solo_create_entity(evented_solo);
    listen(more[1099].id, ANY_PLACE, &c);
    listen(high, ANY_PLACE, &b);
    listen(low, ANY_PLACE, &c);
    listen(low, ANY_PLACE, &a);
    place(high, 1);
    place(low, 2);
    deliver_all();
    ck_assert_str_eq(heard(), "c1=1 a1=1 b1=1 c1=1 c0=2 a0=2 b0=2 c0=2 ");
    unlisten(low, ANY_PLACE, &c);
    unlisten(low, ANY_PLACE, &a);
    place(high, 3);
    deliver_all();
    ck_assert_str_eq(heard(), "b1=3 c1=3 ");
}
END_TEST

START_TEST(evt_07_a_listener_added_twice_is_called_twice_and_remove_removes_the_earliest)
{
    kin_entity label = create();
    listen(label, ANY_PLACE, &a);
    listen(label, ANY_PLACE, &b);
    listen(label, ANY_PLACE, &a);
    place(label, 1);
    deliver_all();
    ck_assert_str_eq(heard(), "a0=1 b0=1 a0=1 ");
    unlisten(label, ANY_PLACE, &a);
    place(label, 2);
    deliver_all();
    ck_assert_str_eq(heard(), "b0=2 a0=2 ");
}
END_TEST

static void listen_more(ear *ear, kin_context *context, kin_entity entity)
{
    (void)context, (void)entity;
    ear->act = NULL;
    listen(ear->entity, ear->event, ear->other);
}

START_TEST(evt_08_a_listener_added_in_a_callback_is_called_from_the_next_entity_on)
{
    kin_entity label = create(), later = create();
    listen(label, ANY_PLACE, &a);
    a.act = listen_more;
    a.entity = later;
    a.event = ANY_PLACE;
    a.other = &b;
    place(label, 1);
    place(later, 2);
    deliver_all();
    ck_assert_str_eq(heard(), "a0=1 a1=2 b1=2 ");
}
END_TEST

static void stop_other(ear *ear, kin_context *context, kin_entity entity)
{
    (void)context, (void)entity;
    unlisten(ear->entity, ear->event, ear->other);
    ear->act = NULL;
}

START_TEST(evt_08_a_listener_that_is_removed_in_a_callback_is_no_longer_called)
{
    kin_entity label = create();
    a = (ear){"a", stop_other, label, ANY_PLACE, &b};
    listen(label, ANY_PLACE, &a);
    listen(label, ANY_PLACE, &b);
    listen(label, ANY_PLACE, &c);
    place(label, 1);
    place(create(), 2);
    deliver_all();
    ck_assert_str_eq(heard(), "a0=1 c0=1 a1=2 c1=2 ");
    a = (ear){"a", stop_other, label, ANY_PLACE, &a}; // removes itself
    place(label, 3);
    place(create(), 4);
    deliver_all();
    ck_assert_str_eq(heard(), "a0=3 c0=3 c2=4 ");
}
END_TEST

static void destroy_entity(ear *ear, kin_context *context, kin_entity entity)
{
    (void)context, (void)entity;
    ear->act = NULL;
    destroy(ear->entity);
}

// A new entity in the slot of the dead one, with a listener of its own.
static void destroy_and_listen(ear *ear, kin_context *context, kin_entity entity)
{
    destroy_entity(ear, context, entity);
    kin_entity made = create();
    ck_assert_uint_eq(kin_entity_slot(made), kin_entity_slot(ear->entity));
    listen(made, ear->event, ear->other);
}

START_TEST(evt_08_a_listener_of_an_entity_that_died_is_not_called)
{
    kin_entity label = create(), second = create(), third = create();
    a = (ear){"a", destroy_and_listen, second, ANY_PLACE, &c};
    listen(label, ANY_PLACE, &a);
    listen(second, ANY_PLACE, &b);
    place(third, 1);
    place(label, 2);
    deliver_all();
    ck_assert_str_eq(heard(), "a2=1 a0=2 c0=2 ");
    a = (ear){"a", destroy_entity, label, 0, NULL}; // destroys the entity that has the listener
    listen(label, ANY_PLACE, &b);
    place(third, 3);
    deliver_all();
    ck_assert_str_eq(heard(), "a2=3 c2=3 ");
}
END_TEST

static void remove_place(ear *ear, kin_context *context, kin_entity entity)
{
    (void)context;
    ear->act = NULL;
    unplace(entity);
}

static void add_place(ear *ear, kin_context *context, kin_entity entity)
{
    (void)context;
    ear->act = NULL;
    place(entity, 50);
}

START_TEST(evt_09_the_condition_is_asked_again_before_each_call)
{
    kin_entity label = create(), first = create_at(1), second = create_at(2);
    listen(label, ANY_PLACE, &a);
    listen(label, ANY_PLACE, &b);
    a.act = remove_place;
    deliver_all();
    ck_assert_str_eq(heard(), "a1=1 a2=2 b2=2 ");
    listen(label, ANY_PLACE_REMOVED, &c);
    listen(label, ANY_PLACE_REMOVED, &b);
    unplace(second);
    place(first, 3);
    unplace(first);
    c.act = add_place;
    deliver_all();
    ck_assert_str_eq(heard(), "c2=2 c1=3 b1=3 ");
}
END_TEST

static void place_other(ear *ear, kin_context *context, kin_entity entity)
{
    (void)context, (void)entity;
    ear->act = NULL;
    place(ear->entity, 60);
}

START_TEST(evt_10_changes_in_callbacks_go_to_later_systems_now_and_to_others_in_the_next_execute)
{
    kin_entity label = create(), other = create(), first = create();
    listen(label, ANY_FIRST, &a);
    listen(label, ANY_PLACE, &b);
    listen(other, SELF_PLACE, &c);
    b.act = place_other;
    b.entity = other;
    place(first, 1);
    deliver_all();
    ck_assert_str_eq(heard(), "a2=1 b2=1 c1=60 ");
    deliver_all();
    ck_assert_str_eq(heard(), "a1=60 b1=60 ");
}
END_TEST

START_TEST(evt_11_systems_run_in_the_order_of_the_table)
{
    kin_entity label = create();
    listen(label, ANY_SCORE, &c);
    listen(label, ANY_QUIET, &b);
    listen(label, ANY_FIRST, &a);
    solo_set_unique_score(evented_solo, (Score){.value = 3});
    solo_set_quiet(evented_solo, solo_entity_of(label), true);
    place(label, 4);
    deliver_all();
    ck_assert_str_eq(heard(), "a0=4 b0 c1=3 ");
}
END_TEST

static kin_status try_add(kin_entity entity, kin_function *function)
{
    return kin__event_listener_add(evented(), entity, ANY_PLACE, function, &a);
}

static kin_status try_remove(kin_entity entity, void *user)
{
    return kin__event_listener_remove(evented(), entity, ANY_PLACE, ear_function(), user);
}

static void expect_error(kin_status status, const char *message)
{
    ck_assert_str_eq(event_errors.entries[0].message, message);
    ck_assert_str_eq(event_errors.entries[0].component, "Place");
    ck_assert_reported(&event_errors, status);
}

START_TEST(evt_12_removing_an_unknown_listener_and_adding_none_is_refused)
{
    kin_entity label = create(), dead = create();
    destroy(dead);
    ck_assert_int_eq(try_add(label, NULL), KIN_ERROR_INVALID);
    expect_error(
        KIN_ERROR_INVALID,
        "solo: cannot add a listener of any_place about Place to entity 1 in slot 0: there is no function; give one");
    ck_assert_int_eq(try_remove(label, &a), KIN_ERROR_INVALID);
    expect_error(KIN_ERROR_INVALID,
                 "solo: cannot remove a listener of any_place about Place from entity 1 in slot 0: no such "
                 "function hangs there with that user; remove what was added, and once");
    ck_assert_int_eq(try_add(dead, NULL), KIN_ERROR_NOT_ALIVE);
    expect_error(KIN_ERROR_NOT_ALIVE,
                 "solo: cannot add a listener of any_place about Place to entity 2 in slot 1: it was "
                 "destroyed; ask whether it is alive before");
    ck_assert_int_eq(try_remove(dead, &a), KIN_ERROR_NOT_ALIVE);
    ck_assert_reported(&event_errors, KIN_ERROR_NOT_ALIVE);
    listen(label, ANY_PLACE, &a);
    ck_assert_int_eq(try_remove(label, &b), KIN_ERROR_INVALID);
    ck_assert_reported(&event_errors, KIN_ERROR_INVALID);
    unlisten(label, ANY_PLACE, &a);
    ck_assert_int_eq(try_remove(label, &a), KIN_ERROR_INVALID);
    ck_assert_reported(&event_errors, KIN_ERROR_INVALID);
}
END_TEST

START_TEST(evt_13_they_are_cleared_deactivated_and_disabled_as_reactive_systems_are)
{
    kin_entity label = create(), first = create_at(1), second = create_at(2);
    listen(label, ANY_PLACE, &a);
    listen(label, ANY_PLACE_REMOVED, &b);
    destroy(second);
    kin_systems_clear_reactive(event_systems);
    ck_assert_uint_eq(kin_context_retained_count(evented()), 0);
    deliver_all();
    kin_systems_deactivate_reactive(event_systems);
    place(first, 3);
    kin_systems_activate_reactive(event_systems);
    deliver_all();
    ck_assert_str_eq(heard(), "");
    ck_assert_int_eq(kin_systems_set_enabled(event_systems, "any_place_removed", false), KIN_OK);
    unplace(first);
    ck_assert_int_eq(kin_systems_set_enabled(event_systems, "any_place_removed", true), KIN_OK);
    deliver_all();
    ck_assert_str_eq(heard(), "");
    place(first, 4);
    ck_assert_int_eq(kin_systems_remove(event_systems, "any_place"), KIN_OK);
    unplace(first);
    deliver_all();
    ck_assert_str_eq(heard(), "b1=4 ");
}
END_TEST

START_TEST(evt_13_without_events_the_collection_is_empty)
{
    board_context *board = board_begin();
    kin_systems *systems = kin__event_systems(&board->base);
    board_entity made = board_create_entity(board);
    kin_systems_execute(systems, 1);
    board_destroy_entity(board, made);
    ck_assert_uint_eq(kin_context_retained_count(&board->base), 0);
    ck_assert_int_eq(kin_systems_set_enabled(systems, "any_place", true), KIN_ERROR_INVALID);
    ck_assert_reported(&board_errors, KIN_ERROR_INVALID);
    kin_systems_destroy(systems);
    board_end();
}
END_TEST

static void destroy_all_this(ear *ear, kin_context *context, kin_entity entity)
{
    (void)ear, (void)entity;
    kin_systems_destroy(event_systems);
    ck_assert_reported(&event_errors, KIN_ERROR_INVALID);
    ck_assert(!kin__context_may_end(context));
    ck_assert_reported(&event_errors, KIN_ERROR_INVALID);
    ck_assert_int_eq(kin_systems_remove(event_systems, "any_place"), KIN_OK);
}

START_TEST(ctx_10_neither_systems_nor_context_end_inside_of_a_listener)
{
    kin_entity label = create();
    a.act = destroy_all_this;
    listen(label, ANY_PLACE, &a);
    listen(label, ANY_PLACE, &b);
    place(label, 1);
    deliver_all();
    ck_assert_str_eq(heard(), "a0=1 b0=1 "); // the removed system ends its turn
    place(label, 2);
    deliver_all();
    ck_assert_str_eq(heard(), "");
}
END_TEST

// Afterwards the entity in slot 0 has the handle of the entity that listened before.
static void reset(ear *ear, kin_context *context, kin_entity entity)
{
    (void)entity;
    ear->act = NULL;
    ck_assert_int_eq(solo_context_reset(solo_context_of(context)), KIN_ERROR_RETAINED);
    ck_assert_reported(&event_errors, KIN_ERROR_RETAINED);
    kin_entity made = create();
    ck_assert_uint_eq(made, ear->entity);
    listen(made, ANY_PLACE, ear->other);
    listen(made, ANY_PLACE_REMOVED, ear->other);
    place(made, 70);
}

START_TEST(a_reset_in_a_listener_ends_all_listeners_also_when_equal_handles_come_again)
{
    kin_entity label = create(), first = create_at(1), second = create_at(2);
    a = (ear){"a", reset, label, 0, &c};
    listen(label, ANY_PLACE, &a);
    listen(label, ANY_PLACE, &b);
    deliver_all();
    ck_assert_str_eq(heard(), "a1=1 c1=1 c2=2 "); // two dead entities have lost it, which is reported next
    ck_assert(!kin_entity_is_alive(evented(), first) && !kin_entity_is_alive(evented(), second));
    deliver_all();
    ck_assert_str_eq(heard(), "c0=70 ");
    ck_assert_uint_eq(kin_context_retained_count(evented()), 0);
}
END_TEST

static void execute_again(ear *ear, kin_context *context, kin_entity entity)
{
    (void)ear, (void)context, (void)entity;
    kin_systems_execute(event_systems, 1);
}

START_TEST(rsy_10_an_event_system_inside_its_own_run_is_skipped)
{
    kin_entity label = create(), first = create_at(1);
    a.act = execute_again;
    listen(label, ANY_PLACE, &a);
    listen(first, SELF_PLACE, &b);
    deliver_all();
    ck_assert_str_eq(heard(), "a1=1 b1=1 ");
}
END_TEST

static TCase *make_case(void)
{
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
    tcase_add_test(tests, evt_08_a_listener_added_in_a_callback_is_called_from_the_next_entity_on);
    tcase_add_test(tests, evt_08_a_listener_that_is_removed_in_a_callback_is_no_longer_called);
    tcase_add_test(tests, evt_08_a_listener_of_an_entity_that_died_is_not_called);
    tcase_add_test(tests, evt_09_the_condition_is_asked_again_before_each_call);
    tcase_add_test(tests, evt_10_changes_in_callbacks_go_to_later_systems_now_and_to_others_in_the_next_execute);
    tcase_add_test(tests, evt_11_systems_run_in_the_order_of_the_table);
    tcase_add_test(tests, evt_12_removing_an_unknown_listener_and_adding_none_is_refused);
    tcase_add_test(tests, evt_13_they_are_cleared_deactivated_and_disabled_as_reactive_systems_are);
    tcase_add_test(tests, evt_13_without_events_the_collection_is_empty);
    tcase_add_test(tests, ctx_10_neither_systems_nor_context_end_inside_of_a_listener);
    tcase_add_test(tests, a_reset_in_a_listener_ends_all_listeners_also_when_equal_handles_come_again);
    tcase_add_test(tests, rsy_10_an_event_system_inside_its_own_run_is_skipped);
    return tests;
}

Suite *runtime_events_suite(void)
{
    Suite *suite = suite_create("runtime_events");
    suite_add_tcase(suite, make_case());
    return suite;
}
