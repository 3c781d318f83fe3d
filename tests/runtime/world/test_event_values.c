// Last values: the values that removed events pass, for each storage, until they are delivered or dropped (EVT-05,
// CMP-13, CMP-14, DSP-12). Removing needs no memory, and there are no leaks.
#include "entity/entity.h"
#include "runtime/support/drops.h"
#include "runtime/support/event_case.h"
#include "suites.h"

#include <kin/generated/event_system.h>

#include <stdio.h>
#include <string.h>

static listener a, b;
static attic_entity label;

static void begin_listeners(void)
{
    a = (listener){.label = "a"};
    b = (listener){.label = "b"};
    drops();
}

static void begin_attic(void)
{
    events_begin_attic();
    begin_listeners();
    label = attic_create_entity(evented_attic);
    event_listen(label.id, ANY_NAME_REMOVED, &a);
    event_listen(label.id, ANY_COIN_REMOVED, &a);
    event_listen(label.id, ANY_TITLE_REMOVED, &a);
}

static attic_entity create_named(const char *name)
{
    attic_entity made = attic_create_entity(evented_attic);
    attic_add_name(evented_attic, made, (Name){.value = name});
    return made;
}

static attic_entity create_coin(int number)
{
    attic_entity made = attic_create_entity(evented_attic);
    attic_add_coin(evented_attic, made, (Coin){{number}});
    return made;
}

// ---- strings and opaque values

START_TEST(evt_05_a_string_is_kept_until_it_is_delivered)
{
    attic_entity first = create_named("one"), second = create_named("two"), third = create_named(NULL);
    attic_replace_name(evented_attic, first, (Name){.value = "uno"});
    attic_remove_name(evented_attic, first);
    attic_destroy_entity(evented_attic, second);
    attic_remove_name(evented_attic, third);
    guard_check(&event_memory);
    deliver_all();
    ck_assert_str_eq(logged(), "a1=uno a2=two a3=NULL ");
}
END_TEST

START_TEST(evt_05_the_last_removed_value_is_passed)
{
    attic_entity first = create_named("one");
    attic_remove_name(evented_attic, first);
    attic_add_name(evented_attic, first, (Name){.value = NULL});
    attic_remove_name(evented_attic, first);
    attic_add_name(evented_attic, first, (Name){.value = "two"});
    attic_destroy_entity(evented_attic, first);
    deliver_all();
    ck_assert_str_eq(logged(), "a1=two ");
}
END_TEST

START_TEST(cmp_13_an_opaque_value_is_dropped_once_when_all_have_delivered_it)
{
    kin_systems *other = kin__event_systems(evented());
    attic_entity first = create_coin(1), second = create_coin(2);
    attic_remove_coin(evented_attic, first);
    attic_destroy_entity(evented_attic, second);
    ck_assert_str_eq(drops(), "");
    deliver_all();
    ck_assert_str_eq(drops(), "");
    kin_systems_execute(other, 1);
    ck_assert_str_eq(drops(), "1 2 ");
    ck_assert_str_eq(logged(), "a1=1 a2=2 a1=1 a2=2 ");
    kin_systems_destroy(other);
}
END_TEST

START_TEST(cmp_13_a_value_lost_again_before_its_report_is_dropped_then)
{
    attic_entity first = create_coin(1);
    attic_remove_coin(evented_attic, first);
    attic_add_coin(evented_attic, first, (Coin){{2}});
    attic_remove_coin(evented_attic, first);
    ck_assert_str_eq(drops(), "1 ");
    deliver_all();
    ck_assert_str_eq(logged(), "a1=2 ");
    ck_assert_str_eq(drops(), "2 ");
}
END_TEST

START_TEST(cmp_13_clearing_deactivating_and_disabling_drop_what_was_not_delivered)
{
    attic_remove_coin(evented_attic, create_coin(1));
    kin_systems_clear_reactive(event_systems);
    ck_assert_str_eq(drops(), "1 ");
    attic_destroy_entity(evented_attic, create_coin(2));
    kin_systems_deactivate_reactive(event_systems);
    ck_assert_str_eq(drops(), "2 ");
    attic_remove_coin(evented_attic, create_coin(3));
    ck_assert_str_eq(drops(), "3 "); // no event waits for it
    kin_systems_activate_reactive(event_systems);
    attic_remove_coin(evented_attic, create_coin(4));
    kin_systems_set_enabled(event_systems, "any_coin_removed", false);
    ck_assert_str_eq(drops(), "4 ");
    kin_systems_set_enabled(event_systems, "any_coin_removed", true);
    attic_remove_coin(evented_attic, create_coin(5));
    kin_systems_remove(event_systems, "any_coin_removed");
    ck_assert_str_eq(drops(), "5 ");
    deliver_all();
    ck_assert_str_eq(logged(), "");
}
END_TEST

