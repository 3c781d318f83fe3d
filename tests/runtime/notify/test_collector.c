#include "runtime/support/relay_case.h"
#include "suites.h"

static kin_collector *collector;

static void begin(void)
{
    relay_begin();
    collector = NULL;
}

static void end(void)
{
    kin_collector_destroy(collector);
    relay_end();
}

static void collect(kin_group *group, kin_group_event event)
{
    collector = kin_collector_create(&(kin_trigger){group, event}, 1);
    ck_assert_ptr_nonnull(collector);
}

// Compares the collected entities, as creation indices, with `expected`: "1 3 2 ".
static void expect(const char *expected)
{
    uint32_t count = 0;
    const kin_entity *entities = kin_collector_entities(collector, &count);
    ck_assert_uint_eq(count, kin_collector_count(collector));
    for (uint32_t i = 0; i < count; i++)
        log_write("%u ", (unsigned)kin_entity_creation_index(entities[i]));
    ck_assert_log(expected);
}

START_TEST(col_01_a_new_collector_is_active_and_empty_also_when_its_group_is_not)
{
    relay_entity entity = relay_entity_with_a(1);
    collect(relay_all(RELAY_A), KIN_ADDED);
    expect("");
    relay_entity_with_a(2);
    expect("2 ");
    relay_touch_a(relay, entity);
    expect("2 1 ");
}
END_TEST

// The entities that each event collects, of one that enters, one that leaves, one that is replaced and one that is
// touched.
static const struct {
    kin_group_event event;
    const char *collected;
} events[] = {
    {KIN_ADDED, "4 2 3 "},
    {KIN_REMOVED, "1 2 3 "},
    {KIN_ADDED_OR_REMOVED, "4 1 2 3 "},
    {KIN_MODIFIED, "2 3 "},
};

START_TEST(col_02_each_event_collects_what_it_says)
{
    relay_entity leaves = relay_entity_with_a(1), replaced = relay_entity_with_a(2), touched = relay_entity_with_a(3);
    collect(relay_all(RELAY_A), events[_i].event);
    relay_entity_with_a(4);
    relay_remove_a(relay, leaves);
    relay_replace_a(relay, replaced, (A){20});
    relay_touch_a(relay, touched);
    expect(events[_i].collected);
}
END_TEST

START_TEST(col_03_col_06_repeated_triggers_collect_an_entity_once)
{
    kin_trigger triggers[] = {
        {relay_all(RELAY_A), KIN_ADDED}, {relay_all(RELAY_B), KIN_ADDED_OR_REMOVED}, {relay_all(RELAY_A), KIN_ADDED}};
    relay_entity first = relay_create_entity(relay), second = relay_create_entity(relay);
    collector = kin_collector_create(triggers, 3);
    relay_add_b(relay, second, (B){1});
    relay_add_a(relay, first, (A){1});
    relay_add_a(relay, second, (A){1});
    relay_remove_b(relay, second);
    expect("2 1 ");
    kin_collector_clear(collector);
    relay_touch_a(relay, first);
    relay_touch_a(relay, second);
    expect("1 2 ");
}
END_TEST

START_TEST(col_04_a_destroyed_entity_stays_collected_and_its_slot_unused)
{
    collect(relay_all(RELAY_A), KIN_ADDED);
    relay_entity entity = relay_entity_with_a(1);
    relay_destroy_entity(relay, entity);
    expect("1 ");
    ck_assert_uint_eq(kin_context_retained_count(&relay->base), 1);
    ck_assert_uint_eq(kin_context_reusable_count(&relay->base), 0);
    ck_assert_uint_eq(kin_entity_slot(relay_create_entity(relay).id), 1);
    kin_collector_clear(collector);
    ck_assert_uint_eq(kin_context_retained_count(&relay->base), 0);
    ck_assert_uint_eq(kin_entity_slot(relay_create_entity(relay).id), 0);
}
END_TEST

static void release_by_clear(void)
{
    kin_collector_clear(collector);
}

static void release_by_deactivate(void)
{
    kin_collector_deactivate(collector);
}

static void release_by_destroy(void)
{
    kin_collector_destroy(collector);
    collector = NULL;
}

