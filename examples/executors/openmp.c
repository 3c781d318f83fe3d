// OpenMP: all tasks are run by the time submit returns. OpenMP keeps its threads.
#include "executor.h"

const char executor_name[] = "openmp";
static kin_executor openmp;

static void *submit(kin_task *task, void *work, uint32_t count, void *user)
{
    const kin_executor *self = user;
#pragma omp parallel for schedule(dynamic) num_threads((int)self->threads)
    for (uint32_t i = 0; i < count; i++)
        task(work, i);
    return user;
}

static void wait(void *ticket, void *user)
{
    (void)ticket;
    (void)user;
}

const kin_executor *executor_begin(uint32_t threads)
{
    openmp = (kin_executor){.threads = threads, .submit = submit, .wait = wait, .user = &openmp};
    return &openmp;
}

void executor_end(void)
{
}
