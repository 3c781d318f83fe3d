// The pool and the hostile executors where there are no threads: all tasks run on this one.
#include "threads/hostile.h"

#include <kin/pool.h>
#include <stddef.h>

static uint64_t now(void *user)
{
    (void)user;
    return 0;
}

static kin_executor alone = {.threads = 1, .now = now};

kin_executor *kin_pool_create(uint32_t threads)
{
    (void)threads;
    return &alone;
}

void kin_pool_destroy(kin_executor *pool)
{
    (void)pool;
}

static void *run_backwards(kin_task *task, void *work, uint32_t count, void *user)
{
    for (uint32_t i = count; i-- > 0;)
        task(work, i);
    return user;
}

static void do_nothing(void *ticket, void *user)
{
    (void)ticket;
    (void)user;
}

static void *refuse(kin_task *task, void *work, uint32_t count, void *user)
{
    (void)task;
    (void)work;
    (void)count;
    (void)user;
    return NULL;
}

static int any;

#define BACKWARDS                                                                                                      \
    {                                                                                                                  \
        .threads = 4, .submit = run_backwards, .wait = do_nothing, .user = &any                                        \
    }

const kin_executor hostile_executors[HOSTILE_COUNT] = {
    BACKWARDS, BACKWARDS, BACKWARDS, BACKWARDS, {.threads = 4, .submit = refuse, .wait = do_nothing},
};

void run_tasks(const kin_executor *executor, kin_task *task, void *work, uint32_t count)
{
    void *ticket = executor == NULL ? NULL : executor->submit(task, work, count, executor->user);
    if (ticket != NULL)
        executor->wait(ticket, executor->user);
    for (uint32_t i = 0; ticket == NULL && i < count; i++)
        task(work, i);
}
