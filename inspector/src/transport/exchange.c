#include "transport/internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void __attribute__((format(printf, 3, 4))) fail(kin__mistake *mistake, int code, const char *format, ...)
{
    va_list arguments;
    *mistake = (kin__mistake){.code = code};
    va_start(arguments, format);
    vsnprintf(mistake->message, sizeof mistake->message, format, arguments);
    va_end(arguments);
}

// Returns how deep the text is nested after a character that is in no string.
static uint32_t depth_after(char c, uint32_t depth)
{
    switch (c) {
    case '[':
    case '{':
        return depth + 1;
    case ']':
    case '}':
        return depth - (depth > 0);
    default:
        return depth;
    }
}

// Returns how deep arrays and objects are nested.
static uint32_t depth_of(const char *text, size_t size)
{
    uint32_t depth = 0;
    uint32_t most = 0;
    bool is_string = false;
    for (size_t i = 0; i < size; i++) {
        if (is_string && text[i] == '\\')
            i++;
        else if (text[i] == '"')
            is_string = !is_string;
        else if (!is_string)
            depth = depth_after(text[i], depth);
        most = kin__max_32(most, depth);
    }
    return most;
}

// ---- calls

static void find_unknown(kin__rpc_call *call, const char *name)
{
    const kin__method *method;
    fail(&call->mistake, KIN__CODE_METHOD, "there is no method '%.60s'", name);
    kin__suggest suggest = kin__suggest_begin(name, &call->mistake);
    for (uint32_t i = 0; (method = kin__method_at(i)) != NULL; i++)
        kin__suggest_offer(&suggest, method->name);
}

static bool is_request(const json_t *value)
{
    const json_t *id = json_object_get(value, "id");
    const char *version = json_string_value(json_object_get(value, "jsonrpc"));
    if (version == NULL || strcmp(version, "2.0") != 0)
        return false;
    if (!json_is_string(json_object_get(value, "method")))
        return false;
    bool may_be_absent = id == NULL || json_is_null(id);
    return may_be_absent || json_is_string(id) || json_is_number(id);
}

static void make_call(kin__exchange *exchange, kin__rpc_call *call, json_t *value)
{
    if (!is_request(value)) {
        call->id = json_null();
        fail(&call->mistake, KIN__CODE_REQUEST, "this is no request of JSON-RPC 2.0");
        return;
    }
    KIN_ASSERT(call->task == NULL && exchange->count < KIN__MAX_BATCH);
    call->id = json_object_get(value, "id");
    const char *name = json_string_value(json_object_get(value, "method"));
    const kin__method *method = kin__method_find(name);
    if (method == NULL) {
        find_unknown(call, name);
        return;
    }
    call->task = kin__task_create(exchange->service, method, json_incref(json_object_get(value, "params")));
    if (call->task == NULL)
        fail(&call->mistake, KIN__CODE_LIMIT, "the inspector has no memory left");
}

static void make_calls(kin__exchange *exchange)
{
    json_t *document = exchange->document;
    exchange->is_batch = json_is_array(document);
    if (!exchange->is_batch) {
        make_call(exchange, &exchange->calls[0], document);
        exchange->count = 1;
        return;
    }
    size_t count = json_array_size(document);
    if (count == 0)
        fail(&exchange->mistake, KIN__CODE_REQUEST, "the batch is empty");
    else if (count > KIN__MAX_BATCH)
        fail(&exchange->mistake, KIN__CODE_LIMIT, "a batch has at most %d requests", KIN__MAX_BATCH);
    else
        for (; exchange->count < count; exchange->count++)
            make_call(exchange, &exchange->calls[exchange->count], json_array_get(document, exchange->count));
}

bool kin__exchange_check(const char *text, size_t size, kin__mistake *mistake)
{
    if (size > KIN__MAX_BODY)
        fail(mistake, KIN__CODE_LIMIT, "a request has at most %d bytes", KIN__MAX_BODY);
    else if (depth_of(text, size) > KIN__MAX_JSON_DEPTH)
        fail(mistake, KIN__CODE_LIMIT, "JSON is at most %d deep", KIN__MAX_JSON_DEPTH);
    return mistake->code == 0;
}

kin__exchange *kin__exchange_create(kin__service *service, const char *text, size_t size)
{
    KIN_ASSERT(text != NULL || size == 0);
    json_error_t error = {0};
    kin__exchange *exchange = kin__bounded_zeros(&service->heap, sizeof *exchange);
    if (exchange == NULL)
        return NULL;
    exchange->service = service;
    if (!kin__exchange_check(text, size, &exchange->mistake))
        return exchange;
    if ((exchange->document = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error)) == NULL)
        fail(&exchange->mistake, KIN__CODE_JSON, "%.120s, at byte %d", error.text, error.position);
    else
        make_calls(exchange);
    return exchange;
}

void kin__exchange_set_viewer(kin__exchange *exchange, const char *viewer)
{
    KIN_ASSERT(viewer != NULL);
    for (uint32_t i = 0; i < exchange->count; i++)
        if (exchange->calls[i].task != NULL)
            exchange->calls[i].task->viewer = viewer;
}

void kin__exchange_destroy(kin__exchange *exchange)
{
    if (exchange == NULL)
        return;
    for (uint32_t i = 0; i < exchange->count; i++)
        kin__task_destroy(exchange->calls[i].task);
    json_decref(exchange->document);
    kin__bounded_release(&exchange->service->heap, exchange, sizeof *exchange);
}

