#include "host/host.h"

enum { WRITES_OF_AN_UPDATE = 64 };

static void append(kin__host *host, kin__task *task)
{
    KIN_ASSERT(*host->end == NULL && task->host == host);
    task->next = NULL;
    *host->end = task;
    host->end = &task->next;
}

bool kin__queue_push(kin__task *task)
{
    kin__host *host = task->host;
    pthread_mutex_lock(&host->lock);
    bool has_ended = atomic_load(&host->has_ended);
    KIN_ASSERT(!task->is_done && task->method->step != NULL);
    if (!has_ended) {
        append(host, task);
        atomic_fetch_add(&host->attention, 1);
    }
    pthread_mutex_unlock(&host->lock);
    if (has_ended)
        kin__task_fail(task, KIN__CODE_ENDED, "the world has ended");
    return !has_ended;
}

// Takes the task out of the list behind `link`.
static kin__task *unlink_task(kin__host *host, kin__task **link)
{
    kin__task *task = *link;
    KIN_ASSERT(task != NULL && task->host == host);
    *link = task->next;
    if (host->end == &task->next)
        host->end = link;
    task->next = NULL;
    return task;
}

bool kin__queue_take_back(kin__task *task)
{
    kin__host *host = task->host;
    pthread_mutex_lock(&host->lock);
    kin__task **link = &host->first;
    while (*link != NULL && *link != task)
        link = &(*link)->next;
    bool is_found = *link == task;
    if (is_found) {
        unlink_task(host, link);
        atomic_fetch_sub(&host->attention, 1);
    }
    pthread_mutex_unlock(&host->lock);
    return is_found;
}

// Takes the first task that changes the world, or the first task of all.
static kin__task *take(kin__host *host, bool writes)
{
    pthread_mutex_lock(&host->lock);
    kin__task **link = &host->first;
    kin__task *task = NULL;
    if (writes)
        while (*link != NULL && !(*link)->method->writes)
            link = &(*link)->next;
    if (*link != NULL)
        task = unlink_task(host, link);
    pthread_mutex_unlock(&host->lock);
    return task;
}

static void finish(kin__host *host, kin__task *task)
{
    KIN_ASSERT(!task->is_done && atomic_load(&host->attention) > 0);
    atomic_fetch_sub(&host->attention, 1);
    task->is_done = true;
    atomic_fetch_add_explicit(&task->service->served, 1, memory_order_relaxed);
    task->done(task, task->user);
}

// A task that is not done goes on at its place, in the next update.
static void put_back(kin__host *host, kin__task *task)
{
    pthread_mutex_lock(&host->lock);
    KIN_ASSERT(task->next == NULL && !task->is_done);
    task->next = host->first;
    host->first = task;
    if (task->next == NULL)
        host->end = &task->next;
    pthread_mutex_unlock(&host->lock);
    atomic_fetch_add_explicit(&task->service->cut, 1, memory_order_relaxed);
}

void kin__queue_serve(kin__host *host, uint64_t deadline)
{
    kin__task *task;
    for (uint32_t i = 0; i < WRITES_OF_AN_UPDATE && (task = take(host, true)) != NULL; i++) {
        kin__task_step(task, deadline);
        finish(host, task);
    }
    while ((task = take(host, false)) != NULL) {
        if (task->method->writes || !kin__task_step(task, deadline)) {
            put_back(host, task);
            return;
        }
        finish(host, task);
        if (kin__inspect_now() >= deadline)
            return;
    }
}

void kin__queue_end(kin__host *host)
{
    kin__task *task;
    atomic_store(&host->has_ended, true);
    while ((task = take(host, false)) != NULL) {
        kin__task_fail(task, KIN__CODE_ENDED, "the world has ended");
        finish(host, task);
    }
}
