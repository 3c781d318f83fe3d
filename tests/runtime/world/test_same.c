// One result: the same game on executors of every kind, with pieces of every size. KIN_TICKS sets its length.
#include "runtime/support/tumult_case.h"
#include "suites.h"
#include "threads/hostile.h"

#include <check.h>
#include <kin/pool.h>
#include <stdlib.h>

#if defined __SANITIZE_THREAD__ || defined __SANITIZE_ADDRESS__ || defined RUNTIME_ONLY
enum { MOST_TICKS = 2000, TICKS = 20 };
#else
enum { MOST_TICKS = 2000, TICKS = 150 };
#endif

static uint64_t expected[MOST_TICKS]; // of the game without an executor
static tumult_counts expected_counts;

static uint32_t ticks(void)
{
    const char *text = getenv("KIN_TICKS");
    uint32_t count = text == NULL ? TICKS : (uint32_t)strtoul(text, NULL, 10);
    return count > MOST_TICKS ? MOST_TICKS : count;
}

// An executor that refuses two of three submits.
static void *submit_seldom(kin_task *task, void *work, uint32_t count, void *user)
{
    uint32_t *turns = user;
    return (*turns)++ % 3 > 0 ? NULL : hostile_executors[0].submit(task, work, count, NULL);
}

static void do_nothing(void *ticket, void *user)
{
    (void)ticket;
    (void)user;
}

// ---- games

static uint32_t turns;
static const uint32_t grains[] = {512, 2048, KIN__GRAIN_ALL};
static const kin_executor seldom = {.threads = 2, .submit = submit_seldom, .wait = do_nothing, .user = &turns};

static void check_game(uint32_t grain, const kin_executor *executor, uint32_t count)
{
    tumult_begin(grain, executor);
    for (uint32_t i = 0; i < count; i++)
        ck_assert_msg(tumult_update() == expected[i], "tick %u with a grain of %u differs", (unsigned)i,
                      (unsigned)grain);
    tumult_end();
}

static void begin(void)
{
    tumult_begin(512, NULL);
    for (uint32_t i = 0; i < ticks(); i++)
        expected[i] = tumult_update();
    expected_counts = tumult_count();
    tumult_end();
}

// Each kind of thing that can happen does.
START_TEST(par_03_the_game_has_commands_of_every_fate)
{
    uint32_t count = ticks();
    ck_assert_uint_gt(expected_counts.recorded, 500 * count);
    ck_assert_uint_gt(expected_counts.dropped, count);
    ck_assert_uint_gt(expected_counts.refused, count);
    ck_assert_uint_gt(expected_counts.errors, count);
    ck_assert_uint_gt(expected_counts.messages, count);
    ck_assert_uint_gt(expected_counts.changes, count);
    ck_assert_uint_gt(expected_counts.alive, 1000);
    ck_assert_uint_ne(expected[0], expected[1]);
}
END_TEST

START_TEST(par_03_cmd_02_any_grain_gives_the_same_after_every_tick)
{
    check_game(grains[_i], NULL, ticks());
}
END_TEST

START_TEST(par_03_a_pool_of_any_size_gives_the_same_after_every_tick)
{
    static const uint32_t threads[] = {1, 2, 4, 16};
    kin_executor *pool = kin_pool_create(threads[_i / 3]);
    ck_assert_ptr_nonnull(pool);
    check_game(grains[_i % 3], pool, ticks());
    kin_pool_destroy(pool);
}
END_TEST

// Those that make threads are slow, so their games are shorter.
START_TEST(par_03_par_12_hostile_executors_give_the_same_after_every_tick)
{
    const kin_executor *executor = _i / 3 < HOSTILE_COUNT ? &hostile_executors[_i / 3] : &seldom;
    bool makes_threads = _i / 3 == HOSTILE_SCATTERED || _i / 3 == HOSTILE_CROWD;
    check_game(grains[_i % 3], executor, makes_threads ? ticks() / 10 : ticks());
}
END_TEST

Suite *runtime_same_suite(void)
{
    Suite *suite = suite_create("runtime_same");
    TCase *tests = tcase_create("runtime_same");
    tcase_set_timeout(tests, 600);
    tcase_add_unchecked_fixture(tests, begin, NULL);
    tcase_add_test(tests, par_03_the_game_has_commands_of_every_fate);
    tcase_add_loop_test(tests, par_03_cmd_02_any_grain_gives_the_same_after_every_tick, 0, 3);
    tcase_add_loop_test(tests, par_03_a_pool_of_any_size_gives_the_same_after_every_tick, 0, 12);
    tcase_add_loop_test(tests, par_03_par_12_hostile_executors_give_the_same_after_every_tick, 0,
                        (HOSTILE_COUNT + 1) * 3);
    suite_add_tcase(suite, tests);
    return suite;
}
