// Journals of tools: each change is noted once, before its listeners are called, and without a journal all is as
// before.

#include "entity/entity.h"
#include "runtime/support/relay_case.h"
#include "suites.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { SIZE = 64 * 1024, LEAST = 1024 };

static relay_entity one, other;
static uint64_t memory[SIZE / 8];
static kin_journal journal;
static uint64_t read_before; // the number of the first record that was not written yet

static void write_value(const void *value)
{
    int32_t number = 0;
    if (value == NULL) {
        log_write("-");
        return;
    }
    memcpy(&number, value, sizeof number);
    log_write("%d", (int)number);
}

// Writes the new records: entity, kind, component, previous and value.
static const char *read_records(void)
{
    static const char signs[] = "*x+-~=!";
    for (const kin_record *record = kin_journal_next(&journal, NULL); record != NULL;
         record = kin_journal_next(&journal, record)) {
        if (record->number < read_before)
            continue;
        ck_assert_uint_eq(record->number, read_before);
        read_before++;
        bool is_life = record->component == RELAY_COMPONENT_COUNT;
        log_write("%u%c%s", (unsigned)kin_entity_creation_index(record->entity), signs[record->kind],
                  is_life ? "" : relay->base.info->components[record->component].name);
        if (!is_life) {
            log_write(":");
            write_value(kin_record_previous(record));
            log_write(",");
            write_value(kin_record_value(record));
        }
        log_write(" ");
    }
    ck_assert(kin__context_is_valid(&relay->base));
    return log_text();
}

#define ck_assert_noted(expected)                                                                                      \
    do {                                                                                                               \
        read_records();                                                                                                \
        ck_assert_log(expected);                                                                                       \
    } while (0)

static void start(bool lives)
{
    journal = (kin_journal){.memory = memory, .size = SIZE, .all_components = true, .lives = lives};
    read_before = 0;
    ck_assert_int_eq(kin_context_journal(&relay->base, &journal), KIN_OK);
}

static void begin(void)
{
    relay_begin();
    one = relay_entity_with_a(1);
    other = relay_entity_with_a(2);
    start(false);
}

static bool is_watched(void)
{
    uint32_t watchers = relay->base.core->alive->watchers;
    for (uint32_t i = 0; i <= RELAY_COMPONENT_COUNT; i++)
        watchers |= relay->base.components[i].watchers | (relay->base.components[i].replace_path != 0);
    for (uint32_t i = 0; i < relay->base.info->blueprint_count; i++)
        watchers |= relay->base.blueprints[i].watchers;
    return watchers != 0;
}

START_TEST(rfl_25_each_change_of_a_component_is_one_record)
{
    relay_add_b(relay, one, (B){3});
    relay_replace_b(relay, one, (B){4});
    relay_replace_a(relay, other, (A){5});
    relay_touch_a(relay, other);
    relay_remove_b(relay, one);
    relay_replace_c(relay, one, (C){6});
    relay_set_f(relay, one, true);
    relay_set_f(relay, one, true);
    relay_set_f(relay, one, false);
    ck_assert_noted("1+B:-,3 1~B:3,4 2~A:2,5 2=A:5,5 1-B:4,- 1+C:-,6 1+F:-,- 1-F:-,- ");
    relay_readd_a(relay, one, (A){7});
    ck_assert_noted("1-A:1,- 1+A:-,7 ");
}
END_TEST

START_TEST(rfl_25_what_writes_in_place_or_fails_is_not_noted)
{
    relay_edit_a(relay, one)->value = 9;
    ck_assert_int_eq(relay_remove_b(relay, one), KIN_ERROR_NO_COMPONENT);
    ck_assert_noted("!NO_COMPONENT ");
}
END_TEST

