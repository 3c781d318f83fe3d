// oneTBB: all tasks are run by the time submit returns.
#include "executor.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

extern const char executor_name[] = "tbb";
static kin_executor executor;

static void *submit(kin_task *task, void *work, uint32_t count, void *user)
{
    static_cast<tbb::task_arena *>(user)->execute(
        [=] { tbb::parallel_for(uint32_t(0), count, [=](uint32_t i) { task(work, i); }); });
    return user;
}

static void wait(void *, void *)
{
}

const kin_executor *executor_begin(uint32_t threads)
{
    executor = {threads, submit, wait, nullptr, new tbb::task_arena(static_cast<int>(threads))};
    return &executor;
}

void executor_end()
{
    delete static_cast<tbb::task_arena *>(executor.user);
}
