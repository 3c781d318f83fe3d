// Command buffers by hand (CMD-01, 04, 05, 07, 08, 12).
#include "runtime/support/commands_case.h"
#include "suites.h"

#include <check.h>
#include <kin/share.h>
#include <string.h>
#ifndef RUNTIME_ONLY // not all machines of tests/portability have threads
#endif

static army_entity soldier(uint32_t i)
{
    return fixture.soldiers[i];
}

// Plays, and expects no refusal.
static void play(void)
{
    ck_assert_int_eq(army_commands_play(fixture.commands), KIN_OK);
    ck_assert_uint_eq(army_commands_count(fixture.commands), 0);
}

// ---- CMD-01

static void record_each_kind(void)
{
    army_commands *c = fixture.commands;
    char text[] = "Sir";
    int32_t numbers[] = {1, 2, 3};
    army_commands_add_power(c, soldier(0), (Power){7});
    army_commands_replace_post(c, soldier(1), (Post){5, 6});
    army_commands_remove_post(c, soldier(2));
    army_commands_touch_post(c, soldier(4));
    army_commands_stash_mood(c, soldier(3));
    army_commands_restore_mood(c, soldier(3));
    army_commands_set_burning(c, soldier(5), true);
    army_commands_set_burning(c, soldier(5), false);
    army_commands_set_burning(c, soldier(6), true);
    army_commands_add_title(c, soldier(6), (Title){text});
    army_commands_add_band(c, soldier(7), (Band){.numbers = {numbers, 3}, .name = text});
    army_commands_add_armor(c, soldier(8), (Armor){2.5});
    army_commands_add_drift(c, soldier(8), (Drift){.age = 1, .length = 2});
    army_commands_add_crown(c, soldier(9), (Crown){3});
    army_commands_add_serves(c, soldier(10), (Serves){soldier(9)});
    army_commands_create_entity(c);
    army_commands_spawn_guard(c);
    army_commands_spawn_captain(c);
    army_commands_destroy_entity(c, soldier(9)); // and its vassal
}

static void call_each_kind(void)
{
    army_context *army = fixture.other;
    char text[] = "Sir";
    int32_t numbers[] = {1, 2, 3};
    army_add_power(army, soldier(0), (Power){7});
    army_replace_post(army, soldier(1), (Post){5, 6});
    army_remove_post(army, soldier(2));
    army_touch_post(army, soldier(4));
    army_stash_mood(army, soldier(3));
    army_restore_mood(army, soldier(3));
    army_set_burning(army, soldier(5), true);
    army_set_burning(army, soldier(5), false);
    army_set_burning(army, soldier(6), true);
    army_add_title(army, soldier(6), (Title){text});
    army_add_band(army, soldier(7), (Band){.numbers = {numbers, 3}, .name = text});
    army_add_armor(army, soldier(8), (Armor){2.5});
    army_add_drift(army, soldier(8), (Drift){.age = 1, .length = 2});
    army_add_crown(army, soldier(9), (Crown){3});
    army_add_serves(army, soldier(10), (Serves){soldier(9)});
    army_create_entity(army);
    army_spawn_guard(army);
    army_spawn_captain(army);
    army_destroy_entity(army, soldier(9));
}

START_TEST(cmd_01_commands_do_what_the_calls_do_with_the_same_events)
{
    commands_case_begin();
    if (_i == 1)
        commands_case_watch();
    record_each_kind();
    ck_assert_uint_eq(army_commands_count(fixture.commands), 19);
    ck_assert(army_has_post(fixture.army, soldier(2))); // nothing is done before
    play();
    call_each_kind();
    commands_case_compare();
    commands_case_end();
}
END_TEST

