// All methods by name; kin.hello and rpc.discover: what can be asked, without a world.
#include "feature/internal.h"

#include <stdlib.h>
#include <string.h>

// The system that runs now, and the nanoseconds since the update began; null between updates.
static void show_running(kin__json *json, const kin__host *host)
{
    const char *system = kin__running_system(host);
    kin__json_key(json, "running");
    if (system[0] == '\0') {
        kin__json_null(json);
        return;
    }
    kin__json_begin(json, '{');
    kin__json_put_string(json, "system", system);
    kin__json_put_natural(json, "nanoseconds", kin__inspect_now() - atomic_load(&host->running_since));
    kin__json_end(json, '}');
}

static void show_host(kin__json *json, const kin__sites *sites, const kin__host *host)
{
    uint32_t count = atomic_load(&sites->site_count);
    kin__json_begin(json, '{');
    kin__json_put_string(json, "name", host->name);
    kin__json_put_bool(json, "ended", atomic_load(&host->has_ended));
    kin__json_put_bool(json, "systems", atomic_load(&host->system_count) > 0);
    if (host->info != NULL) {
        kin__json_put_digits(json, "stamp", host->info->stamp);
    }
    kin__json_begin_member(json, "contexts", '[');
    for (uint32_t i = 0; i < count; i++)
        if (sites->sites[i].host == host)
            kin__json_string(json, sites->sites[i].name);
    kin__json_end(json, ']');
    show_running(json, host);
    kin__json_end(json, '}');
}