START_TEST(col_04_a_collector_releases_in_order_of_collection)
{
    static void (*const releases[])(void) = {release_by_clear, release_by_deactivate, release_by_destroy};
    collect(relay_all(RELAY_A), KIN_REMOVED);
    relay_entity entities[4];
    for (int32_t i = 0; i < 4; i++)
        entities[i] = relay_entity_with_a(i);
    static const int order[] = {2, 0, 3, 1};
    for (int i = 0; i < 4; i++)
        relay_destroy_entity(relay, entities[order[i]]);
    ck_assert_uint_eq(kin_context_retained_count(&relay->base), 4);
    releases[_i]();
    ck_assert_uint_eq(kin_context_reusable_count(&relay->base), 4);
    for (int i = 4; i-- > 0;) // the slot that was freed last is used first
        ck_assert_uint_eq(kin_entity_slot(relay_create_entity(relay).id), (uint32_t)order[i]);
}
END_TEST

START_TEST(ret_05_every_collector_holds_on_its_own)
{
    kin_trigger trigger = {relay_all(RELAY_A), KIN_ADDED};
    kin_collector *other = kin_collector_create(&trigger, 1);
    collect(trigger.group, trigger.event);
    relay_destroy_entity(relay, relay_entity_with_a(1));
    kin_collector_clear(collector);
    ck_assert_uint_eq(kin_context_retained_count(&relay->base), 1);
    kin_collector_destroy(other);
    ck_assert_uint_eq(kin_context_retained_count(&relay->base), 0);
    ck_assert_uint_eq(kin_context_reusable_count(&relay->base), 1);
}
END_TEST

START_TEST(ret_05_releasing_a_living_entity_changes_nothing)
{
    collect(relay_all(RELAY_A), KIN_ADDED);
    relay_entity entity = relay_entity_with_a(1);
    kin_collector_clear(collector);
    ck_assert(relay_entity_is_alive(relay, entity));
    ck_assert_uint_eq(kin_context_reusable_count(&relay->base), 0);
    relay_destroy_entity(relay, entity);
    ck_assert_uint_eq(kin_context_reusable_count(&relay->base), 1);
}
END_TEST

static void retain_twice(const kin_change *change)
{
    log_write("%s ", kin_status_name(relay_retain_entity(relay, relay_changed_entity(change), &collector)));
    kin_collector_clear(collector);
    log_write("%s ", kin_status_name(relay_retain_entity(relay, relay_changed_entity(change), NULL)));
}

START_TEST(ret_04_a_collected_entity_can_be_retained_while_it_is_being_destroyed)
{
    collect(relay_all(RELAY_A), KIN_ADDED);
    relay_entity entity = relay_entity_with_a(1);
    relay_watch_entity(entity, KIN_ENTITY_DESTROYED, "destroyed", retain_twice);
    relay_watch_entity(entity, KIN_ENTITY_RELEASED, "released", NULL);
    relay_destroy_entity(relay, entity);
    ck_assert_log("destroyed KIN_OK KIN_OK ");
    relay_release_entity(relay, entity, NULL);
    relay_release_entity(relay, entity, &collector);
    ck_assert_log("released ");
    ck_assert_uint_eq(kin_context_reusable_count(&relay->base), 1);
}
END_TEST

static void clear_collector(const kin_change *change)
{
    kin_collector_clear(collector);
    log_write("%s ", kin_status_name(relay_retain_entity(relay, relay_changed_entity(change), NULL)));
}

START_TEST(ent_18_a_collector_that_is_cleared_while_its_entity_is_being_destroyed_no_longer_holds_it)
{
    collect(relay_all(RELAY_A), KIN_ADDED);
    relay_entity entity = relay_entity_with_a(1);
    relay_watch_entity(entity, KIN_ENTITY_DESTROYED, "destroyed", clear_collector);
    relay_watch_entity(entity, KIN_ENTITY_RELEASED, "released", NULL);
    relay_destroy_entity(relay, entity);
    ck_assert_log("destroyed !NOT_ALIVE KIN_ERROR_NOT_ALIVE released ");
    ck_assert_uint_eq(kin_context_reusable_count(&relay->base), 1);
}
END_TEST

