#include "job/queue.h"

#include "site/clock.h"

enum { WRITES_OF_AN_UPDATE = 64 };

static void append(kin__host *host, kin__job *job)
{
    job->next = NULL;
    *host->end = job;
    host->end = &job->next;
}

bool kin__queue_push(kin__job *job)
{
    kin__host *host = job->host;
    pthread_mutex_lock(&host->lock);
    bool has_ended = atomic_load(&host->has_ended);
    if (!has_ended) {
        append(host, job);
        atomic_fetch_add(&host->attention, 1);
    }
    pthread_mutex_unlock(&host->lock);
    if (has_ended)
        kin__job_fail(job, KIN__CODE_ENDED, "the world has ended");
    return !has_ended;
}

// Takes the job out of the list behind `link`.
static kin__job *unlink_job(kin__host *host, kin__job **link)
{
    kin__job *job = *link;
    *link = job->next;
    if (host->end == &job->next)
        host->end = link;
    job->next = NULL;
    return job;
}

bool kin__queue_take_back(kin__job *job)
{
    kin__host *host = job->host;
    pthread_mutex_lock(&host->lock);
    kin__job **link = &host->first;
    while (*link != NULL && *link != job)
        link = &(*link)->next;
    bool is_found = *link == job;
    if (is_found) {
        unlink_job(host, link);
        atomic_fetch_sub(&host->attention, 1);
    }
    pthread_mutex_unlock(&host->lock);
    return is_found;
}

// Takes the first job that changes the world, or the first job of all.
static kin__job *take(kin__host *host, bool writes)
{
    pthread_mutex_lock(&host->lock);
    kin__job **link = &host->first;
    while (writes && *link != NULL && !(*link)->method->writes)
        link = &(*link)->next;
    kin__job *job = *link == NULL ? NULL : unlink_job(host, link);
    host->current = job;
    pthread_mutex_unlock(&host->lock);
    return job;
}

static void finish(kin__host *host, kin__job *job)
{
    pthread_mutex_lock(&host->lock);
    host->current = NULL;
    pthread_mutex_unlock(&host->lock);
    atomic_fetch_sub(&host->attention, 1);
    job->is_done = true;
    atomic_fetch_add_explicit(&job->service->served, 1, memory_order_relaxed);
    job->done(job, job->user);
}

// A job that is not done goes on at its place, in the next update.
static void put_back(kin__host *host, kin__job *job)
{
    pthread_mutex_lock(&host->lock);
    host->current = NULL;
    job->next = host->first;
    host->first = job;
    if (job->next == NULL)
        host->end = &job->next;
    pthread_mutex_unlock(&host->lock);
    atomic_fetch_add_explicit(&job->service->cut, 1, memory_order_relaxed);
}

void kin__queue_serve(kin__host *host, const kin__slice *slice)
{
    kin__job *job;
    for (uint32_t i = 0; i < WRITES_OF_AN_UPDATE && (job = take(host, true)) != NULL; i++) {
        kin__job_step(job, slice);
        finish(host, job);
    }
    while ((job = take(host, false)) != NULL) {
        if (job->method->writes || !kin__job_step(job, slice)) {
            put_back(host, job);
            return;
        }
        finish(host, job);
        if (kin__inspect_now() >= slice->deadline)
            return;
    }
}

void kin__queue_end(kin__host *host)
{
    kin__job *job;
    atomic_store(&host->has_ended, true);
    while ((job = take(host, false)) != NULL) {
        kin__job_fail(job, KIN__CODE_ENDED, "the world has ended");
        finish(host, job);
    }
}
