// Snapshots of what is kept beside components: stashed and last values, owners, collectors, subscriptions and
// listeners.
#include "entity/entity.h"
#include "runtime/support/case.h"
#include "suites.h"

#include <closet/closet.h>

#include <kin/snapshot.h>

#include <check.h>
#include <string.h>

static closet_context *closet;
static closet_entity one, two;
static kin_snapshot *snapshot;
static int owner, other_owner;

static void begin_with(bool fast_retain)
{
    kin_context_options options =
        case_options(&(kin_context_options){.on_error = ignore_error, .fast_retain = fast_retain});
    closet = closet_context_create(&options);
    one = closet_create_entity(closet);
    two = closet_create_entity(closet);
    snapshot = NULL;
}

static void begin(void)
{
    begin_with(false);
}

static void end(void)
{
    ck_assert(kin__context_is_valid(&closet->base));
    closet_context_destroy(closet);
    kin_snapshot_destroy(snapshot);
    guard_end(&memory);
}

static void save(void)
{
    ck_assert_int_eq(closet_save(closet, &snapshot), KIN_OK);
}

static void restore(void)
{
    ck_assert_int_eq(closet_restore(closet, snapshot, KIN_RESTORE_EXACTLY), KIN_OK);
    ck_assert(kin__context_is_valid(&closet->base));
}

// ---- stashed values

static void stash_all(void)
{
    closet_add_cell(closet, one, (Cell){1, 2});
    closet_add_coat(closet, one, (Coat){"wool, and longer than a word", 3});
    closet_add_trail(closet, one, (Trail){1.5f, 4});
    closet_add_trunk(closet, one, (Trunk){.name = "oak", .weights = {[39] = 5}});
    ck_assert_int_eq(closet_stash_cell(closet, one), KIN_OK);
    ck_assert_int_eq(closet_stash_coat(closet, one), KIN_OK);
    ck_assert_int_eq(closet_stash_trail(closet, one), KIN_OK);
    ck_assert_int_eq(closet_stash_trunk(closet, one), KIN_OK);
}

static void check_stashed(void)
{
    Trail trail;
    ck_assert_int_eq(closet_restore_cell(closet, one), KIN_OK);
    ck_assert_int_eq(closet_restore_coat(closet, one), KIN_OK);
    ck_assert_int_eq(closet_restore_trail(closet, one), KIN_OK);
    ck_assert_int_eq(closet_restore_trunk(closet, one), KIN_OK);
    ck_assert_int_eq(closet_get_cell(closet, one)->y, 2);
    ck_assert_str_eq(closet_get_coat(closet, one)->name, "wool, and longer than a word");
    ck_assert(closet_read_trail(closet, one, &trail));
    ck_assert_uint_eq(trail.length, 4);
    ck_assert_str_eq(closet_get_trunk(closet, one)->name, "oak");
    ck_assert_int_eq(closet_get_trunk(closet, one)->weights[39], 5);
}

START_TEST(snp_03_stashed_values_come_back)
{
    stash_all();
    save();
    check_stashed();
    restore();
    check_stashed();
    closet_destroy_entity(closet, one);
    restore();
    ck_assert(!closet_has_coat(closet, one));
    kin_context_trim(&closet->base);
    check_stashed();
}
END_TEST

START_TEST(snp_03_a_value_that_was_not_stashed_is_not_afterwards)
{
    closet_add_coat(closet, one, (Coat){"silk", 1});
    save();
    stash_all();
    restore();
    ck_assert_str_eq(closet_get_coat(closet, one)->name, "silk");
    ck_assert(!closet_has_stashed_coat(closet, one));
    ck_assert(!closet_has_stashed_trunk(closet, one));
    ck_assert_int_eq(closet_restore_trunk(closet, one), KIN_ERROR_NO_COMPONENT);
}
END_TEST

// ---- last values

static void on_coat_removed(closet_context *context, closet_entity entity, const Coat *coat, void *user)
{
    (void)context, (void)user;
    call_count += entity.id == one.id && strcmp(coat->name, "felt") == 0;
}