START_TEST(cmp_13_destroying_the_systems_drops_values_that_wait_to_be_reported)
{
    kin_systems *other = kin__event_systems(evented());
    attic_destroy_entity(evented_attic, create_coin(1));
    deliver_all();
    ck_assert_str_eq(drops(), "");
    kin_systems_destroy(other);
    ck_assert_str_eq(drops(), "1 ");
    ck_assert_uint_eq(kin_context_retained_count(evented()), 0);
    attic_destroy_entity(evented_attic, create_coin(2));
    kin_systems_destroy(event_systems);
    ck_assert_str_eq(drops(), "2 ");
    attic_remove_coin(evented_attic, create_coin(3));
    ck_assert_str_eq(drops(), "3 ");
    event_systems = kin__event_systems(evented());
}
END_TEST

START_TEST(ctx_09_a_context_that_ends_drops_what_waits_and_its_systems_do_nothing)
{
    attic_destroy_entity(evented_attic, create_coin(1));
    attic_remove_name(evented_attic, create_named("one"));
    attic_context_destroy(evented_attic);
    ck_assert_str_eq(drops(), "1 ");
    kin_systems_execute(event_systems, 1);
    kin_systems_clear_reactive(event_systems);
    ck_assert_str_eq(logged(), "");
    kin_systems_destroy(event_systems);
    guard_end(&event_memory);
    events_begin_attic();
}
END_TEST

START_TEST(evt_06_a_unique_component_is_reported_when_its_entity_is_destroyed)
{
    attic_set_unique_title(evented_attic, (Title){.text = "king", .token = {1}});
    attic_remove_unique_title(evented_attic);
    attic_set_unique_title(evented_attic, (Title){.text = "queen", .token = {2}}); // another entity
    ck_assert_str_eq(drops(), "");
    deliver_all();
    ck_assert_str_eq(logged(), "a1=king ");
    ck_assert_str_eq(drops(), "1 ");
    attic_context_reset(evented_attic);
    ck_assert_reported(&event_errors,
                       KIN_ERROR_RETAINED); // each has a removed value that is not delivered yet
    ck_assert_str_eq(drops(), "");
    deliver_all();
    ck_assert_str_eq(logged(), ""); // no listener is left
    ck_assert_str_eq(drops(), "2 ");
}
END_TEST

// Loses the name, gets another one and loses that, while a listener receives the first.
static void lose_again(listener *listener, kin_context *context, kin_entity entity)
{
    (void)context;
    listener->act = NULL;
    attic_entity named = attic_entity_of(entity);
    if (attic_has_name(evented_attic, named))
        attic_remove_name(evented_attic, named);
    attic_add_name(evented_attic, named, (Name){.value = "more"});
    attic_remove_name(evented_attic, named);
}

static void replace_coin(listener *listener, kin_context *context, kin_entity entity)
{
    (void)context;
    listener->act = NULL;
    attic_replace_coin(evented_attic, attic_entity_of(entity), (Coin){{2}});
    ck_assert_str_eq(drops(), "");
}

START_TEST(cmp_13_a_value_that_is_replaced_while_it_is_shown_is_dropped_once_after_the_call)
{
    create_coin(1);
    event_listen(label.id, ANY_COIN, &b);
    b.act = replace_coin;
    deliver_all();
    ck_assert_str_eq(drops(), "1 ");
    deliver_all();
    ck_assert_str_eq(logged(), "b1=1 b1=2 ");
    ck_assert_str_eq(drops(), "");
}
END_TEST

