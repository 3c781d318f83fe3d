// Collectors over several contexts, and collectors that outlive a context.

#include "runtime/support/links_case.h"
#include "suites.h"

static kin_collector *collector;

static void begin(void)
{
    links_begin();
    kin_trigger triggers[] = {{sea_cargo(), KIN_ADDED}, {dock_cargo(), KIN_ADDED}, {sea_cargo(), KIN_REMOVED}};
    collector = kin_collector_create(triggers, 3);
    ck_assert_ptr_nonnull(collector);
}

static void end(void)
{
    kin_collector_destroy(collector);
    links_end();
}

static void expect(const char *expected)
{
    uint32_t count = 0, context_count = 0;
    const kin_entity *entities = kin_collector_entities(collector, &count);
    kin_context *const *contexts = kin_collector_contexts(collector, &context_count);
    ck_assert(count == context_count && count == kin_collector_count(collector));
    for (uint32_t i = 0; i < count; i++)
        links_write(contexts[i], entities[i]);
    ck_assert_log(expected);
}

START_TEST(col_06_equal_handles_of_two_contexts_are_two_entities)
{
    dock_entity in_dock = dock_entity_with_cargo(1);
    sea_entity at_sea = sea_entity_with_cargo(1);
    ck_assert_uint_eq(in_dock.id, at_sea.id);
    expect("d1 s1 ");
}
END_TEST

START_TEST(col_06_the_order_of_collection_goes_across_the_contexts)
{
    sea_entity_with_cargo(1);
    dock_entity_with_cargo(1);
    dock_entity_with_cargo(1);
    sea_entity second = sea_entity_with_cargo(1);
    sea_remove_cargo(sea, second);
    expect("s1 d1 d2 s2 ");
    kin_collector_clear(collector);
    expect("");
    dock_entity_with_cargo(1);
    expect("d3 ");
}
END_TEST

static const uint32_t sizes[] = {511, 512, 513, 1025, 3000};

START_TEST(col_06_both_contexts_may_grow_while_it_collects)
{
    for (uint32_t i = 0; i < sizes[_i]; i++) {
        dock_entity_with_cargo(1);
        if (i % 2 == 0)
            sea_entity_with_cargo(1);
    }
    uint32_t count = 0, sailed = 0;
    kin_context *const *contexts = kin_collector_contexts(collector, &count);
    ck_assert_uint_eq(count, sizes[_i] + (sizes[_i] + 1) / 2);
    for (uint32_t i = 0; i < count; i++)
        sailed += contexts[i] == &sea->base;
    ck_assert_uint_eq(sailed, (sizes[_i] + 1) / 2);
}
END_TEST

START_TEST(col_04_a_collector_holds_entities_of_both_contexts)
{
    dock_destroy_entity(dock, dock_entity_with_cargo(1));
    sea_destroy_entity(sea, sea_entity_with_cargo(1));
    ck_assert_uint_eq(kin_context_retained_count(&dock->base), 1);
    ck_assert_uint_eq(kin_context_retained_count(&sea->base), 1);
    kin_collector_deactivate(collector);
    ck_assert_uint_eq(kin_context_retained_count(&dock->base), 0);
    ck_assert_uint_eq(kin_context_retained_count(&sea->base), 0);
}
END_TEST

static void write_released(const kin_change *change, void *user)
{
    (void)user;
    links_write(change->context, change->entity);
}

START_TEST(col_04_a_collector_releases_in_order_of_collection_across_contexts)
{
    sea_entity at_sea[] = {sea_entity_with_cargo(1), {0}};
    dock_entity in_dock[] = {dock_entity_with_cargo(1), dock_entity_with_cargo(1)};
    at_sea[1] = sea_entity_with_cargo(1);
    for (int i = 0; i < 2; i++) {
        kin_entity_subscribe(&dock->base, in_dock[i].id, KIN_ENTITY_RELEASED, write_released, NULL);
        kin_entity_subscribe(&sea->base, at_sea[i].id, KIN_ENTITY_RELEASED, write_released, NULL);
        dock_destroy_entity(dock, in_dock[i]);
        sea_destroy_entity(sea, at_sea[i]);
    }
    kin_collector_clear(collector);
    ck_assert_log("s1 d1 d2 s2 ");
}
END_TEST

START_TEST(ctx_09_a_collector_keeps_those_of_other_contexts_when_one_is_destroyed)
{
    dock_entity_with_cargo(1);
    sea_entity_with_cargo(1);
    dock_entity_with_cargo(1);
    dock_context_destroy(dock);
    dock = NULL;
    expect("s1 ");
    sea_entity_with_cargo(1);
    expect("s1 s2 ");
    kin_collector_deactivate(collector);
    kin_collector_activate(collector);
    sea_entity_with_cargo(1);
    expect("s3 ");
}
END_TEST

