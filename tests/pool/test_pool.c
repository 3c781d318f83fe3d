// The pool of threads (PAR-12, PAR-13, PAR-14). tests/threads/ runs such jobs under the thread sanitizer.
#include "suites.h"

#include <check.h>
#include <dirent.h>
#include <kin/pool.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_TASKS = 4096, JOBS = 100000, SHARERS = 4, PATIENCE = 300 }; // seconds

// A job counts how often each of its tasks was called.
typedef struct counting {
    atomic_uint calls[MOST_TASKS];
    kin_executor *pool;
    atomic_uint nested; // submits inside a task that were not refused
} counting;

static counting job;

static void count(void *work, uint32_t index)
{
    counting *own = work;
    atomic_fetch_add_explicit(&own->calls[index], 1, memory_order_relaxed);
}

static bool run(kin_executor *pool, kin_task *task, void *work, uint32_t task_count)
{
    void *ticket = pool->submit(task, work, task_count, pool->user);
    if (ticket == NULL)
        return false;
    pool->wait(ticket, pool->user);
    return true;
}

static void check_each_called(counting *own, uint32_t task_count, uint32_t times)
{
    for (uint32_t i = 0; i < MOST_TASKS; i++)
        ck_assert_uint_eq(atomic_load(&own->calls[i]), i < task_count ? times : 0);
    memset(own->calls, 0, sizeof own->calls);
}

START_TEST(par_12_each_task_is_called_once)
{
    static const uint32_t threads[] = {1, 2, 3, 4, 16, 64}, counts[] = {1, 2, 3, 63, 64, 65, 1000, MOST_TASKS};
    for (uint32_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        kin_executor *pool = kin_pool_create(threads[i]);
        ck_assert_uint_eq(pool->threads, threads[i]);
        for (uint32_t k = 0; k < sizeof counts / sizeof *counts; k++) {
            ck_assert(run(pool, count, &job, counts[k]));
            check_each_called(&job, counts[k], 1);
        }
        kin_pool_destroy(pool);
    }
}
END_TEST

START_TEST(par_12_a_hundred_thousand_jobs_lose_and_repeat_nothing)
{
    kin_executor *pool = kin_pool_create(2);
    for (uint32_t i = 0; i < JOBS; i++)
        ck_assert(run(pool, count, &job, 3 + i % 5));
    ck_assert_uint_eq(atomic_load(&job.calls[0]), JOBS);
    ck_assert_uint_eq(atomic_load(&job.calls[3]), JOBS / 5 * 4);
    ck_assert_uint_eq(atomic_load(&job.calls[6]), JOBS / 5);
    ck_assert_uint_eq(atomic_load(&job.calls[7]), 0);
    kin_pool_destroy(pool);
}
END_TEST

// Plain numbers: wait makes them seen.
static void add(void *work, uint32_t index)
{
    ((uint64_t *)work)[index * 8] += index + 1;
}

START_TEST(par_12_what_tasks_wrote_is_seen_after_the_wait)
{
    static uint64_t sums[64 * 8];
    kin_executor *pool = kin_pool_create(4);
    for (uint32_t round = 1; round <= 1000; round++) {
        run(pool, add, sums, 64);
        for (uint32_t i = 0; i < 64; i++)
            ck_assert_uint_eq(sums[i * 8], (uint64_t)round * (i + 1));
    }
    kin_pool_destroy(pool);
}
END_TEST

START_TEST(par_13_pools_start_and_stop)
{
    for (uint32_t i = 0; i < 200; i++) {
        kin_executor *pool = kin_pool_create(1 + i % 8);
        ck_assert_ptr_nonnull(pool);
        if (i % 3 == 0)
            run(pool, count, &job, i);
        kin_pool_destroy(pool);
    }
    kin_pool_destroy(NULL);
}
END_TEST

static void sleep_for(long nanoseconds)
{
    nanosleep(&(struct timespec){0, nanoseconds}, NULL);
}

START_TEST(par_13_threads_that_sleep_are_woken)
{
    kin_executor *pool = kin_pool_create(3);
    for (uint32_t i = 0; i < 100; i++) {
        sleep_for(1000000); // longer than threads wait actively
        ck_assert(run(pool, count, &job, 100));
    }
    check_each_called(&job, 100, 100);
    kin_pool_destroy(pool);
}
END_TEST

