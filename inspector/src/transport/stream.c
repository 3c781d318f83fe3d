#include "transport/internal.h"

#include <stdio.h>
#include <string.h>

enum { EVENT_SIZE = 1024 * 1024 };

static const uint64_t millisecond = 1000000;

static bool fail(kin__mistake *mistake, int code, const char *sentence)
{
    *mistake = (kin__mistake){.code = code};
    snprintf(mistake->message, sizeof mistake->message, "%s", sentence);
    return false;
}

// ---- the request

static const kin__method *find_watched(const char *name)
{
    static const char suffix[] = "+watch";
    char plain[64] = "";
    size_t size = strlen(name);
    size_t rest = size - kin__min_size(size, sizeof suffix - 1);
    if (rest >= sizeof plain || strcmp(name + rest, suffix) != 0)
        return NULL;
    memcpy(plain, name, rest);
    const kin__method *method = kin__method_find(plain);
    if (method == NULL)
        return NULL;
    return method->writes || method->is_once ? NULL : method;
}

// Takes the period out of the parameters.
static bool take_period(kin__subscription *subscription, kin__mistake *mistake)
{
    const json_t *given = json_object_get(subscription->parameters, "period");
    json_int_t period = KIN__PERIOD;
    if (given != NULL)
        period = json_integer_value(given);
    if (period < KIN__LEAST_PERIOD || period > KIN__MOST_PERIOD)
        return fail(mistake, KIN__CODE_LIMIT, "'period' must be from 50 to 60000 milliseconds");
    subscription->period = (uint64_t)period * millisecond;
    if (given != NULL)
        json_object_del(subscription->parameters, "period");
    return true;
}

// The id is written as the name of events.
static bool is_word(const char *id)
{
    static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
    if (id == NULL || id[0] == '\0')
        return false;
    return strlen(id) <= 64 && strspn(id, allowed) == strlen(id);
}

static bool read_subscription(kin__stream *stream, json_t *request, kin__mistake *mistake)
{
    KIN_ASSERT(stream->count < KIN__MAX_SUBSCRIPTIONS);
    kin__subscription *subscription = &stream->subscriptions[stream->count];
    subscription->id = json_object_get(request, "id");
    subscription->parameters = json_object_get(request, "params");
    if (json_is_string(json_object_get(request, "method")))
        subscription->method = find_watched(json_string_value(json_object_get(request, "method")));
    subscription->last = kin__json_make(&stream->service->heap, EVENT_SIZE);
    if (!json_is_integer(subscription->id) && !is_word(json_string_value(subscription->id)))
        return fail(mistake, KIN__CODE_REQUEST,
                    "each request of a stream needs an 'id': an integer, or letters, digits, _ and -");
    if (subscription->method == NULL)
        return fail(mistake, KIN__CODE_METHOD,
                    "no method of this name can be watched; name one that changes nothing, with +watch after it");
    if (subscription->parameters != NULL && !json_is_object(subscription->parameters))
        return fail(mistake, KIN__CODE_PARAMETERS, "'params' must be an object");
    stream->count++;
    return take_period(subscription, mistake);
}

static bool read_document(kin__stream *stream, const char *text, size_t size, kin__mistake *mistake)
{
    if (!kin__exchange_check(text, size, mistake))
        return false;
    stream->document = json_loadb(text, size, JSON_REJECT_DUPLICATES, NULL);
    if (stream->document == NULL)
        return fail(mistake, KIN__CODE_JSON, "the request is no JSON");
    if (!json_is_array(stream->document))
        return read_subscription(stream, stream->document, mistake);
    size_t count = json_array_size(stream->document);
    if (count == 0 || count > KIN__MAX_SUBSCRIPTIONS)
        return fail(mistake, KIN__CODE_LIMIT, "a stream has 1 to 8 requests");
    for (size_t i = 0; i < count; i++)
        if (!read_subscription(stream, json_array_get(stream->document, i), mistake))
            return false;
    return true;
}