START_TEST(grp_11_col_04_collected_members_of_a_group_are_held_when_it_destroys_them)
{
    kin_group *group = relay_all(RELAY_B);
    collect(relay_all(RELAY_A), KIN_ADDED);
    relay_entity collected = relay_entity_with_a(1), other = relay_create_entity(relay);
    relay_remove_a(relay, collected);
    relay_add_b(relay, collected, (B){1});
    relay_add_b(relay, other, (B){1});
    kin_group_destroy_entities(group);
    expect("1 ");
    ck_assert_uint_eq(kin_context_retained_count(&relay->base), 1);
    ck_assert_uint_eq(kin_context_reusable_count(&relay->base), 1);
    kin_collector_clear(collector);
    ck_assert_uint_eq(kin_context_reusable_count(&relay->base), 2);
}
END_TEST

START_TEST(col_05_deactivate_clears_and_changes_until_activate_are_lost)
{
    collect(relay_all(RELAY_A), KIN_ADDED);
    relay_entity_with_a(1);
    kin_collector_deactivate(collector);
    kin_collector_deactivate(collector);
    expect("");
    relay_entity_with_a(2);
    kin_collector_activate(collector);
    expect("");
    relay_entity_with_a(3);
    kin_collector_activate(collector);
    expect("3 ");
}
END_TEST

static void write_count(const kin_change *change)
{
    (void)change;
    log_write("%u ", kin_collector_count(collector));
}

START_TEST(col_05_activate_resumes_at_the_end_of_the_subscriptions)
{
    collect(relay_all(RELAY_A), KIN_ADDED);
    relay_watch_and(relay_all(RELAY_A), KIN_ADDED, "+", write_count, 2);
    relay_entity_with_a(1);
    kin_collector_deactivate(collector);
    kin_collector_activate(collector);
    relay_entity_with_a(2);
    ck_assert_log("+ 1 + 0 ");
    expect("2 ");
}
END_TEST

START_TEST(col_07_no_trigger_or_one_without_a_group_or_event_is_refused)
{
    kin_trigger triggers[2] = {{relay_all(RELAY_A), KIN_ADDED}, {NULL, KIN_ADDED}};
    ck_assert_ptr_null(kin_collector_create(triggers, 2));
    triggers[1] = (kin_trigger){relay_all(RELAY_A), (kin_group_event)9};
    ck_assert_ptr_null(kin_collector_create(triggers, 2));
    ck_assert_ptr_null(kin_collector_create(triggers, UINT16_MAX + 1));
    ck_assert_log("!INVALID !INVALID !INVALID ");
}
END_TEST

START_TEST(col_07_triggers_are_copied)
{
    kin_trigger trigger = {relay_all(RELAY_A), KIN_ADDED};
    collector = kin_collector_create(&trigger, 1);
    trigger = (kin_trigger){NULL, KIN_REMOVED};
    kin_collector_deactivate(collector);
    kin_collector_activate(collector);
    relay_entity_with_a(1);
    expect("1 ");
}
END_TEST

START_TEST(col_08_the_array_stays_until_the_next_such_call)
{
    collect(relay_all(RELAY_A), KIN_ADDED);
    relay_entity first = relay_entity_with_a(1), second = relay_entity_with_a(2);
    uint32_t count = 0;
    const kin_entity *entities = kin_collector_entities(collector, &count);
    kin_context *const *contexts = kin_collector_contexts(collector, &count);
    kin_collector_clear(collector);
    for (int32_t i = 0; i < 2000; i++)
        relay_entity_with_a(i);
    relay_destroy_all_entities(relay);
    kin_collector_deactivate(collector);
    ck_assert_uint_eq(count, 2);
    ck_assert(entities[0] == first.id && entities[1] == second.id);
    ck_assert(contexts[0] == &relay->base && contexts[1] == &relay->base);
    log_begin();
}
END_TEST

START_TEST(col_08_an_empty_collector_has_no_array)
{
    collect(relay_all(RELAY_A), KIN_ADDED);
    uint32_t count = 9;
    ck_assert_ptr_null(kin_collector_entities(collector, &count));
    ck_assert_uint_eq(count, 0);
    ck_assert_ptr_null(kin_collector_contexts(collector, &count));
    ck_assert_uint_eq(kin_collector_count(NULL), 0);
}
END_TEST

