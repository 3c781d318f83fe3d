// The memory usage that a context reports: to the byte what its allocator counts. (tests/model compares it after random
// operations of every kind, also inside listeners.)
#include "runtime/support/case.h"
#include "runtime/support/play.h"
#include "suites.h"

#include <check.h>
#include <links/links.h>
#include <stdlib.h>
#include <string.h>

static kin_context_options options;
static cellar_context *cellar;

static void begin(void)
{
    options = case_options(&(kin_context_options){.on_error = ignore_error});
    cellar = cellar_context_create(&options);
}

static void finish(void)
{
    cellar_context_destroy(cellar);
    cellar = NULL;
    guard_end(&memory);
}

// The parts of `usage` in order, and their sum.
enum { PARTS = 7 };

static void check_usage(const kin_context_usage *usage)
{
    kin_memory all[PARTS + 1], sum = {0};
    ck_assert_uint_eq(sizeof all, sizeof *usage);
    memcpy(all, usage, sizeof all);
    for (int i = 0; i < PARTS; i++) {
        ck_assert_uint_le(all[i].used, all[i].allocated);
        sum.used += all[i].used;
        sum.allocated += all[i].allocated;
    }
    ck_assert_uint_eq(usage->total.used, sum.used);
    ck_assert_uint_eq(usage->total.allocated, sum.allocated);
}

static kin_context_usage usage_now(void)
{
    kin_context_usage usage = kin_context_memory(&cellar->base);
    check_usage(&usage);
    ck_assert_uint_eq(usage.total.allocated, memory.size);
    return usage;
}

START_TEST(a_new_context_has_no_columns_and_no_strings)
{
    kin_context_usage usage = usage_now();
    ck_assert_uint_gt(usage.chunks.used, 0);
    ck_assert_uint_gt(usage.groups.used, 0);
    ck_assert_uint_gt(usage.indices.used, 0);
    ck_assert_uint_eq(usage.columns.allocated, 0);
    ck_assert_uint_eq(usage.collectors.allocated, 0);
    ck_assert_uint_eq(usage.strings.allocated, 0);
}
END_TEST

START_TEST(an_entity_uses_its_handle_and_its_row)
{
    cellar_create_entity(cellar);
    size_t one = usage_now().chunks.used;
    cellar_entity second = cellar_create_entity(cellar);
    ck_assert_uint_eq(usage_now().chunks.used, one + sizeof(kin_entity) + sizeof(uint64_t));
    cellar_destroy_entity(cellar, second);
    ck_assert_uint_eq(usage_now().chunks.used, one);
}
END_TEST

START_TEST(a_value_uses_its_place_and_the_first_one_the_bits_of_the_column)
{
    cellar_entity first = cellar_create_entity(cellar), second = cellar_create_entity(cellar);
    cellar_add_shelf(cellar, first, (Shelf){1, 2});
    ck_assert_uint_eq(usage_now().columns.used, 64 + sizeof(Shelf));
    ck_assert_uint_eq(usage_now().columns.allocated, column_size(sizeof(Shelf)));
    cellar_add_shelf(cellar, second, (Shelf){1, 2});
    ck_assert_uint_eq(usage_now().columns.used, 64 + 2 * sizeof(Shelf));
    cellar_remove_shelf(cellar, first);
    cellar_remove_shelf(cellar, second);
    ck_assert_uint_eq(usage_now().columns.used, 0);
}
END_TEST

START_TEST(strings_use_what_they_take_until_they_are_gone)
{
    cellar_entity entity = cellar_create_entity(cellar);
    cellar_add_label(cellar, entity, (Label){.text = "Chablis"});
    size_t one = usage_now().strings.used;
    cellar_replace_label(cellar, entity, (Label){.text = "Chablis Grand Cru"});
    ck_assert_uint_eq(usage_now().strings.used, one + strlen(" Grand Cru"));
    cellar_remove_label(cellar, entity);
    ck_assert_uint_eq(usage_now().strings.allocated, 0);
}
END_TEST

START_TEST(keys_use_memory_while_an_entity_has_them)
{
    size_t none = usage_now().indices.used;
    cellar_entity entity = cellar_create_entity(cellar);
    cellar_add_bottle(cellar, entity, (Bottle){.number = 7});
    ck_assert_uint_gt(usage_now().indices.used, none);
    cellar_destroy_entity(cellar, entity);
    ck_assert_uint_eq(usage_now().indices.used, none);
}
END_TEST

START_TEST(listeners_and_arrays_belong_to_groups)
{
    cellar_entity entity = cellar_create_entity(cellar);
    uint32_t count = 0;
    cellar_add_shelf(cellar, entity, (Shelf){1, 2});
    size_t none = usage_now().groups.used;
    kin_subscription place = kin_entity_subscribe(&cellar->base, entity.id, KIN_ENTITY_DESTROYED, ignore_change, NULL);
    size_t subscribed = usage_now().groups.used;
    ck_assert_uint_gt(subscribed, none);
    cellar_shelved_entities(cellar, &count);
    ck_assert_uint_eq(usage_now().groups.used, subscribed + sizeof(kin_entity));
    kin_unsubscribe(place);
    ck_assert_uint_eq(usage_now().groups.used, none + sizeof(kin_entity));
}
END_TEST