kin__stream *kin__stream_create(kin__service *service, const char *text, size_t size, kin__mistake *mistake)
{
    kin__stream *stream = kin__bounded_zeros(&service->heap, sizeof *stream);
    if (stream == NULL) {
        fail(mistake, KIN__CODE_LIMIT, "the inspector has no memory left");
        return NULL;
    }
    stream->service = service;
    stream->written = kin__inspect_now();
    stream->out = kin__json_make(&service->heap, 2 * EVENT_SIZE);
    if (read_document(stream, text, size, mistake))
        return stream;
    kin__stream_destroy(stream);
    return NULL;
}

void kin__stream_destroy(kin__stream *stream)
{
    for (uint32_t i = 0; i < KIN__MAX_SUBSCRIPTIONS; i++) {
        kin__task_destroy(stream->subscriptions[i].task);
        if (stream->subscriptions[i].last.heap != NULL)
            kin__json_release(&stream->subscriptions[i].last);
    }
    kin__json_release(&stream->out);
    json_decref(stream->document);
    kin__bounded_release(&stream->service->heap, stream, sizeof *stream);
}

// ---- tasks

bool kin__stream_is_sent(const kin__stream *stream)
{
    KIN_ASSERT(stream->sent <= stream->out.size);
    return stream->sent == stream->out.size;
}

// Counts the periods that have passed since the event was due.
static void count_dropped(kin__stream *stream, const kin__subscription *subscription, uint64_t now)
{
    KIN_ASSERT(subscription->period > 0 && now >= subscription->due);
    if (subscription->due == 0) // the first one
        return;
    uint64_t dropped = (now - subscription->due) / subscription->period;
    stream->dropped += dropped;
    atomic_fetch_add_explicit(&stream->service->dropped, dropped, memory_order_relaxed);
}

kin__task *kin__stream_ask(kin__stream *stream, uint32_t number, uint64_t now, uint64_t *next)
{
    kin__subscription *subscription = &stream->subscriptions[number];
    KIN_ASSERT(number < stream->count);
    if (subscription->task != NULL || !kin__stream_is_sent(stream))
        return NULL;
    if (now < subscription->due) {
        *next = kin__min_64(*next, subscription->due - now);
        return NULL;
    }
    count_dropped(stream, subscription, now);
    subscription->due = now + subscription->period;
    *next = kin__min_64(*next, subscription->period);
    subscription->task = kin__task_create(stream->service, subscription->method, json_incref(subscription->parameters));
    if (subscription->task != NULL)
        subscription->task->viewer = stream->viewer;
    return subscription->task;
}

// ---- events

// Appends text that is no part of a document.
static void append(kin__json *out, const char *text, size_t size)
{
    out->needs_comma = false;
    kin__json_raw(out, text, size);
    out->needs_comma = false;
}

// Makes room when all was sent.
static void begin_event(kin__stream *stream)
{
    if (kin__stream_is_sent(stream)) {
        kin__json_clear(&stream->out);
        stream->sent = 0;
    }
    stream->written = kin__inspect_now();
}

void kin__stream_beat(kin__stream *stream, uint64_t now)
{
    if (!kin__stream_is_sent(stream) || now < stream->written + kin__silence)
        return;
    begin_event(stream);
    append(&stream->out, ":\n\n", 3);
}

// Appends an event with two pieces of text. Returns false, with nothing appended, if it does not fit.
static bool append_event(kin__stream *stream, const kin__subscription *subscription, kin__json_part data,
                         const char *tail)
{
    KIN_ASSERT(data.size > 0);
    char head[64];
    kin__json *out = &stream->out;
    begin_event(stream);
    size_t before = out->size;
    int size = snprintf(head, sizeof head, "id: %llu\nevent: ", (unsigned long long)stream->events);
    append(out, head, (size_t)size);
    if (json_is_integer(subscription->id))
        kin__json_integer(out, json_integer_value(subscription->id));
    else
        append(out, json_string_value(subscription->id), json_string_length(subscription->id));
    append(out, "\ndata: ", 7);
    append(out, data.at, data.size);
    append(out, tail, strlen(tail));
    append(out, "\n\n", 2);
    stream->events += !out->is_full;
    if (!out->is_full)
        return true;
    out->size = before;
    out->is_full = false;
    return false;
}

