// Patching: a group whose array is asked for after few changes corrects it by the journals of its components, and
// nobody sees a difference.

#include "entity/entity.h"
#include "lookup/lookup.h"
#include "notify/notify.h"
#include "runtime/support/relay_case.h"
#include "suites.h"

#include <check.h>
#include <kin/inventory.h>
#include <kin/memory.h>
#include <string.h>

enum { ENTITIES = 700, STEPS = 3000 };

static relay_entity entities[ENTITIES];
static kin_group *group; // of the entities with A and without G

static void begin(void)
{
    relay_begin();
    group = kin_context_group(&relay->base, KIN_MATCHER(KIN_ALL(RELAY_A), KIN_NONE(RELAY_G)));
    for (uint32_t i = 0; i < ENTITIES; i++) {
        entities[i] = relay_create_entity(relay);
        relay_add_a(relay, entities[i], (A){(int32_t)i});
    }
}

static bool is_on(kin_component_id id)
{
    return kin__journal_is_on(&relay->base.core->watches[id]);
}

// The array has exactly the living entities that the group contains, in ascending slot.
static const kin_entity *check_array(void)
{
    uint32_t all = 0, found = 0, count = 0;
    const kin_entity *members = kin_group_entities(group, &count);
    const relay_entity *living = relay_entities(relay, &all);
    for (uint32_t i = 0; i < all; i++)
        if (kin_group_contains(group, living[i].id)) {
            ck_assert_uint_lt(found, count);
            ck_assert_uint_eq(members[found++], living[i].id);
        }
    ck_assert_uint_eq(found, count);
    ck_assert_uint_eq(kin_group_count(group), count);
    ck_assert(kin__context_is_valid(&relay->base));
    return members;
}

static void toggle(uint32_t number)
{
    if (relay_has_a(relay, entities[number]))
        relay_remove_a(relay, entities[number]);
    else
        relay_add_a(relay, entities[number], (A){7});
}

// Asks for the array after few changes, until the journals are on: two times, or three if their memory is refused once.
static void begin_journals(void)
{
    check_array();
    for (uint32_t call = 0; call < 2 || (call < 3 && !is_on(RELAY_A)); call++) {
        toggle(300);
        ck_assert(!is_on(RELAY_A));
        check_array();
    }
    ck_assert(is_on(RELAY_A) && is_on(RELAY_G));
}

// Only patches leave a gap before the array.
static void check_gap(uint32_t expected)
{
    check_array();
    ck_assert_uint_eq(group->patching.gap, expected);
}

START_TEST(grp_03_after_few_changes_the_array_is_corrected_in_place)
{
    begin_journals();
    toggle(3); // moves the three members before it
    check_gap(1);
    relay_set_g(relay, entities[697], true); // the general case: there is no column yet; moves the members after it
    check_gap(1);
    relay_set_g(relay, entities[698], true);
    check_gap(1);
    relay_destroy_entity(relay, entities[0]);
    check_gap(2);
    relay_set_g(relay, entities[698], false);
    check_gap(2);
    toggle(3);
    check_gap(1);
}
END_TEST

START_TEST(grp_03_an_entity_in_the_slot_of_a_destroyed_one_replaces_it)
{
    begin_journals();
    const kin_entity *before = check_array();
    relay_destroy_entity(relay, entities[5]);
    entities[5] = relay_create_entity(relay);
    relay_add_a(relay, entities[5], (A){1});
    ck_assert_ptr_eq(check_array(), before);
    ck_assert_uint_eq(before[5], entities[5].id);
}
END_TEST

START_TEST(grp_03_changes_that_are_not_noted_make_the_array_anew)
{
    begin_journals();
    check_array();
    toggle(3);
    check_array();
    relay_spawn_trio(relay);
    check_array();
    relay_spawn_trio(relay);
    toggle(3);
    check_array();
}
END_TEST

START_TEST(a_journal_ends_when_no_group_reads_it)
{
    begin_journals();
    for (uint32_t change = 0; change < KIN__JOURNAL_ENTRIES; change++)
        toggle(change);
    ck_assert(is_on(RELAY_A));
    toggle(100);
    ck_assert(!is_on(RELAY_A) && is_on(RELAY_G));
    ck_assert_uint_eq(relay->base.components[RELAY_A].watchers, 0);
    check_array();
    ck_assert(!is_on(RELAY_A));
}
END_TEST

START_TEST(no_journal_begins_after_many_changes)
{
    for (uint32_t call = 0; call < 10; call++) {
        for (uint32_t change = 0; change < KIN__JOURNAL_ENTRIES; change++)
            toggle(call * 10 + change);
        check_array();
    }
    ck_assert(!is_on(RELAY_A) && !is_on(RELAY_G));
    ck_assert_ptr_null(relay->base.core->journals);
}
END_TEST

static void check_in_listener(const kin_change *change)
{
    (void)change;
    check_array();
}

START_TEST(grp_03_listeners_are_given_a_current_array)
{
    begin_journals();
    relay_watch_and(relay_all(RELAY_A), KIN_ADDED_OR_REMOVED, "A", check_in_listener, UINT32_MAX);
    relay_watch_context(KIN_ENTITY_WAS_DESTROYED, "D", check_in_listener);
    for (uint32_t number = 0; number < 8; number++) {
        toggle(number * 31);
        check_array();
    }
    relay_destroy_entity(relay, entities[9]);
    check_array();
}
END_TEST

