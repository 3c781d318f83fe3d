// Snapshots: refusals, out of memory, and the memory that they keep.
#include "entity/entity.h"
#include "runtime/support/case.h"
#include "runtime/support/drops.h"
#include "snapshot/internal.h"
#include "suites.h"

#include <almanac/almanac.h>
#include <cellar/cellar.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 600, RING = 4 };

CASE(almanac)

static almanac_entity days[COUNT];
static kin_snapshot *snapshots[RING];

static void begin(void)
{
    drops();
    memset(snapshots, 0, sizeof snapshots);
    almanac_begin();
}

static void end(void)
{
    ck_assert(kin__context_is_valid(&almanac->base));
    for (int i = 0; i < RING; i++)
        kin_snapshot_destroy(snapshots[i]);
    almanac_end();
}

// Entities with every component; what they have differs with `round`.
static void fill(int32_t round)
{
    int32_t steps[] = {round, 2, 3};
    uint16_t pockets[] = {4, (uint16_t)round};
    for (uint32_t i = 0; i < COUNT; i++) {
        if (!almanac_entity_is_alive(almanac, days[i]))
            days[i] = i % 5 == 0 ? almanac_spawn_place(almanac) : almanac_create_entity(almanac);
        almanac_replace_spot(almanac, days[i], (Spot){(int32_t)i, round});
    }
    almanac_replace_name(almanac, days[round], (Name){"a name in a block of its own"});
    almanac_replace_number(almanac, days[round + 1], (Number){(uint32_t)round});
    almanac_replace_coin(almanac, days[2], (Coin){{100 + round}, round});
    almanac_replace_path(almanac, days[round + 3], (Path){.steps = {steps, 3}, .goal = "goal"});
    almanac_replace_chest(almanac, days[round + 4], (Chest){"chest", round});
    almanac_replace_heap(almanac, days[round + 5], (Heap){round});
    almanac_replace_wave(almanac, days[round + 6], (Wave){1, (uint8_t)round});
    almanac_replace_unique_crown(almanac, (Crown){round});
    almanac_replace_child_of(almanac, days[round + 7], (ChildOf){days[8]});
    almanac_replace_kind(almanac, days[round + 9], (Kind){round, "kind"});
    almanac_replace_coat(almanac, days[round + 10], (Coat){"coat", {pockets, 2}});
    ck_assert_int_eq(almanac_stash_coat(almanac, days[round + 10]), KIN_OK);
}

static void save(int number)
{
    ck_assert_int_eq(almanac_save(almanac, &snapshots[number]), KIN_OK);
}

static void restore(int number)
{
    ck_assert_int_eq(almanac_restore(almanac, snapshots[number], KIN_RESTORE_EXACTLY), KIN_OK);
    ck_assert(kin__context_is_valid(&almanac->base));
}

// ---- refusals

static void save_inside(const kin_change *change, void *user)
{
    (void)user;
    kin_snapshot *made = NULL;
    almanac_context *inside = almanac_context_of(change->context);
    ck_assert_int_eq(almanac_save(inside, &made), KIN_ERROR_INVALID);
    ck_assert_ptr_null(made);
    ck_assert_int_eq(almanac_restore(inside, snapshots[0], KIN_RESTORE_EXACTLY), KIN_ERROR_INVALID);
}

START_TEST(snp_06_a_save_or_restore_inside_a_listener_is_refused)
{
    fill(0);
    save(0);
    kin_subscription subscription = kin_group_subscribe(almanac_spots_group(almanac), KIN_ADDED, save_inside, NULL);
    almanac_add_spot(almanac, almanac_create_entity(almanac), (Spot){0, 0});
    ck_assert_uint_eq(errors.count, 2);
    ck_assert_str_eq(errors.entries[0].message, "almanac: cannot save the context: its listener, filter, system or "
                                                "error handler is being called; call this after it returns");
    error_log_clear(&errors);
    kin_unsubscribe(subscription);
}
END_TEST

START_TEST(snp_13_a_snapshot_of_another_schema_is_refused)
{
    kin_snapshot *other = NULL;
    cellar_context *cellar = cellar_context_create(NULL);
    ck_assert_int_eq(cellar_save(cellar, &other), KIN_OK);
    ck_assert_refused(&errors, almanac_restore(almanac, other, KIN_RESTORE_EXACTLY), KIN_ERROR_INVALID);
    ck_assert_uint_eq(kin_snapshot_count(other, &almanac_info), 0);
    kin_snapshot_destroy(other);
    cellar_context_destroy(cellar);
}
END_TEST

