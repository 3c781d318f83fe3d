// One result: the same game on executors of every kind, with pieces of every size. KIN_TICKS sets its length.
#include "runtime/parallel/tumult_case.h"
#include "suites.h"

#include <check.h>
#include <kin/pool.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#ifdef __SANITIZE_THREAD__
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

// ---- hostile executors: they run all tasks in `submit`, or later in `wait`

static char ticket;

typedef struct submitted {
    kin_task *task;
    void *work;
    uint32_t count;
} submitted;

static submitted waiting;

static void *run_backwards(kin_task *task, void *work, uint32_t count, void *user)
{
    (void)user;
    while (count-- > 0)
        task(work, count);
    return &ticket;
}

static void *run_shuffled(kin_task *task, void *work, uint32_t count, void *user)
{
    uint32_t *last = user, step = (*last = *last * 1664525 + 1013904223) / 64 * 2 + 1, power = 1;
    while (power < count)
        power *= 2;
    for (uint32_t i = 0, at = 0; i < power; i++, at = (at + step) % power) // an odd step visits each once
        if (at < count)
            task(work, at);
    return &ticket;
}

static void *keep(kin_task *task, void *work, uint32_t count, void *user)
{
    (void)user;
    waiting = (submitted){task, work, count};
    return &ticket;
}

static void run_kept(void *given, void *user)
{
    (void)given;
    (void)user;
    run_backwards(waiting.task, waiting.work, waiting.count, NULL);
}

static void *refuse(kin_task *task, void *work, uint32_t count, void *user)
{
    (void)task;
    (void)work;
    (void)count;
    (void)user;
    return NULL;
}

static void *refuse_often(kin_task *task, void *work, uint32_t count, void *user)
{
    uint32_t *turn = user;
    return (*turn)++ % 3 > 0 ? NULL : run_backwards(task, work, count, NULL);
}

static void do_nothing(void *given, void *user)
{
    (void)given;
    (void)user;
}

// ---- one task at a time, each on a thread of its own

typedef struct single {
    submitted submitted;
    uint32_t index;
} single;

static void *run_single(void *given)
{
    const single *single = given;
    struct timespec pause = {0, (long)(single->index % 3) * 20000};
    nanosleep(&pause, NULL);
    single->submitted.task(single->submitted.work, single->index);
    return NULL;
}

static void *run_on_threads(kin_task *task, void *work, uint32_t count, void *user)
{
    (void)user;
    for (uint32_t i = 0; i < count; i++) {
        single one = {{task, work, count}, (i + 1) % count};
        pthread_t thread;
        ck_assert_int_eq(pthread_create(&thread, NULL, run_single, &one), 0);
        pthread_join(thread, NULL);
    }
    return &ticket;
}

// All at once, each on a thread of its own, which begins after a pause.
static void *run_all_on_threads(kin_task *task, void *work, uint32_t count, void *user)
{
    static pthread_t threads[4096];
    static single singles[4096];
    (void)user;
    ck_assert_uint_le(count, 4096);
    for (uint32_t i = 0; i < count; i++) {
        singles[i] = (single){{task, work, count}, i};
        ck_assert_int_eq(pthread_create(&threads[i], NULL, run_single, &singles[i]), 0);
    }
    for (uint32_t i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    return &ticket;
}

// ---- games

static uint32_t last_random, turns;
static const uint32_t grains[] = {512, 2048, KIN__GRAIN_ALL};

static const kin_executor hostile[] = {
    {.threads = 2, .submit = run_backwards, .wait = do_nothing},
    {.threads = 2, .submit = run_shuffled, .wait = do_nothing, .user = &last_random},
    {.threads = 2, .submit = keep, .wait = run_kept},
    {.threads = 2, .submit = refuse, .wait = do_nothing},
    {.threads = 2, .submit = refuse_often, .wait = do_nothing, .user = &turns},
    {.threads = 2, .submit = run_on_threads, .wait = do_nothing},
    {.threads = 8, .submit = run_all_on_threads, .wait = do_nothing},
};

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
    ck_assert_uint_gt(expected_counts.changes, 10 * count);
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

// The game with a thread for each task is shorter, as threads are slow to make.
START_TEST(par_03_par_12_hostile_executors_give_the_same_after_every_tick)
{
    const kin_executor *executor = &hostile[_i / 3];
    bool makes_threads = executor->submit == run_on_threads || executor->submit == run_all_on_threads;
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
                        (int)(sizeof hostile / sizeof *hostile) * 3);
    suite_add_tcase(suite, tests);
    return suite;
}