static void sleep_at_first(void *work, uint32_t index)
{
    if (index == 0)
        sleep_for(20000000);
    count(work, index);
}

START_TEST(par_13_the_thread_that_waits_sleeps_until_the_last_task_ends)
{
    kin_executor *pool = kin_pool_create(4);
    for (uint32_t i = 0; i < 10; i++)
        ck_assert(run(pool, sleep_at_first, &job, 40));
    check_each_called(&job, 40, 10);
    kin_pool_destroy(pool);
}
END_TEST

enum { STAYING = 8 };

typedef struct staying {
    pthread_t waiting;
    atomic_uint taken; // tasks that the waiting thread has run
} staying;

// Holds back the other thread until all is taken from it but two tasks: what it runs, and what it has begun to take.
static void stay(void *work, uint32_t index)
{
    staying *own = work;
    (void)index;
    if (pthread_equal(pthread_self(), own->waiting))
        atomic_fetch_add(&own->taken, 1);
    else
        while (atomic_load(&own->taken) < STAYING - 2)
            sleep_for(1000000);
}

// The threads of a child process do not exist: none comes to any job.
START_TEST(par_13_a_job_ends_without_threads_that_do_not_come)
{
    kin_executor *pool = kin_pool_create(4);
    run(pool, count, &job, 10);
    sleep_for(20000000);
    pid_t child = fork();
    if (child == 0) {
        alarm(PATIENCE);
        bool is_right = true;
        for (uint32_t i = 0; i < 100; i++)
            is_right = run(pool, count, &job, 64) && is_right;
        is_right = is_right && atomic_load(&job.calls[63]) == 100;
        kin_pool_destroy(pool);
        _exit(is_right ? 0 : 1);
    }
    int status = 1;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    ck_assert(run(pool, count, &job, 10));
    kin_pool_destroy(pool);
}
END_TEST

// ---- a thread that is stopped while it sleeps

// Runs in a process of its own: tells when its threads sleep, and runs jobs as soon as one of them is stopped.
static void run_beside_a_stopped_thread(int asleep, int stopped)
{
    char byte = 0;
    alarm(PATIENCE);
    kin_executor *pool = kin_pool_create(4);
    bool is_right = pool != NULL && run(pool, count, &job, 64);
    sleep_for(20000000);
    is_right = is_right && write(asleep, &byte, 1) == 1 && read(stopped, &byte, 1) == 1;
    for (uint32_t i = 0; is_right && i < 50; i++) {
        is_right = run(pool, count, &job, 64);
        sleep_for(500000); // the other threads sleep again
    }
    _exit(is_right && atomic_load(&job.calls[63]) == 51 ? 0 : 1);
}

// Returns the number of a thread of the process that is not its first one; 0: none.
static pid_t find_thread(pid_t process)
{
    char path[64];
    long found = 0;
    snprintf(path, sizeof path, "/proc/%ld/task", (long)process);
    DIR *threads = opendir(path);
    for (struct dirent *entry; found == 0 && threads != NULL && (entry = readdir(threads)) != NULL;)
        if (entry->d_name[0] != '.' && strtol(entry->d_name, NULL, 10) != (long)process)
            found = strtol(entry->d_name, NULL, 10);
    if (threads != NULL)
        closedir(threads);
    return (pid_t)found;
}

// SIGSTOP stops all threads of a process; tracing stops one. Returns whether the system allows it.
static bool stop_thread(pid_t thread)
{
    int status = 0;
    return ptrace(PTRACE_SEIZE, thread, NULL, NULL) == 0 && ptrace(PTRACE_INTERRUPT, thread, NULL, NULL) == 0 &&
           waitpid(thread, &status, __WALL) == thread && WIFSTOPPED(status);
}

START_TEST(par_13_a_thread_that_is_stopped_while_it_sleeps_holds_up_nothing)
{
    int asleep[2], stopped[2], status = 1;
    char byte = 0;
    ck_assert(pipe(asleep) == 0 && pipe(stopped) == 0);
    pid_t child = fork();
    if (child == 0)
        run_beside_a_stopped_thread(asleep[1], stopped[0]);
    ck_assert_int_eq(read(asleep[0], &byte, 1), 1);
    pid_t thread = find_thread(child);
    bool is_stopped = thread != 0 && stop_thread(thread);
    if (!is_stopped)
        puts("par_13: this system does not let a test stop a thread");
    ck_assert_int_eq(write(stopped[1], &byte, 1), 1);
    if (is_stopped)
        waitpid(thread, &status, __WALL); // until it ends with its process
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}
END_TEST

