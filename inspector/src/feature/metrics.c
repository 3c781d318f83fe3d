// GET /metrics: numbers of a world in the text format of Prometheus.
#include "feature/internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { NAME = 128, PARTS = 7 };

typedef struct site_metrics {
    const kin__site *site;
    kin_counts counts;
    kin_context_usage usage;
    uint64_t entities;
    uint64_t *carriers, *changes; // by component
} site_metrics;

typedef struct system_metrics {
    struct system_metrics *next;
    char name[NAME];
    kin__timed timed;
} system_metrics;

typedef struct metrics_task {
    site_metrics *sites;
    uint32_t site_count, measured; // sites that are done
    uint32_t component;            // the next one of the site
    system_metrics *first, **end;
    uint64_t update_sum, update_count;
    kin__timing *timing; // until the host takes it
    uint64_t refused[KIN__STATUSES];
    kin__network network;
} metrics_task;

static bool parse(kin__task *task)
{
    if (!kin__task_make_capture(task, KIN__CAPTURE_SIZE, NAME))
        return false;
    metrics_task *data = task->data;
    data->end = &data->first;
    kin__timing_prepare(task, &data->timing);
    data->sites = kin__capture_reserve(&task->capture, KIN__MAX_SITES * sizeof *data->sites);
    const kin__sites *sites = &task->service->sites;
    uint32_t count = atomic_load(&sites->site_count);
    for (uint32_t i = 0; i < count; i++)
        if (sites->sites[i].host == task->host)
            data->sites[data->site_count++].site = &sites->sites[i];
    for (uint32_t i = 0; i < data->site_count; i++) {
        size_t size = data->sites[i].site->info->component_count * sizeof(uint64_t) + 1;
        data->sites[i].carriers = kin__capture_reserve(&task->capture, size);
        data->sites[i].changes = kin__capture_reserve(&task->capture, size);
    }
    return !task->capture.is_full || kin__task_fail(task, KIN__CODE_LIMIT, "the contexts have too many components");
}

// ---- capturing

static uint64_t count_entities(const kin_context *context)
{
    uint64_t count = 0;
    uint32_t words = kin_look_words(context);
    for (uint32_t word = 0; word < words; word++)
        count += (uint64_t)__builtin_popcountll(kin_look_alive(context, word));
    return count;
}

// Measures one component after the other. Returns whether the site is done.
static bool measure_site(kin__task *task)
{
    metrics_task *data = task->data;
    site_metrics *metrics = &data->sites[data->measured];
    kin_context *context = metrics->site->context;
    for (; data->component < metrics->site->info->component_count; data->component++) {
        kin_component_id id = (kin_component_id)data->component;
        uint32_t chunks = kin_context_chunk_count(context);
        if (data->component % 8 == 7 && kin__task_is_late(task))
            return false;
        metrics->carriers[id] = kin_component_memory(context, id, 0, chunks).values;
        metrics->changes[id] = kin_component_changes(context, id);
    }
    metrics->counts = kin_context_counts(context);
    metrics->entities = count_entities(context);
    metrics->usage = kin_context_memory(context);
    return true;
}

typedef struct walk {
    kin__task *task;
    uint32_t systems;
} walk;

static void capture_system(const kin_system_entry *entry, void *user)
{
    const walk *walk = user;
    metrics_task *data = walk->task->data;
    for (int role = 0; role < KIN_ROLE_COUNT && entry->name != NULL; role++) {
        const kin__timed *timed = kin__timing_find(walk->task->host, walk->systems, entry->place, (kin_role)role);
        if (timed == NULL || timed->count == 0)
            continue;
        system_metrics *system = kin__capture_reserve(&walk->task->capture, sizeof *system);
        if (system == NULL)
            return;
        snprintf(system->name, sizeof system->name, "%s", entry->name);
        system->timed = *timed;
        *data->end = system;
        data->end = &system->next;
    }
}

