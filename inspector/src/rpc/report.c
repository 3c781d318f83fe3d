#include "rpc/report.h"

#include "feature/feature.h"

#include <string.h>

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
    const kin__mistake *mistake = &none;
    uint32_t shown = 0;
    append(json, report->begin);
    for (uint32_t i = 0; i < exchange->count; i++) {
        const kin__task *task = exchange->calls[i].task;
        if (task == NULL || task->mistake.code != 0) {
            mistake = mistake != &none ? mistake : task == NULL ? &memory : &task->mistake;
            continue;
        }
        task->method->show(task, json);
        shown++;
    }
    append(json, report->end);
    return shown > 0 && !json->is_full ? NULL : shown > 0 ? &memory : mistake;
}
