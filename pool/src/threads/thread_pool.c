// The pool: one job at a time, whose tasks are divided into one share for each thread.
//
//   turn     even: the number of the job; odd: a job is being written. A thread that sleeps or waits compares it
//   job      task, work, count, take; read by threads, which then look whether the turn is still the same
//   shares   [ turn | next ] …    a word for each thread, on a cache line of its own: the next task of its share
//   left     tasks that have not ended
//   workers  a semaphore for each thread, by which it sleeps. No lock: a thread that is held up, also one that sleeps,
//            holds nothing that another one needs
//
// A thread takes tasks by a compare and exchange of the word of a share, first of its own, then of the others. The word
// names the turn: a thread that was descheduled since an earlier job takes nothing from a later one.
//
// Invariants:
//   1. a task is taken once: the word of its share then has its turn and a higher `next`
//   2. what a thread knows of a job is of one turn: it reads the turn before and after, and the writer of the next job
//      makes the turn odd before it writes
//   3. `left` is 0 only when all tasks that were taken have returned
//   4. `busy` is set from submit until wait returns: there is one job
//   5. a thread sets `is_asleep` before it looks a last time at what it waits for; the others change that before they
//      look at `is_asleep`. So one of them sees what the other did. Clearing it and the semaphore go together
//
// Cost: to submit and wait, a store for each share and some atomic operations on each; a system call for each thread
// that sleeps and has tasks.
#include "threads/threads.h"

#include <assert.h>
#include <kin/pool.h>
#include <stdatomic.h>
#include <stdlib.h>

enum {
    LINE = 64,        // bytes of a cache line
    TAKES = 8,        // a thread takes at least an eighth of an equal share at once
    PAUSES = 32,      // between two looks at the clock
    SPIN_TIME = 50000 // nanoseconds
};

typedef struct share {
    _Alignas(LINE) atomic_uint_least64_t word;
    atomic_bool is_asleep; // the thread with this number
} share;

typedef struct pool pool;

typedef struct worker {
    pool *pool;
    uint32_t number;
    kin__thread thread;
    kin__semaphore wake;
} worker;

struct pool {
    kin_executor executor;
    void *block;     // the memory of the pool, before it was aligned
    worker *workers; // that of number 0 is the thread that waits for a job
    uint32_t spin_time;
    kin__process process; // that has the threads
    _Alignas(LINE) atomic_uint_least32_t turn;
    atomic_bool ends;
    atomic_bool busy;
    _Atomic(kin_task *) task;
    _Atomic(void *) work;
    atomic_uint_least32_t count, take;
    _Alignas(LINE) atomic_uint_least32_t left;
    share shares[];
};

typedef struct job {
    kin_task *task;
    void *work;
    uint32_t count, take, turn;
} job;

static uint64_t word_of(uint32_t turn, uint32_t next)
{
    return (uint64_t)turn << 32 | next;
}

// Returns the first task of a share, and so the end of the one before.
static uint32_t share_begin(const pool *pool, uint32_t count, uint32_t number)
{
    assert(number <= pool->executor.threads);
    return (uint32_t)((uint64_t)count * number / pool->executor.threads);
}

// ---- sleeping

static void wake(pool *pool, uint32_t number)
{
    assert(number < pool->executor.threads);
    if (atomic_load(&pool->shares[number].is_asleep) && atomic_exchange(&pool->shares[number].is_asleep, false))
        kin__semaphore_give(&pool->workers[number].wake);
}

// Undoes setting `is_asleep`. If another thread was faster, takes its wake.
static void stay_awake(pool *pool, uint32_t number)
{
    if (!atomic_exchange(&pool->shares[number].is_asleep, false))
        kin__semaphore_take(&pool->workers[number].wake);
}

// ---- running tasks

// Reads the job of a turn. False if that has ended meanwhile.
static bool read_job(pool *pool, uint32_t turn, job *job)
{
    job->turn = turn;
    job->task = atomic_load_explicit(&pool->task, memory_order_acquire);
    job->work = atomic_load_explicit(&pool->work, memory_order_acquire);
    job->count = atomic_load_explicit(&pool->count, memory_order_acquire);
    job->take = atomic_load_explicit(&pool->take, memory_order_acquire);
    return atomic_load_explicit(&pool->turn, memory_order_acquire) == turn;
}

// Counts tasks that have returned, and wakes the thread that waits after the last one.
static void count_ended(pool *pool, uint32_t count)
{
    uint32_t left = atomic_fetch_sub(&pool->left, count);
    assert(left >= count); // 3
    if (left == count)
        wake(pool, 0);
}