START_TEST(rfl_25_spawned_cloned_and_destroyed_entities_are_noted_with_their_components)
{
    start(true);
    relay_spawn_trio(relay);
    ck_assert_noted("3* 3+A:-,1 3+C:-,3 3+F:-,- ");
    relay_entity made[2];
    ck_assert_int_eq(relay_spawn_many_single(relay, 2, made), KIN_OK);
    relay_clone_entity(relay, one);
    ck_assert_noted("4* 4+C:-,0 5* 5+C:-,0 6* 6+A:-,1 ");
    relay_apply_trio(relay, other);
    relay_destroy_entity(relay, made[0]);
    relay_destroy_entity(relay, relay_create_entity(relay));
    ck_assert_noted("2~A:2,1 2+C:-,3 2+F:-,- 4-C:0,- 4x 7* 7x ");
    kin_group_destroy_entities(relay_all(RELAY_F));
    ck_assert_noted("2-A:1,- 2-C:3,- 2-F:-,- 2x 3-A:1,- 3-C:3,- 3-F:-,- 3x ");
    ck_assert_int_eq(relay_context_reset(relay), KIN_OK);
    ck_assert_noted("1-A:1,- 1x 6-A:1,- 6x 5-C:0,- 5x ");
}
END_TEST

static void change_b(const kin_change *change)
{
    relay_replace_b(relay, relay_changed_entity(change), (B){8});
}

START_TEST(rfl_25_a_change_in_a_listener_is_noted_after_the_one_that_it_answers)
{
    relay_watch_and(relay_all(RELAY_B), KIN_ADDED, "B", change_b, 1);
    relay_add_b(relay, one, (B){1});
    ck_assert_noted("B B 1+B:-,1 1~B:1,8 ");
}
END_TEST

START_TEST(rfl_25_a_change_of_an_entity_that_a_listener_destroys_is_noted)
{
    start(true);
    relay_watch_entity(one, KIN_COMPONENT_ADDED, "own", destroy_it);
    relay_add_b(relay, one, (B){1});
    ck_assert_noted("own 1+B:-,1 1-A:1,- 1-B:1,- 1x ");
}
END_TEST

START_TEST(rfl_25_a_listener_and_a_collector_are_notified_as_without_a_journal)
{
    kin_trigger trigger = {relay_all(RELAY_A), KIN_MODIFIED};
    kin_collector *collector = kin_collector_create(&trigger, 1);
    relay_watch(relay_all(RELAY_B), KIN_MODIFIED, "B~=");
    relay_replace_a(relay, one, (A){3});
    ck_assert_uint_eq(kin_collector_count(collector), 1);
    relay_add_b(relay, one, (B){1});
    relay_replace_b(relay, one, (B){2});
    ck_assert_noted("B~=1,2 1~A:1,3 1+B:-,1 1~B:1,2 ");
    kin_collector_destroy(collector);
}
END_TEST

START_TEST(rfl_25_only_the_wanted_components_and_the_wanted_entity_are_noted)
{
    kin_component_id wanted[] = {RELAY_B, RELAY_F};
    journal.all_components = false;
    journal.components = wanted;
    journal.component_count = 2;
    ck_assert_int_eq(kin_context_journal(&relay->base, &journal), KIN_OK);
    ck_assert_uint_eq(relay->base.components[RELAY_A].watchers, 0);
    relay_spawn_trio(relay);
    relay_replace_a(relay, one, (A){3});
    relay_add_b(relay, one, (B){1});
    ck_assert_noted("3+F:-,- 1+B:-,1 ");
    journal.entity = other.id;
    relay_remove_b(relay, one);
    relay_add_b(relay, other, (B){2});
    ck_assert_noted("2+B:-,2 ");
}
END_TEST

START_TEST(rfl_25_when_it_ends_changes_take_the_fast_paths_again)
{
    start(true);
    ck_assert(is_watched());
    ck_assert_int_eq(kin_context_journal(&relay->base, NULL), KIN_OK);
    ck_assert_int_eq(kin_context_journal(&relay->base, NULL), KIN_OK);
    ck_assert(!is_watched());
    ck_assert_uint_eq(relay->base.components[RELAY_A].watchers, 0);
    relay_replace_a(relay, one, (A){3});
    relay_spawn_trio(relay);
    ck_assert_noted("");
}
END_TEST