START_TEST(snp_13_null_and_unknown_modes_are_refused)
{
    ck_assert_refused(&errors, almanac_restore(almanac, NULL, KIN_RESTORE_EXACTLY), KIN_ERROR_INVALID);
    ck_assert_refused(&errors, almanac_save(almanac, NULL), KIN_ERROR_INVALID);
    save(0);
    ck_assert_refused(&errors, almanac_restore(almanac, snapshots[0], (kin_restore_mode)7), KIN_ERROR_INVALID);
    kin_snapshot_destroy(NULL);
    ck_assert_uint_eq(kin_snapshot_count(NULL, &almanac_info), 0);
}
END_TEST

START_TEST(snp_13_snapshots_are_restored_in_any_order_and_as_often_as_liked)
{
    static const int order[] = {2, 0, 0, 3, 1, 2, 3, 3, 0, 1};
    for (int i = 0; i < RING; i++) {
        fill(i);
        save(i);
    }
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        restore(order[i]);
        ck_assert_int_eq(almanac_get_unique_crown(almanac)->weight, order[i]);
        ck_assert_int_eq(almanac_get_spot(almanac, days[9])->y, order[i]);
        ck_assert_int_eq(almanac_get_coin(almanac, days[2])->token.number, 100 + order[i]);
        ck_assert(almanac_has_stashed_coat(almanac, days[order[i] + 10]));
        ck_assert_str_eq(drops(), "");
    }
}
END_TEST

START_TEST(snp_08_a_save_says_that_a_collector_holds_a_dead_entity)
{
    fill(0);
    kin_collector *collector = kin_collector_create((kin_trigger[]){{almanac_spots_group(almanac), KIN_REMOVED}}, 1);
    almanac_destroy_entity(almanac, days[40]);
    ck_assert_refused(&errors, almanac_save(almanac, &snapshots[0]), KIN_ERROR_RETAINED);
    ck_assert_uint_eq(kin_snapshot_count(snapshots[0], &almanac_info), almanac_entity_count(almanac));
    kin_collector_clear(collector);
    restore(0);
    ck_assert_uint_eq(kin_context_retained_count(&almanac->base), 0);
    kin_collector_destroy(collector);
}
END_TEST

START_TEST(snp_18_collectors_are_cleared_without_a_call)
{
    kin_collector *collector =
        kin_collector_create((kin_trigger[]){{almanac_spots_group(almanac), KIN_ADDED_OR_REMOVED}}, 1);
    save(0);
    fill(0);
    almanac_destroy_entity(almanac, days[40]);
    ck_assert_uint_gt(kin_collector_count(collector), 0);
    restore(0);
    ck_assert_uint_eq(kin_collector_count(collector), 0);
    ck_assert_uint_eq(kin_context_retained_count(&almanac->base), 0);
    kin_collector_destroy(collector);
}
END_TEST

// ---- memory

// Returns the values of the state that refused calls must not change.
static uint64_t fingerprint(void)
{
    uint64_t sum = 0;
    uint32_t count;
    const almanac_entity *all = almanac_entities(almanac, &count);
    for (uint32_t i = 0; i < count; i++) {
        char text[1024];
        kin_describe_entity(&almanac->base, all[i].id, text, sizeof text);
        for (const char *at = text; *at != '\0'; at++)
            sum = sum * 31 + (unsigned char)*at;
    }
    return sum;
}

// The only error is about the request that was refused.
static void check_message(void)
{
    char bytes[48];
    snprintf(bytes, sizeof bytes, "no memory for %zu byte%s;", memory.refused, memory.refused == 1 ? "" : "s");
    ck_assert_uint_eq(errors.count, 1);
    ck_assert_msg(strstr(errors.entries[0].message, bytes) != NULL, "%s: %s", bytes, errors.entries[0].message);
}

START_TEST(snp_06_a_save_without_memory_changes_nothing)
{
    fill(0);
    save(0);
    fill(1);
    uint64_t before = fingerprint();
    bool refused = true;
    for (uint64_t number = 1; refused; number++) {
        kin_context_trim(&almanac->base);
        guard_fail(&memory, number, number % 2 == 0);
        kin_status status = almanac_save(almanac, &snapshots[number % 2]);
        refused = guard_has_failed(&memory);
        guard_fail(&memory, 0, false);
        ck_assert_int_eq(status, refused ? KIN_ERROR_NO_MEMORY : KIN_OK);
        if (refused)
            check_message();
        ck_assert(kin__context_is_valid(&almanac->base));
        ck_assert_uint_eq(fingerprint(), before);
        ck_assert_uint_eq(kin_context_memory(&almanac->base).total.allocated, memory.size);
        if (refused && number == 1)
            ck_assert_ptr_null(snapshots[1]);
        error_log_clear(&errors);
    }
    fill(2);
}
END_TEST

