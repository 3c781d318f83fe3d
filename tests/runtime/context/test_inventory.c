// The inventory of a context (RFL-10 to RFL-13): groups, collectors, indices, unique components, counters and memory.
#include "entity/entity.h"
#include "runtime/support/case.h"
#include "suites.h"

#include <keyed/keyed.h>
#include <kin/reflect.h>
#include <larder/larder.h>
#include <relay/relay.h>

#include <stdio.h>
#include <string.h>

CASE(relay)

static kin_context *base;

static kin_context_options options_of(guard *guard)
{
    return (kin_context_options){
        .allocator = guard_begin(guard), .on_error = error_log_append, .error_user = &errors, .hash_seed = 7};
}

static void begin(void)
{
    relay_begin_with(&(kin_context_options){.hash_seed = 7});
    base = &relay->base;
}

// ---- groups

START_TEST(rfl_10_groups_are_listed_with_names_and_listeners)
{
    guard other;
    kin_context_options options = options_of(&other);
    larder_context *larder = larder_context_create(&options);
    kin_group *groups[5] = {NULL};
    ck_assert_uint_eq(kin_context_groups(&larder->base, NULL, 0), 3);
    kin_group *own = larder_group(larder, KIN_MATCHER(KIN_ANY(LARDER_CRATE, LARDER_SOLD)));
    ck_assert_uint_eq(kin_context_groups(&larder->base, groups, 2), 4);
    ck_assert_ptr_null(groups[2]);
    ck_assert_uint_eq(kin_context_groups(&larder->base, groups, 5), 4);
    ck_assert_ptr_eq(groups[0], larder_crates_group(larder));
    ck_assert_str_eq(kin_group_name(groups[0]), "crates");
    ck_assert_str_eq(kin_group_name(groups[1]), "labels");
    ck_assert_ptr_eq(groups[3], own);
    ck_assert_ptr_null(kin_group_name(own));
    ck_assert_ptr_null(kin_group_name(NULL));
    kin_subscription subscription = kin_group_subscribe(own, KIN_ADDED, ignore_change, NULL);
    kin_group_subscribe(own, KIN_MODIFIED, ignore_change, NULL);
    kin_collector *collector = kin_collector_create(&(kin_trigger){own, KIN_ADDED}, 1);
    ck_assert_uint_eq(kin_group_listener_count(own), 2);
    kin_unsubscribe(subscription);
    ck_assert_uint_eq(kin_group_listener_count(own), 1);
    ck_assert_uint_eq(kin_group_listener_count(groups[0]), 0);
    ck_assert_uint_eq(kin_group_listener_count(NULL), 0);
    ck_assert_ptr_null(kin_group_context(NULL));
    kin_collector_destroy(collector);
    larder_context_destroy(larder);
    guard_end(&other);
}
END_TEST

// ---- collectors

static kin_group *group_of(kin_component_id id)
{
    return relay_group(relay, KIN_MATCHER(KIN_ALL(id)));
}

START_TEST(rfl_10_collectors_are_listed_in_order_of_creation)
{
    kin_collector *collectors[3] = {NULL};
    kin_collector *first = kin_collector_create(&(kin_trigger){group_of(RELAY_A), KIN_ADDED}, 1);
    kin_trigger triggers[] = {{group_of(RELAY_A), KIN_MODIFIED}, {group_of(RELAY_B), KIN_REMOVED}};
    kin_collector *second = kin_collector_create(triggers, 2);
    ck_assert_uint_eq(kin_context_collectors(base, NULL, 0), 2);
    ck_assert_uint_eq(kin_context_collectors(base, collectors, 1), 2);
    ck_assert_ptr_eq(collectors[0], first);
    ck_assert_ptr_null(collectors[1]);
    ck_assert_uint_eq(kin_context_collectors(base, collectors, 3), 2);
    ck_assert_ptr_eq(collectors[1], second);
    kin_collector_destroy(first);
    ck_assert_uint_eq(kin_context_collectors(base, collectors, 3), 1);
    ck_assert_ptr_eq(collectors[0], second);
    kin_collector_destroy(second);
    ck_assert_uint_eq(kin_context_collectors(base, collectors, 3), 0);
}
END_TEST