// Takes tasks from a share and runs them, until it has none.
static void run_share(pool *pool, const job *job, uint32_t number)
{
    uint32_t end = share_begin(pool, job->count, number + 1);
    atomic_uint_least64_t *word = &pool->shares[number].word;
    uint64_t seen = atomic_load_explicit(word, memory_order_acquire);
    while (seen >> 32 == job->turn && (uint32_t)seen < end) {
        uint32_t first = (uint32_t)seen;
        uint32_t stop = end;
        if (end - first > job->take)
            stop = first + job->take;
        if (!atomic_compare_exchange_weak_explicit(word, &seen, word_of(job->turn, stop), memory_order_acquire,
                                                   memory_order_acquire))
            continue;
        assert(first < stop && stop <= end); // 1
        for (uint32_t i = first; i < stop; i++)
            job->task(job->work, i);
        count_ended(pool, stop - first);
        seen = atomic_load_explicit(word, memory_order_acquire);
    }
}

static void run_job(pool *pool, uint32_t turn, uint32_t number)
{
    assert(turn % 2 == 0 && turn != 0);
    job job;
    if (!read_job(pool, turn, &job))
        return;
    for (uint32_t i = 0; i < pool->executor.threads; i++)
        run_share(pool, &job, (number + i) % pool->executor.threads);
}

// ---- waiting

// Whether a thread may still wait actively. `began` is 0 at first.
static bool may_spin(const pool *pool, uint32_t *pauses, uint64_t *began)
{
    kin__system_pause();
    if (++*pauses % PAUSES != 0)
        return true;
    uint64_t now = kin__system_now();
    if (*began == 0)
        *began = now;
    return now - *began < pool->spin_time;
}

// Returns the turn if it is that of another job than `seen`, else 0; turns begin with 2.
static uint32_t other_turn(pool *pool, uint32_t seen)
{
    uint32_t turn = atomic_load(&pool->turn);
    if (turn % 2 != 0 || turn == seen)
        return 0;
    return turn;
}

static uint32_t sleep_until_turn(pool *pool, uint32_t number, uint32_t seen)
{
    uint32_t turn;
    atomic_store(&pool->shares[number].is_asleep, true);
    while ((turn = other_turn(pool, seen)) == 0) {
        kin__semaphore_take(&pool->workers[number].wake);
        atomic_store(&pool->shares[number].is_asleep, true);
    }
    stay_awake(pool, number);
    return turn;
}

static uint32_t await_turn(pool *pool, uint32_t number, uint32_t seen)
{
    uint32_t turn, pauses = 0;
    uint64_t began = 0;
    while ((turn = other_turn(pool, seen)) == 0 && may_spin(pool, &pauses, &began))
        continue;
    if (turn != 0)
        return turn;
    return sleep_until_turn(pool, number, seen);
}

static bool has_ended(pool *pool)
{
    return atomic_load(&pool->left) == 0;
}

static void await_end(pool *pool)
{
    uint32_t pauses = 0;
    uint64_t began = 0;
    while (!has_ended(pool) && may_spin(pool, &pauses, &began))
        continue;
    if (has_ended(pool))
        return;
    atomic_store(&pool->shares[0].is_asleep, true);
    while (!has_ended(pool)) {
        kin__semaphore_take(&pool->workers[0].wake);
        atomic_store(&pool->shares[0].is_asleep, true);
    }
    stay_awake(pool, 0);
}

static void work(void *user)
{
    const worker *self = user;
    pool *pool = self->pool;
    for (uint32_t turn = await_turn(pool, self->number, 0); !atomic_load(&pool->ends);
         turn = await_turn(pool, self->number, turn))
        run_job(pool, turn, self->number);
}

// ---- the executor

// Turns are even and not 0, also after the last one.
static uint32_t next_turn(const pool *pool)
{
    assert(atomic_load_explicit(&pool->turn, memory_order_relaxed) % 2 == 0);
    uint32_t next = atomic_load_explicit(&pool->turn, memory_order_relaxed) + 2;
    if (next == 0)
        return 2;
    return next;
}

// Begins a turn, and wakes the threads whose shares of `count` tasks are not empty.
static void publish(pool *pool, uint32_t turn, uint32_t count)
{
    assert(turn % 2 == 0 && turn != 0);
    atomic_store(&pool->turn, turn);
    for (uint32_t i = 1; i < pool->executor.threads; i++)
        if (share_begin(pool, count, i) < share_begin(pool, count, i + 1))
            wake(pool, i);
}

