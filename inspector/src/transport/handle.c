#include "transport/internal.h"

#include <stdio.h>
#include <string.h>

static const uint64_t second = 1000000000u;

void *kin__handle_line(void *user, const char *line, struct MHD_Connection *connection)
{
    kin__waiting *waiting = user;
    kin__request *request = kin__bounded_zeros(&waiting->service->heap, sizeof *request);
    kin__connections_await_read(&waiting->connections, connection);
    if (request == NULL)
        return NULL;
    request->handler = waiting;
    request->connection = connection;
    request->url_size = strlen(line);
    request->has_nul = strstr(line, "%00") != NULL;
    snprintf(request->viewer, sizeof request->viewer, "%s", kin__connections_viewer(&waiting->connections, connection));
    return request;
}

void kin__handle_completed(void *user, struct MHD_Connection *connection, void **state,
                           enum MHD_RequestTerminationCode code)
{
    kin__waiting *waiting = user;
    (void)code;
    kin__connections_enter(&waiting->connections, connection, KIN__PHASE_IDLE);
    if (*state != NULL)
        kin__waiting_leave(waiting, *state);
    *state = NULL;
}

void kin__handle_connection(void *user, struct MHD_Connection *connection, void **socket,
                            enum MHD_ConnectionNotificationCode code)
{
    kin__waiting *waiting = user;
    (void)socket;
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        kin__connections_open(&waiting->connections, connection);
        return;
    }
    kin__viewers_forget(&waiting->service->sites.viewers, kin__connections_viewer(&waiting->connections, connection));
    kin__connections_close(&waiting->connections, connection);
}

// ---- answers

static void note_refusal(kin__service *service, const char *sentence)
{
    uint64_t now = kin__inspect_now();
    atomic_fetch_add_explicit(&service->refused, 1, memory_order_relaxed);
    service->unreported++;
    if (now < service->next_report)
        return;
    service->report_refusal(sentence, service->unreported, service->refusal_user);
    service->next_report = now + second;
    service->unreported = 0;
}

static enum MHD_Result refuse(kin__request *request, unsigned status, const char *sentence)
{
    KIN_ASSERT(status >= 400);
    note_refusal(request->handler->service, sentence);
    kin__connections_enter(&request->handler->connections, request->connection, KIN__PHASE_WRITE);
    request->is_refused = true;
    return kin__answer_refusal(request->connection, status, sentence);
}

static enum MHD_Result refuse_memory(kin__request *request)
{
    return refuse(request, MHD_HTTP_SERVICE_UNAVAILABLE, "The inspector has no memory left.\n");
}

static enum MHD_Result answer_json(kin__request *request, kin__json *json)
{
    unsigned status = MHD_HTTP_OK;
    if (json->is_full) {
        kin__json_release(json);
        return refuse_memory(request);
    }
    if (json->size == 0)
        status = MHD_HTTP_NO_CONTENT;
    kin__connections_enter(&request->handler->connections, request->connection, KIN__PHASE_WRITE);
    return kin__answer_json(request->connection, status, json);
}

// The metrics are made once a second at most.
static enum MHD_Result answer_report(kin__request *request)
{
    KIN_ASSERT(request->exchange != NULL && request->waiting == 0);
    kin__waiting *waiting = request->handler;
    kin__json text = kin__json_make(&waiting->service->heap, KIN__MAX_ANSWER);
    const kin__mistake *mistake = kin__report_show(request->report, request->exchange, &text);
    if (mistake != NULL) {
        kin__json_release(&text);
        return refuse(request, MHD_HTTP_SERVICE_UNAVAILABLE, mistake->message);
    }
    kin__connections_enter(&waiting->connections, request->connection, KIN__PHASE_WRITE);
    enum MHD_Result result = kin__answer_text(request->connection, request->report->type, &text);
    kin__json old = text;
    if (strcmp(request->report->path, "/metrics") == 0) {
        old = waiting->metrics;
        waiting->metrics = text;
        waiting->metrics_made = kin__inspect_now();
    }
    if (old.heap != NULL)
        kin__json_release(&old);
    return result;
}

static enum MHD_Result answer_exchange(kin__request *request)
{
    KIN_ASSERT(request->waiting == 0);
    if (request->report != NULL)
        return answer_report(request);
    kin__json json = kin__json_make(&request->handler->service->heap, KIN__MAX_ANSWER);
    kin__exchange_show(request->exchange, &json);
    return answer_json(request, &json);
}

static bool has_recent_metrics(const kin__request *request)
{
    const kin__waiting *waiting = request->handler;
    if (waiting->metrics.at == NULL || strcmp(request->report->path, "/metrics") != 0)
        return false;
    return kin__inspect_now() < waiting->metrics_made + second;
}