START_TEST(rfl_10_a_collector_shows_its_triggers_and_state)
{
    static const kin_group_event events[] = {KIN_ADDED, KIN_REMOVED, KIN_ADDED_OR_REMOVED, KIN_MODIFIED};
    kin_trigger triggers[4], read[4] = {{NULL, KIN_ADDED}};
    for (uint32_t i = 0; i < 4; i++)
        triggers[i] = (kin_trigger){group_of(i % 2 == 0 ? RELAY_A : RELAY_B), events[i]};
    kin_collector *collector = kin_collector_create(triggers, 4);
    ck_assert_uint_eq(kin_collector_triggers(collector, read, 1), 4);
    ck_assert_ptr_null(read[1].group);
    ck_assert_uint_eq(kin_collector_triggers(collector, read, 4), 4);
    for (uint32_t i = 0; i < 4; i++) {
        ck_assert_ptr_eq(read[i].group, triggers[i].group);
        ck_assert_int_eq(read[i].event, triggers[i].event);
    }
    ck_assert(kin_collector_is_active(collector));
    kin_collector_deactivate(collector);
    ck_assert(!kin_collector_is_active(collector));
    ck_assert(!kin_collector_is_active(NULL));
    ck_assert_uint_eq(kin_collector_triggers(NULL, read, 4), 0);
    kin_collector_destroy(collector);
}
END_TEST

START_TEST(rfl_10_a_collector_contains_what_it_collected_dead_or_alive)
{
    kin_collector *collector = kin_collector_create(&(kin_trigger){group_of(RELAY_A), KIN_ADDED}, 1);
    relay_entity one = relay_create_entity(relay), two = relay_create_entity(relay);
    relay_add_a(relay, one, (A){1});
    ck_assert(kin_collector_contains(collector, base, one.id));
    ck_assert(!kin_collector_contains(collector, base, two.id));
    ck_assert(!kin_collector_contains(collector, base, 0));
    ck_assert(!kin_collector_contains(collector, base, one.id + ((uint64_t)1 << 24)));
    ck_assert(!kin_collector_contains(collector, base, one.id | 0xFFFFFF));
    ck_assert(!kin_collector_contains(collector, NULL, one.id));
    ck_assert(!kin_collector_contains(NULL, base, one.id));
    relay_destroy_entity(relay, one);
    ck_assert(kin_collector_contains(collector, base, one.id));
    kin_collector_clear(collector);
    ck_assert(!kin_collector_contains(collector, base, one.id));
    kin_collector_destroy(collector);
}
END_TEST

START_TEST(rfl_10_a_collector_has_the_name_that_it_was_given)
{
    char name[] = "drawing";
    kin_collector *collector = kin_collector_create(&(kin_trigger){group_of(RELAY_A), KIN_ADDED}, 1);
    ck_assert_ptr_null(kin_collector_name(collector));
    ck_assert_int_eq(kin_collector_set_name(collector, name), KIN_OK);
    name[0] = 'x';
    ck_assert_str_eq(kin_collector_name(collector), "drawing");
    size_t size = memory.size;
    guard_fail(&memory, 1, true);
    ck_assert_int_eq(kin_collector_set_name(collector, "other"), KIN_ERROR_NO_MEMORY);
    guard_fail(&memory, 0, false);
    ck_assert_reported(&errors, KIN_ERROR_NO_MEMORY);
    ck_assert_str_eq(kin_collector_name(collector), "drawing");
    ck_assert_int_eq(kin_collector_set_name(collector, kin_collector_name(collector)), KIN_OK);
    ck_assert_str_eq(kin_collector_name(collector), "drawing");
    ck_assert_int_eq(kin_collector_set_name(collector, NULL), KIN_OK);
    ck_assert_ptr_null(kin_collector_name(collector));
    ck_assert_uint_eq(memory.size, size - sizeof "drawing");
    ck_assert_int_eq(kin_collector_set_name(collector, "again"), KIN_OK);
    ck_assert_ptr_null(kin_collector_name(NULL));
    kin_collector_destroy(collector);
}
END_TEST