START_TEST(a_collector_uses_what_it_has_collected)
{
    cellar_entity entity = cellar_create_entity(cellar);
    kin_collector *collector = kin_collector_create(&(kin_trigger){cellar_shelved_group(cellar), KIN_ADDED}, 1);
    size_t empty = usage_now().collectors.used;
    cellar_add_shelf(cellar, entity, (Shelf){1, 2});
    ck_assert_uint_eq(usage_now().collectors.used, empty + sizeof(kin_entity));
    kin_collector_clear(collector);
    ck_assert_uint_eq(usage_now().collectors.used, empty);
    kin_collector_destroy(collector);
    ck_assert_uint_eq(usage_now().collectors.allocated, 0);
}
END_TEST

START_TEST(event_and_cleanup_systems_are_counted_until_their_context_ends)
{
    kin_systems *events = cellar_event_systems(cellar), *cleanup = cellar_cleanup_systems(cellar);
    cellar_entity entity = cellar_create_entity(cellar);
    cellar_add_label(cellar, entity, (Label){.text = "Chablis"});
    cellar_remove_label(cellar, entity);
    ck_assert_uint_gt(usage_now().collectors.used, 0);
    ck_assert_uint_gt(usage_now().strings.used, 0);
    if (_i == 0)
        kin_systems_destroy(events);
    else
        kin_systems_execute(events, 1);
    ck_assert_uint_eq(usage_now().strings.allocated, 0);
    cellar_context_destroy(cellar);
    cellar = NULL;
    kin_systems_destroy(cleanup);
    if (_i == 1)
        kin_systems_destroy(events);
    ck_assert_uint_eq(memory.size, 0);
}
END_TEST

START_TEST(a_collector_over_several_contexts_counts_for_that_of_its_first_trigger)
{
    links_contexts *links = links_contexts_create(&options);
    kin_context *dock = &links->dock->base, *sea = &links->sea->base;
    kin_matcher docked = KIN_MATCHER(KIN_ALL(DOCK_CARGO)), sailed = KIN_MATCHER(KIN_ALL(SEA_CARGO));
    kin_trigger triggers[] = {{kin_context_group(sea, sailed), KIN_ADDED},
                              {kin_context_group(dock, docked), KIN_ADDED}};
    kin_context_usage dock_before = kin_context_memory(dock), sea_before = kin_context_memory(sea);
    size_t before = memory.size;
    kin_collector *collector = kin_collector_create(triggers, 2);
    kin_context_usage at_dock = kin_context_memory(dock), at_sea = kin_context_memory(sea);
    check_usage(&at_dock);
    check_usage(&at_sea);
    ck_assert_uint_eq(at_dock.collectors.allocated, 0);
    ck_assert_uint_gt(at_sea.collectors.allocated, 0);
    size_t more = at_dock.total.allocated + at_sea.total.allocated;
    more -= dock_before.total.allocated + sea_before.total.allocated;
    ck_assert_uint_eq(memory.size - before, more);
    links_contexts_destroy(links);
    kin_collector_destroy(collector);
}
END_TEST

// The value that a removal reports is kept for that time; the strings of a destroyed entity still exist.
static void measure(const kin_change *change, void *user)
{
    (void)change;
    ++*(uint32_t *)user;
    usage_now();
}

START_TEST(usage_is_exact_inside_listeners)
{
    uint32_t measured = 0;
    kin_group_subscribe(cellar_labelled_group(cellar), KIN_ADDED_OR_REMOVED, measure, &measured);
    kin_context_subscribe(&cellar->base, KIN_ENTITY_CREATED, measure, &measured);
    kin_context_subscribe(&cellar->base, KIN_ENTITY_WAS_DESTROYED, measure, &measured);
    cellar_entity entity = cellar_create_entity(cellar);
    cellar_add_label(cellar, entity, (Label){.text = "Chablis"});
    cellar_set_unique_key(cellar, (Key){3});
    cellar_clone_entity(cellar, entity);
    cellar_replace_label(cellar, entity, (Label){.text = "Pommard"});
    kin_group_destroy_entities(cellar_labelled_group(cellar));
    ck_assert_uint_eq(measured, 11);
}
END_TEST

START_TEST(usage_is_exact_after_random_operations)
{
    play *play = calloc(1, sizeof *play);
    for (uint32_t turn = 0; turn < 40; turn++) {
        play->size = 0;
        play_run(play, cellar, (uint64_t)_i * 1000 + turn, 25);
        usage_now();
        if (turn % 4 == 3)
            kin_context_trim(&cellar->base);
        usage_now();
    }
    free(play);
}
END_TEST

Suite *runtime_usage_suite(void)
{
    Suite *suite = suite_create("runtime_usage");
    TCase *tests = tcase_create("usage");
    tcase_add_checked_fixture(tests, begin, finish);
    tcase_add_test(tests, a_new_context_has_no_columns_and_no_strings);
    tcase_add_test(tests, an_entity_uses_its_handle_and_its_row);
    tcase_add_test(tests, a_value_uses_its_place_and_the_first_one_the_bits_of_the_column);
    tcase_add_test(tests, strings_use_what_they_take_until_they_are_gone);
    tcase_add_test(tests, keys_use_memory_while_an_entity_has_them);
    tcase_add_test(tests, listeners_and_arrays_belong_to_groups);
    tcase_add_test(tests, a_collector_uses_what_it_has_collected);
    tcase_add_loop_test(tests, event_and_cleanup_systems_are_counted_until_their_context_ends, 0, 2);
    tcase_add_test(tests, a_collector_over_several_contexts_counts_for_that_of_its_first_trigger);
    tcase_add_test(tests, usage_is_exact_inside_listeners);
    tcase_add_loop_test(tests, usage_is_exact_after_random_operations, 0, 8);
    suite_add_tcase(suite, tests);
    return suite;
}