// Returns the result behind its frame, which differs from update to update.
static const char *without_frame(const kin__json *data)
{
    static const char begin[] = "{\"result\":{\"frame\":[";
    if (data->at == NULL)
        return "";
    if (strncmp(data->at, begin, sizeof begin - 1) != 0)
        return data->at;
    return strchr(data->at, ']');
}

static void show_result(const kin__stream *stream, const kin__task *task, kin__json *data)
{
    kin__json_begin(data, '{');
    kin__task_show(task, data);
    kin__json_put_natural(data, "dropped", stream->dropped);
    kin__json_end(data, '}');
}

// Writes the difference from the last event. Returns false if the whole result is to be sent.
static bool show_change(const kin__stream *stream, const kin__subscription *subscription, const kin__json *data,
                        kin__json *change)
{
    if (subscription->begins_anew || subscription->last.size == 0)
        return false;
    kin__json_part last = kin__json_member(subscription->last.at, "result");
    kin__json_part now = kin__json_member(data->at, "result");
    kin__json_begin(change, '{');
    kin__json_key(change, "result");
    if (!kin__difference_write(change, last, now, subscription->method->has_rows))
        return false;
    kin__json_put_natural(change, "dropped", stream->dropped);
    kin__json_end(change, '}');
    return !change->is_full && change->size < data->size;
}

// Returns false, with nothing appended, if the event does not fit.
static bool append_result(kin__stream *stream, const kin__subscription *subscription, const kin__json *data)
{
    static const char whole[] = ",\"whole\":true}";
    kin__json change = kin__json_make(&stream->service->heap, EVENT_SIZE);
    bool is_error = kin__json_member(data->at, "result").size == 0;
    bool is_appended;
    if (is_error)
        is_appended = append_event(stream, subscription, (kin__json_part){data->at, data->size}, "");
    else if (show_change(stream, subscription, data, &change))
        is_appended = append_event(stream, subscription, (kin__json_part){change.at, change.size}, "");
    else
        is_appended = append_event(stream, subscription, (kin__json_part){data->at, data->size - 1}, whole);
    kin__json_release(&change);
    return is_appended;
}

// A result that is too large gives its error.
static void show_event(const kin__stream *stream, kin__task *task, kin__json *data)
{
    show_result(stream, task, data);
    if (!data->is_full)
        return;
    kin__json_clear(data);
    kin__task_fail(task, KIN__CODE_LIMIT, "the event is larger than 1 MiB, or memory is missing; ask for less");
    show_result(stream, task, data);
}

void kin__stream_take(kin__stream *stream, kin__task *task)
{
    kin__json data = kin__json_make(&stream->service->heap, EVENT_SIZE);
    for (uint32_t i = 0; i < stream->count; i++) {
        kin__subscription *subscription = &stream->subscriptions[i];
        if (subscription->task != task)
            continue;
        subscription->task = NULL;
        show_event(stream, task, &data);
        if (!data.is_full && strcmp(without_frame(&subscription->last), without_frame(&data)) == 0)
            break;
        subscription->begins_anew = data.is_full || !append_result(stream, subscription, &data);
        if (subscription->begins_anew) {
            stream->dropped++;
            atomic_fetch_add_explicit(&stream->service->dropped, 1, memory_order_relaxed);
            break;
        }
        kin__json swap = subscription->last;
        subscription->last = data;
        data = swap;
        break;
    }
    kin__json_release(&data);
    kin__task_destroy(task);
}

size_t kin__stream_read(kin__stream *stream, char *bytes, size_t size)
{
    KIN_ASSERT(stream->sent <= stream->out.size);
    size_t taken = kin__min_size(size, stream->out.size - stream->sent);
    if (taken == 0)
        return 0;
    memcpy(bytes, stream->out.at + stream->sent, taken);
    stream->sent += taken;
    return taken;
}