static void react(void *self, kin_context *context, const kin_entity *entities, uint32_t count)
{
    (void)self, (void)context, (void)entities, (void)count;
}

START_TEST(rfl_10_the_collector_of_a_reactive_system_has_its_name)
{
    kin_systems *systems = kin_systems_create("all", &base->core->options);
    kin_collector *collector = NULL;
    kin_trigger trigger = {group_of(RELAY_A), KIN_ADDED};
    kin_systems_add_reactive(
        systems, (kin_reactive_system){.name = "Draw", .triggers = &trigger, .trigger_count = 1, .execute = react});
    ck_assert_uint_eq(kin_context_collectors(base, &collector, 1), 1);
    ck_assert_str_eq(kin_collector_name(collector), "Draw");
    ck_assert_int_eq(kin_collector_set_name(collector, "Paint"), KIN_OK);
    ck_assert_str_eq(kin_collector_name(collector), "Paint");
    kin_systems_destroy(systems);
}
END_TEST

// ---- indices and unique components

static char walked[512];

static void note(const kin_index_entry *entry, void *user)
{
    (void)user;
    size_t length = strlen(walked);
    snprintf(walked + length, sizeof walked - length, "%s %u/%u %u; ", entry->key, entry->place, entry->count,
             (uint32_t)kin_entity_creation_index(entry->entity));
}

static uint32_t number_of(const char *name)
{
    uint32_t number = 0;
    while (strcmp(hall_info.indices[number].name, name) != 0)
        ck_assert_uint_lt(++number, hall_info.index_count);
    return number;
}

static const char *walk_of(const hall_context *hall, const char *name)
{
    walked[0] = '\0';
    kin_index_walk(&hall->base, number_of(name), note, NULL);
    return walked;
}

START_TEST(rfl_11_an_index_is_walked_by_key_in_the_order_of_slots)
{
    guard other;
    kin_context_options options = options_of(&other);
    options.hash_seed = (uint64_t)_i + 1;
    hall_context *hall = hall_context_create(&options);
    hall_entity entities[5];
    for (uint32_t i = 0; i < 5; i++) {
        entities[i] = hall_create_entity(hall);
        hall_add_ticket(hall, entities[i], (Ticket){90 - i});
        hall_add_team(hall, entities[i], (Team){i % 2 == 0 ? SIDE_RED : SIDE_BLUE});
    }
    hall_remove_ticket(hall, entities[1]);
    hall_remove_team(hall, entities[2]);
    ck_assert_str_eq(walk_of(hall, "Ticket.number"), "90 0/1 1; 88 0/1 3; 87 0/1 4; 86 0/1 5; ");
    ck_assert_str_eq(walk_of(hall, "Team.side"), "Red 0/2 1; Red 1/2 5; Blue 0/2 2; Blue 1/2 4; ");
    ck_assert_str_eq(walk_of(hall, "cell"), "");
    ck_assert_uint_eq(kin_index_count(&hall->base, number_of("Ticket.number")), 4);
    ck_assert_uint_eq(kin_index_count(&hall->base, number_of("Team.side")), 4);
    ck_assert_uint_eq(kin_index_count(&hall->base, hall_info.index_count), 0);
    walked[0] = '\0';
    kin_index_walk(&hall->base, hall_info.index_count, note, NULL);
    kin_index_walk(&hall->base, 0, NULL, NULL);
    ck_assert_str_eq(walked, "");
    hall_context_destroy(hall);
    guard_end(&other);
}
END_TEST

