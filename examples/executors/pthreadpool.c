// pthreadpool: all tasks are run by the time submit returns.
#include "executor.h"

#include <pthreadpool.h>

const char executor_name[] = "pthreadpool";
static kin_executor executor;

// What a task needs, as the numbers of pthreadpool are of another type.
typedef struct job {
    kin_task *task;
    void *work;
} job;

static void run(void *given, size_t index)
{
    const job *own = given;
    own->task(own->work, (uint32_t)index);
}

static void *submit(kin_task *task, void *work, uint32_t count, void *user)
{
    job job = {task, work};
    pthreadpool_parallelize_1d(user, run, &job, count, 0);
    return user;
}

static void wait(void *ticket, void *user)
{
    (void)ticket;
    (void)user;
}

const kin_executor *executor_begin(uint32_t threads)
{
    executor = (kin_executor){threads, submit, wait, NULL, pthreadpool_create(threads)};
    return executor.user == NULL ? NULL : &executor;
}

void executor_end(void)
{
    pthreadpool_destroy(executor.user);
}