START_TEST(rfl_25_a_direct_replace_is_noted_and_direct_again_afterwards)
{
    relay_watch(relay_all(RELAY_A), KIN_MODIFIED, "A~=");
    relay_replace_a(relay, one, (A){3});
    ck_assert_noted("A~=1,3 1~A:1,3 ");
    ck_assert_int_eq(kin_context_journal(&relay->base, NULL), KIN_OK);
    ck_assert(kin__context_is_valid(&relay->base));
    ck_assert_uint_gt(relay->base.components[RELAY_A].replace_path, KIN__PATH_LIBRARY);
    relay_replace_a(relay, one, (A){5});
    ck_assert_noted("A~=3,5 ");
}
END_TEST

static void end_journal(const kin_change *change)
{
    ck_assert_int_eq(kin_context_journal(change->context, NULL), KIN_OK);
}

static void begin_journal(const kin_change *change)
{
    ck_assert_int_eq(kin_context_journal(change->context, &journal), KIN_OK);
}

START_TEST(rfl_25_a_listener_may_end_and_begin_it)
{
    relay_watch_and(relay_all(RELAY_A), KIN_MODIFIED, "A", end_journal, 1);
    relay_watch_and(relay_all(RELAY_B), KIN_ADDED, "B", begin_journal, 1);
    relay_replace_a(relay, one, (A){3});
    relay_replace_a(relay, one, (A){4});
    relay_add_b(relay, one, (B){1});
    relay_replace_a(relay, one, (A){5});
    ck_assert_noted("A A B A 1~A:1,3 1~A:4,5 ");
}
END_TEST

START_TEST(rfl_25_the_newest_records_stay_and_lost_ones_are_counted)
{
    journal.size = LEAST;
    ck_assert_int_eq(kin_context_journal(&relay->base, &journal), KIN_OK);
    for (int32_t i = 0; i < 1000; i++) {
        if (i % 3 == 0)
            relay_replace_a(relay, one, (A){i});
        else
            relay_set_f(relay, one, i % 3 == 1);
        const kin_record *last = NULL;
        uint32_t count = 0;
        for (const kin_record *record = kin_journal_next(&journal, NULL); record != NULL;
             record = kin_journal_next(&journal, record), count++) {
            ck_assert(last == NULL || record->number == last->number + 1);
            last = record;
        }
        ck_assert_uint_eq(count, journal.count);
        ck_assert_ptr_nonnull(last);
        ck_assert_uint_eq(last->number, (uint64_t)i);
        ck_assert_uint_eq(journal.lost + journal.count, (uint64_t)i + 1);
    }
    ck_assert_uint_ge(journal.count, 15);
}
END_TEST

START_TEST(rfl_25_of_a_large_value_the_first_64_bytes_are_noted)
{
    Big big = {{7, 8}};
    relay_add_big(relay, one, big);
    const kin_record *record = kin_journal_next(&journal, NULL);
    ck_assert_uint_eq(record->value_size, KIN_RECORD_VALUE);
    ck_assert_mem_eq(kin_record_value(record), &big, KIN_RECORD_VALUE);
    ck_assert_ptr_null(kin_record_previous(record));
}
END_TEST

START_TEST(rfl_25_records_have_the_frame_and_system_of_the_journal)
{
    journal.frame = 812;
    journal.step = 3;
    journal.system = 5;
    journal.role = KIN_ROLE_UPDATE;
    relay_replace_a(relay, one, (A){3});
    const kin_record *record = kin_journal_next(&journal, NULL);
    ck_assert_uint_eq(record->frame, 812);
    ck_assert_uint_eq(record->step, 3);
    ck_assert_uint_eq(record->system, 5);
    ck_assert_uint_eq(record->role, KIN_ROLE_UPDATE);
}
END_TEST