static int compare_costs(const void *a, const void *b)
{
    uint32_t left = *(const uint32_t *)a;
    uint32_t right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

// Of the last updates that served.
static uint32_t find_p99(const kin__service *service)
{
    uint32_t costs[KIN__COSTS] = {0};
    uint32_t count = atomic_load(&service->cost_count);
    count = kin__min_32(count, KIN__COSTS);
    if (count == 0)
        return 0;
    for (uint32_t i = 0; i < count; i++)
        costs[i] = atomic_load_explicit(&service->costs[i], memory_order_relaxed);
    qsort(costs, count, sizeof *costs, compare_costs);
    return costs[(count - 1) * 99 / 100];
}

static void show_hello(const kin__task *task, kin__json *json)
{
    const kin__service *service = task->service;
    uint32_t count = atomic_load(&service->sites.host_count);
    kin__json_put_string(json, "version", kin_version());
    kin__json_put_string(json, "name", atomic_load(&service->name));
    kin__json_put_bool(json, "read_only", service->is_read_only);
    kin__json_begin_member(json, "worlds", '[');
    for (uint32_t i = 0; i < count; i++)
        show_host(json, &service->sites, &service->sites.hosts[i]);
    kin__json_end(json, ']');
    kin__json_put_natural(json, "viewers", kin__viewers_count(&task->service->sites.viewers, kin__inspect_now()));
    kin__json_put_natural(json, "streams", atomic_load(&service->streams));
    kin__json_begin_member(json, "limits", '{');
    kin__json_put_natural(json, "budget_microseconds", service->budget);
    kin__json_put_natural(json, "memory", service->heap.limit);
    kin__json_put_natural(json, "query", KIN__QUERY_SIZE);
    kin__json_put_natural(json, "operators", KIN__QUERY_OPERATORS);
    kin__json_put_natural(json, "levels", KIN__QUERY_LEVELS);
    kin__json_end(json, '}');
    kin__json_begin_member(json, "cost", '{');
    kin__json_put_natural(json, "last_nanoseconds", atomic_load(&service->cost_last));
    kin__json_put_natural(json, "p99_nanoseconds", find_p99(service));
    kin__json_put_natural(json, "sum_nanoseconds", atomic_load(&service->cost_sum));
    kin__json_put_natural(json, "bytes", atomic_load(&service->heap.used));
    kin__json_put_natural(json, "served", atomic_load(&service->served));
    kin__json_put_natural(json, "cut", atomic_load(&service->cut));
    kin__json_put_natural(json, "refused", atomic_load(&service->refused));
    kin__json_put_natural(json, "dropped", atomic_load(&service->dropped));
    kin__json_end(json, '}');
}

const kin__method kin__method_hello = {
    .name = "kin.hello",
    .doc = "What the inspector shows, its limits and what it costs.",
    .result = "version, name, read_only, worlds of name, ended, systems, stamp, contexts and running, viewers, "
              "streams, limits, cost",
    .show = show_hello,
};

// ---- rpc.discover

static void show_method(kin__json *json, const kin__method *method)
{
    kin__json_begin(json, '{');
    kin__json_put_string(json, "name", method->name);
    kin__json_put_string(json, "summary", method->doc);
    kin__json_put_bool(json, "x-writes", method->writes);
    kin__json_put_string(json, "paramStructure", "by-name");
    kin__json_begin_member(json, "params", '[');
    for (size_t i = 0; i < KIN__MAX_PARAMETERS && method->parameters[i].name != NULL; i++) {
        const kin__parameter *parameter = &method->parameters[i];
        kin__json_begin(json, '{');
        kin__json_put_string(json, "name", parameter->name);
        kin__json_put_string(json, "description", parameter->doc);
        kin__json_put_bool(json, "required", parameter->is_required);
        kin__json_begin_member(json, "schema", '{');
        if (strcmp(parameter->type, "any") != 0)
            kin__json_put_string(json, "type", parameter->type);
        kin__json_end(json, '}');
        kin__json_end(json, '}');
    }
    kin__json_end(json, ']');
    kin__json_begin_member(json, "result", '{');
    kin__json_put_string(json, "name", "result");
    kin__json_put_string(json, "description", method->result);
    kin__json_key(json, "schema");
    kin__shape_show(json, kin__shape_of(method->name));
    kin__json_end(json, '}');
    kin__json_end(json, '}');
}

static void show_discover(const kin__task *task, kin__json *json)
{
    const kin__method *method;
    (void)task;
    kin__json_put_string(json, "openrpc", "1.2.6");
    kin__json_begin_member(json, "info", '{');
    kin__json_put_string(json, "title", "Kin inspector");
    kin__json_put_string(json, "version", kin_version());
    kin__json_end(json, '}');
    kin__json_begin_member(json, "methods", '[');
    for (uint32_t i = 0; (method = kin__method_at(i)) != NULL; i++)
        show_method(json, method);
    kin__json_end(json, ']');
}

const kin__method kin__method_discover = {
    .name = "rpc.discover",
    .doc = "All methods with their parameters, as an OpenRPC document.",
    .result = "an OpenRPC document",
    .show = show_discover,
};

// ---- all methods

static const kin__method *const methods[] = {
    &kin__method_hello,
    &kin__method_discover,
    &kin__method_schema,
    &kin__method_query,
    &kin__method_get,
    &kin__method_explain,
    &kin__method_relations,
    &kin__method_create,
    &kin__method_spawn,
    &kin__method_clone,
    &kin__method_destroy,
    &kin__method_add,
    &kin__method_set,
    &kin__method_replace,
    &kin__method_remove,
    &kin__method_uniques,
    &kin__method_indices,
    &kin__method_groups,
    &kin__method_collectors,
    &kin__method_systems,
    &kin__method_enable,
    &kin__method_memory,
    &kin__method_time,
    &kin__method_pause,
    &kin__method_resume,
    &kin__method_step,
    &kin__method_speed,
    &kin__method_journal_start,
    &kin__method_journal_stop,
    &kin__method_journal_read,
    &kin__method_watch_add,
    &kin__method_watch_remove,
    &kin__method_watch_list,
    &kin__method_why,
    &kin__method_mark_take,
    &kin__method_mark_diff,
    &kin__method_mark_drop,
    &kin__method_plot_add,
    &kin__method_plot_remove,
    &kin__method_plot_read,
    &kin__method_hold,
    &kin__method_until,
    &kin__method_timeline_start,
    &kin__method_timeline_get,
    &kin__method_audit_start,
    &kin__method_audit_stop,
    &kin__method_audit_read,
    &kin__method_snapshot_list,
    &kin__method_snapshot_take,
    &kin__method_snapshot_restore,
    &kin__method_snapshot_diff,
    &kin__method_snapshot_drop,
    &kin__method_content_status,
    &kin__method_content_diff,
    &kin__method_content_save,
    &kin__method_content_revert,
    &kin__method_network_status,
    &kin__method_messages,
    &kin__method_errors,
};

const kin__method *kin__method_at(uint32_t number)
{
    if (number >= sizeof methods / sizeof *methods)
        return NULL;
    return methods[number];
}

const kin__method *kin__method_find(const char *name)
{
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (strcmp(methods[i]->name, name) == 0)
            return methods[i];
    return NULL;
}