static bool step(kin__task *task)
{
    metrics_task *data = task->data;
    kin__host *host = task->host;
    while (data->measured < data->site_count) {
        if (!measure_site(task))
            return false;
        data->measured++;
        data->component = 0;
        if (kin__task_is_late(task))
            return false;
    }
    uint32_t count = atomic_load(&host->system_count);
    kin__timing_want(host, &data->timing);
    for (uint32_t i = 0; i < count; i++)
        kin_systems_walk(host->systems[i], capture_system, &(walk){task, i});
    data->update_sum = host->update_sum;
    data->update_count = host->update_count;
    memcpy(data->refused, host->refused, sizeof data->refused);
    kin__network_capture(task, &data->network);
    return true;
}

// ---- the text

static void __attribute__((format(printf, 2, 3))) line(kin__json *json, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    json->needs_comma = false;
    if (size > 0 && (size_t)size < sizeof text)
        kin__json_raw(json, text, (size_t)size);
    json->needs_comma = false;
}

static void show_entities(const kin__task *task, kin__json *json)
{
    const metrics_task *data = task->data;
    for (uint32_t i = 0; i < data->site_count; i++) {
        const site_metrics *metrics = &data->sites[i];
        const char *name = metrics->site->name;
        line(json, "kin_entities{context=\"%s\"} %llu\n", name, (unsigned long long)metrics->entities);
        line(json, "kin_entities_created_total{context=\"%s\"} %llu\n", name,
             (unsigned long long)metrics->counts.created);
        line(json, "kin_entities_destroyed_total{context=\"%s\"} %llu\n", name,
             (unsigned long long)metrics->counts.destroyed);
        for (uint32_t id = 0; id < metrics->site->info->component_count; id++) {
            const char *component = metrics->site->info->components[id].name;
            line(json, "kin_component_entities{context=\"%s\",component=\"%s\"} %llu\n", name, component,
                 (unsigned long long)metrics->carriers[id]);
            line(json, "kin_structural_changes_total{context=\"%s\",component=\"%s\"} %llu\n", name, component,
                 (unsigned long long)metrics->changes[id]);
        }
    }
}

static void show_memory(const kin__task *task, kin__json *json)
{
    static const char *const names[PARTS] = {"chunks",  "columns", "groups",   "collectors",
                                             "indices", "strings", "snapshots"};
    const metrics_task *data = task->data;
    for (uint32_t i = 0; i < data->site_count; i++) {
        const kin_context_usage *usage = &data->sites[i].usage;
        const kin_memory *const parts[PARTS] = {&usage->chunks,  &usage->columns, &usage->groups,   &usage->collectors,
                                                &usage->indices, &usage->strings, &usage->snapshots};
        for (uint32_t part = 0; part < PARTS; part++) {
            line(json, "kin_memory_bytes{context=\"%s\",part=\"%s\",state=\"used\"} %zu\n", data->sites[i].site->name,
                 names[part], parts[part]->used);
            line(json, "kin_memory_bytes{context=\"%s\",part=\"%s\",state=\"allocated\"} %zu\n",
                 data->sites[i].site->name, names[part], parts[part]->allocated);
        }
    }
}

// Names of systems that the game gives can have any characters.
static void escape(char *escaped, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\')
            *escaped++ = '\\';
        *escaped++ = (unsigned char)*text < ' ' ? ' ' : *text;
    }
    *escaped = '\0';
}

static void show_quantile(kin__json *json, const system_metrics *system, const char *quantile, uint64_t nanoseconds)
{
    char name[2 * NAME];
    escape(name, system->name);
    line(json, "kin_system_seconds{system=\"%s\",role=\"%s\",quantile=\"%s\"} %.9f\n", name,
         kin__role_name(system->timed.role), quantile, (double)nanoseconds / 1e9);
}

static void show_peers(const kin__network *network, const char *world, kin__json *json)
{
    for (const kin__network_peer_row *row = network->peers; row != NULL; row = row->next) {
        const kin_network_peer *peer = &row->peer;
        const struct {
            const char *name;
            uint64_t value;
        } numbers[] = {{"zones", peer->zone_count},
                       {"frame", peer->frame},
                       {"behind_frames", peer->behind},
                       {"received_bytes_total", peer->bytes_in},
                       {"sent_bytes_total", peer->bytes_out},
                       {"messages_taken_total", peer->taken},
                       {"messages_dropped_total", peer->dropped}};
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
            line(json, "kin_network_peer_%s{world=\"%s\",peer=\"%u\"} %llu\n", numbers[i].name, world,
                 (unsigned)peer->peer, (unsigned long long)numbers[i].value);
    }
}