START_TEST(ctx_09_the_context_that_provides_the_memory_of_a_collector_may_be_destroyed_first)
{
    dock_entity_with_cargo(1);
    sea_entity_with_cargo(1);
    sea_context_destroy(sea);
    sea = NULL;
    expect("d1 ");
    for (int32_t i = 0; i < 1000; i++)
        dock_entity_with_cargo(i);
    ck_assert_uint_eq(kin_collector_count(collector), 1001);
}
END_TEST

START_TEST(ctx_09_without_any_context_it_is_empty_and_must_still_be_destroyed)
{
    dock_destroy_entity(dock, dock_entity_with_cargo(1));
    sea_entity_with_cargo(1);
    kin_collector_deactivate(collector);
    if (_i == 1)
        kin_collector_activate(collector);
    sea_context_destroy(sea);
    dock_context_destroy(dock);
    sea = NULL;
    dock = NULL;
    expect("");
    kin_collector_clear(collector);
    kin_collector_deactivate(collector);
    kin_collector_activate(collector);
    expect("");
}
END_TEST

START_TEST(ctx_09_destroying_a_context_before_its_collector_calls_no_listener)
{
    sea_entity_with_cargo(1);
    sea_context_destroy(sea);
    sea = NULL;
    expect("");
    dock_entity_with_cargo(1);
    expect("d1 ");
}
END_TEST

START_TEST(ctx_11_contexts_of_a_package_are_made_reset_and_destroyed_together)
{
    guard memory;
    kin_context_options options = {.allocator = guard_begin(&memory), .on_error = log_error};
    links_contexts *contexts = links_contexts_create(&options);
    ck_assert_ptr_nonnull(contexts);
    dock_create_entity(contexts->dock);
    sea_create_entity(contexts->sea);
    ck_assert_int_eq(links_contexts_reset(contexts), KIN_OK);
    ck_assert_uint_eq(dock_entity_count(contexts->dock) + sea_entity_count(contexts->sea), 0);
    links_contexts_destroy(contexts);
    links_contexts_destroy(NULL);
    guard_end(&memory);
}
END_TEST

START_TEST(ctx_11_reset_resets_all_and_reports_when_one_did)
{
    guard memory;
    kin_context_options options = {.allocator = guard_begin(&memory), .on_error = log_error};
    links_contexts *contexts = links_contexts_create(&options);
    kin_group *group = kin_context_group(&contexts->dock->base, KIN_MATCHER(KIN_ALL(DOCK_CARGO)));
    kin_collector *holding = kin_collector_create(&(kin_trigger){group, KIN_ADDED}, 1);
    dock_add_cargo(contexts->dock, dock_create_entity(contexts->dock), (Cargo){1});
    sea_create_entity(contexts->sea);
    ck_assert_int_eq(links_contexts_reset(contexts), KIN_ERROR_RETAINED);
    ck_assert_uint_eq(dock_entity_count(contexts->dock) + sea_entity_count(contexts->sea), 0);
    ck_assert_log("!RETAINED ");
    kin_collector_destroy(holding);
    links_contexts_destroy(contexts);
    guard_end(&memory);
}
END_TEST

Suite *runtime_collector_contexts_suite(void)
{
    Suite *suite = suite_create("runtime_collector_contexts");
    TCase *tests = tcase_create("collector_contexts");
    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_test(tests, col_06_equal_handles_of_two_contexts_are_two_entities);
    tcase_add_test(tests, col_06_the_order_of_collection_goes_across_the_contexts);
    tcase_add_loop_test(tests, col_06_both_contexts_may_grow_while_it_collects, 0, sizeof sizes / sizeof *sizes);
    tcase_add_test(tests, col_04_a_collector_holds_entities_of_both_contexts);
    tcase_add_test(tests, col_04_a_collector_releases_in_order_of_collection_across_contexts);
    tcase_add_test(tests, ctx_09_a_collector_keeps_those_of_other_contexts_when_one_is_destroyed);
    tcase_add_test(tests, ctx_09_the_context_that_provides_the_memory_of_a_collector_may_be_destroyed_first);
    tcase_add_loop_test(tests, ctx_09_without_any_context_it_is_empty_and_must_still_be_destroyed, 0, 2);
    tcase_add_test(tests, ctx_09_destroying_a_context_before_its_collector_calls_no_listener);
    tcase_add_test(tests, ctx_11_contexts_of_a_package_are_made_reset_and_destroyed_together);
    tcase_add_test(tests, ctx_11_reset_resets_all_and_reports_when_one_did);
    suite_add_tcase(suite, tests);
    return suite;
}