static const uint32_t sizes[] = {1, 63, 64, 65, 511, 512, 513, 1023, 1024, 1025, 5000};

START_TEST(col_03_collecting_goes_on_while_the_context_grows)
{
    collect(relay_all(RELAY_A), KIN_ADDED);
    for (uint32_t i = 0; i < sizes[_i]; i++)
        relay_entity_with_a((int32_t)i);
    uint32_t count = 0;
    const kin_entity *entities = kin_collector_entities(collector, &count);
    ck_assert_uint_eq(count, sizes[_i]);
    for (uint32_t i = 0; i < count; i++)
        ck_assert_uint_eq(entities[i], (kin_entity)(i + 1) << 24 | i);
    ck_assert_int_eq(relay_destroy_all_entities(relay), KIN_ERROR_RETAINED);
    ck_assert_uint_eq(kin_context_retained_count(&relay->base), sizes[_i]);
    kin_collector_clear(collector);
    ck_assert_int_eq(relay_destroy_all_entities(relay), KIN_OK);
}
END_TEST

START_TEST(ctx_07_a_reset_skips_held_slots_and_reports_them)
{
    collect(relay_all(RELAY_A), KIN_ADDED);
    relay_create_entity(relay);
    relay_entity_with_a(1);
    ck_assert_int_eq(relay_context_reset(relay), KIN_ERROR_RETAINED);
    ck_assert_int_eq(relay_context_reset(relay), KIN_ERROR_RETAINED);
    ck_assert_log("!RETAINED !RETAINED ");
    ck_assert_uint_eq(relay_create_entity(relay).id, (kin_entity)1 << 24 | 0);
    ck_assert_uint_eq(relay_create_entity(relay).id, (kin_entity)2 << 24 | 2);
    expect("2 ");
    kin_collector_clear(collector);
    ck_assert_uint_eq(relay_create_entity(relay).id, (kin_entity)3 << 24 | 1);
    ck_assert_int_eq(relay_context_reset(relay), KIN_OK);
}
END_TEST

Suite *runtime_collector_suite(void)
{
    Suite *suite = suite_create("runtime_collector");
    TCase *tests = tcase_create("collector");
    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_test(tests, col_01_a_new_collector_is_active_and_empty_also_when_its_group_is_not);
    tcase_add_loop_test(tests, col_02_each_event_collects_what_it_says, 0, 4);
    tcase_add_test(tests, col_03_col_06_repeated_triggers_collect_an_entity_once);
    tcase_add_test(tests, col_04_a_destroyed_entity_stays_collected_and_its_slot_unused);
    tcase_add_loop_test(tests, col_04_a_collector_releases_in_order_of_collection, 0, 3);
    tcase_add_test(tests, ret_05_every_collector_holds_on_its_own);
    tcase_add_test(tests, ret_05_releasing_a_living_entity_changes_nothing);
    tcase_add_test(tests, ret_04_a_collected_entity_can_be_retained_while_it_is_being_destroyed);
    tcase_add_test(tests, ent_18_a_collector_that_is_cleared_while_its_entity_is_being_destroyed_no_longer_holds_it);
    tcase_add_test(tests, grp_11_col_04_collected_members_of_a_group_are_held_when_it_destroys_them);
    tcase_add_test(tests, col_05_deactivate_clears_and_changes_until_activate_are_lost);
    tcase_add_test(tests, col_05_activate_resumes_at_the_end_of_the_subscriptions);
    tcase_add_test(tests, col_07_no_trigger_or_one_without_a_group_or_event_is_refused);
    tcase_add_test(tests, col_07_triggers_are_copied);
    tcase_add_test(tests, col_08_the_array_stays_until_the_next_such_call);
    tcase_add_test(tests, col_08_an_empty_collector_has_no_array);
    tcase_add_loop_test(tests, col_03_collecting_goes_on_while_the_context_grows, 0, sizeof sizes / sizeof *sizes);
    tcase_add_test(tests, ctx_07_a_reset_skips_held_slots_and_reports_them);
    suite_add_tcase(suite, tests);
    return suite;
}
