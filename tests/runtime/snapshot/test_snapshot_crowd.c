// Saves and restores with each request for memory refused, once and from then on: what was refused has changed nothing,
// neither the context nor a snapshot.
#include "crowd.h"
#include "runtime/support/environment.h"
#include "suites.h"

#include <kin/generated/storage.h>

#include <check.h>
#include <stdlib.h>

enum { MOMENTS = 3, POPULATION = 250, MOST_REQUESTS = 20000 };

// The sweep makes each request of each change fail.
#define CHANGES (getenv("KIN_SWEEP_COUNTS") == NULL ? 600 : 40)

static crowd crowded;
static kin_snapshot *snapshots[MOMENTS];
static visible then[MOMENTS], before, after;

typedef kin_status attempted(kin_snapshot **snapshot);

static kin_status save(kin_snapshot **snapshot)
{
    return kin__context_save(crowded.context, snapshot);
}

static kin_status restore(kin_snapshot **snapshot)
{
    return kin__context_restore(crowded.context, *snapshot, KIN_RESTORE_EXACTLY);
}

// Tries with the `number`-th request refused. Returns whether it was made without that request.
static bool try(attempted *attempt, kin_snapshot **snapshot, uint64_t number, bool on)
{
    const kin_snapshot *was = *snapshot;
    crowded.errors = 0;
    guard_fail(&crowded.memory, number, on);
    kin_status status = attempt(snapshot);
    bool failed = guard_has_failed(&crowded.memory);
    guard_fail(&crowded.memory, 0, false);
    ck_assert_int_eq(status, failed ? KIN_ERROR_NO_MEMORY : KIN_OK);
    ck_assert_uint_eq(crowded.errors, failed);
    ck_assert(!failed || *snapshot == was);
    return !failed;
}

// Tries with every request refused, in turn. From hundreds of requests on it leaves out some.
static void try_all(attempted *attempt, kin_snapshot **snapshot)
{
    crowd_look(&crowded, &before);
    for (uint64_t number = 1;; number += 1 + number / 100) {
        ck_assert_uint_lt(number, MOST_REQUESTS);
        if (try(attempt, snapshot, number, false))
            return;
        crowd_look(&crowded, &after);
        ck_assert_str_eq(before.text, after.text);
        if (!try(attempt, snapshot, number, true)) {
            crowd_look(&crowded, &after);
            ck_assert_str_eq(before.text, after.text);
        }
    }
}

static void check_moment(uint32_t number)
{
    crowd_look(&crowded, &after);
    ck_assert_str_eq(then[number].text, after.text);
}

static void save_moment(uint32_t number)
{
    ck_assert_int_eq(save(&snapshots[number]), KIN_OK);
    crowd_look(&crowded, &then[number]);
}

static void begin(uint32_t package)
{
    crowd_begin(&crowded, package);
    for (uint32_t i = 0; i < MOMENTS; i++) {
        crowd_change(&crowded, CHANGES, POPULATION);
        save_moment(i);
    }
    crowd_change(&crowded, CHANGES, POPULATION);
}

static void end(void)
{
    for (uint32_t i = 0; i < MOMENTS; i++) {
        kin_snapshot_destroy(snapshots[i]);
        snapshots[i] = NULL;
    }
    crowd_end(&crowded);
}

START_TEST(snp_06_a_save_that_gets_no_memory_changes_neither_the_context_nor_the_snapshot)
{
    kin_snapshot *made = NULL;
    begin((uint32_t)_i);
    try_all(save, &made); // the first one of its own
    crowd_change(&crowded, CHANGES, POPULATION);
    kin_context_trim(crowded.context);
    const kin_snapshot *kept = snapshots[0];
    crowd_look(&crowded, &before);
    ck_assert(try(save, &snapshots[0], 1, true) || snapshots[0] == kept);
    crowd_look(&crowded, &after);
    ck_assert_str_eq(before.text, after.text);
    for (uint32_t i = 1; i < MOMENTS; i++) {
        ck_assert_int_eq(restore(&snapshots[i]), KIN_OK);
        check_moment(i);
    }
    kin_snapshot_destroy(made);
    end();
}
END_TEST