START_TEST(rfl_11_an_index_with_conditions_has_only_the_entities_that_match)
{
    guard other;
    kin_context_options options = options_of(&other);
    hall_context *hall = hall_context_create(&options);
    for (int32_t i = 0; i < 3; i++) {
        hall_entity entity = hall_create_entity(hall);
        hall_add_cell(hall, entity, (Cell){i, -i});
        hall_set_piece(hall, entity, i != 1);
    }
    ck_assert_str_eq(walk_of(hall, "cell"), "(0, 0) 0/1 1; (2, -2) 0/1 3; ");
    ck_assert_uint_eq(kin_index_count(&hall->base, number_of("cell")), 2);
    hall_context_destroy(hall);
    guard_end(&other);
}
END_TEST

START_TEST(rfl_11_the_carrier_of_a_unique_component_is_found_by_id)
{
    guard other;
    kin_context_options options = options_of(&other);
    hall_context *hall = hall_context_create(&options);
    ck_assert_uint_eq(kin_context_carrier(&hall->base, HALL_LEADER), 0);
    hall_entity leader = hall_set_unique_leader(hall, (Leader){1, 2});
    ck_assert_uint_eq(kin_context_carrier(&hall->base, HALL_LEADER), leader.id);
    ck_assert_uint_eq(kin_context_carrier(&hall->base, HALL_CELL), 0);
    ck_assert_uint_eq(kin_context_carrier(&hall->base, HALL_COMPONENT_COUNT), 0);
    hall_context_destroy(hall);
    guard_end(&other);
}
END_TEST

// ---- counters

static void expect_counts(uint64_t created, uint64_t destroyed, uint64_t changed)
{
    kin_counts counts = kin_context_counts(base);
    ck_assert_uint_eq(counts.created, created);
    ck_assert_uint_eq(counts.destroyed, destroyed);
    ck_assert_uint_eq(counts.changed, changed);
}

START_TEST(rfl_12_structural_changes_are_counted_however_they_are_made)
{
    expect_counts(0, 0, 0);
    relay_entity one = relay_create_entity(relay);
    relay_add_a(relay, one, (A){1});
    relay_replace_a(relay, one, (A){2});
    relay_set_f(relay, one, true);
    relay_set_f(relay, one, true);
    expect_counts(1, 0, 2);
    relay_spawn_trio(relay);
    expect_counts(2, 0, 5);
    relay_spawn_many_trio(relay, 10, NULL);
    expect_counts(12, 0, 35);
    relay_clone_entity(relay, one);
    expect_counts(13, 0, 37);
    relay_destroy_entity(relay, one);
    expect_counts(13, 1, 39);
    ck_assert_uint_eq(kin_component_changes(base, RELAY_A), 1 + 11 + 1 + 1);
    ck_assert_uint_eq(kin_component_changes(base, RELAY_B), 0);
    ck_assert_uint_eq(kin_component_changes(base, RELAY_COMPONENT_COUNT), 0);
    kin_group_destroy_entities(group_of(RELAY_C));
    expect_counts(13, 12, 72);
    relay_context_reset(relay);
    expect_counts(13, 13, 74);
    relay_create_entity(relay);
    expect_counts(14, 13, 74);
}
END_TEST

// ---- memory