START_TEST(cmd_01_refusals_are_those_of_the_calls_and_the_first_one_is_returned)
{
    commands_case_begin();
    army_destroy_entity(fixture.army, soldier(11));
    army_destroy_entity(fixture.other, soldier(11));
    army_commands_add_power(fixture.commands, soldier(0), (Power){1});
    army_commands_add_post(fixture.commands, soldier(0), (Post){1, 1});
    army_commands_remove_power(fixture.commands, soldier(1));
    army_commands_add_power(fixture.commands, soldier(11), (Power){1}); // dead before the playback
    army_commands_add_power(fixture.commands, ARMY_NO_ENTITY, (Power){1});
    army_commands_spawn_captain(fixture.commands);
    army_commands_spawn_captain(fixture.commands); // the key is taken
    army_commands_add_power(fixture.commands, soldier(2), (Power){1});
    ck_assert_int_eq(army_commands_play(fixture.commands), KIN_ERROR_HAS_COMPONENT);
    army_add_power(fixture.other, soldier(0), (Power){1});
    army_add_post(fixture.other, soldier(0), (Post){1, 1});
    army_remove_power(fixture.other, soldier(1));
    army_add_power(fixture.other, soldier(11), (Power){1});
    army_add_power(fixture.other, ARMY_NO_ENTITY, (Power){1});
    army_spawn_captain(fixture.other);
    army_spawn_captain(fixture.other);
    army_add_power(fixture.other, soldier(2), (Power){1});
    ck_assert_uint_eq(fixture.errors.count, 5);
    commands_case_compare();
    army_commands_spawn_captain(fixture.commands);
    ck_assert_int_eq(army_commands_play(fixture.commands), KIN_ERROR_DUPLICATE_KEY);
    error_log_clear(&fixture.errors);
    commands_case_end();
}
END_TEST

// The lists of a value are checked when it is recorded: they are not read when it is played.
START_TEST(cmd_03_a_list_that_an_add_refuses_is_refused_when_it_is_recorded)
{
    commands_case_begin();
    army_commands *c = fixture.commands;
    int32_t numbers[] = {1, 2, 3};
    army_entity members[] = {soldier(1), soldier(2)};
    army_entity made = army_commands_create_entity(c); // so that a playback looks for it in values
    uint32_t count = army_commands_count(c);
    Band none = {.members = {NULL, 3}, .name = "band"}, other = {.numbers = {NULL, 1}, .members = {members, 2}};
    Band huge = {.numbers = {numbers, (1 << 24) + 1}, .members = {members, 2}};
    ck_assert_int_eq(army_commands_add_band(c, soldier(0), none), KIN_ERROR_INVALID);
    ck_assert_int_eq(army_commands_replace_band(c, made, none), KIN_ERROR_INVALID);
    ck_assert_int_eq(army_commands_add_band(c, made, other), KIN_ERROR_INVALID);
    ck_assert_int_eq(army_commands_add_band(c, made, huge), KIN_ERROR_LIMIT);
    ck_assert_uint_eq(army_commands_count(c), count);
    ck_assert_int_eq(army_commands_add_band(c, made, (Band){.numbers = {NULL, 0}, .members = {members, 2}}), KIN_OK);
    memset(members, 0xFF, sizeof members);
    play();
    const Band *band = army_get_band(fixture.army, army_commands_made(c, made));
    ck_assert_uint_eq(band->members.at[1].id, soldier(2).id);
    ck_assert_uint_eq(fixture.errors.count, 0);
    army_commands_destroy_entity(c, army_commands_made(c, made));
    play();
    commands_case_end();
}
END_TEST

// Playing with every n-th request refused: what is refused is reported, the rest is done.
START_TEST(cmd_01_playing_without_memory_refuses_commands_and_goes_on)
{
    for (uint64_t fail = 0; fail < 60; fail++) {
        commands_case_begin();
        record_each_kind();
        guard_fail(&fixture.memory, fail + 1, true);
        kin_status status = army_commands_play(fixture.commands);
        guard_fail(&fixture.memory, 0, false);
        ck_assert(status == KIN_OK || status == KIN_ERROR_NO_MEMORY || status == KIN_ERROR_NO_COMPONENT);
        ck_assert((status == KIN_OK) == (fixture.errors.count == 0));
        error_log_clear(&fixture.errors);
        play();
        commands_case_end();
    }
}
END_TEST