START_TEST(rfl_25_a_tool_writes_records_of_its_own)
{
    A before = {1}, after = {2};
    kin_record record = {.entity = one.id, .kind = KIN_RECORD_WRITTEN, .component = RELAY_A};
    record.previous_size = record.value_size = sizeof before;
    kin_journal_write(&journal, &record, &before, &after);
    kin_journal_write(NULL, &record, &before, &after);
    ck_assert_noted("1!A:1,2 ");
}
END_TEST

START_TEST(rfl_25_a_journal_without_memory_or_of_unknown_components_is_refused)
{
    kin_journal bad = journal;
    kin_component_id unknown = RELAY_COMPONENT_COUNT;
    bad.size = LEAST - 1;
    ck_assert_int_eq(kin_context_journal(&relay->base, &bad), KIN_ERROR_INVALID);
    bad = journal;
    bad.memory = (char *)memory + 4;
    ck_assert_int_eq(kin_context_journal(&relay->base, &bad), KIN_ERROR_INVALID);
    bad = journal;
    bad.all_components = false;
    bad.components = &unknown;
    bad.component_count = 1;
    ck_assert_int_eq(kin_context_journal(&relay->base, &bad), KIN_ERROR_INVALID);
    ck_assert_log("!INVALID !INVALID !INVALID ");
    relay_replace_a(relay, one, (A){3});
    ck_assert_noted("1~A:1,3 ");
}
END_TEST

START_TEST(rfl_25_noting_needs_no_memory)
{
    relay_set_f(relay, other, true);
    guard_fail(&relay_memory, 1, true);
    start(true);
    relay_remove_a(relay, one);
    relay_destroy_entity(relay, one);
    relay_destroy_entity(relay, other);
    ck_assert_int_eq(kin_context_journal(&relay->base, NULL), KIN_OK);
    ck_assert(!guard_has_failed(&relay_memory));
    ck_assert_noted("1-A:1,- 1x 2-A:2,- 2-F:-,- 2x ");
}
END_TEST

// ---- a random game: the journal of one context has what a listener of its twin is called for

static char listened[SIZE], noted[SIZE];
static size_t listened_size;

static void write_line(char *text, size_t *size, const kin_record *record, const void *previous, const void *value)
{
    int32_t numbers[2] = {0, 0};
    bool has_value = record->component < RELAY_COMPONENT_COUNT && record->component != RELAY_F;
    if (has_value && previous != NULL)
        memcpy(&numbers[0], previous, sizeof numbers[0]);
    if (has_value && value != NULL)
        memcpy(&numbers[1], value, sizeof numbers[1]);
    *size += (size_t)snprintf(text + *size, (size_t)SIZE - *size, "%" PRIu64 " %u %u %d %d\n", record->entity,
                              record->kind, record->component, numbers[0], numbers[1]);
    ck_assert_uint_lt(*size, SIZE);
}

static void listen(const kin_change *change, void *user)
{
    static const uint8_t kinds[] = {[KIN_COMPONENT_ADDED] = KIN_RECORD_ADDED,
                                    [KIN_COMPONENT_REMOVED] = KIN_RECORD_REMOVED,
                                    [KIN_COMPONENT_REPLACED] = KIN_RECORD_REPLACED};
    (void)user;
    write_line(listened, &listened_size,
               &(kin_record){.entity = change->entity, .kind = kinds[change->event], .component = change->component},
               change->previous, change->value);
}

static uint32_t seed;

static uint32_t pick(uint32_t count)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 16) % count;
}

static void make_change(relay_context *context, uint32_t choice, relay_entity entity, int32_t number)
{
    switch (choice) {
    case 0:
        relay_replace_a(context, entity, (A){number});
        break;
    case 1:
        relay_replace_b(context, entity, (B){number});
        break;
    case 2:
        if (relay_has_a(context, entity))
            relay_remove_a(context, entity);
        break;
    case 3:
        relay_set_f(context, entity, number % 2 == 0);
        break;
    case 4:
        relay_apply_trio(context, entity);
        break;
    case 5:
        relay_clone_entity(context, entity);
        break;
    case 6:
        relay_spawn_trio(context);
        break;
    default:
        relay_destroy_entity(context, entity);
        relay_create_entity(context);
    }
}

