// kin_context_trim: what it frees, what it keeps, and that everything works afterwards.
#include "runtime/support/board_case.h"
#include "runtime/support/case.h"
#include "suites.h"

#include <cellar/cellar.h>
#include <check.h>

enum { COUNT = 1300 };

CASE(cellar)

static cellar_entity bottles[COUNT];

static void begin(void)
{
    cellar_begin();
    for (uint32_t i = 0; i < COUNT; i++)
        bottles[i] = cellar_create_entity(cellar);
}

static kin_context_usage usage(void)
{
    return kin_context_memory(&cellar->base);
}

static void trim(void)
{
    kin_context_usage before = usage();
    kin_context_trim(&cellar->base);
    kin_context_usage after = usage();
    ck_assert_uint_eq(after.total.used, before.total.used);
    ck_assert_uint_le(after.total.allocated, before.total.allocated);
    ck_assert_uint_eq(after.total.allocated, memory.size);
}

// Every entity gets a shelf, those from `first` on lose it again.
static void shelve(uint32_t first)
{
    for (uint32_t i = 0; i < COUNT; i++)
        cellar_add_shelf(cellar, bottles[i], (Shelf){(int32_t)i, 0});
    for (uint32_t i = first; i < COUNT; i++)
        cellar_remove_shelf(cellar, bottles[i]);
}

// ---- columns

START_TEST(cmp_10_trim_gives_back_columns_without_values_and_moves_none)
{
    size_t column = column_size(sizeof(Shelf));
    shelve(513);
    const Shelf *first = cellar_get_shelf(cellar, bottles[0]), *last = cellar_get_shelf(cellar, bottles[512]);
    ck_assert_uint_eq(usage().columns.allocated, 3 * column);
    trim();
    ck_assert_uint_eq(usage().columns.allocated, 2 * column);
    ck_assert_ptr_eq(cellar_get_shelf(cellar, bottles[0]), first);
    ck_assert_ptr_eq(cellar_get_shelf(cellar, bottles[512]), last);
    ck_assert_int_eq(last->x, 512);
    ck_assert(!cellar_has_shelf(cellar, bottles[513]) && !cellar_has_shelf(cellar, bottles[COUNT - 1]));
}
END_TEST

START_TEST(cmp_10_without_trim_columns_stay)
{
    shelve(0);
    size_t allocated = usage().columns.allocated;
    ck_assert_uint_eq(usage().columns.used, 0);
    cellar_context_reset(cellar);
    ck_assert_uint_eq(usage().columns.allocated, allocated);
    trim();
    ck_assert_uint_eq(usage().columns.allocated, 0);
}
END_TEST

START_TEST(a_column_that_was_given_back_comes_again_with_the_next_value)
{
    shelve(0);
    trim();
    ck_assert_int_eq(cellar_add_shelf(cellar, bottles[700], (Shelf){7, 8}), KIN_OK);
    ck_assert_int_eq(cellar_get_shelf(cellar, bottles[700])->y, 8);
    ck_assert_uint_eq(kin_group_count(cellar_shelved_group(cellar)), 1);
}
END_TEST

START_TEST(a_second_trim_finds_nothing)
{
    shelve(600);
    trim();
    uint32_t blocks = memory.block_count, releases = memory.release_count;
    trim();
    ck_assert_uint_eq(memory.block_count, blocks);
    ck_assert_uint_eq(memory.release_count, releases);
}
END_TEST

START_TEST(trimming_without_memory_to_move_to_leaves_what_would_move)
{
    shelve(0);
    for (uint32_t i = 0; i < COUNT; i++)
        cellar_add_bottle(cellar, bottles[i], (Bottle){i, ROW_UPPER});
    for (uint32_t i = 1; i < COUNT; i++)
        cellar_remove_bottle(cellar, bottles[i]);
    guard_fail(&memory, 1, true);
    trim();
    ck_assert(guard_has_failed(&memory));
    guard_fail(&memory, 0, false);
    size_t left = memory.size;
    trim();
    ck_assert_uint_lt(memory.size, left);
    ck_assert(cellar_entity_equals(cellar_entity_with_bottle_number(cellar, 0), bottles[0]));
}
END_TEST