START_TEST(snp_18_events_of_a_context_alone_do_not_come_back)
{
    kin_systems *events = closet_event_systems(closet);
    closet_add_any_coat_removed_listener(closet, two, on_coat_removed, NULL);
    closet_add_coat(closet, one, (Coat){"felt", 1});
    closet_remove_coat(closet, one);
    save();
    kin_systems_execute(events, 0);
    ck_assert_uint_eq(call_count, 1);
    restore();
    kin_systems_execute(events, 0);
    ck_assert_uint_eq(call_count, 1);
    closet_add_coat(closet, one, (Coat){"felt", 1});
    closet_remove_coat(closet, one);
    restore();
    kin_systems_execute(events, 0);
    ck_assert_uint_eq(call_count, 1);
    closet_add_coat(closet, one, (Coat){"felt", 1});
    closet_remove_coat(closet, one);
    kin_systems_execute(events, 0);
    ck_assert_uint_eq(call_count, 2);
    kin_systems_destroy(events);
}
END_TEST

// Nothing outside of the snapshot can bring the event back, so its value is no part of the state.
START_TEST(snp_27_a_value_that_only_a_pending_event_needs_is_no_part_of_a_context_alone)
{
    kin_snapshot *again = NULL;
    kin_systems *events = closet_event_systems(closet);
    closet_add_any_coat_removed_listener(closet, two, on_coat_removed, NULL);
    closet_add_coat(closet, one, (Coat){"felt", 1});
    closet_remove_coat(closet, one);
    save();
    restore();
    ck_assert_int_eq(closet_save(closet, &again), KIN_OK);
    ck_assert_uint_eq(kin_snapshot_compare(snapshot, again, NULL, NULL), 0);
    ck_assert_uint_eq(kin_snapshot_hash(snapshot), kin_snapshot_hash(again));
    kin_snapshot_destroy(again);
    kin_systems_destroy(events);
}
END_TEST

// ---- owners

START_TEST(snp_03_owners_come_back)
{
    end();
    begin_with(_i == 1);
    closet_retain_entity(closet, one, &owner);
    closet_retain_entity(closet, one, &other_owner);
    closet_retain_entity(closet, two, &owner);
    closet_destroy_entity(closet, one);
    save();
    for (uint32_t round = 0; round < 2; round++) {
        ck_assert_uint_eq(kin_context_retained_count(&closet->base), 1);
        ck_assert_uint_eq(kin_entity_slot(closet_create_entity(closet).id), 2);
        ck_assert_int_eq(closet_release_entity(closet, one, &owner), KIN_OK);
        ck_assert_int_eq(closet_release_entity(closet, one, &other_owner), KIN_OK);
        ck_assert_int_eq(closet_release_entity(closet, one, &owner), KIN_ERROR_NOT_RETAINED);
        ck_assert_uint_eq(kin_entity_slot(closet_create_entity(closet).id), 0);
        ck_assert_int_eq(closet_release_entity(closet, two, &owner), KIN_OK);
        restore();
    }
    ck_assert_int_eq(closet_release_entity(closet, two, &owner), KIN_OK);
    ck_assert_int_eq(closet_release_entity(closet, two, &owner), KIN_ERROR_NOT_RETAINED);
}
END_TEST

START_TEST(snp_03_who_retains_only_after_the_save_does_not_after_a_restore)
{
    end();
    begin_with(_i == 1);
    save();
    closet_retain_entity(closet, one, &owner);
    closet_destroy_entity(closet, one);
    restore();
    ck_assert_uint_eq(kin_context_retained_count(&closet->base), 0);
    ck_assert_int_eq(closet_release_entity(closet, one, &owner), KIN_ERROR_NOT_RETAINED);
    closet_destroy_entity(closet, one);
    ck_assert_uint_eq(kin_entity_slot(closet_create_entity(closet).id), 0);
}
END_TEST

// A held slot may be in any chunk, also one that a reset took back from its pool.
START_TEST(snp_27_a_chunk_that_came_after_the_save_is_no_part_of_the_state)
{
    kin_snapshot *again = NULL;
    closet_retain_entity(closet, one, &owner);
    closet_destroy_entity(closet, one);
    if (_i == 1)
        ck_assert_int_eq(closet_context_reset(closet), KIN_ERROR_RETAINED);
    save();
    closet_spawn_purse(closet); // takes a chunk
    restore();
    ck_assert_int_eq(closet_save(closet, &again), KIN_OK);
    ck_assert_uint_eq(kin_snapshot_compare(snapshot, again, NULL, NULL), 0);
    ck_assert_uint_eq(kin_snapshot_hash(again), kin_snapshot_hash(snapshot));
    kin_snapshot_destroy(again);
    closet_release_entity(closet, one, &owner);
}
END_TEST