// The journal notes touches apart, and the components of relay have no touch here.
START_TEST(rfl_25_a_random_game_notes_what_a_listener_is_called_for)
{
    relay_context *twin = relay_context_create(NULL);
    kin_context_subscribe(&twin->base, KIN_COMPONENT_CHANGED, listen, NULL);
    relay_entity_with_a(0);
    for (uint32_t i = 0; i < 3; i++) {
        relay_entity made = relay_create_entity(twin);
        ck_assert_int_eq(relay_add_a(twin, made, (A){i == 2 ? 0 : (int32_t)i + 1}), KIN_OK);
    }
    listened_size = 0;
    start(false);
    seed = 7;
    for (uint32_t i = 0; i < 500; i++) {
        uint32_t count = 0;
        const relay_entity *entities = relay_entities(twin, &count);
        uint32_t choice = pick(8), place = pick(count), number = pick(100);
        if (i % 7 == 0)
            relay_watch(relay_all((kin_component_id)(i % RELAY_COMPONENT_COUNT)), KIN_MODIFIED, "");
        relay_entity entity = entities[place];
        make_change(twin, choice, entity, (int32_t)number);
        make_change(relay, choice, entity, (int32_t)number);
    }
    size_t size = 0;
    for (const kin_record *record = kin_journal_next(&journal, NULL); record != NULL;
         record = kin_journal_next(&journal, record))
        write_line(noted, &size, record, kin_record_previous(record), kin_record_value(record));
    ck_assert_uint_eq(journal.lost, 0);
    ck_assert_uint_gt(journal.count, 500);
    ck_assert_str_eq(noted, listened);
    ck_assert(kin__context_is_valid(&relay->base));
    relay_context_destroy(twin);
}
END_TEST

Suite *runtime_journal_suite(void)
{
    Suite *suite = suite_create("runtime_journal");
    TCase *tests = tcase_create("journal");
    tcase_add_checked_fixture(tests, begin, relay_end);
    tcase_add_test(tests, rfl_25_each_change_of_a_component_is_one_record);
    tcase_add_test(tests, rfl_25_what_writes_in_place_or_fails_is_not_noted);
    tcase_add_test(tests, rfl_25_spawned_cloned_and_destroyed_entities_are_noted_with_their_components);
    tcase_add_test(tests, rfl_25_a_change_in_a_listener_is_noted_after_the_one_that_it_answers);
    tcase_add_test(tests, rfl_25_a_change_of_an_entity_that_a_listener_destroys_is_noted);
    tcase_add_test(tests, rfl_25_a_listener_and_a_collector_are_notified_as_without_a_journal);
    tcase_add_test(tests, rfl_25_only_the_wanted_components_and_the_wanted_entity_are_noted);
    tcase_add_test(tests, rfl_25_when_it_ends_changes_take_the_fast_paths_again);
    tcase_add_test(tests, rfl_25_a_direct_replace_is_noted_and_direct_again_afterwards);
    tcase_add_test(tests, rfl_25_a_listener_may_end_and_begin_it);
    tcase_add_test(tests, rfl_25_the_newest_records_stay_and_lost_ones_are_counted);
    tcase_add_test(tests, rfl_25_of_a_large_value_the_first_64_bytes_are_noted);
    tcase_add_test(tests, rfl_25_records_have_the_frame_and_system_of_the_journal);
    tcase_add_test(tests, rfl_25_a_tool_writes_records_of_its_own);
    tcase_add_test(tests, rfl_25_a_journal_without_memory_or_of_unknown_components_is_refused);
    tcase_add_test(tests, rfl_25_noting_needs_no_memory);
    tcase_add_test(tests, rfl_25_a_random_game_notes_what_a_listener_is_called_for);
    suite_add_tcase(suite, tests);
    return suite;
}