// ---- after a trim

START_TEST(groups_indices_and_arrays_go_on)
{
    uint32_t count = 0, again = 0;
    for (uint32_t i = 0; i < COUNT; i++)
        cellar_add_bottle(cellar, bottles[i], (Bottle){i, i % 2 == 0 ? ROW_UPPER : ROW_LOWER});
    for (uint32_t i = 100; i < COUNT; i++)
        cellar_remove_bottle(cellar, bottles[i]);
    shelve(3);
    const cellar_entity *shelved = cellar_shelved_entities(cellar, &count);
    const cellar_entity *lower = cellar_entities_with_bottle_row(cellar, ROW_LOWER, &again);
    trim();
    ck_assert_uint_eq(count, 3);
    ck_assert(cellar_entity_equals(shelved[2], bottles[2]));
    ck_assert_uint_eq(again, 50);
    ck_assert(cellar_entity_equals(lower[49], bottles[99]));
    ck_assert_ptr_eq(cellar_shelved_entities(cellar, &count), shelved);
    for (uint32_t i = 0; i < COUNT; i++)
        ck_assert_int_eq(cellar_entity_equals(cellar_entity_with_bottle_number(cellar, i), bottles[i]), i < 100);
    ck_assert_refused(&errors, cellar_add_bottle(cellar, bottles[500], (Bottle){50, ROW_UPPER}),
                      KIN_ERROR_DUPLICATE_KEY);
    ck_assert_int_eq(cellar_add_bottle(cellar, bottles[500], (Bottle){500, ROW_UPPER}), KIN_OK);
    ck_assert_uint_eq((cellar_entities_with_bottle_row(cellar, ROW_UPPER, &again), again), 51);
}
END_TEST

START_TEST(a_collector_that_grew_for_a_multitude_goes_on)
{
    kin_collector *collector = kin_collector_create(&(kin_trigger){cellar_shelved_group(cellar), KIN_ADDED}, 1);
    uint32_t count = 0;
    shelve(COUNT);
    trim();
    const kin_entity *collected = kin_collector_entities(collector, &count);
    ck_assert_uint_eq(count, COUNT);
    ck_assert_uint_eq(collected[COUNT - 1], bottles[COUNT - 1].id);
    kin_collector_clear(collector);
    trim();
    ck_assert_uint_eq(collected[0], bottles[0].id);
    ck_assert_ptr_null(kin_collector_entities(collector, &count));
    trim();
    cellar_replace_shelf(cellar, bottles[9], (Shelf){9, 9});
    ck_assert_uint_eq(kin_collector_entities(collector, &count)[0], bottles[9].id);
    kin_collector_destroy(collector);
}
END_TEST

START_TEST(grp_08_a_subscription_that_has_ended_may_end_again_after_a_trim)
{
    kin_subscription own = kin_entity_subscribe(&cellar->base, bottles[0].id, KIN_COMPONENT_ADDED, count_call, NULL);
    kin_subscription of_group = kin_group_subscribe(cellar_shelved_group(cellar), KIN_ADDED, count_call, NULL);
    kin_unsubscribe(own);
    kin_unsubscribe(of_group);
    trim();
    kin_unsubscribe(own);
    kin_unsubscribe(of_group);
    call_count = 0;
    cellar_add_shelf(cellar, bottles[0], (Shelf){0, 0});
    ck_assert_uint_eq(call_count, 0);
    kin_entity_subscribe(&cellar->base, bottles[0].id, KIN_COMPONENT_REMOVED, count_call, NULL);
    trim();
    cellar_remove_shelf(cellar, bottles[0]);
    ck_assert_uint_eq(call_count, 1);
}
END_TEST

