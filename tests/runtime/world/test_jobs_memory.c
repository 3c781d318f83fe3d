// Jobs and memory: what is kept from turn to turn, given back, and lost without memory.
#include "runtime/support/hive_case.h"
#include "suites.h"

#include <check.h>

static void record_many(hive_fly_job *job, hive_fly_iter *it)
{
    while (hive_fly_next(it))
        for (uint32_t i = 0; i < it->count; i++) {
            hive_bees_entity entity = hive_fly_at(it, i);
            hive_fly_replace_energy(job, entity, (hive_Energy){(int32_t)i});
            hive_fly_set_asleep(job, entity, false);
        }
}

START_TEST(cmd_10_warm_turns_allocate_nothing)
{
    hive_fill(1500);
    hive_does.fly = record_many;
    for (int i = 0; i < 10; i++) // also those of the node with fixed steps
        hive_update();
    uint64_t requests = hive_memory.request_count;
    for (int i = 0; i < 20; i++)
        hive_update();
    ck_assert_uint_eq(hive_memory.request_count, requests);
    ck_assert_uint_eq(hive_last_of("Fly").recorded, 3000);
}
END_TEST

// The second update records again, with fresh memory.
START_TEST(cmd_10_a_trim_gives_back_the_memory_of_commands)
{
    hive_fill(1500);
    hive_does.fly = record_many;
    hive_update();
    hive_does.fly = NULL;
    hive_update();
    kin_context_trim(&bees->base);
    size_t before = hive_memory.size;
    hive_update();
    ck_assert_uint_ge(before - hive_memory.size, 3000 * 16);
    hive_does.fly = record_many;
    hive_update();
    ck_assert_uint_eq(hive_last_of("Fly").recorded, 3000);
}
END_TEST

// Checked builds alone detect it; the thread sanitizer runs another one.
#if defined KIN_CHECKED && !defined RUNTIME_ONLY

static hive_fly_job *kept_job;

static void keep_job(hive_fly_job *job, hive_fly_iter *it)
{
    (void)it;
    kept_job = job;
}

START_TEST(cmd_03_a_job_that_is_used_after_its_call_records_nothing_and_is_reported)
{
    hive_fill(1);
    hive_does.fly = keep_job;
    hive_update();
    ck_assert_int_eq(hive_fly_set_asleep(kept_job, hive_bee(), true), KIN_ERROR_NO_MEMORY);
    ck_assert_uint_eq(hive_fly_spawn_egg(kept_job).id, 0);
    hive_update();
    ck_assert_reported(&hive_errors, KIN_ERROR_INVALID);
    ck_assert_uint_eq(hive_last_of("Fly").recorded, 0);
    ck_assert(!hive_bees_is_asleep(bees, hive_bee()));
}
END_TEST
#endif

static uint32_t hatched;

static void count_egg(hive_hatch_job *job, hive_bees_entity entity)
{
    hatched++;
    hive_hatch_replace_energy(job, entity, (hive_Energy){2});
}

START_TEST(par_11_without_memory_a_reactive_system_keeps_what_it_collected)
{
    bool has_failed = true;
    for (uint64_t number = 1; has_failed; number++) {
        hive_does.hatch = count_egg;
        hatched = 0;
        hive_bees_spawn_egg(bees);
        guard_fail(&hive_memory, number, false);
        hive_update();
        has_failed = guard_has_failed(&hive_memory);
        guard_fail(&hive_memory, 0, false);
        hive_update();
        ck_assert_uint_ge(hatched, 1);
        error_log_clear(&hive_errors);
        hive_end();
        hive_begin();
    }
}
END_TEST

// Each request for memory fails once, and in the second run of the test also all later ones.
START_TEST(par_11_cmd_03_without_memory_commands_are_lost_with_a_report_and_all_others_run)
{
    bool has_failed = true;
    for (uint64_t number = 1; has_failed; number++) {
        hive_fill(600);
        hive_does.fly = record_many;
        guard_fail(&hive_memory, number, _i == 1);
        hive_update();
        has_failed = guard_has_failed(&hive_memory);
        guard_fail(&hive_memory, 0, false);
        ck_assert(!has_failed || hive_errors.count > 0);
        for (uint32_t i = 0; i < hive_errors.count && i < ERROR_LIMIT; i++)
            ck_assert_int_eq(hive_errors.entries[i].status, KIN_ERROR_NO_MEMORY);
        error_log_clear(&hive_errors);
        hive_does.fly = NULL;
        hive_update();
        hive_end();
        hive_begin();
    }
}
END_TEST

static uint32_t spawned;

static void spawn_many(hive_fly_job *job, hive_fly_iter *it)
{
    int32_t grains[] = {1, 2, 3};
    hive_bees_drone_value value = {.name = {"Willy"}, .load = {.grains = {grains, 3}}};
    value.given.name = value.given.load = true;
    (void)it;
    for (uint32_t i = 0; i < 40; i++) {
        hive_bees_queen_parts parts;
        value.load.from = hive_fly_spawn_queen_parts(job, &parts);
        if (value.load.from.id == 0)
            ck_assert(parts.entity.id == 0 && parts.first.entity.id == 0 && parts.second.entity.id == 0);
        spawned += value.load.from.id != 0 ? 3 : 0;
        spawned += hive_fly_spawn_drone_with(job, value).id != 0;
    }
}

// What is lost was reported. What was not is whole, and later turns go on.
START_TEST(fnd_40_without_memory_spawns_are_made_as_a_whole_or_reported)
{
    bool has_failed = true;
    for (uint64_t number = 1; has_failed; number++) {
        hive_fill(1);
        spawned = 0;
        hive_does.fly = spawn_many;
        guard_fail(&hive_memory, number, _i == 1);
        hive_update();
        has_failed = guard_has_failed(&hive_memory);
        guard_fail(&hive_memory, 0, false);
        uint32_t count = hive_bees_entity_count(bees);
        ck_assert(!has_failed || hive_errors.count > 0);
        ck_assert_uint_le(count, 1 + spawned);
        ck_assert(count == 1 + spawned || hive_errors.count > 0);
        for (uint32_t i = 0; i < hive_errors.count && i < ERROR_LIMIT; i++)
            ck_assert_int_eq(hive_errors.entries[i].status, KIN_ERROR_NO_MEMORY);
        error_log_clear(&hive_errors);
        hive_update();
        ck_assert_uint_eq(hive_bees_entity_count(bees), count + 160);
        hive_end();
        hive_begin();
    }
}
END_TEST

Suite *runtime_jobs_memory_suite(void)
{
    Suite *suite = suite_create("runtime_jobs_memory");
    TCase *tests = tcase_create("runtime_jobs_memory");
    tcase_add_checked_fixture(tests, hive_begin, hive_end);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, par_11_without_memory_a_reactive_system_keeps_what_it_collected);
    tcase_add_test(tests, cmd_10_warm_turns_allocate_nothing);
    tcase_add_test(tests, cmd_10_a_trim_gives_back_the_memory_of_commands);
#if defined KIN_CHECKED && !defined RUNTIME_ONLY
    tcase_add_test(tests, cmd_03_a_job_that_is_used_after_its_call_records_nothing_and_is_reported);
#endif
    tcase_add_loop_test(tests, par_11_cmd_03_without_memory_commands_are_lost_with_a_report_and_all_others_run, 0, 2);
    tcase_add_loop_test(tests, fnd_40_without_memory_spawns_are_made_as_a_whole_or_reported, 0, 2);
    suite_add_tcase(suite, tests);
    return suite;
}