// The refused save leaves what the snapshot had.
START_TEST(snp_06_a_snapshot_that_was_not_made_anew_is_what_it_was)
{
    begin((uint32_t)_i);
    bool done = false;
    for (uint64_t number = 1; !done; number += 1 + number / 50) {
        crowd_change(&crowded, 60, POPULATION);
        done = try(save, &snapshots[1], number, number % 2 == 0);
        if (done)
            break;
        ck_assert_int_eq(restore(&snapshots[1]), KIN_OK);
        check_moment(1);
        kin_context_trim(crowded.context);
    }
    end();
}
END_TEST

START_TEST(snp_13_a_restore_that_gets_no_memory_changes_nothing)
{
    begin((uint32_t)_i);
    for (uint32_t i = 0; i < MOMENTS; i++) {
        kin_context_trim(crowded.context);
        try_all(restore, &snapshots[i]);
        check_moment(i);
        crowd_change(&crowded, CHANGES, POPULATION);
    }
    kin__context_reset(crowded.context);
    kin_context_trim(crowded.context); // so that there are fewer chunks and columns
    try_all(restore, &snapshots[2]);
    check_moment(2);
    end();
}
END_TEST

// With restores between the saves, images are spare after a few rounds.
START_TEST(snp_10_a_ring_that_has_gone_round_allocates_no_more)
{
    begin((uint32_t)_i);
    uint64_t requests = 0;
    for (uint32_t i = 0; i < 10 * MOMENTS; i++) {
        if (i == 5 * MOMENTS)
            requests = crowded.memory.request_count;
        ck_assert_int_eq(save(&snapshots[i % MOMENTS]), KIN_OK);
        ck_assert_int_eq(restore(&snapshots[(i + 1) % MOMENTS]), KIN_OK);
    }
    ck_assert_uint_eq(crowded.memory.request_count, requests);
    end();
}
END_TEST

START_TEST(snp_11_a_snapshot_whose_context_has_ended_is_empty)
{
    begin((uint32_t)_i);
    const kin_context_info *info = crowded.context->info;
    ck_assert_uint_gt(kin_snapshot_count(snapshots[0], info), 0);
    kin__context_destroy(crowded.context);
    for (uint32_t i = 0; i < MOMENTS; i++) {
        ck_assert_uint_eq(kin_snapshot_count(snapshots[i], info), 0);
        kin_snapshot_destroy(snapshots[i]);
        snapshots[i] = NULL;
    }
    guard_end(&crowded.memory);
}
END_TEST

START_TEST(snp_13_snapshots_are_restored_in_any_order)
{
    begin((uint32_t)_i);
    for (uint32_t i = 0; i < 200; i++) {
        uint32_t number = i * 7 / 3 % MOMENTS;
        ck_assert_int_eq(restore(&snapshots[number]), KIN_OK);
        check_moment(number);
        if (i % 3 > 0)
            crowd_change(&crowded, i * 13 % 400, POPULATION);
        if (i % 5 == 0)
            save_moment(i / 5 % MOMENTS);
        if (i % 11 == 0)
            kin_context_trim(crowded.context);
    }
    end();
}
END_TEST

Suite *runtime_snapshot_crowd_suite(void)
{
    Suite *suite = suite_create("runtime_snapshot_crowd");
    TCase *tests = tcase_create("crowd");
    tcase_set_timeout(tests, 0);
    tcase_add_loop_test(tests, snp_06_a_save_that_gets_no_memory_changes_neither_the_context_nor_the_snapshot, 0,
                        CROWDS);
    tcase_add_loop_test(tests, snp_06_a_snapshot_that_was_not_made_anew_is_what_it_was, 0, CROWDS);
    tcase_add_loop_test(tests, snp_13_a_restore_that_gets_no_memory_changes_nothing, 0, CROWDS);
    tcase_add_loop_test(tests, snp_10_a_ring_that_has_gone_round_allocates_no_more, 0, CROWDS);
    tcase_add_loop_test(tests, snp_11_a_snapshot_whose_context_has_ended_is_empty, 0, CROWDS);
    tcase_add_loop_test(tests, snp_13_snapshots_are_restored_in_any_order, 0, CROWDS);
    suite_add_tcase(suite, tests);
    return suite;
}
