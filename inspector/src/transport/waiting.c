#include "transport/internal.h"

#include <inttypes.h>
#include <sys/socket.h>

static const uint64_t millisecond = 1000000, patience = 250 * (uint64_t)1000000;

void kin__request_suspend(kin__request *request)
{
    KIN_ASSERT(!request->is_abandoned);
    if (!request->is_suspended)
        MHD_suspend_connection(request->connection);
    request->is_suspended = true;
}

void kin__request_resume(kin__request *request)
{
    KIN_ASSERT(!request->is_abandoned);
    if (request->is_suspended)
        MHD_resume_connection(request->connection);
    request->is_suspended = false;
}

// ---- tasks

// For the thread of a host.
static void note_done(kin__task *task, void *user)
{
    kin__waiting *waiting = ((kin__request *)user)->handler;
    pthread_mutex_lock(&waiting->lock);
    task->next = waiting->done;
    waiting->done = task;
    pthread_mutex_unlock(&waiting->lock);
    kin__event_wake(waiting->event);
}

static void release(kin__waiting *waiting, kin__request *request)
{
    KIN_ASSERT(request->waiting == 0);
    kin__request **link = &waiting->requests;
    while (*link != NULL && *link != request)
        link = &(*link)->next;
    if (*link != NULL)
        *link = request->next;
    kin__exchange_destroy(request->exchange);
    if (request->stream != NULL)
        kin__stream_destroy(request->stream);
    kin__bounded_release(&waiting->service->heap, request->body, KIN__MAX_BODY);
    kin__bounded_release(&waiting->service->heap, request, sizeof *request);
}

// Counts a task that has come back.
static void take_back(kin__request *request)
{
    KIN_ASSERT(request->waiting > 0 && request->handler->waiting_count >= request->waiting);
    request->waiting--;
    request->handler->waiting_count--;
}

// Queues a task. Returns whether it waits: from then on it belongs to its host, until it comes back.
static bool queue_task(kin__request *request, kin__task *task)
{
    if (task == NULL || task->is_done)
        return false;
    if (request->handler->waiting_count >= KIN__MAX_WAITING) {
        kin__task_fail(task, KIN__CODE_LIMIT, "%d requests wait already, which is the limit", KIN__MAX_WAITING);
        task->is_done = true;
        return false;
    }
    task->done = note_done;
    task->user = request;
    task->since = kin__inspect_now();
    if (!kin__queue_push(task)) {
        task->is_done = true;
        return false;
    }
    request->waiting++;
    request->handler->waiting_count++;
    return true;
}

void kin__waiting_add(kin__waiting *waiting, kin__request *request)
{
    KIN_ASSERT(request->handler == waiting && request->waiting == 0);
    KIN_ASSERT((request->exchange == NULL) != (request->stream == NULL));
    request->next = waiting->requests;
    waiting->requests = request;
    if (request->stream != NULL)
        return;
    for (uint32_t i = 0; i < request->exchange->count; i++)
        queue_task(request, request->exchange->calls[i].task);
}

// Takes a task back that waits. Returns whether it did.
static bool give_up(kin__request *request, kin__task *task)
{
    if (task == NULL || task->host == NULL)
        return false;
    if (!kin__queue_take_back(task))
        return false;
    take_back(request);
    return true;
}

static uint32_t task_count(const kin__request *request)
{
    if (request->stream != NULL)
        return request->stream->count;
    if (request->exchange != NULL)
        return request->exchange->count;
    return 0;
}

static kin__task *task_at(const kin__request *request, uint32_t i)
{
    KIN_ASSERT(i < task_count(request));
    if (request->stream != NULL)
        return request->stream->subscriptions[i].task;
    return request->exchange->calls[i].task;
}

void kin__waiting_leave(kin__waiting *waiting, kin__request *request)
{
    for (uint32_t i = 0; request->waiting > 0 && i < task_count(request); i++)
        give_up(request, task_at(request, i));
    KIN_ASSERT(request->handler == waiting);
    request->is_abandoned = true;
    if (request->waiting == 0)
        release(waiting, request);
}

// A stream goes on with each of its tasks, another request when none is left.
static void resume_if_ready(kin__request *request)
{
    if (request->stream != NULL || request->waiting == 0)
        kin__request_resume(request);
}

