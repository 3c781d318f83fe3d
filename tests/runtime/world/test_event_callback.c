// Listeners of generated events that change entities, listeners and systems in their calls (EVT-08 to EVT-10).
#include "runtime/support/event_case.h"
#include "suites.h"

static listener a, b, c;

static void begin(void)
{
    events_begin_solo();
    a = (listener){.label = "a"};
    b = (listener){.label = "b"};
    c = (listener){.label = "c"};
}

static void listen_more(listener *listener, kin_context *context, kin_entity entity)
{
    (void)context, (void)entity;
    listener->act = NULL;
    event_listen(listener->entity, listener->event, listener->other);
}

START_TEST(evt_08_a_listener_added_in_a_callback_is_called_from_the_next_entity_on)
{
    kin_entity label = evented_create(), later = evented_create();
    event_listen(label, ANY_PLACE, &a);
    a.act = listen_more;
    a.entity = later;
    a.event = ANY_PLACE;
    a.other = &b;
    evented_place(label, 1);
    evented_place(later, 2);
    deliver_all();
    ck_assert_str_eq(logged(), "a0=1 a1=2 b1=2 ");
}
END_TEST

static void stop_other(listener *listener, kin_context *context, kin_entity entity)
{
    (void)context, (void)entity;
    unlisten(listener->entity, listener->event, listener->other);
    listener->act = NULL;
}

START_TEST(evt_08_a_listener_that_is_removed_in_a_callback_is_no_longer_called)
{
    kin_entity label = evented_create();
    a = (listener){"a", stop_other, label, ANY_PLACE, &b};
    event_listen(label, ANY_PLACE, &a);
    event_listen(label, ANY_PLACE, &b);
    event_listen(label, ANY_PLACE, &c);
    evented_place(label, 1);
    evented_place(evented_create(), 2);
    deliver_all();
    ck_assert_str_eq(logged(), "a0=1 c0=1 a1=2 c1=2 ");
    a = (listener){"a", stop_other, label, ANY_PLACE, &a}; // removes itself
    evented_place(label, 3);
    evented_place(evented_create(), 4);
    deliver_all();
    ck_assert_str_eq(logged(), "a0=3 c0=3 c2=4 ");
}
END_TEST

static void destroy_entity(listener *listener, kin_context *context, kin_entity entity)
{
    (void)context, (void)entity;
    listener->act = NULL;
    evented_destroy(listener->entity);
}

// A new entity in the slot of the dead one, with a listener of its own.
static void destroy_and_listen(listener *listener, kin_context *context, kin_entity entity)
{
    destroy_entity(listener, context, entity);
    kin_entity made = evented_create();
    ck_assert_uint_eq(kin_entity_slot(made), kin_entity_slot(listener->entity));
    event_listen(made, listener->event, listener->other);
}

START_TEST(evt_08_a_listener_of_an_entity_that_died_is_not_called)
{
    kin_entity label = evented_create(), second = evented_create(), third = evented_create();
    a = (listener){"a", destroy_and_listen, second, ANY_PLACE, &c};
    event_listen(label, ANY_PLACE, &a);
    event_listen(second, ANY_PLACE, &b);
    evented_place(third, 1);
    evented_place(label, 2);
    deliver_all();
    ck_assert_str_eq(logged(), "a2=1 a0=2 c0=2 ");
    a = (listener){"a", destroy_entity, label, 0, NULL}; // destroys the entity that has the listener
    event_listen(label, ANY_PLACE, &b);
    evented_place(third, 3);
    deliver_all();
    ck_assert_str_eq(logged(), "a2=3 c2=3 ");
}
END_TEST

static void remove_place(listener *listener, kin_context *context, kin_entity entity)
{
    (void)context;
    listener->act = NULL;
    evented_unplace(entity);
}

static void add_place(listener *listener, kin_context *context, kin_entity entity)
{
    (void)context;
    listener->act = NULL;
    evented_place(entity, 50);
}

START_TEST(evt_09_the_condition_is_tested_again_before_each_call)
{
    kin_entity label = evented_create(), first = evented_create_at(1), second = evented_create_at(2);
    event_listen(label, ANY_PLACE, &a);
    event_listen(label, ANY_PLACE, &b);
    a.act = remove_place;
    deliver_all();
    ck_assert_str_eq(logged(), "a1=1 a2=2 b2=2 ");
    event_listen(label, ANY_PLACE_REMOVED, &c);
    event_listen(label, ANY_PLACE_REMOVED, &b);
    evented_unplace(second);
    evented_place(first, 3);
    evented_unplace(first);
    c.act = add_place;
    deliver_all();
    ck_assert_str_eq(logged(), "c2=2 c1=3 b1=3 ");
}
END_TEST

static void place_other(listener *listener, kin_context *context, kin_entity entity)
{
    (void)context, (void)entity;
    listener->act = NULL;
    evented_place(listener->entity, 60);
}