START_TEST(rfl_13_the_memory_of_a_component_adds_up_over_ranges_of_chunks)
{
    for (int32_t i = 0; i < 1200; i++) {
        relay_entity entity = relay_create_entity(relay);
        if (i < 700)
            relay_add_a(relay, entity, (A){i});
    }
    ck_assert_uint_eq(kin_context_chunk_count(base), 3);
    kin_component_usage whole = kin_component_memory(base, RELAY_A, 0, UINT32_MAX);
    ck_assert_uint_eq(whole.columns, 2);
    ck_assert_uint_eq(whole.values, 700);
    ck_assert_uint_ge(whole.memory.allocated, 2 * (64 + 512 * sizeof(A))); // and canaries, see store/store.h
    ck_assert_uint_eq(whole.memory.used, 2 * 64 + 700 * sizeof(A));
    kin_component_usage first = kin_component_memory(base, RELAY_A, 0, 1);
    kin_component_usage rest = kin_component_memory(base, RELAY_A, 1, 2);
    ck_assert_uint_eq(first.values + rest.values, 700);
    ck_assert_uint_eq(first.memory.used + rest.memory.used, whole.memory.used);
    ck_assert_uint_eq(kin_component_memory(base, RELAY_B, 0, 3).columns, 0);
    ck_assert_uint_eq(kin_component_memory(base, RELAY_A, 3, 1).columns, 0);
    ck_assert_uint_eq(kin_component_memory(base, RELAY_A, UINT32_MAX, UINT32_MAX).columns, 0);
    ck_assert_uint_eq(kin_component_memory(base, RELAY_COMPONENT_COUNT, 0, 3).columns, 0);
    ck_assert_uint_eq(kin_context_memory(base).columns.used, whole.memory.used);
}
END_TEST

START_TEST(rfl_13_the_slots_of_each_blueprint_are_counted)
{
    kin_pool_usage pools[3] = {{0}};
    relay_create_entity(relay);
    relay_spawn_many_trio(relay, 600, NULL);
    relay_destroy_entity(relay, relay_create_entity(relay));
    kin_context_pools(base, 0, 1, pools);
    kin_context_pools(base, 1, UINT32_MAX, pools);
    ck_assert_uint_eq(pools[0].chunks, 1);
    ck_assert_uint_eq(pools[0].entities, 1);
    ck_assert_uint_eq(pools[0].free, 511);
    ck_assert_uint_eq(pools[1].chunks, 0);
    ck_assert_uint_eq(pools[2].chunks, 2);
    ck_assert_uint_eq(pools[2].entities, 600);
    ck_assert_uint_eq(pools[2].free, 424);
    relay_context_reset(relay);
    memset(pools, 0, sizeof pools);
    kin_context_pools(base, 0, UINT32_MAX, pools);
    ck_assert_uint_eq(pools[0].chunks + pools[1].chunks + pools[2].chunks, 0);
}
END_TEST

Suite *runtime_inventory_suite(void)
{
    Suite *suite = suite_create("runtime_inventory");
    TCase *tests = tcase_create("inventory");
    tcase_add_checked_fixture(tests, begin, relay_end);
    tcase_add_test(tests, rfl_10_groups_are_listed_with_names_and_listeners);
    tcase_add_test(tests, rfl_10_collectors_are_listed_in_order_of_creation);
    tcase_add_test(tests, rfl_10_a_collector_shows_its_triggers_and_state);
    tcase_add_test(tests, rfl_10_a_collector_contains_what_it_collected_dead_or_alive);
    tcase_add_test(tests, rfl_10_a_collector_has_the_name_that_it_was_given);
    tcase_add_test(tests, rfl_10_the_collector_of_a_reactive_system_has_its_name);
    tcase_add_loop_test(tests, rfl_11_an_index_is_walked_by_key_in_the_order_of_slots, 0, 4);
    tcase_add_test(tests, rfl_11_an_index_with_conditions_has_only_the_entities_that_match);
    tcase_add_test(tests, rfl_11_the_carrier_of_a_unique_component_is_found_by_id);
    tcase_add_test(tests, rfl_12_structural_changes_are_counted_however_they_are_made);
    tcase_add_test(tests, rfl_13_the_memory_of_a_component_adds_up_over_ranges_of_chunks);
    tcase_add_test(tests, rfl_13_the_slots_of_each_blueprint_are_counted);
    suite_add_tcase(suite, tests);
    return suite;
}
