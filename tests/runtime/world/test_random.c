// Random numbers of systems (FND-43), and their generator.
#include "runtime/support/hive_case.h"
#include "suites.h"

#include <check.h>
#include <kin/random.h>
#include <kin/snapshot.h>
#include <string.h>

enum { MOST = 2000 };

// ---- the generator

// The numbers of the first round of the program pcg32-demo (pcg-random.org): seed 42, sequence 54.
START_TEST(fnd_43_the_generator_is_pcg32)
{
    static const uint32_t numbers[] = {0xA15C02B7, 0x7B47F409, 0xBA1D3330, 0x83D2F293, 0xBFA4784B, 0xCBED606E};
    kin_random random = {.state = 0, .increment = 54 << 1 | 1};
    kin_random_uint32(&random);
    random.state += 42;
    kin_random_uint32(&random);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        ck_assert_uint_eq(kin_random_uint32(&random), numbers[i]);
}
END_TEST

// The numbers that splitmix64.c (prng.di.unimi.it) gives for the seed 1234567.
START_TEST(fnd_43_seeds_are_mixed_by_splitmix64)
{
    static const uint64_t numbers[] = {UINT64_C(6457827717110365317), UINT64_C(3203168211198807973),
                                       UINT64_C(9817491932198370423)};
    for (uint64_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        ck_assert(kin_random_split(1234567, i + 1) == numbers[i]);
    kin_random random = kin_random_seeded(1234567);
    ck_assert(random.state == numbers[0] && random.increment == (numbers[1] | 1));
}
END_TEST

START_TEST(fnd_43_numbers_below_are_in_range_and_equally_likely)
{
    static const uint32_t counts[] = {1, 2, 3, 6, 7, 100};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        uint32_t found[100] = {0}, count = counts[i];
        kin_random random = kin_random_seeded(i);
        for (uint32_t k = 0; k < 10000 * count; k++) {
            uint32_t number = kin_random_below(&random, count);
            ck_assert_uint_lt(number, count);
            found[number]++;
        }
        for (uint32_t k = 0; k < count; k++)
            ck_assert(found[k] > 9500 && found[k] < 10500);
    }
    kin_random random = kin_random_seeded(5);
    ck_assert_uint_eq(kin_random_below(&random, 0), 0);
    uint32_t high = 0; // of 3 * 2^30 numbers, of which a draw without rejection favours every third
    for (uint32_t k = 0; k < 30000; k++)
        high += kin_random_below(&random, 3221225472u) % 3 == 0;
    ck_assert(high > 9500 && high < 10500);
}
END_TEST

START_TEST(fnd_43_numbers_between_have_both_bounds)
{
    kin_random random = kin_random_seeded(9);
    bool has_low = false, has_high = false, is_negative = false, is_positive = false;
    for (uint32_t i = 0; i < 1000; i++) {
        int32_t number = kin_random_between(&random, -2, 2);
        ck_assert(number >= -2 && number <= 2);
        has_low = has_low || number == -2;
        has_high = has_high || number == 2;
        int32_t any = kin_random_between(&random, INT32_MIN, INT32_MAX);
        is_negative = is_negative || any < 0;
        is_positive = is_positive || any > 0;
    }
    ck_assert(has_low && has_high && is_negative && is_positive);
    ck_assert_int_eq(kin_random_between(&random, 7, 7), 7);
    ck_assert_int_eq(kin_random_between(&random, 7, -7), 7);
    ck_assert_int_ge(kin_random_between(&random, INT32_MAX - 1, INT32_MAX), INT32_MAX - 1);
}
END_TEST

START_TEST(fnd_43_floats_are_from_0_to_below_1)
{
    kin_random random = kin_random_seeded(1);
    double sum = 0;
    for (uint32_t i = 0; i < 100000; i++) {
        float number = kin_random_float(&random);
        ck_assert(number >= 0 && number < 1);
        sum += (double)number;
    }
    ck_assert(sum > 49500 && sum < 50500);
    kin_random most = {.state = UINT64_C(0x07FFFFFFFFFFFFFF), .increment = 1};
    ck_assert(kin_random_float(&most) < 1);
}
END_TEST