static void *submit(kin_task *task, void *work, uint32_t count, void *user)
{
    pool *pool = user;
    if (count == 0 || atomic_exchange_explicit(&pool->busy, true, memory_order_acquire))
        return NULL;
    assert(atomic_load_explicit(&pool->left, memory_order_relaxed) == 0); // 4
    uint32_t turn = next_turn(pool);
    uint32_t take = count / (pool->executor.threads * TAKES);
    if (take == 0)
        take = 1;
    atomic_store_explicit(&pool->turn, turn - 1, memory_order_relaxed); // invariant 2
    atomic_store_explicit(&pool->task, task, memory_order_release);
    atomic_store_explicit(&pool->work, work, memory_order_release);
    atomic_store_explicit(&pool->count, count, memory_order_release);
    atomic_store_explicit(&pool->take, take, memory_order_release);
    atomic_store_explicit(&pool->left, count, memory_order_relaxed);
    for (uint32_t i = 0; i < pool->executor.threads; i++)
        atomic_store_explicit(&pool->shares[i].word, word_of(turn, share_begin(pool, count, i)), memory_order_release);
    publish(pool, turn, count);
    return pool;
}

static void wait(void *ticket, void *user)
{
    pool *pool = user;
    if (ticket == NULL)
        return;
    assert(ticket == user && atomic_load_explicit(&pool->busy, memory_order_relaxed)); // 4
    run_job(pool, atomic_load_explicit(&pool->turn, memory_order_relaxed), 0);
    await_end(pool);
    atomic_store_explicit(&pool->busy, false, memory_order_release);
}

static uint64_t now(void *user)
{
    (void)user;
    return kin__system_now();
}

// ---- making

static void free_memory(pool *pool)
{
    free(pool->workers);
    free(pool->block);
}

static void release(pool *pool)
{
    for (uint32_t i = 0; i < pool->executor.threads; i++)
        kin__semaphore_release(&pool->workers[i].wake);
    free_memory(pool);
}

// Makes the workers, without threads. False if the system refuses.
static bool make_workers(pool *pool)
{
    for (uint32_t i = 0; i < pool->executor.threads; i++) {
        pool->workers[i].pool = pool;
        pool->workers[i].number = i;
        if (kin__semaphore_init(&pool->workers[i].wake))
            continue;
        pool->executor.threads = i; // those to release
        release(pool);
        return false;
    }
    return true;
}

// Returns a pool without threads; NULL when out of memory.
static pool *make(uint32_t threads)
{
    assert(threads > 0 && threads <= KIN_POOL_MAX_THREADS);
    char *block = calloc(1, sizeof(pool) + threads * sizeof(share) + LINE);
    worker *workers = calloc(threads, sizeof *workers);
    if (block == NULL || workers == NULL) {
        free(block);
        free(workers);
        return NULL;
    }
    pool *made = (pool *)(void *)(block + (LINE - (uintptr_t)block % LINE));
    assert((uintptr_t)made % LINE == 0);
    made->block = block;
    made->workers = workers;
    made->executor = (kin_executor){threads, submit, wait, now, made};
    if (kin__system_processors() > 1)
        made->spin_time = SPIN_TIME;
    made->process = kin__system_process();
    if (!make_workers(made))
        return NULL;
    return made;
}

// Ends the threads from number 1 on.
static void end_threads(pool *pool, uint32_t end)
{
    assert(end > 0 && end <= pool->executor.threads);
    atomic_store(&pool->ends, true);
    publish(pool, next_turn(pool), pool->executor.threads);
    for (uint32_t i = 1; i < end; i++)
        kin__thread_join(pool->workers[i].thread);
}

kin_executor *kin_pool_create(uint32_t threads)
{
    if (threads > KIN_POOL_MAX_THREADS)
        return NULL;
    if (threads == 0)
        threads = kin__system_processors();
    if (threads > KIN_POOL_MAX_THREADS)
        threads = KIN_POOL_MAX_THREADS;
    pool *made = make(threads);
    if (made == NULL)
        return NULL;
    for (uint32_t i = 1; i < threads; i++) {
        if (kin__thread_start(&made->workers[i].thread, work, &made->workers[i]))
            continue;
        end_threads(made, i);
        release(made);
        return NULL;
    }
    return &made->executor;
}

void kin_pool_destroy(kin_executor *executor)
{
    if (executor == NULL)
        return;
    pool *pool = executor->user;
    assert(executor == &pool->executor && !atomic_load(&pool->busy)); // no job is under way
    if (pool->process != kin__system_process()) {
        free_memory(pool); // the threads stayed in the other process
        return;
    }
    end_threads(pool, pool->executor.threads);
    release(pool);
}