START_TEST(evt_05_a_last_value_that_waits_to_be_reported_is_kept)
{
    kin_systems *systems = cellar_event_systems(cellar);
    cellar_add_label(cellar, bottles[0], (Label){.text = "Chablis"});
    cellar_add_label(cellar, bottles[600], (Label){.text = "Pommard"});
    cellar_remove_label(cellar, bottles[0]);
    cellar_remove_label(cellar, bottles[600]);
    size_t strings = usage().strings.used, columns = usage().columns.allocated;
    trim();
    ck_assert_uint_eq(usage().strings.used, strings);
    ck_assert_uint_lt(usage().columns.allocated, columns);
    kin_systems_execute(systems, 1);
    trim();
    ck_assert_uint_eq(usage().strings.allocated, 0);
    cellar_add_label(cellar, bottles[0], (Label){.text = "Chablis"});
    cellar_remove_label(cellar, bottles[0]);
    kin_systems_destroy(systems);
    trim();
    ck_assert_uint_eq(usage().columns.allocated, 0);
}
END_TEST

START_TEST(dsp_12_after_a_trim_nothing_that_removes_needs_memory)
{
    kin_systems *events = cellar_event_systems(cellar), *cleanup = cellar_cleanup_systems(cellar);
    kin_trigger triggers[] = {{cellar_shelved_group(cellar), KIN_ADDED_OR_REMOVED},
                              {cellar_labelled_group(cellar), KIN_REMOVED}};
    kin_collector *collector = kin_collector_create(triggers, 2);
    shelve(COUNT);
    for (uint32_t i = 0; i < COUNT; i++)
        cellar_add_bottle(cellar, bottles[i], (Bottle){i, ROW_UPPER});
    cellar_add_label(cellar, bottles[5], (Label){.text = "Chablis"});
    cellar_set_unique_key(cellar, (Key){3});
    cellar_set_broken(cellar, bottles[7], true);
    kin_collector_clear(collector);
    trim();
    guard_fail(&memory, 1, true);
    ck_assert_int_eq(cellar_remove_shelf(cellar, bottles[0]), KIN_OK);
    ck_assert_int_eq(cellar_remove_all_components(cellar, bottles[5]), KIN_OK);
    ck_assert_int_eq(cellar_remove_unique_key(cellar), KIN_OK);
    kin_systems_cleanup(cleanup);
    kin_systems_execute(events, 1);
    ck_assert_refused(&errors, cellar_destroy_all_entities(cellar), KIN_ERROR_RETAINED);
    ck_assert(!guard_has_failed(&memory));
    guard_fail(&memory, 0, false);
    kin_collector_destroy(collector);
    kin_systems_destroy(events);
    kin_systems_destroy(cleanup);
}
END_TEST

// ---- callers

static size_t inside;

static void trim_inside(const kin_change *change, void *user)
{
    (void)user;
    size_t before = memory.size;
    kin_context_trim(change->context);
    inside += before - memory.size;
}

// The space that a clone has reserved for its later steps must not be freed in a listener of an earlier one.
START_TEST(cpy_05_inside_a_listener_it_does_nothing_as_a_clone_needs_what_it_reserved)
{
    inside = 0;
    shelve(0);
    cellar_add_shelf(cellar, bottles[0], (Shelf){1, 2});
    cellar_add_label(cellar, bottles[0], (Label){.text = "Chablis"});
    kin_context_subscribe(&cellar->base, KIN_ENTITY_CREATED, trim_inside, NULL);
    kin_context_subscribe(&cellar->base, KIN_ENTITY_WILL_BE_DESTROYED, trim_inside, NULL);
    kin_group_subscribe(cellar_labelled_group(cellar), KIN_ADDED_OR_REMOVED, trim_inside, NULL);
    cellar_entity clone = cellar_clone_entity(cellar, bottles[0]);
    ck_assert_int_eq(cellar_get_shelf(cellar, clone)->y, 2);
    ck_assert_str_eq(cellar_get_label(cellar, clone)->text, "Chablis");
    cellar_destroy_entity(cellar, clone);
    ck_assert_uint_eq(inside, 0);
    trim();
}
END_TEST