// Called while the answer of a stream can be written.
static ssize_t read_stream(void *user, uint64_t position, char *bytes, size_t size)
{
    kin__request *request = user;
    (void)position;
    if (request->has_left)
        return MHD_CONTENT_READER_END_WITH_ERROR;
    size_t taken = kin__stream_read(request->stream, bytes, size);
    kin__phase phase = KIN__PHASE_WRITE;
    if (kin__stream_is_sent(request->stream))
        phase = KIN__PHASE_WAIT;
    kin__connections_enter(&request->handler->connections, request->connection, phase);
    if (taken == 0)
        kin__request_suspend(request);
    return (ssize_t)taken;
}

static enum MHD_Result answer_stream(kin__request *request)
{
    KIN_ASSERT(request->stream != NULL);
    struct MHD_Response *response =
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 16 * 1024, read_stream, request, NULL);
    if (response == NULL)
        return MHD_NO;
    kin__answer_secure(response);
    MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, "text/event-stream");
    enum MHD_Result result = MHD_queue_response(request->connection, MHD_HTTP_OK, response);
    MHD_destroy_response(response);
    return result;
}

// ---- requests

static enum MHD_Result begin_stream(kin__request *request)
{
    kin__waiting *waiting = request->handler;
    kin__mistake mistake = {0};
    if (kin__waiting_streams(waiting) >= KIN__MAX_STREAMS)
        return refuse(request, MHD_HTTP_TOO_MANY_REQUESTS, "There are at most 4 streams.\n");
    request->stream = kin__stream_create(waiting->service, request->body, request->body_size, &mistake);
    if (request->stream == NULL) {
        kin__json json = kin__json_make(&request->handler->service->heap, KIN__MAX_ANSWER);
        kin__exchange_show_error(&json, mistake.code, mistake.message);
        return answer_json(request, &json);
    }
    request->stream->viewer = request->viewer;
    kin__waiting_add(waiting, request);
    return answer_stream(request);
}

static enum MHD_Result begin_exchange(kin__request *request)
{
    kin__waiting *waiting = request->handler;
    if (request->report != NULL)
        request->exchange = kin__report_create(request->report, waiting->service);
    else
        request->exchange = kin__exchange_create(waiting->service, request->body, request->body_size);
    if (request->exchange == NULL)
        return refuse_memory(request);
    kin__exchange_set_viewer(request->exchange, request->viewer);
    kin__waiting_add(waiting, request);
    if (request->waiting == 0)
        return answer_exchange(request);
    kin__connections_enter(&waiting->connections, request->connection, KIN__PHASE_WAIT);
    kin__request_suspend(request);
    return MHD_YES;
}

static enum MHD_Result append_body(kin__request *request, const char *data, size_t *size)
{
    kin__bounded_heap *heap = &request->handler->service->heap;
    if (request->body == NULL)
        request->body = kin__bounded_allocate(heap, KIN__MAX_BODY);
    if (request->body != NULL && *size <= KIN__MAX_BODY - request->body_size) {
        KIN_ASSERT(request->body_size + *size <= KIN__MAX_BODY);
        memcpy(request->body + request->body_size, data, *size);
        request->body_size += *size;
    } else {
        request->is_refused = true; // answered at the end of the body, as none can be given now
    }
    *size = 0;
    return MHD_YES;
}

static enum MHD_Result check(kin__request *request, const char *url, const char *method)
{
    kin__request_line line = {method, url, request->url_size, request->has_nul};
    kin__http_refusal refusal =
        kin__check_request(&request->handler->guard, request->connection, &line, kin__inspect_now());
    request->is_checked = true;
    request->is_stream = strcmp(url, "/stream") == 0;
    request->page = kin__check_page(&line);
    request->report = kin__check_report(&line);
    if (refusal.status == 0)
        refusal = kin__check_viewer(request->connection, request->viewer);
    if (refusal.status == 0)
        return MHD_YES;
    return refuse(request, refusal.status, refusal.sentence);
}

enum MHD_Result kin__handle(void *user, struct MHD_Connection *connection, const char *url, const char *method,
                            const char *version, const char *data, size_t *size, void **state)
{
    kin__request *request = *state;
    (void)user, (void)connection, (void)version;
    if (request == NULL)
        return MHD_NO;
    if (!request->is_checked)
        return check(request, url, method);
    if (*size > 0)
        return append_body(request, data, size);
    if (request->is_refused && request->body == NULL)
        return refuse_memory(request);
    if (request->is_refused)
        return kin__answer_refusal(request->connection, MHD_HTTP_CONTENT_TOO_LARGE,
                                   "A body has at most 65536 bytes.\n");
    if (request->page != NULL) {
        kin__connections_enter(&request->handler->connections, request->connection, KIN__PHASE_WRITE);
        return kin__answer_page(request->connection, request->page);
    }
    kin__hosts_note_request(request->handler->service, request->viewer);
    if (request->exchange != NULL)
        return answer_exchange(request);
    if (request->report != NULL && has_recent_metrics(request)) {
        kin__connections_enter(&request->handler->connections, connection, KIN__PHASE_WRITE);
        return kin__answer_text(connection, request->report->type, &request->handler->metrics);
    }
    if (request->is_stream)
        return begin_stream(request);
    return begin_exchange(request);
}