START_TEST(cmp_14_the_values_of_a_call_are_valid_until_it_returns)
{
    attic_entity first = create_named("one");
    event_listen(label.id, ANY_NAME, &b);
    b.act = lose_again;
    deliver_all();
    ck_assert_str_eq(logged(), "b1=one a1=more ");
    attic_add_name(evented_attic, first, (Name){.value = "two"});
    attic_remove_name(evented_attic, first);
    a.act = lose_again;
    deliver_all();
    ck_assert_str_eq(logged(), "a1=two ");
    deliver_all();
    ck_assert_str_eq(logged(), "a1=more ");
}
END_TEST

// ---- while a loss is notified

static kin_systems *second_systems;

static void deliver_inside(const kin_change *change, void *user)
{
    (void)change, (void)user;
    kin_systems_execute(event_systems, 1);
    ck_assert(kin__context_is_valid(evented()));
}

// The listener runs the first event systems before the second have collected the removal.
START_TEST(a_collection_that_delivers_during_the_report_of_the_loss_leaves_the_value_to_the_other)
{
    kin_subscription subscription =
        kin_group_subscribe(attic_coins_group(evented_attic), KIN_REMOVED, deliver_inside, NULL);
    second_systems = kin__event_systems(evented());
    attic_remove_coin(evented_attic, create_coin(1));
    attic_destroy_entity(evented_attic, create_coin(2));
    ck_assert_str_eq(logged(), "a1=1 a2=2 ");
    ck_assert_str_eq(drops(), "");
    kin_systems_execute(second_systems, 1);
    ck_assert_str_eq(logged(), "a1=1 a2=2 ");
    ck_assert_str_eq(drops(), "1 2 ");
    kin_unsubscribe(subscription);
    kin_systems_destroy(second_systems);
}
END_TEST

static void clear_inside(const kin_change *change, void *user)
{
    (void)change, (void)user;
    kin_systems_clear_reactive(event_systems);
    ck_assert(kin__context_is_valid(evented()));
}

// The coin is removed first. Delivering its event while a listener is notified of the name must not drop it twice.
START_TEST(a_value_released_while_the_rest_of_its_entity_is_destroyed_ends_once)
{
    kin_group *named = attic_named_group(evented_attic);
    for (int round = 1; round <= 2; round++) {
        attic_entity coin = create_coin(round);
        attic_add_name(evented_attic, coin, (Name){.value = "one"});
        kin_subscription subscription =
            kin_group_subscribe(named, KIN_REMOVED, round == 1 ? deliver_inside : clear_inside, NULL);
        attic_destroy_entity(evented_attic, coin);
        kin_unsubscribe(subscription);
    }
    ck_assert_str_eq(logged(), "a1=1 a1=one ");
    ck_assert_str_eq(drops(), "1 2 ");
    ck_assert_uint_eq(kin_context_retained_count(evented()), 0);
}
END_TEST

START_TEST(cmp_13_an_earlier_lost_value_is_dropped_when_it_is_released_during_the_destruction)
{
    attic_entity coin = create_coin(1);
    attic_add_name(evented_attic, coin, (Name){.value = "one"});
    attic_remove_coin(evented_attic, coin);
    kin_subscription subscription =
        kin_group_subscribe(attic_named_group(evented_attic), KIN_REMOVED, clear_inside, NULL);
    attic_destroy_entity(evented_attic, coin);
    ck_assert_str_eq(drops(), "1 ");
    ck_assert(kin__context_is_valid(evented()));
    kin_unsubscribe(subscription);
}
END_TEST

static void destroy_inside(const kin_change *change, void *user)
{
    (void)user;
    ck_assert_int_gt(((const Coin *)change->previous)->token.number, 0);
    kin_systems_destroy(event_systems);
    event_systems = NULL;
}

static void create_inside(const kin_change *change, void *user)
{
    (void)change, (void)user;
    if (event_systems == NULL)
        event_systems = kin__event_systems(evented());
}

START_TEST(systems_may_be_added_and_removed_while_a_loss_is_reported)
{
    for (int round = 0; round < 4; round++) {
        attic_entity coin = create_coin(round + 1);
        attic_add_name(evented_attic, coin, (Name){.value = "one"});
        bool comes = round % 2 != 0;
        kin_subscription subscription = kin_group_subscribe(attic_coins_group(evented_attic), KIN_REMOVED,
                                                            comes ? create_inside : destroy_inside, NULL);
        if (round < 2)
            attic_remove_coin(evented_attic, coin);
        else
            attic_destroy_entity(evented_attic, coin);
        ck_assert((event_systems != NULL) == comes);
        kin_unsubscribe(subscription);
        if (!comes)
            ck_assert_uint_eq(kin_context_retained_count(evented()), 0);
    }
    ck_assert_str_eq(drops(), "1 2 3 4 ");
    deliver_all();
    ck_assert_str_eq(logged(), "a3=one "); // the only removal after the systems were created
}
END_TEST