// ---- CMD-04

START_TEST(cmd_04_an_entity_to_come_is_dead_for_queries_and_calls)
{
    commands_case_begin();
    army_entity coming = army_commands_create_entity(fixture.commands);
    ck_assert_uint_eq(kin_entity_creation_index(coming.id), 0);
    ck_assert(!army_entity_equals(coming, ARMY_NO_ENTITY));
    ck_assert(!army_entity_is_alive(fixture.army, coming) && !army_has_post(fixture.army, coming));
    ck_assert_refused(&fixture.errors, army_add_post(fixture.army, coming, (Post){1, 1}), KIN_ERROR_NOT_ALIVE);
    army_commands_clear(fixture.commands);
    commands_case_end();
}
END_TEST

START_TEST(cmd_04_later_commands_and_their_values_name_what_was_made)
{
    commands_case_begin();
    army_entity lord = army_commands_create_entity(fixture.commands);
    army_entity guard = army_commands_spawn_guard(fixture.commands);
    army_entity members[] = {soldier(0), guard, lord};
    army_commands_replace_post(fixture.commands, guard, (Post){8, 9});
    army_commands_add_serves(fixture.commands, guard, (Serves){lord});
    army_commands_add_aim(fixture.commands, lord, (Aim){guard});
    army_commands_add_band(fixture.commands, soldier(1), (Band){.members = {members, 3}});
    ck_assert(army_entity_equals(army_commands_made(fixture.commands, lord), ARMY_NO_ENTITY));
    play();
    army_entity made_lord = army_commands_made(fixture.commands, lord);
    army_entity made_guard = army_commands_made(fixture.commands, guard);
    const Band *band = army_get_band(fixture.army, soldier(1));
    ck_assert(army_entity_is_alive(fixture.army, made_lord) && army_is_burning(fixture.army, made_guard));
    ck_assert_float_eq(army_get_post(fixture.army, made_guard)->x, 8);
    ck_assert(army_entity_equals(army_vassals_first(fixture.army, made_lord), made_guard));
    ck_assert(army_entity_equals(army_get_aim(fixture.army, made_lord)->at, made_guard));
    ck_assert(army_entity_equals(band->members.at[0], soldier(0)));
    ck_assert(army_entity_equals(band->members.at[1], made_guard));
    ck_assert(army_entity_equals(band->members.at[2], made_lord));
    army_commands_touch_post(fixture.commands, soldier(0));
    ck_assert(army_entity_equals(army_commands_made(fixture.commands, lord), ARMY_NO_ENTITY)); // it records again
    play();
    commands_case_end();
}
END_TEST

START_TEST(cmd_04_an_entity_to_come_of_an_earlier_playback_names_nothing)
{
    commands_case_begin();
    army_entity former = army_commands_create_entity(fixture.commands);
    play();
    army_entity coming = army_commands_create_entity(fixture.commands);
    ck_assert(!army_entity_equals(former, coming));
    army_commands_add_power(fixture.commands, former, (Power){1});
    ck_assert_refused(&fixture.errors, army_commands_play(fixture.commands), KIN_ERROR_NOT_ALIVE);
    ck_assert(army_entity_equals(army_commands_made(fixture.commands, former), ARMY_NO_ENTITY));
    commands_case_end();
}
END_TEST

START_TEST(cmd_04_a_command_before_the_making_is_refused)
{
    commands_case_begin();
    army_entity first = army_commands_create_entity(fixture.commands);
    army_entity later = {first.id + 1};
    army_commands_add_power(fixture.commands, later, (Power){1});
    ck_assert(army_entity_equals(army_commands_create_entity(fixture.commands), later));
    ck_assert_refused(&fixture.errors, army_commands_play(fixture.commands), KIN_ERROR_NOT_ALIVE);
    commands_case_end();
}
END_TEST

// ---- CMD-05, CMD-07, CMD-08