START_TEST(snp_03_a_name_of_an_owner_is_never_read_after_the_owner_has_released)
{
    char name[] = "somebody";
    kin_retain_named(&closet->base, one.id, &owner, name);
    closet_destroy_entity(closet, one);
    save();
    closet_release_entity(closet, one, &owner);
    memset(name, 'x', sizeof name);
    restore();
    ck_assert_int_eq(closet_context_reset(closet), KIN_ERROR_RETAINED);
    ck_assert_int_eq(closet_release_entity(closet, one, &owner), KIN_OK);
}
END_TEST

// ---- collectors

START_TEST(snp_08_a_slot_that_a_collector_alone_holds_is_free_after_a_restore)
{
    kin_collector *collector = kin_collector_create(&(kin_trigger){closet_cells_group(closet), KIN_REMOVED}, 1);
    closet_add_cell(closet, one, (Cell){1, 2});
    kin_entity_subscribe(&closet->base, one.id, KIN_ENTITY_RELEASED, count_call, NULL);
    closet_destroy_entity(closet, one);
    ck_assert_uint_eq(kin_context_retained_count(&closet->base), 1);
    ck_assert_int_eq(closet_save(closet, &snapshot), KIN_ERROR_RETAINED);
    restore();
    ck_assert_uint_eq(kin_collector_count(collector), 0);
    ck_assert_uint_eq(kin_context_retained_count(&closet->base), 0);
    ck_assert_uint_eq(kin_entity_slot(closet_create_entity(closet).id), 0);
    ck_assert_uint_eq(call_count, 0);
    kin_collector_destroy(collector);
}
END_TEST

START_TEST(snp_18_collectors_are_cleared_and_nobody_is_told)
{
    kin_collector *collector =
        kin_collector_create(&(kin_trigger){closet_cells_group(closet), KIN_ADDED_OR_REMOVED}, 1);
    save();
    closet_add_cell(closet, one, (Cell){1, 2});
    closet_add_cell(closet, two, (Cell){1, 2});
    kin_entity_subscribe(&closet->base, one.id, KIN_ENTITY_RELEASED, count_call, NULL);
    closet_destroy_entity(closet, one);
    ck_assert_uint_eq(kin_collector_count(collector), 2);
    restore();
    ck_assert_uint_eq(kin_collector_count(collector), 0);
    closet_add_cell(closet, two, (Cell){1, 2});
    ck_assert_uint_eq(kin_collector_count(collector), 1);
    closet_destroy_entity(closet, one);
    closet_destroy_entity(closet, two);
    ck_assert_uint_eq(kin_context_retained_count(&closet->base), 1);
    kin_collector_clear(collector);
    ck_assert_uint_eq(kin_context_retained_count(&closet->base), 0);
    ck_assert_uint_eq(call_count, 0);
    kin_collector_destroy(collector);
}
END_TEST

// ---- subscriptions

static void on_change(const kin_change *change, void *user)
{
    (void)change, (void)user;
    call_count++;
}

START_TEST(snp_19_subscriptions_stay_where_the_entity_is_alive_before_and_after)
{
    save();
    closet_entity three = closet_create_entity(closet);
    kin_subscription first = kin_entity_subscribe(&closet->base, one.id, KIN_COMPONENT_ADDED, on_change, NULL);
    kin_entity_subscribe(&closet->base, two.id, KIN_COMPONENT_ADDED, on_change, NULL);
    kin_entity_subscribe(&closet->base, two.id, KIN_ENTITY_DESTROYED, on_change, NULL);
    kin_entity_subscribe(&closet->base, three.id, KIN_COMPONENT_ADDED, on_change, NULL);
    closet_retain_entity(closet, two, &owner);
    closet_destroy_entity(closet, two);
    ck_assert_uint_eq(call_count, 1);
    restore();
    ck_assert(closet_entity_is_alive(closet, two) && !closet_entity_is_alive(closet, three));
    closet_add_cell(closet, one, (Cell){1, 2});
    ck_assert_uint_eq(call_count, 2);
    closet_add_cell(closet, two, (Cell){1, 2});
    closet_entity again = closet_create_entity(closet);
    ck_assert_uint_eq(again.id, three.id);
    closet_add_cell(closet, again, (Cell){1, 2});
    ck_assert_uint_eq(call_count, 2);
    kin_unsubscribe(first);
    closet_remove_cell(closet, one);
    closet_add_cell(closet, one, (Cell){1, 2});
    ck_assert_uint_eq(call_count, 2);
}
END_TEST