// ---- boxes, and many values

static void begin_solo(void)
{
    events_begin_solo();
    begin_listeners();
    kin_entity listener = kin__entity_create(evented());
    event_listen(listener, ANY_CLICK_REMOVED, &a);
    event_listen(listener, ANY_PLACE_REMOVED, &a);
}

static void click(kin_entity entity, int32_t x)
{
    ck_assert_int_eq(kin__component_add_fast(evented(), entity, SOLO_CLICK, &(Click){x}), KIN_OK);
}

static void lose_click(listener *listener, kin_context *context, kin_entity entity)
{
    listener->act = NULL;
    click(entity, 60);
    kin__component_remove_fast(context, entity, SOLO_CLICK);
}

START_TEST(evt_05_a_boxed_value_is_kept_until_it_is_delivered)
{
    kin_entity first = kin__entity_create(evented()), second = kin__entity_create(evented());
    click(first, 1);
    click(second, 2);
    kin__component_replace_fast(evented(), first, SOLO_CLICK, &(Click){3});
    kin__component_remove_fast(evented(), first, SOLO_CLICK);
    kin__entity_destroy_fast(evented(), second);
    event_listen(first, ANY_CLICK_REMOVED, &b);
    a.act = lose_click;
    deliver_all();
    ck_assert_str_eq(logged(), "a1=3 b1=60 a2=2 b2=2 "); // the last value, at each call
    deliver_all();
    ck_assert_str_eq(logged(), "a1=60 b1=60 ");
    click(first, 4);
    kin__entity_destroy_fast(evented(), first);
}
END_TEST

// No memory may be needed while entities lose components and the losses are delivered, also for slots that
// are created after the systems.
START_TEST(dsp_12_losing_and_delivering_need_no_memory)
{
    enum { COUNT = 1500 };
    static kin_entity made[COUNT];
    for (int32_t i = 0; i < COUNT; i++) {
        made[i] = kin__entity_create(evented());
        solo_add_place(evented_solo, solo_entity_of(made[i]), (Place){i});
        click(made[i], i);
    }
    kin_entity last = made[COUNT - 1];
    a.label = "";
    guard_fail(&event_memory, 1, true);
    for (int32_t i = 0; i < COUNT - 1; i += 2)
        kin__component_remove_fast(evented(), made[i], SOLO_PLACE);
    for (int32_t i = 0; i < COUNT - 1; i++)
        kin__entity_destroy_fast(evented(), made[i]);
    deliver_all();
    ck_assert_ptr_nonnull(strstr(logged(), " 513=512 515=514 "));
    kin__component_remove_fast(evented(), last, SOLO_CLICK);
    kin__entity_destroy_all(evented());
    ck_assert_reported(&event_errors, KIN_ERROR_RETAINED);
    kin__context_reset(evented());
    ck_assert_reported(&event_errors, KIN_ERROR_RETAINED);
    deliver_all();
    guard_fail(&event_memory, 0, false);
    ck_assert_uint_eq(kin_context_retained_count(evented()), 0);
}
END_TEST

START_TEST(no_memory_for_a_listener_is_reported_once_and_changes_nothing)
{
    kin_entity listener = kin__entity_create(evented());
    kin_status status = KIN_ERROR_NO_MEMORY;
    for (uint64_t number = 1; status != KIN_OK; number++) {
        guard_fail(&event_memory, number, false);
        status = kin__event_listener_add(evented(), listener, ANY_PLACE, listener_function(), &a);
        bool failed = guard_has_failed(&event_memory);
        guard_fail(&event_memory, 0, false);
        ck_assert(failed == (status != KIN_OK));
        ck_assert(kin__context_is_valid(evented()));
        if (status == KIN_OK)
            break;
        ck_assert_int_eq(status, KIN_ERROR_NO_MEMORY);
        ck_assert_ptr_nonnull(strstr(event_errors.entries[0].message, " bytes; free some and try again"));
        ck_assert_reported(&event_errors, KIN_ERROR_NO_MEMORY);
        ck_assert_refused(&event_errors,
                          kin__event_listener_remove(evented(), listener, ANY_PLACE, listener_function(), &a),
                          KIN_ERROR_INVALID);
    }
    guard_fail(&event_memory, 1, true); // removing it needs no memory
    unlisten(listener, ANY_PLACE, &a);
    guard_fail(&event_memory, 0, false);
}
END_TEST