START_TEST(cmd_05_commands_about_entities_that_died_meanwhile_are_dropped_and_counted)
{
    commands_case_begin();
    army_add_serves(fixture.army, soldier(1), (Serves){soldier(0)});
    army_commands_destroy_entity(fixture.commands, soldier(0)); // and its vassal
    army_commands_destroy_entity(fixture.commands, soldier(0)); // two bullets, one target
    army_commands_replace_post(fixture.commands, soldier(1), (Post){1, 1});
    army_commands_set_burning(fixture.commands, soldier(2), true);
    play();
    ck_assert_uint_eq(army_commands_dropped(fixture.commands), 2);
    ck_assert(army_is_burning(fixture.army, soldier(2)));
    army_commands_replace_post(fixture.commands, soldier(1), (Post){1, 1}); // it died before this playback
    army_commands_destroy_entity(fixture.commands, soldier(3));
    ck_assert_refused(&fixture.errors, army_commands_play(fixture.commands), KIN_ERROR_NOT_ALIVE);
    ck_assert_uint_eq(army_commands_dropped(fixture.commands), 0);
    commands_case_end();
}
END_TEST

START_TEST(cmd_05_adding_twice_is_refused)
{
    commands_case_begin();
    army_commands_add_power(fixture.commands, soldier(0), (Power){1});
    army_commands_add_power(fixture.commands, soldier(0), (Power){2});
    ck_assert_refused(&fixture.errors, army_commands_play(fixture.commands), KIN_ERROR_HAS_COMPONENT);
    ck_assert_int_eq(army_get_power(fixture.army, soldier(0))->value, 1);
    commands_case_end();
}
END_TEST

static void destroy_next(const kin_change *change, void *user)
{
    (void)change;
    army_entity *victim = user;
    army_destroy_entity(fixture.army, *victim);
}

START_TEST(cmd_07_a_listener_may_destroy_what_later_commands_name)
{
    commands_case_begin();
    army_entity victim = soldier(4);
    kin_subscription subscription =
        kin_group_subscribe(army_burning_group(fixture.army), KIN_ADDED, destroy_next, &victim);
    army_commands_set_burning(fixture.commands, soldier(3), true);
    army_commands_replace_post(fixture.commands, soldier(4), (Post){2, 2});
    army_commands_add_power(fixture.commands, soldier(5), (Power){2});
    play();
    kin_unsubscribe(subscription);
    ck_assert_uint_eq(army_commands_dropped(fixture.commands), 1);
    ck_assert(army_has_power(fixture.army, soldier(5)));
    commands_case_end();
}
END_TEST

static void destroy_self(const kin_change *change, void *user)
{
    (void)user;
    army_destroy_entity(fixture.army, (army_entity){change->entity});
}

START_TEST(cmd_07_a_listener_may_destroy_what_was_just_made)
{
    commands_case_begin();
    kin_subscription subscription = kin_context_subscribe(&fixture.army->base, KIN_ENTITY_CREATED, destroy_self, NULL);
    army_entity coming = army_commands_create_entity(fixture.commands);
    army_commands_add_post(fixture.commands, coming, (Post){1, 2});
    kin_status status = army_commands_play(fixture.commands);
    kin_unsubscribe(subscription);
    ck_assert(status == KIN_OK || status == KIN_ERROR_NOT_ALIVE);
    ck_assert_uint_eq(army_commands_dropped(fixture.commands), 1);
    ck_assert_uint_eq(army_entity_count(fixture.army), CASE_SOLDIERS);
    error_log_clear(&fixture.errors);
    commands_case_end();
}
END_TEST

