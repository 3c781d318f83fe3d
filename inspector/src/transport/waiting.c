#include "transport/waiting.h"

#include "job/queue.h"
#include "site/clock.h"
#include "transport/listen.h"

#include <inttypes.h>

static const uint64_t millisecond = 1000000, patience = 250 * (uint64_t)1000000;

void kin__request_suspend(kin__request *request)
{
    if (!request->is_suspended)
        MHD_suspend_connection(request->connection);
    request->is_suspended = true;
}

void kin__request_resume(kin__request *request)
{
    if (request->is_suspended)
        MHD_resume_connection(request->connection);
    request->is_suspended = false;
}

// ---- jobs

// For the thread of a host.
static void note_done(kin__job *job, void *user)
{
    kin__waiting *waiting = ((kin__request *)user)->handler;
    pthread_mutex_lock(&waiting->lock);
    job->next = waiting->done;
    waiting->done = job;
    pthread_mutex_unlock(&waiting->lock);
    kin__event_wake(waiting->event);
}

static void release(kin__waiting *waiting, kin__request *request)
{
    kin__request **link = &waiting->requests;
    while (*link != NULL && *link != request)
        link = &(*link)->next;
    if (*link != NULL)
        *link = request->next;
    waiting->stream_count -= request->stream != NULL;
    kin__exchange_destroy(request->exchange);
    if (request->stream != NULL)
        kin__stream_destroy(request->stream);
    kin__bounded_release(&waiting->service->heap, request->body, KIN__MAX_BODY);
    kin__bounded_release(&waiting->service->heap, request, sizeof *request);
}

// Counts a job that has come back.
static void take_back(kin__request *request)
{
    request->waiting--;
    request->handler->waiting_count--;
}

// Queues a job. Returns whether it waits: from then on it belongs to its host, until it comes back.
static bool queue_job(kin__request *request, kin__job *job)
{
    if (job == NULL || job->is_done)
        return false;
    if (request->handler->waiting_count >= KIN__MAX_WAITING) {
        kin__job_fail(job, KIN__CODE_LIMIT, "%d requests wait already, which is the limit", KIN__MAX_WAITING);
        job->is_done = true;
        return false;
    }
    job->done = note_done;
    job->user = request;
    if (!kin__queue_push(job)) {
        job->is_done = true;
        return false;
    }
    request->waiting++;
    request->handler->waiting_count++;
    return true;
}

void kin__waiting_add(kin__waiting *waiting, kin__request *request)
{
    request->next = waiting->requests;
    waiting->requests = request;
    request->since = kin__inspect_now();
    if (request->stream != NULL) {
        waiting->stream_count++;
        return;
    }
    for (uint32_t i = 0; i < request->exchange->count; i++)
        queue_job(request, request->exchange->calls[i].job);
}

// Takes a job back that waits. Returns whether it did.
static bool give_up(kin__request *request, kin__job *job)
{
    if (job == NULL || job->host == NULL || !kin__queue_take_back(job))
        return false;
    take_back(request);
    return true;
}

static uint32_t job_count(const kin__request *request)
{
    return request->stream != NULL ? request->stream->count : request->exchange != NULL ? request->exchange->count : 0;
}

static kin__job *job_at(const kin__request *request, uint32_t i)
{
    return request->stream != NULL ? request->stream->subscriptions[i].job : request->exchange->calls[i].job;
}

void kin__waiting_leave(kin__waiting *waiting, kin__request *request)
{
    for (uint32_t i = 0; request->waiting > 0 && i < job_count(request); i++)
        give_up(request, job_at(request, i));
    request->is_abandoned = true;
    if (request->waiting == 0)
        release(waiting, request);
}

static void take_done(kin__waiting *waiting, kin__job *job)
{
    kin__request *request = job->user;
    take_back(request);
    if (request->stream != NULL)
        kin__stream_take(request->stream, job);
    if (request->is_abandoned && request->waiting == 0)
        release(waiting, request);
    else if (!request->is_abandoned && (request->stream != NULL || request->waiting == 0))
        kin__request_resume(request);
}

void kin__waiting_collect(kin__waiting *waiting)
{
    kin__event_clear(waiting->event);
    pthread_mutex_lock(&waiting->lock);
    kin__job *job = waiting->done;
    waiting->done = NULL;
    pthread_mutex_unlock(&waiting->lock);
    while (job != NULL) {
        kin__job *next = job->next;
        take_done(waiting, job);
        job = next;
    }
}

// ---- worlds that do not update

// Returns whether the world of a job has not updated for long. What it did last is known while something waits.
static bool is_stuck(const kin__request *request, const kin__job *job, uint64_t now)
{
    uint64_t last = atomic_load_explicit(&job->host->last_time, memory_order_relaxed);
    uint64_t since = last > request->since ? last : request->since;
    return now > since + patience;
}

static void fail_stuck(kin__job *job, uint64_t now)
{
    uint64_t last = atomic_load_explicit(&job->host->last_time, memory_order_relaxed);
    uint64_t frame = atomic_load_explicit(&job->host->last_frame, memory_order_relaxed);
    if (last == 0)
        kin__job_fail(job, KIN__CODE_NOT_UPDATING, "%s does not update", job->host->name);
    else
        kin__job_fail(job, KIN__CODE_NOT_UPDATING, "%s does not update: frame %" PRIu64 " was seen %" PRIu64 " ms ago",
                      job->host->name, frame, (now - last) / millisecond);
    job->is_done = true;
}

static void give_up_stuck(kin__request *request, uint64_t now)
{
    for (uint32_t i = 0; request->waiting > 0 && i < job_count(request); i++) {
        kin__job *job = job_at(request, i);
        if (job == NULL || job->host == NULL || !is_stuck(request, job, now) || !give_up(request, job))
            continue;
        fail_stuck(job, now);
        if (request->stream != NULL)
            kin__stream_take(request->stream, job);
        if (request->stream != NULL || request->waiting == 0)
            kin__request_resume(request);
    }
}

// ---- streams

static uint64_t tick_stream(kin__request *request, uint64_t now)
{
    kin__stream *stream = request->stream;
    uint64_t next = 60 * 1000 * millisecond;
    for (uint32_t i = 0; i < stream->count; i++) {
        kin__job *job = kin__stream_ask(stream, i, now, &next);
        if (job != NULL && !queue_job(request, job))
            kin__stream_take(stream, job);
        else if (job != NULL)
            request->since = now;
    }
    kin__stream_beat(stream, now);
    if (!kin__stream_is_sent(stream)) {
        kin__connections_await_write(&request->handler->connections, request->connection);
        kin__request_resume(request);
    }
    return next;
}

uint64_t kin__waiting_tick(kin__waiting *waiting, uint64_t now)
{
    uint64_t next = 60 * 1000 * millisecond;
    for (kin__request *request = waiting->requests; request != NULL; request = request->next) {
        if (request->is_abandoned)
            continue;
        if (request->waiting > 0) {
            give_up_stuck(request, now);
            next = patience / 4 < next ? patience / 4 : next;
        }
        uint64_t due = request->stream == NULL ? next : tick_stream(request, now);
        next = due < next ? due : next;
    }
    return next;
}