START_TEST(snp_13_a_restore_without_memory_changes_nothing)
{
    fill(0);
    save(0);
    uint64_t saved = fingerprint();
    almanac_destroy_all_entities(almanac);
    almanac_context_reset(almanac);
    fill(1);
    uint64_t before = fingerprint();
    bool refused = true;
    for (uint64_t number = 1; refused; number++) {
        kin_context_trim(&almanac->base);
        guard_fail(&memory, number, number % 2 == 0);
        kin_status status = almanac_restore(almanac, snapshots[0], KIN_RESTORE_EXACTLY);
        refused = guard_has_failed(&memory);
        guard_fail(&memory, 0, false);
        ck_assert_int_eq(status, refused ? KIN_ERROR_NO_MEMORY : KIN_OK);
        if (refused)
            check_message();
        ck_assert(kin__context_is_valid(&almanac->base));
        ck_assert_uint_eq(fingerprint(), refused ? before : saved);
        ck_assert_uint_eq(kin_context_memory(&almanac->base).total.allocated, memory.size);
        error_log_clear(&errors);
    }
}
END_TEST

static uint64_t snapshot_bytes(void)
{
    return kin_context_memory(&almanac->base).snapshots.allocated;
}

static void go_round(void)
{
    for (int32_t i = 0; i < 3 * RING; i++) {
        fill(i % RING);
        save(i % RING);
        restore((i + RING - 1) % RING < i ? (i + RING - 1) % RING : 0);
        restore(i % RING);
    }
}

START_TEST(snp_10_a_ring_that_has_gone_round_needs_no_memory)
{
    go_round();
    uint64_t allocated = snapshot_bytes(), requests = 0;
    for (int32_t i = 0; i < 3 * RING; i++) {
        fill(i % RING);
        uint64_t before = memory.request_count;
        save(i % RING);
        restore((i + 1) % RING);
        restore(i % RING);
        requests += memory.request_count - before;
    }
    ck_assert_uint_eq(requests, 0);
    ck_assert_uint_eq(snapshot_bytes(), allocated);
}
END_TEST

START_TEST(snp_10_the_values_of_snapshots_are_counted)
{
    enum { SPOTS = 512 };
    for (int32_t i = 0; i < SPOTS; i++)
        almanac_add_spot(almanac, almanac_create_entity(almanac), (Spot){i, i});
    save(0);
    uint64_t first = kin_context_memory(&almanac->base).snapshots.used, values = SPOTS * sizeof(Spot);
    ck_assert_uint_ge(first, values);
    uint32_t count;
    const almanac_entity *entities = almanac_entities(almanac, &count);
    for (uint32_t i = 0; i < count; i++)
        almanac_edit_spot(almanac, entities[i])->x = -1;
    save(1);
    ck_assert_uint_ge(kin_context_memory(&almanac->base).snapshots.used, first + values);
}
END_TEST

START_TEST(snp_10_trimming_gives_spare_images_back)
{
    ck_assert_uint_eq(snapshot_bytes(), 0);
    go_round();
    kin_memory before = kin_context_memory(&almanac->base).snapshots;
    ck_assert_uint_gt(before.used, 0);
    ck_assert_uint_lt(before.used, before.allocated);
    kin_context_trim(&almanac->base);
    kin_memory after = kin_context_memory(&almanac->base).snapshots;
    ck_assert_uint_eq(after.used, before.used);
    ck_assert_uint_lt(after.allocated, before.allocated);
    restore(2);
    ck_assert_int_eq(almanac_get_unique_crown(almanac)->weight, 2);
    for (int i = 0; i < RING; i++) {
        kin_snapshot_destroy(snapshots[i]);
        snapshots[i] = NULL;
    }
    kin_context_trim(&almanac->base);
    ck_assert_uint_eq(snapshot_bytes(), 0);
    fill(1);
    save(0);
}
END_TEST

START_TEST(snp_11_a_snapshot_is_empty_when_its_context_has_ended)
{
    fill(0);
    save(0);
    fill(1);
    almanac_context_destroy(almanac);
    ck_assert_str_eq(drops(), "100 101 ");
    ck_assert_uint_eq(kin_snapshot_count(snapshots[0], &almanac_info), 0);
    kin_snapshot *other = snapshots[0];
    snapshots[0] = NULL;
    ck_assert_uint_gt(memory.size, 0);
    kin_snapshot_destroy(other);
    guard_end(&memory);
    begin();
}
END_TEST