START_TEST(cmd_08_commands_for_an_entity_whose_making_was_refused_are_dropped)
{
    commands_case_begin();
    army_spawn_captain(fixture.army);
    army_entity captain = army_commands_spawn_captain(fixture.commands);
    army_commands_replace_post(fixture.commands, captain, (Post){1, 1});
    army_commands_destroy_entity(fixture.commands, captain);
    army_commands_add_aim(fixture.commands, soldier(0), (Aim){captain});
    ck_assert_refused(&fixture.errors, army_commands_play(fixture.commands), KIN_ERROR_DUPLICATE_KEY);
    ck_assert_uint_eq(army_commands_dropped(fixture.commands), 2);
    ck_assert(army_entity_equals(army_commands_made(fixture.commands, captain), ARMY_NO_ENTITY));
    ck_assert(army_entity_equals(army_get_aim(fixture.army, soldier(0))->at, ARMY_NO_ENTITY));
    commands_case_end();
}
END_TEST

// ---- CMD-12, misuse

START_TEST(cmd_12_two_buffers_are_played_in_the_order_of_the_calls)
{
    commands_case_begin();
    army_commands *second = army_commands_create(fixture.army);
    army_commands_replace_post(second, soldier(0), (Post){2, 2});
    army_commands_replace_post(fixture.commands, soldier(0), (Post){1, 1});
    ck_assert_int_eq(army_commands_play(second), KIN_OK);
    play();
    ck_assert_float_eq(army_get_post(fixture.army, soldier(0))->x, 1);
    army_commands_destroy(second);
    commands_case_end();
}
END_TEST

START_TEST(cmd_12_playing_is_refused_while_the_context_is_shared)
{
    commands_case_begin();
    kin_context_begin_shared(&fixture.army->base);
    ck_assert_int_eq(army_commands_set_burning(fixture.commands, soldier(0), true), KIN_OK);
    ck_assert_int_eq(army_commands_play(fixture.commands), KIN_ERROR_INVALID);
    ck_assert_uint_eq(army_commands_count(fixture.commands), 1);
    kin_context_end_shared(&fixture.army->base);
    ck_assert_reported(&fixture.errors, KIN_ERROR_INVALID);
    play();
    ck_assert(army_is_burning(fixture.army, soldier(0)));
    commands_case_end();
}
END_TEST

static kin_status nested;

static void play_again(const kin_change *change, void *user)
{
    (void)change;
    (void)user;
    nested = army_commands_play(fixture.commands);
    army_commands_destroy(fixture.commands);
    army_commands_add_power(fixture.commands, soldier(6), (Power){6});
}

START_TEST(cmd_12_a_buffer_is_not_played_or_destroyed_in_its_own_playback_but_records_for_the_next)
{
    commands_case_begin();
    kin_subscription subscription = kin_group_subscribe(army_burning_group(fixture.army), KIN_ADDED, play_again, NULL);
    army_entity coming = army_commands_create_entity(fixture.commands);
    army_commands_set_burning(fixture.commands, soldier(0), true);
    army_commands_add_power(fixture.commands, coming, (Power){1});
    ck_assert_int_eq(army_commands_play(fixture.commands), KIN_OK);
    kin_unsubscribe(subscription);
    ck_assert_int_eq(nested, KIN_ERROR_INVALID);
    ck_assert_uint_eq(fixture.errors.count, 2); // played, destroyed
    error_log_clear(&fixture.errors);
    ck_assert_uint_eq(army_commands_count(fixture.commands), 1);
    ck_assert(!army_has_power(fixture.army, soldier(6)));
    play();
    ck_assert(army_has_power(fixture.army, soldier(6)));
    commands_case_end();
}
END_TEST

static void record_and_clear(const kin_change *change, void *user)
{
    (void)change;
    (void)user;
    army_commands_touch_post(fixture.commands, soldier(1));
    army_commands_clear(fixture.commands);
}

START_TEST(cmd_12_a_listener_may_clear_what_it_recorded)
{
    commands_case_begin();
    kin_subscription subscription =
        kin_group_subscribe(army_burning_group(fixture.army), KIN_ADDED, record_and_clear, NULL);
    army_commands_set_burning(fixture.commands, soldier(0), true);
    army_commands_add_power(fixture.commands, soldier(0), (Power){1});
    play();
    kin_unsubscribe(subscription);
    ck_assert(army_has_power(fixture.army, soldier(0)));
    commands_case_end();
}
END_TEST