// ---- answers

static void show_id(kin__json *json, const json_t *id)
{
    kin__json_key(json, "id");
    if (json_is_string(id))
        kin__json_bytes(json, json_string_value(id), json_string_length(id));
    else if (json_is_integer(id))
        kin__json_integer(json, json_integer_value(id));
    else if (json_is_real(id))
        kin__json_number(json, json_real_value(id), false);
    else
        kin__json_null(json);
}

static void show_call(const kin__rpc_call *call, kin__json *json)
{
    KIN_ASSERT(call->task != NULL || call->mistake.code != 0);
    KIN_ASSERT(call->task == NULL || call->task->is_done);
    kin__json_begin(json, '{');
    kin__json_put_string(json, "jsonrpc", "2.0");
    show_id(json, call->id);
    if (call->task != NULL)
        kin__task_show(call->task, json);
    else
        kin__show_mistake(json, &call->mistake, NULL, false);
    kin__json_end(json, '}');
}

void kin__exchange_show_error(kin__json *json, int code, const char *message)
{
    KIN_ASSERT(code != 0);
    kin__rpc_call call = {0};
    fail(&call.mistake, code, "%s", message);
    show_call(&call, json);
}

static bool has_answer(const kin__exchange *exchange)
{
    for (uint32_t i = 0; i < exchange->count; i++)
        if (exchange->calls[i].id != NULL)
            return true;
    return false;
}

static const char *reason_of(const kin__json *json)
{
    if (json->lacks_memory)
        return "the inspector has no memory left";
    return "the answer is larger than 4 MiB; ask for less";
}

// A call of which the answer does not fit has an error, for which room is left.
static void show_fitting(const kin__rpc_call *call, kin__json *json)
{
    kin__rpc_call large = {.id = call->id};
    size_t size = json->size;
    size_t limit = json->limit;
    bool needs_comma = json->needs_comma;
    if (limit > KIN__ERROR_ROOM)
        json->limit -= KIN__ERROR_ROOM;
    show_call(call, json);
    json->limit = limit;
    if (!json->is_full)
        return;
    fail(&large.mistake, KIN__CODE_LIMIT, "%s", reason_of(json));
    kin__json_cut(json, size, needs_comma);
    show_call(&large, json);
}

void kin__exchange_show(const kin__exchange *exchange, kin__json *json)
{
    if (exchange->mistake.code != 0) {
        kin__exchange_show_error(json, exchange->mistake.code, exchange->mistake.message);
        return;
    }
    if (!has_answer(exchange))
        return;
    if (exchange->is_batch)
        kin__json_begin(json, '[');
    for (uint32_t i = 0; i < exchange->count; i++)
        if (exchange->calls[i].id != NULL)
            show_fitting(&exchange->calls[i], json);
    if (exchange->is_batch)
        kin__json_end(json, ']');
    if (!json->is_full)
        return;
    const char *reason = reason_of(json);
    kin__json_clear(json);
    kin__exchange_show_error(json, KIN__CODE_LIMIT, reason);
}

// ---- reports

static const kin__report reports[] = {
    {"/metrics", "text/plain; version=0.0.4; charset=utf-8", &kin__method_metrics, "", ""},
    {"/trace", "application/json", &kin__method_trace, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[", "]}\n"},
};

const kin__report *kin__report_find(const char *path)
{
    for (size_t i = 0; i < sizeof reports / sizeof *reports; i++)
        if (strcmp(reports[i].path, path) == 0)
            return &reports[i];
    return NULL;
}

kin__exchange *kin__report_create(const kin__report *report, kin__service *service)
{
    uint32_t hosts = atomic_load(&service->sites.host_count);
    kin__exchange *exchange = kin__bounded_zeros(&service->heap, sizeof *exchange);
    if (exchange == NULL)
        return NULL;
    exchange->service = service;
    for (uint32_t i = 0; i < hosts && i < KIN__MAX_BATCH; i++) {
        json_t *parameters = json_pack("{s:s}", "world", service->sites.hosts[i].name);
        exchange->calls[i].task = kin__task_create(service, report->method, parameters);
        exchange->count++;
    }
    return exchange;
}

static void append(kin__json *json, const char *text)
{
    json->needs_comma = false;
    kin__json_raw(json, text, strlen(text));
    json->needs_comma = false;
}

const kin__mistake *kin__report_show(const kin__report *report, const kin__exchange *exchange, kin__json *json)
{
    static const kin__mistake none = {.code = KIN__CODE_PARAMETERS, .message = "no world was added to the inspector"};
    static const kin__mistake memory = {.code = KIN__CODE_LIMIT, .message = "the inspector has no memory left"};
    const kin__mistake *mistake = NULL; // of the first task that has one
    uint32_t shown = 0;
    append(json, report->begin);
    for (uint32_t i = 0; i < exchange->count; i++) {
        const kin__task *task = exchange->calls[i].task;
        KIN_ASSERT(task == NULL || task->is_done);
        if (task != NULL && task->mistake.code == 0) {
            task->method->show(task, json);
            shown++;
        } else if (mistake == NULL && task != NULL) {
            mistake = &task->mistake;
        } else if (mistake == NULL) {
            mistake = &memory;
        }
    }
    append(json, report->end);
    if (exchange->count == 0)
        return &none;
    if (shown == 0)
        return mistake;
    return json->is_full ? &memory : NULL;
}