static const char *or_empty(const char *text)
{
    return text == NULL ? "" : text;
}

static void show_network(const kin__network *network, const char *world, kin__json *json)
{
    const kin_network *now = &network->now;
    const struct {
        const char *name;
        uint64_t value;
    } numbers[] = {{"epoch", now->epoch},
                   {"frame", now->frame},
                   {"behind_frames", now->behind},
                   {"received_bytes_total", now->bytes_in},
                   {"sent_bytes_total", now->bytes_out},
                   {"queue_bytes", now->queue_bytes},
                   {"queue_frames", now->queue_frames},
                   {"resyncs_total", now->resyncs},
                   {"wrong_hashes_total", now->wrong_hashes},
                   {"predicted_frames_total", now->predicted}};
    if (!network->has_session)
        return;
    line(json, "kin_network_role{world=\"%s\",role=\"%s\",transport=\"%s\"} 1\n", world, network->role,
         or_empty(network->transport));
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        line(json, "kin_network_%s{world=\"%s\"} %llu\n", numbers[i].name, world, (unsigned long long)numbers[i].value);
    line(json, "kin_network_applied_seconds{world=\"%s\",quantile=\"0.99\"} %.6f\n", world,
         (double)now->applied_us_p99 / 1e6);
    if (now->has_lease)
        line(json, "kin_network_lease_seconds{world=\"%s\"} %.3f\n", world, (double)now->lease_left_ms / 1e3);
    for (uint32_t i = 0; i < network->reason_count; i++)
        line(json, "kin_network_refused_total{world=\"%s\",reason=\"%s\"} %llu\n", world, network->refused[i].reason,
             (unsigned long long)network->refused[i].count);
    for (const kin__network_cost_row *row = network->costs; row != NULL; row = row->next)
        line(json, "kin_network_frame_bytes{world=\"%s\",context=\"%s\",component=\"%s\",field=\"%s\"} %llu\n", world,
             or_empty(row->context), or_empty(row->component), or_empty(row->field), (unsigned long long)row->bytes);
    show_peers(network, world, json);
}

static void show(const kin__task *task, kin__json *json)
{
    const metrics_task *data = task->data;
    const kin__service *service = task->service;
    show_entities(task, json);
    show_memory(task, json);
    for (const system_metrics *system = data->first; system != NULL; system = system->next) {
        kin__timed timed = system->timed;
        kin_timing timing = kin__timed_evaluate(&timed);
        show_quantile(json, system, "0", timing.minimum);
        show_quantile(json, system, "0.99", timing.p99);
        show_quantile(json, system, "1", timing.maximum);
    }
    line(json, "kin_update_seconds_sum{world=\"%s\"} %.9f\n", task->host->name, (double)data->update_sum / 1e9);
    line(json, "kin_update_seconds_count{world=\"%s\"} %llu\n", task->host->name,
         (unsigned long long)data->update_count);
    // All statuses that there are, also before the first refusal.
    for (uint32_t status = KIN_ERROR_NOT_ALIVE; status <= KIN_ERROR_STREAM; status++)
        line(json, "kin_refusals_total{world=\"%s\",status=\"%s\"} %llu\n", task->host->name,
             kin_status_name((kin_status)status), (unsigned long long)data->refused[status]);
    show_network(&data->network, task->host->name, json);
    if (task->host != service->sites.hosts)
        return;
    line(json, "kin_inspector_seconds_total %.9f\n", (double)atomic_load(&service->cost_sum) / 1e9);
    line(json, "kin_inspector_dropped_total %llu\n", (unsigned long long)atomic_load(&service->dropped));
}

static void release(kin__task *task)
{
    const metrics_task *data = task->data;
    kin__timing_destroy(data->timing);
}

const kin__method kin__method_metrics = {
    .name = "GET /metrics",
    .doc = "numbers of a world in the text format of Prometheus",
    .result = "text",
    .parameters = {{"world", "string", true, "the world", 0, 0}},
    .data_size = sizeof(metrics_task),
    .parse = parse,
    .step = step,
    .show = show,
    .release = release,
};