// ---- systems

static uint64_t drawn[MOST];

static uint64_t draw(kin_random random)
{
    uint64_t high = kin_random_uint32(&random);
    return high << 32 | kin_random_uint32(&random);
}

static void draw_all(hive_fly_job *job, hive_fly_iter *it)
{
    while (hive_fly_next(it))
        for (uint32_t i = 0; i < it->count; i++) {
            hive_bees_entity entity = hive_fly_at(it, i);
            uint32_t slot = kin_entity_slot(entity.id);
            drawn[slot] = draw(hive_fly_random(job, entity));
            ck_assert(drawn[slot] == draw(hive_fly_random(job, entity)));
        }
}

static void expect_others(const uint64_t *before, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        ck_assert(drawn[i] != before[i]);
}

START_TEST(fnd_43_numbers_depend_on_seed_frame_and_entity)
{
    static uint64_t before[MOST];
    hive_fill(1500);
    hive_does.fly = draw_all;
    hive_update();
    for (uint32_t i = 1; i < 1500; i++)
        ck_assert(drawn[i] != drawn[i - 1]);
    memcpy(before, drawn, sizeof drawn);
    hive_update();
    expect_others(before, 1500); // another frame
    hive_hive_world_set_time(hive, 0);
    kin_tick tick = hive_hive_world_tick(hive);
    tick.frame = 0;
    hive_hive_world_push_time(hive, tick);
    hive_update();
    ck_assert_mem_eq(drawn, before, sizeof drawn);
    ck_assert_int_eq(hive_hive_world_set_seed(hive, 1), KIN_OK);
    ck_assert(hive_hive_world_seed(hive) == 1);
    hive_update();
    expect_others(before, 1500); // another seed
    hive_hive_world_set_seed(hive, 0);
    hive_bees_destroy_entity(bees, hive_bee());
    hive_fill(1);
    hive_update();
    ck_assert(drawn[1499] != before[1499]); // another entity in its slot
    ck_assert_mem_eq(drawn, before, 1499 * sizeof *drawn);
    hive_hive_world_pop_time(hive);
}
END_TEST

static uint64_t of_begin, of_begin_again, of_fly;

static void draw_in_begin(void)
{
    of_begin = draw(hive_begin_random_bees(hive, hive_bee()));
    of_begin_again = draw(hive_begin_random_smoke(hive, (hive_smoke_entity){hive_bee().id}));
}

static void draw_one(hive_fly_job *job, hive_fly_iter *it)
{
    (void)it;
    of_fly = draw(hive_fly_random(job, hive_bee()));
    ck_assert(of_fly != draw(hive_fly_random(job, HIVE_BEES_NO_ENTITY)));
}

START_TEST(fnd_43_numbers_depend_on_the_system_and_the_context)
{
    hive_fill(1);
    hive_does.begin = draw_in_begin;
    hive_does.fly = draw_one;
    hive_update();
    ck_assert(of_begin != of_begin_again && of_begin != of_fly && of_fly != of_begin_again);
    ck_assert(of_begin == draw(hive_begin_random_bees(hive, hive_bee()))); // of the last frame, until the next
}
END_TEST

static uint64_t steps[8];
static uint32_t step_count;

static void draw_in_winter(hive_winter_job *job, hive_winter_iter *it)
{
    (void)it;
    steps[step_count++] = draw(hive_winter_random(job, hive_bee()));
}

START_TEST(fnd_43_each_step_of_a_fixed_node_has_its_own_numbers)
{
    hive_fill(1);
    hive_does.winter = draw_in_winter;
    step_count = 0;
    hive_hive_world_update(hive, 2);
    ck_assert_uint_eq(step_count, 4);
    for (uint32_t i = 1; i < step_count; i++)
        for (uint32_t k = 0; k < i; k++)
            ck_assert(steps[i] != steps[k]);
}
END_TEST

// ---- the seed