START_TEST(snp_13_more_entities_than_the_context_may_have_are_refused)
{
    fill(0);
    save(0);
    almanac_context *small = almanac_context_create(
        &(kin_context_options){.max_entities = 10, .on_error = error_log_append, .error_user = &errors});
    ck_assert_refused(&errors, almanac_restore(small, snapshots[0], KIN_RESTORE_EXACTLY), KIN_ERROR_LIMIT);
    ck_assert_uint_eq(almanac_entity_count(small), 0);
    almanac_context_destroy(small);
}
END_TEST

// Returns the bytes of a part that follow its links and are in no field of a section; fails if two have one.
static size_t count_forgotten_bytes(void)
{
    enum { BEGIN = offsetof(kin__context_snapshot, previous) + sizeof(void *) };
    bool is_in_section[sizeof(kin__context_snapshot)] = {false};
    size_t count = 0;
    for (uint32_t i = 0; i < KIN__SECTION_COUNT; i++)
        for (uint32_t k = 0; k < KIN__SECTION_FIELDS; k++) {
            const kin__part_field *field = &kin__sections[i]->fields[k];
            for (size_t at = field->offset; at < field->offset + field->size; at++) {
                ck_assert_msg(!is_in_section[at], "%s is in two sections", field->name);
                is_in_section[at] = true;
            }
        }
    for (size_t at = BEGIN; at < sizeof is_in_section; at++)
        count += !is_in_section[at];
    return count;
}

START_TEST(each_field_of_a_part_is_in_one_section)
{
    const size_t end_of_count = offsetof(kin__context_snapshot, chunk_count) + sizeof(uint32_t);
    const size_t end_of_last = offsetof(kin__context_snapshot, keys) + sizeof(kin__bytes);
    size_t padding = offsetof(kin__context_snapshot, images) - end_of_count;
    padding += sizeof(kin__context_snapshot) - end_of_last;
    ck_assert_uint_eq(count_forgotten_bytes(), padding);
    for (uint32_t i = 0; i < KIN__SECTION_COUNT; i++) {
        const kin__section *section = kin__sections[i];
        ck_assert_msg(section->save != NULL, "%s are not saved", section->name);
        ck_assert_msg(section->restore != NULL || section->settle != NULL, "%s are not restored", section->name);
    }
}
END_TEST

START_TEST(each_kind_of_block_is_of_one_section)
{
    uint32_t kinds = 0;
    for (uint32_t i = 0; i < KIN__SECTION_COUNT; i++) {
        ck_assert_uint_eq(kinds & kin__sections[i]->block_kinds, 0);
        kinds |= kin__sections[i]->block_kinds;
    }
    ck_assert_uint_eq(kinds, (1u << KIN__BLOCK_KINDS) - 1);
    for (uint32_t kind = 0; kind < KIN__BLOCK_KINDS; kind++)
        ck_assert(kin__block_kinds[kind].encode != NULL && strlen(kin__block_kinds[kind].letters) == 4);
}
END_TEST

Suite *runtime_snapshot_memory_suite(void)
{
    Suite *suite = suite_create("runtime_snapshot_memory");
    TCase *tests = tcase_create("memory");
    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_test(tests, snp_06_a_save_or_restore_inside_a_listener_is_refused);
    tcase_add_test(tests, snp_13_a_snapshot_of_another_schema_is_refused);
    tcase_add_test(tests, snp_13_null_and_unknown_modes_are_refused);
    tcase_add_test(tests, snp_13_snapshots_are_restored_in_any_order_and_as_often_as_liked);
    tcase_add_test(tests, snp_08_a_save_says_that_a_collector_holds_a_dead_entity);
    tcase_add_test(tests, snp_18_collectors_are_cleared_without_a_call);
    tcase_add_test(tests, snp_06_a_save_without_memory_changes_nothing);
    tcase_add_test(tests, snp_13_a_restore_without_memory_changes_nothing);
    tcase_add_test(tests, snp_10_a_ring_that_has_gone_round_needs_no_memory);
    tcase_add_test(tests, snp_10_the_values_of_snapshots_are_counted);
    tcase_add_test(tests, snp_10_trimming_gives_spare_images_back);
    tcase_add_test(tests, snp_11_a_snapshot_is_empty_when_its_context_has_ended);
    tcase_add_test(tests, snp_13_more_entities_than_the_context_may_have_are_refused);
    tcase_add_test(tests, each_field_of_a_part_is_in_one_section);
    tcase_add_test(tests, each_kind_of_block_is_of_one_section);
    suite_add_tcase(suite, tests);
    return suite;
}