START_TEST(no_memory_for_the_systems_is_reported_once_and_frees_all)
{
    kin_entity first = kin__entity_create(evented());
    click(first, 1);
    kin_systems_destroy(event_systems);
    event_systems = NULL;
    for (uint64_t number = 1; event_systems == NULL; number++) {
        guard_fail(&event_memory, number, false);
        event_systems = kin__event_systems(evented());
        char text[64];
        snprintf(text, sizeof text, "no memory for %zu bytes", event_memory.refused);
        guard_fail(&event_memory, 0, false);
        ck_assert(kin__context_is_valid(evented()));
        if (event_systems != NULL)
            break;
        ck_assert_ptr_nonnull(strstr(event_errors.entries[0].message, text));
        ck_assert_reported(&event_errors, KIN_ERROR_NO_MEMORY);
        kin__component_remove_fast(evented(), first, SOLO_CLICK); // succeeds, and no event waits for its value
        click(first, 2);
    }
    kin__entity_destroy_fast(evented(), first);
    deliver_all();
    ck_assert_str_eq(logged(), "a1=2 ");
}
END_TEST

static TCase *make_owned_case(void)
{
    TCase *tests = tcase_create("owned");
    tcase_add_checked_fixture(tests, begin_attic, events_end);
    tcase_add_test(tests, evt_05_a_string_is_kept_until_it_is_delivered);
    tcase_add_test(tests, evt_05_the_last_removed_value_is_passed);
    tcase_add_test(tests, cmp_13_an_opaque_value_is_dropped_once_when_all_have_delivered_it);
    tcase_add_test(tests, cmp_13_a_value_lost_again_before_its_report_is_dropped_then);
    tcase_add_test(tests, cmp_13_clearing_deactivating_and_disabling_drop_what_was_not_delivered);
    tcase_add_test(tests, cmp_13_destroying_the_systems_drops_values_that_wait_to_be_reported);
    tcase_add_test(tests, ctx_09_a_context_that_ends_drops_what_waits_and_its_systems_do_nothing);
    tcase_add_test(tests, evt_06_a_unique_component_is_reported_when_its_entity_is_destroyed);
    tcase_add_test(tests, cmp_13_a_value_that_is_replaced_while_it_is_shown_is_dropped_once_after_the_call);
    tcase_add_test(tests, cmp_14_the_values_of_a_call_are_valid_until_it_returns);
    tcase_add_test(tests, a_collection_that_delivers_during_the_report_of_the_loss_leaves_the_value_to_the_other);
    tcase_add_test(tests, a_value_released_while_the_rest_of_its_entity_is_destroyed_ends_once);
    tcase_add_test(tests, cmp_13_an_earlier_lost_value_is_dropped_when_it_is_released_during_the_destruction);
    tcase_add_test(tests, systems_may_be_added_and_removed_while_a_loss_is_reported);
    return tests;
}

static TCase *make_plain_case(void)
{
    TCase *tests = tcase_create("plain");
    tcase_add_checked_fixture(tests, begin_solo, events_end);
    tcase_add_test(tests, evt_05_a_boxed_value_is_kept_until_it_is_delivered);
    tcase_add_test(tests, dsp_12_losing_and_delivering_need_no_memory);
    tcase_add_test(tests, no_memory_for_a_listener_is_reported_once_and_changes_nothing);
    tcase_add_test(tests, no_memory_for_the_systems_is_reported_once_and_frees_all);
    return tests;
}

Suite *runtime_event_values_suite(void)
{
    Suite *suite = suite_create("runtime_event_values");
    suite_add_tcase(suite, make_owned_case());
    suite_add_tcase(suite, make_plain_case());
    return suite;
}
