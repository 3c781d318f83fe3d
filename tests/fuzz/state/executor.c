#include "fuzz/state/state.h"

// Tasks run on this thread, so that each input has one result.
typedef struct batch {
    kin_task *task;
    void *work;
    uint32_t count;
} batch;

static batch now, kept;
static bool was_wrong;
static uint64_t time_now;

static void run_all(void)
{
    for (uint32_t i = now.count; i-- > 0;)
        now.task(now.work, i);
}

// Returns whether a job was begun.
static void *submit(kin_task *task, void *work, uint32_t count, void *user)
{
    executor_kind kind = *(const executor_kind *)user;
    now = (batch){task, work, count};
    if (kind == LATE)
        executor_call_late();
    if (kind == LIES)
        run_all();
    return kind == REFUSES || kind == LIES ? NULL : &now;
}

static void call_wrong(void)
{
    static const uint32_t beyond[] = {0, 1, 1000, UINT32_MAX / 2};
    for (uint32_t i = 0; i < sizeof beyond / sizeof *beyond; i++)
        now.task(now.work, now.count + beyond[i]);
    was_wrong = true;
}

static void wait(void *ticket, void *user)
{
    executor_kind kind = *(const executor_kind *)user;
    CHECK(ticket == &now);
    if (kind == WRONG)
        call_wrong();
    if (kind == FORGETS)
        now.count--;
    run_all();
    if (kind == TWICE)
        run_all();
    was_wrong |= kind == TWICE || kind == FORGETS;
    if (kind == LATE)
        kept = now;
}

// Each task takes a millisecond, so that none is run on the updating thread for being short (PAR-04).
static uint64_t tell_time(void *user)
{
    (void)user;
    return time_now += 1000000;
}

const kin_executor *executor_of(executor_kind kind)
{
    static executor_kind kinds[EXECUTORS];
    static kin_executor executors[EXECUTORS];
    kinds[kind] = kind;
    executors[kind] =
        (kin_executor){.threads = 2, .submit = submit, .wait = wait, .now = tell_time, .user = &kinds[kind]};
    return &executors[kind];
}

bool executor_keeps_results(executor_kind kind)
{
    return kind != FORGETS;
}

bool executor_was_wrong(void)
{
    bool wrong = was_wrong;
    was_wrong = false;
    return wrong;
}

void executor_call_late(void)
{
    if (kept.task == NULL)
        return;
    batch late = kept;
    kept = (batch){0};
    for (uint32_t i = 0; i < late.count; i++)
        late.task(late.work, i);
    was_wrong = true;
}

void executor_forget(void)
{
    kept = (batch){0};
}