static void trim_executing(void *self, kin_context *context, const kin_entity *entities, uint32_t count)
{
    uint32_t *sum = self;
    kin_context_trim(context);
    for (uint32_t i = 0; i < count; i++)
        *sum += entities[i] == bottles[i].id;
}

START_TEST(a_reactive_system_may_trim_what_it_runs_on)
{
    uint32_t sum = 0;
    kin_systems *systems = kin_systems_create("systems", NULL);
    kin_trigger trigger = {cellar_shelved_group(cellar), KIN_ADDED_OR_REMOVED};
    kin_reactive_system system = {.triggers = &trigger, .trigger_count = 1, .execute = trim_executing, .self = &sum};
    kin_systems_add_reactive(systems, system);
    shelve(5);
    for (uint32_t i = 0; i < COUNT; i++)
        cellar_add_bottle(cellar, bottles[i], (Bottle){i, ROW_UPPER});
    for (uint32_t i = 5; i < COUNT; i++)
        cellar_remove_bottle(cellar, bottles[i]);
    size_t indices = usage().indices.allocated;
    kin_systems_execute(systems, 1);
    ck_assert_uint_lt(usage().indices.allocated, indices);
    ck_assert_uint_eq(sum, COUNT);
    ck_assert_uint_eq(usage().columns.allocated, column_size(sizeof(Shelf)) + column_size(sizeof(Bottle)));
    kin_systems_destroy(systems);
}
END_TEST

START_TEST(grp_09_a_loop_that_trims_goes_on_with_its_next_run)
{
    uint32_t seen = 0;
    board_begin();
    board_entity entities[COUNT];
    board_fill(board, COUNT, entities);
    for (uint32_t i = 0; i < COUNT; i++) {
        board_add_position(board, entities[i], (Position){1, 0});
        board_add_velocity(board, entities[i], (Velocity){{1, 0}});
    }
    board_movers_iter it = board_movers_iterate(board);
    while (_i == 0 ? board_movers_next(&it) : board_movers_next_block(&it)) {
        uint32_t end = _i == 0 ? it.count : 64;
        seen += _i == 0 ? it.count : kin__count_bits(it.mask);
        for (uint32_t i = 0; i < end; i++)
            board_remove_all_components(board, board_movers_at(&it, i));
        kin_context_trim(&board->base);
    }
    ck_assert_uint_eq(seen, COUNT);
    ck_assert_uint_eq(kin_context_memory(&board->base).columns.allocated, 0);
    error_log_clear(&board_errors);
    board_end();
}
END_TEST

Suite *runtime_trim_suite(void)
{
    Suite *suite = suite_create("runtime_trim");
    TCase *tests = tcase_create("trim");
    tcase_add_checked_fixture(tests, begin, cellar_end);
    tcase_add_test(tests, cmp_10_trim_gives_back_columns_without_values_and_moves_none);
    tcase_add_test(tests, cmp_10_without_trim_columns_stay);
    tcase_add_test(tests, a_column_that_was_given_back_comes_again_with_the_next_value);
    tcase_add_test(tests, a_second_trim_finds_nothing);
    tcase_add_test(tests, trimming_without_memory_to_move_to_leaves_what_would_move);
    tcase_add_test(tests, groups_indices_and_arrays_go_on);
    tcase_add_test(tests, a_collector_that_grew_for_a_multitude_goes_on);
    tcase_add_test(tests, grp_08_a_subscription_that_has_ended_may_end_again_after_a_trim);
    tcase_add_test(tests, evt_05_a_last_value_that_waits_to_be_reported_is_kept);
    tcase_add_test(tests, dsp_12_after_a_trim_nothing_that_removes_needs_memory);
    tcase_add_test(tests, cpy_05_inside_a_listener_it_does_nothing_as_a_clone_needs_what_it_reserved);
    tcase_add_test(tests, a_reactive_system_may_trim_what_it_runs_on);
    tcase_add_loop_test(tests, grp_09_a_loop_that_trims_goes_on_with_its_next_run, 0, 2);
    suite_add_tcase(suite, tests);
    return suite;
}