// Checked builds alone detect it; the thread sanitizer runs another one.
#if defined KIN_CHECKED && !defined RUNTIME_ONLY
#include <pthread.h>

static void *record_one(void *commands)
{
    army_commands_touch_post(commands, soldier(0));
    return NULL;
}

START_TEST(cmd_12_a_buffer_of_two_threads_is_reported)
{
    commands_case_begin();
    pthread_t thread;
    army_commands_touch_post(fixture.commands, soldier(0));
    ck_assert_int_eq(pthread_create(&thread, NULL, record_one, fixture.commands), 0);
    pthread_join(thread, NULL);
    ck_assert_refused(&fixture.errors, army_commands_play(fixture.commands), KIN_ERROR_INVALID);
    ck_assert_int_eq(pthread_create(&thread, NULL, record_one, fixture.commands), 0); // one thread, another one
    pthread_join(thread, NULL);
    play();
    commands_case_end();
}
END_TEST
#endif

START_TEST(cmd_12_a_buffer_may_be_destroyed_after_its_context)
{
    commands_case_begin();
    army_context *own = army_context_create(NULL);
    army_commands *commands = army_commands_create(own);
    army_commands_spawn_guard(commands);
    army_context_destroy(own);
    army_commands_destroy(commands);
    commands_case_end();
}
END_TEST

Suite *runtime_commands_suite(void)
{
    Suite *suite = suite_create("runtime_commands");
    TCase *tests = tcase_create("commands");
    tcase_add_loop_test(tests, cmd_01_commands_do_what_the_calls_do_with_the_same_events, 0, 2);
    tcase_add_test(tests, cmd_01_refusals_are_those_of_the_calls_and_the_first_one_is_returned);
    tcase_add_test(tests, cmd_03_a_list_that_an_add_refuses_is_refused_when_it_is_recorded);
    tcase_add_test(tests, cmd_01_playing_without_memory_refuses_commands_and_goes_on);
    tcase_add_test(tests, cmd_04_an_entity_to_come_is_dead_for_queries_and_calls);
    tcase_add_test(tests, cmd_04_later_commands_and_their_values_name_what_was_made);
    tcase_add_test(tests, cmd_04_an_entity_to_come_of_an_earlier_playback_names_nothing);
    tcase_add_test(tests, cmd_04_a_command_before_the_making_is_refused);
    tcase_add_test(tests, cmd_05_commands_about_entities_that_died_meanwhile_are_dropped_and_counted);
    tcase_add_test(tests, cmd_05_adding_twice_is_refused);
    tcase_add_test(tests, cmd_07_a_listener_may_destroy_what_later_commands_name);
    tcase_add_test(tests, cmd_07_a_listener_may_destroy_what_was_just_made);
    tcase_add_test(tests, cmd_08_commands_for_an_entity_whose_making_was_refused_are_dropped);
    tcase_add_test(tests, cmd_12_two_buffers_are_played_in_the_order_of_the_calls);
    tcase_add_test(tests, cmd_12_playing_is_refused_while_the_context_is_shared);
#if defined KIN_CHECKED && !defined RUNTIME_ONLY
    tcase_add_test(tests, cmd_12_a_buffer_of_two_threads_is_reported);
#endif
    tcase_add_test(tests, cmd_12_a_buffer_may_be_destroyed_after_its_context);
    suite_add_tcase(suite, tests);
    return suite;
}

// Apart from the others: the sweep takes what a listener records for a request of the call that notifies it.
Suite *runtime_commands_listener_suite(void)
{
    Suite *suite = suite_create("runtime_commands_listener");
    TCase *tests = tcase_create("listener");
    tcase_add_test(tests, cmd_12_a_buffer_is_not_played_or_destroyed_in_its_own_playback_but_records_for_the_next);
    tcase_add_test(tests, cmd_12_a_listener_may_clear_what_it_recorded);
    suite_add_tcase(suite, tests);
    return suite;
}