static void take_done(kin__waiting *waiting, kin__task *task)
{
    KIN_ASSERT(task->is_done);
    kin__request *request = task->user;
    take_back(request);
    if (request->stream != NULL)
        kin__stream_take(request->stream, task);
    if (!request->is_abandoned)
        resume_if_ready(request);
    else if (request->waiting == 0)
        release(waiting, request);
}

void kin__waiting_collect(kin__waiting *waiting)
{
    kin__event_clear(waiting->event);
    pthread_mutex_lock(&waiting->lock);
    kin__task *task = waiting->done;
    waiting->done = NULL;
    pthread_mutex_unlock(&waiting->lock);
    while (task != NULL) {
        kin__task *next = task->next;
        take_done(waiting, task);
        task = next;
    }
}

// ---- worlds that do not update

// Returns whether the world of a task has not updated for long. What it did last is known while something waits.
static bool is_stuck(const kin__task *task, uint64_t last, uint64_t now)
{
    return now > last + patience && now > task->since + patience;
}

// `last` was before `now`, which a time that is read again need not be.
static void fail_stuck(kin__task *task, uint64_t last, uint64_t now)
{
    KIN_ASSERT(last < now && !task->is_done);
    uint64_t frame = atomic_load_explicit(&task->host->last_frame, memory_order_relaxed);
    const char *running = kin__running_system(task->host);
    const char *in = running[0] == '\0' ? "" : ", in ";
    if (last == 0)
        kin__task_fail(task, KIN__CODE_NOT_UPDATING, "%s does not update", task->host->name);
    else
        kin__task_fail(task, KIN__CODE_NOT_UPDATING,
                       "%s does not update: frame %" PRIu64 " was seen %" PRIu64 " ms ago%s%s", task->host->name, frame,
                       (now - last) / millisecond, in, running);
    task->is_done = true;
}

static void give_up_stuck(kin__request *request, uint64_t now)
{
    for (uint32_t i = 0; request->waiting > 0 && i < task_count(request); i++) {
        kin__task *task = task_at(request, i);
        if (task == NULL || task->host == NULL)
            continue;
        uint64_t last = atomic_load_explicit(&task->host->last_time, memory_order_relaxed);
        if (!is_stuck(task, last, now) || !give_up(request, task))
            continue;
        fail_stuck(task, last, now);
        if (request->stream != NULL)
            kin__stream_take(request->stream, task);
        resume_if_ready(request);
    }
}

// ---- streams

// Nobody waits for the socket of a connection that is suspended. So its end is looked for.
static bool note_left(kin__request *request)
{
    KIN_ASSERT(!request->is_abandoned);
    char byte;
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(request->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    if (request->has_left || info == NULL)
        return request->has_left;
    if (recv(info->connect_fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) != 0)
        return false;
    request->has_left = true;
    kin__request_resume(request);
    return true;
}

uint32_t kin__waiting_streams(kin__waiting *waiting)
{
    uint32_t count = 0;
    for (kin__request *request = waiting->requests; request != NULL; request = request->next) {
        bool is_stream = request->stream != NULL && !request->is_abandoned;
        if (is_stream && !note_left(request))
            count++;
    }
    return count;
}

static uint64_t tick_stream(kin__request *request, uint64_t now)
{
    kin__stream *stream = request->stream;
    uint64_t next = 60 * 1000 * millisecond;
    if (note_left(request))
        return next;
    for (uint32_t i = 0; i < stream->count; i++) {
        kin__task *task = kin__stream_ask(stream, i, now, &next);
        if (task != NULL)
            kin__hosts_note_request(stream->service, stream->viewer);
        if (task != NULL && !queue_task(request, task))
            kin__stream_take(stream, task);
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
    uint32_t streams = 0;
    for (kin__request *request = waiting->requests, *following; request != NULL; request = following) {
        following = request->next;
        if (request->is_abandoned) { // a task that was being done may wait again
            kin__waiting_leave(waiting, request);
            next = kin__min_64(next, patience / 4);
            continue;
        }
        if (request->waiting > 0) {
            give_up_stuck(request, now);
            next = kin__min_64(next, patience / 4);
        }
        if (request->stream != NULL) {
            streams++;
            next = kin__min_64(next, tick_stream(request, now));
        }
    }
    KIN_ASSERT(streams <= KIN__MAX_STREAMS);
    atomic_store_explicit(&waiting->service->streams, streams, memory_order_relaxed);
    return next;
}