START_TEST(evt_10_changes_in_callbacks_go_to_later_systems_now_and_to_others_in_the_next_execute)
{
    kin_entity label = evented_create(), other = evented_create(), first = evented_create();
    event_listen(label, ANY_FIRST, &a);
    event_listen(label, ANY_PLACE, &b);
    event_listen(other, SELF_PLACE, &c);
    b.act = place_other;
    b.entity = other;
    evented_place(first, 1);
    deliver_all();
    ck_assert_str_eq(logged(), "a2=1 b2=1 c1=60 ");
    deliver_all();
    ck_assert_str_eq(logged(), "a1=60 b1=60 ");
}
END_TEST

static void destroy_all_this(listener *listener, kin_context *context, kin_entity entity)
{
    (void)listener, (void)entity;
    kin_systems_destroy(event_systems);
    ck_assert_reported(&event_errors, KIN_ERROR_INVALID);
    ck_assert(!kin__context_may_end(context));
    ck_assert_reported(&event_errors, KIN_ERROR_INVALID);
    ck_assert_int_eq(kin_systems_remove(event_systems, "any_place"), KIN_OK);
}

START_TEST(ctx_10_neither_systems_nor_context_end_inside_of_a_listener)
{
    kin_entity label = evented_create();
    a.act = destroy_all_this;
    event_listen(label, ANY_PLACE, &a);
    event_listen(label, ANY_PLACE, &b);
    evented_place(label, 1);
    deliver_all();
    ck_assert_str_eq(logged(), "a0=1 b0=1 "); // the removed system ends its turn
    evented_place(label, 2);
    deliver_all();
    ck_assert_str_eq(logged(), "");
}
END_TEST

// Afterwards the entity in slot 0 has the handle of the entity that listened before.
static void reset(listener *listener, kin_context *context, kin_entity entity)
{
    (void)entity;
    listener->act = NULL;
    ck_assert_refused(&event_errors, solo_context_reset(solo_context_of(context)), KIN_ERROR_RETAINED);
    kin_entity made = evented_create();
    ck_assert_uint_eq(made, listener->entity);
    event_listen(made, ANY_PLACE, listener->other);
    event_listen(made, ANY_PLACE_REMOVED, listener->other);
    evented_place(made, 70);
}

START_TEST(a_reset_in_a_listener_ends_all_listeners_also_when_equal_handles_come_again)
{
    kin_entity label = evented_create(), first = evented_create_at(1), second = evented_create_at(2);
    a = (listener){"a", reset, label, 0, &c};
    event_listen(label, ANY_PLACE, &a);
    event_listen(label, ANY_PLACE, &b);
    deliver_all();
    ck_assert_str_eq(logged(), "a1=1 c1=1 c2=2 "); // two dead entities have lost it, which is reported next
    ck_assert(!kin_entity_is_alive(evented(), first) && !kin_entity_is_alive(evented(), second));
    deliver_all();
    ck_assert_str_eq(logged(), "c0=70 ");
    ck_assert_uint_eq(kin_context_retained_count(evented()), 0);
}
END_TEST

static void execute_again(listener *listener, kin_context *context, kin_entity entity)
{
    (void)listener, (void)context, (void)entity;
    kin_systems_execute(event_systems, 1);
}

START_TEST(rsy_10_an_event_system_inside_its_own_run_is_skipped)
{
    kin_entity label = evented_create(), first = evented_create_at(1);
    a.act = execute_again;
    event_listen(label, ANY_PLACE, &a);
    event_listen(first, SELF_PLACE, &b);
    deliver_all();
    ck_assert_str_eq(logged(), "a1=1 b1=1 ");
}
END_TEST

Suite *runtime_event_callback_suite(void)
{
    Suite *suite = suite_create("runtime_event_callback");
    TCase *tests = tcase_create("callbacks");
    tcase_add_checked_fixture(tests, begin, events_end);
    tcase_add_test(tests, evt_08_a_listener_added_in_a_callback_is_called_from_the_next_entity_on);
    tcase_add_test(tests, evt_08_a_listener_that_is_removed_in_a_callback_is_no_longer_called);
    tcase_add_test(tests, evt_08_a_listener_of_an_entity_that_died_is_not_called);
    tcase_add_test(tests, evt_09_the_condition_is_tested_again_before_each_call);
    tcase_add_test(tests, evt_10_changes_in_callbacks_go_to_later_systems_now_and_to_others_in_the_next_execute);
    tcase_add_test(tests, ctx_10_neither_systems_nor_context_end_inside_of_a_listener);
    tcase_add_test(tests, a_reset_in_a_listener_ends_all_listeners_also_when_equal_handles_come_again);
    tcase_add_test(tests, rsy_10_an_event_system_inside_its_own_run_is_skipped);
    suite_add_tcase(suite, tests);
    return suite;
}