static uint64_t hash(void)
{
    kin_snapshot *snapshot = NULL;
    ck_assert_int_eq(hive_hive_world_save(hive, &snapshot), KIN_OK);
    uint64_t result = kin_snapshot_hash(snapshot);
    kin_snapshot_destroy(snapshot);
    return result;
}

START_TEST(fnd_43_the_seed_is_state_of_the_world)
{
    kin_snapshot *snapshot = NULL;
    hive_fill(3);
    hive_update();
    uint64_t before = hash();
    hive_hive_world_set_seed(hive, 77);
    ck_assert(hash() != before);
    ck_assert_int_eq(hive_hive_world_save(hive, &snapshot), KIN_OK);
    hive_does.fly = draw_one;
    hive_update();
    uint64_t first = of_fly;
    hive_hive_world_set_seed(hive, 0);
    ck_assert_int_eq(hive_hive_world_restore(hive, snapshot, KIN_RESTORE_EXACTLY), KIN_OK);
    ck_assert(hive_hive_world_seed(hive) == 77);
    hive_update();
    ck_assert(of_fly == first);
    kin_divergence divergence;
    ck_assert_int_eq(hive_hive_world_rehearse(hive, 0.1, &divergence), KIN_OK);
    ck_assert_int_eq(hive_hive_world_reset(hive), KIN_OK);
    ck_assert(hive_hive_world_seed(hive) == 77);
    hive_hive_world_restore(hive, snapshot, KIN_RESTORE_EXACTLY);
    hive_hive_world_set_seed(hive, 0);
    ck_assert(hash() == before);
    kin_snapshot_destroy(snapshot);
}
END_TEST

static kin_status set_in_job;

static void set_seed(hive_fly_job *job, hive_fly_iter *it)
{
    (void)job;
    (void)it;
    set_in_job = hive_hive_world_set_seed(hive, 5);
}

static void set_seed_in_begin(void)
{
    ck_assert_int_eq(hive_hive_world_set_seed(hive, 6), KIN_OK);
}

START_TEST(fnd_43_the_seed_is_set_at_any_time_but_while_jobs_run)
{
    hive_fill(1);
    hive_does.begin = set_seed_in_begin;
    hive_does.fly = set_seed;
    hive_update();
    ck_assert_int_eq(set_in_job, KIN_ERROR_INVALID);
    ck_assert_reported(&hive_errors, KIN_ERROR_INVALID);
    ck_assert(hive_hive_world_seed(hive) == 6);
    ck_assert_int_eq(hive_hive_world_set_seed(NULL, 1), KIN_ERROR_INVALID); // reported to no handler
    ck_assert(hive_hive_world_seed(NULL) == 0);
    kin_random random = hive_begin_random_bees(NULL, hive_bee());
    ck_assert(draw(random) == draw(kin_random_seeded(0)));
}
END_TEST

Suite *runtime_random_suite(void)
{
    Suite *suite = suite_create("runtime_random");
    TCase *numbers = tcase_create("numbers");
    TCase *tests = tcase_create("systems");
    tcase_add_test(numbers, fnd_43_the_generator_is_pcg32);
    tcase_add_test(numbers, fnd_43_seeds_are_mixed_by_splitmix64);
    tcase_add_test(numbers, fnd_43_numbers_below_are_in_range_and_equally_likely);
    tcase_add_test(numbers, fnd_43_numbers_between_have_both_bounds);
    tcase_add_test(numbers, fnd_43_floats_are_from_0_to_below_1);
    tcase_add_checked_fixture(tests, hive_begin, hive_end);
    tcase_add_test(tests, fnd_43_numbers_depend_on_seed_frame_and_entity);
    tcase_add_test(tests, fnd_43_numbers_depend_on_the_system_and_the_context);
    tcase_add_test(tests, fnd_43_each_step_of_a_fixed_node_has_its_own_numbers);
    tcase_add_test(tests, fnd_43_the_seed_is_state_of_the_world);
    tcase_add_test(tests, fnd_43_the_seed_is_set_at_any_time_but_while_jobs_run);
    suite_add_tcase(suite, numbers);
    suite_add_tcase(suite, tests);
    return suite;
}