START_TEST(snp_19_event_listeners_stay_where_the_entity_is_alive_before_and_after)
{
    kin_systems *events = closet_event_systems(closet);
    save();
    closet_entity three = closet_create_entity(closet);
    closet_add_any_coat_removed_listener(closet, two, on_coat_removed, NULL);
    closet_add_any_coat_removed_listener(closet, three, on_coat_removed, NULL);
    restore();
    closet_create_entity(closet);
    closet_add_coat(closet, one, (Coat){"felt", 1});
    closet_remove_coat(closet, one);
    kin_systems_execute(events, 0);
    ck_assert_uint_eq(call_count, 1);
    closet_destroy_entity(closet, two);
    restore();
    closet_add_coat(closet, one, (Coat){"felt", 1});
    closet_remove_coat(closet, one);
    kin_systems_execute(events, 0);
    ck_assert_uint_eq(call_count, 1);
    kin_systems_destroy(events);
}
END_TEST

// ---- groups, unique accessors and indices

START_TEST(snp_17_indices_groups_and_accessors_show_the_restored_state)
{
    enum { MANY = 1400 };
    uint32_t count = 0;
    closet_entity many[MANY];
    for (int32_t i = 0; i < MANY; i++) {
        many[i] = closet_create_entity(closet);
        closet_add_number(closet, many[i], (Number){i});
        closet_add_label(closet, many[i], (Label){i % 2 == 0 ? NULL : i == 1 ? "first, and a long one" : "x"});
    }
    closet_set_unique_crown(closet, (Crown){5});
    ck_assert_ptr_nonnull(closet_numbers_entities(closet, &count));
    save();
    uint32_t changed = _i == 0 ? 5 : MANY; // a few are patched, many fill the index anew
    for (uint32_t i = 0; i < changed; i++)
        closet_replace_number(closet, many[i], (Number){-(int32_t)i - 1});
    for (int32_t i = 0; i < 3; i++)
        closet_replace_number(closet, many[i], (Number){2 - i});
    closet_destroy_entity(closet, many[7]);
    closet_replace_label(closet, many[1], (Label){NULL});
    closet_remove_unique_crown(closet);
    restore();
    for (int32_t i = 0; i < MANY; i++)
        ck_assert_uint_eq(closet_entity_with_number_value(closet, i).id, many[i].id);
    ck_assert_uint_eq(closet_entity_with_number_value(closet, -4).id, 0);
    ck_assert_uint_eq(closet_entity_with_label_value(closet, "first, and a long one").id, many[1].id);
    ck_assert_ptr_nonnull(closet_numbers_entities(closet, &count));
    ck_assert_uint_eq(count, MANY);
    ck_assert_int_eq(closet_get_unique_crown(closet)->weight, 5);
    ck_assert_int_eq(closet_add_number(closet, one, (Number){7}), KIN_ERROR_DUPLICATE_KEY);
}
END_TEST

Suite *runtime_snapshot_kept_suite(void)
{
    Suite *suite = suite_create("runtime_snapshot_kept");
    TCase *tests = tcase_create("kept");
    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_test(tests, snp_03_stashed_values_come_back);
    tcase_add_test(tests, snp_03_a_value_that_was_not_stashed_is_not_afterwards);
    tcase_add_test(tests, snp_18_events_of_a_context_alone_do_not_come_back);
    tcase_add_test(tests, snp_27_a_value_that_only_a_pending_event_needs_is_no_part_of_a_context_alone);
    tcase_add_loop_test(tests, snp_03_owners_come_back, 0, 2);
    tcase_add_loop_test(tests, snp_03_who_retains_only_after_the_save_does_not_after_a_restore, 0, 2);
    tcase_add_loop_test(tests, snp_27_a_chunk_that_came_after_the_save_is_no_part_of_the_state, 0, 2);
    tcase_add_test(tests, snp_03_a_name_of_an_owner_is_never_read_after_the_owner_has_released);
    tcase_add_test(tests, snp_08_a_slot_that_a_collector_alone_holds_is_free_after_a_restore);
    tcase_add_test(tests, snp_18_collectors_are_cleared_and_nobody_is_told);
    tcase_add_test(tests, snp_19_subscriptions_stay_where_the_entity_is_alive_before_and_after);
    tcase_add_test(tests, snp_19_event_listeners_stay_where_the_entity_is_alive_before_and_after);
    tcase_add_loop_test(tests, snp_17_indices_groups_and_accessors_show_the_restored_state, 0, 2);
    suite_add_tcase(suite, tests);
    return suite;
}