START_TEST(par_13_a_thread_that_is_held_up_holds_up_what_it_began_alone)
{
    staying own = {.waiting = pthread_self()};
    kin_executor *pool = kin_pool_create(2);
    ck_assert(run(pool, stay, &own, STAYING));
    kin_pool_destroy(pool);
}
END_TEST

static void submit_again(void *work, uint32_t index)
{
    counting *own = work;
    count(own, index);
    if (run(own->pool, count, own, 1))
        atomic_fetch_add(&own->nested, 1);
}

START_TEST(par_14_a_pool_that_is_busy_refuses_a_job)
{
    job.pool = kin_pool_create(3);
    ck_assert(run(job.pool, submit_again, &job, 50));
    ck_assert_uint_eq(atomic_load(&job.nested), 0);
    check_each_called(&job, 50, 1);
    ck_assert_ptr_null(job.pool->submit(count, &job, 0, job.pool->user)); // of no tasks nothing is begun
    ck_assert(run(job.pool, count, &job, 5));
    kin_pool_destroy(job.pool);
}
END_TEST

// Submits jobs of its own, and runs those itself that are refused.
static void *submit_many(void *pool)
{
    counting *own = calloc(1, sizeof *own);
    for (uint32_t i = 0; i < 2000; i++)
        if (!run(pool, count, own, 16))
            for (uint32_t k = 0; k < 16; k++)
                count(own, k);
    for (uint32_t i = 0; i < 16; i++)
        if (atomic_load(&own->calls[i]) != 2000) {
            free(own);
            return NULL;
        }
    free(own);
    return pool;
}

START_TEST(par_14_several_threads_share_one_pool)
{
    pthread_t threads[SHARERS];
    kin_executor *pool = kin_pool_create(3);
    for (uint32_t i = 0; i < SHARERS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, submit_many, pool), 0);
    for (uint32_t i = 0; i < SHARERS; i++) {
        void *result = NULL;
        pthread_join(threads[i], &result);
        ck_assert_ptr_eq(result, pool);
    }
    kin_pool_destroy(pool);
}
END_TEST

START_TEST(par_12_the_clock_goes_forward)
{
    kin_executor *pool = kin_pool_create(0);
    ck_assert_uint_ge(pool->threads, 1);
    uint64_t before = pool->now(pool->user);
    sleep_for(2000000);
    uint64_t passed = pool->now(pool->user) - before;
    ck_assert_uint_ge(passed, 2000000);
    ck_assert_uint_lt(passed, 10000000000);
    kin_pool_destroy(pool);
}
END_TEST

START_TEST(par_13_too_many_threads_are_refused)
{
    ck_assert_ptr_null(kin_pool_create(KIN_POOL_MAX_THREADS + 1));
    ck_assert_ptr_null(kin_pool_create(UINT32_MAX));
}
END_TEST

static void zero(void)
{
    memset(&job, 0, sizeof job);
}

Suite *pool_suite(void)
{
    Suite *suite = suite_create("pool");
    TCase *tests = tcase_create("pool");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, zero, NULL);
    tcase_add_test(tests, par_12_each_task_is_called_once);
    tcase_add_test(tests, par_12_a_hundred_thousand_jobs_lose_and_repeat_nothing);
    tcase_add_test(tests, par_12_what_tasks_wrote_is_seen_after_the_wait);
    tcase_add_test(tests, par_13_pools_start_and_stop);
    tcase_add_test(tests, par_13_threads_that_sleep_are_woken);
    tcase_add_test(tests, par_13_the_thread_that_waits_sleeps_until_the_last_task_ends);
    tcase_add_test(tests, par_13_a_job_ends_without_threads_that_do_not_come);
    tcase_add_test(tests, par_13_a_thread_that_is_stopped_while_it_sleeps_holds_up_nothing);
    tcase_add_test(tests, par_13_a_thread_that_is_held_up_holds_up_what_it_began_alone);
    tcase_add_test(tests, par_14_a_pool_that_is_busy_refuses_a_job);
    tcase_add_test(tests, par_14_several_threads_share_one_pool);
    tcase_add_test(tests, par_12_the_clock_goes_forward);
    tcase_add_test(tests, par_13_too_many_threads_are_refused);
    suite_add_tcase(suite, tests);
    return suite;
}