START_TEST(replaces_and_tools_do_not_see_a_journal)
{
    begin_journals();
    ck_assert_uint_eq(kin_group_listener_count(group), 0);
    ck_assert_uint_eq(relay->base.components[RELAY_A].replace_path, 0);
    kin_subscription subscription = relay_watch(group, KIN_MODIFIED, "M");
    toggle(3);
    check_array();
    relay_replace_a(relay, entities[2], (A){3});
    ck_assert_log("M ");
    kin_unsubscribe(subscription);
    ck_assert_uint_eq(relay->base.components[RELAY_A].replace_path, 0);
    ck_assert(is_on(RELAY_A));
    kin_context_usage usage = kin_context_memory(&relay->base);
    ck_assert_uint_le(usage.groups.used, usage.groups.allocated);
}
END_TEST

START_TEST(grp_03_an_array_that_is_emptied_and_filled_again_is_correct)
{
    relay_context_reset(relay);
    for (uint32_t i = 0; i < 20; i++) {
        entities[i] = relay_create_entity(relay);
        relay_add_a(relay, entities[i], (A){0});
    }
    for (uint32_t round = 0; round < 6; round++)
        for (uint32_t i = 0; i < 20; i++) {
            toggle(round % 2 == 0 ? i : 19 - i);
            check_array();
            if (i == 19)
                kin_context_trim(&relay->base);
        }
}
END_TEST

START_TEST(without_memory_for_a_journal_the_array_is_made_anew)
{
    check_array();
    toggle(300);
    check_array();
    toggle(301);
    guard_fail(&relay_memory, 1 + (uint64_t)_i, true);
    check_array();
    ck_assert(guard_has_failed(&relay_memory));
    guard_fail(&relay_memory, 0, false);
    for (uint32_t call = 0; call < 2; call++) {
        toggle(302);
        check_array();
    }
    ck_assert(is_on(RELAY_A) && is_on(RELAY_G));
}
END_TEST

START_TEST(grp_03_after_a_call_without_memory_the_array_is_made_anew)
{
    uint32_t count;
    begin_journals();
    do {
        relay_add_a(relay, relay_create_entity(relay), (A){1});
        check_array();
    } while (kin_group_count(group) < group->list.capacity);
    relay_add_a(relay, relay_create_entity(relay), (A){1});
    guard_fail(&relay_memory, 1, true);
    ck_assert_ptr_null(kin_group_entities(group, &count));
    ck_assert_uint_eq(count, 0);
    ck_assert_log("!NO_MEMORY ");
    guard_fail(&relay_memory, 0, false);
    check_array();
}
END_TEST

static uint32_t draw(uint64_t *state, uint32_t below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((*state >> 33) % below);
}

static void change_one(uint64_t *state)
{
    uint32_t number = draw(state, ENTITIES);
    switch (draw(state, 8)) {
    case 0:
        relay_destroy_entity(relay, entities[number]);
        entities[number] = draw(state, 2) == 0 ? relay_create_entity(relay) : relay_spawn_trio(relay);
        break;
    case 1:
        relay_set_g(relay, entities[number], !relay_is_g(relay, entities[number]));
        break;
    case 2:
        relay_destroy_entity(relay, entities[number]);
        entities[number] = relay_clone_entity(relay, entities[(number + 1) % ENTITIES]);
        break;
    default:
        toggle(number);
        break;
    }
}

START_TEST(grp_03_the_array_is_correct_after_any_changes)
{
    uint64_t state = (uint64_t)_i + 1;
    for (uint32_t step = 0; step < STEPS; step++) {
        change_one(&state);
        if (draw(&state, 8) != 0)
            check_array();
        for (uint32_t change = draw(&state, 400) == 0 ? 40 : 0; change > 0; change--)
            change_one(&state);
    }
}
END_TEST

Suite *runtime_patch_suite(void)
{
    Suite *suite = suite_create("runtime_patch");
    TCase *rules = tcase_create("rules");
    tcase_add_checked_fixture(rules, begin, relay_end);
    tcase_set_timeout(rules, 60);
    tcase_add_test(rules, grp_03_after_few_changes_the_array_is_corrected_in_place);
    tcase_add_test(rules, grp_03_an_entity_in_the_slot_of_a_destroyed_one_replaces_it);
    tcase_add_test(rules, grp_03_changes_that_are_not_noted_make_the_array_anew);
    tcase_add_test(rules, a_journal_ends_when_no_group_reads_it);
    tcase_add_test(rules, no_journal_begins_after_many_changes);
    tcase_add_test(rules, grp_03_listeners_are_given_a_current_array);
    tcase_add_test(rules, replaces_and_tools_do_not_see_a_journal);
    tcase_add_test(rules, grp_03_an_array_that_is_emptied_and_filled_again_is_correct);
    tcase_add_loop_test(rules, without_memory_for_a_journal_the_array_is_made_anew, 0, 2);
    tcase_add_test(rules, grp_03_after_a_call_without_memory_the_array_is_made_anew);
    tcase_add_loop_test(rules, grp_03_the_array_is_correct_after_any_changes, 0, 3);
    suite_add_tcase(suite, rules);
    return suite;
}
