// Traces: how the collectors that viewers ask about collect, with frame and system.
//
// A collector is traced from the first question on, until nobody has asked for anything for ten seconds. A trace of the
// game's own is left alone. All functions are for the thread of the host.
//
// Invariants:
//   1. a place is used while it has a collector; that collector may have been destroyed, so it is looked for in its
//      context before each use
//   2. calls are followed while a place is used
#include "feature/internal.h"

#include <stdio.h>
#include <string.h>

enum { KIN__MAX_TRACES = 8, KIN__TRACED = 256, KIN__MOST_COLLECTORS = 4096 };

typedef struct collector_trace {
    kin_collector *collector; // or NULL while the place is unused
    const kin__site *site;
    kin_trace trace;
    kin_collection ring[KIN__TRACED];
} collector_trace;

typedef struct kin__traces {
    kin__host *host;
    kin__bounded_heap *heap;
    kin__hook hook;
    bool is_following;
    uint32_t count;
    collector_trace places[KIN__MAX_TRACES];
} kin__traces;

// ---- what runs now

static void set_moment(kin__traces *traces, kin__moment moment)
{
    for (uint32_t i = 0; i < KIN__MAX_TRACES; i++) {
        kin_trace *trace = &traces->places[i].trace;
        trace->frame = moment.frame;
        trace->system = moment.system;
        trace->role = moment.role;
        trace->step = moment.step;
    }
}

static void set_now(kin__traces *traces, const kin__system_call *call)
{
    kin__moment moment = {.frame = kin__host_frame(traces->host), .system = KIN__OUTSIDE, .role = KIN__NO_ROLE};
    if (call != NULL)
        moment = (kin__moment){moment.frame, call->step, call->name, (uint16_t)call->role};
    set_moment(traces, moment);
}

void kin__traces_see_edit(kin__host *host)
{
    if (host->traces != NULL && host->traces->is_following)
        set_moment(host->traces, kin__moment_now(host));
}

static void enter(void *user, const kin__system_call *call)
{
    if (!call->is_collection)
        set_now(user, call);
}

static void leave(void *user, const kin__system_call *call)
{
    kin__traces *traces = user;
    if (!call->is_collection)
        set_now(traces, kin__calls_around(traces->host));
}

// ---- collectors

// Returns whether the collector still is one of the context, and has the trace.
static bool has_trace(const collector_trace *place)
{
    kin_collector *found[KIN__MOST_COLLECTORS];
    uint32_t count = kin_context_collectors(place->site->context, found, KIN__MOST_COLLECTORS);
    for (uint32_t i = 0; i < count && i < KIN__MOST_COLLECTORS; i++)
        if (found[i] == place->collector)
            return kin_collector_trace_of(found[i]) == &place->trace;
    return false;
}

static void forget(kin__traces *traces, collector_trace *place)
{
    if (has_trace(place))
        kin_collector_trace(place->collector, NULL);
    KIN_ASSERT(traces->count > 0);
    place->collector = NULL;
    traces->count--;
}

static void follow(kin__traces *traces)
{
    if (traces->is_following)
        return;
    traces->hook = (kin__hook){enter, leave, traces, false};
    traces->is_following = kin__calls_follow(traces->host, traces->heap, &traces->hook);
    set_now(traces, kin__calls_now(traces->host));
}

static collector_trace *find_place(kin__traces *traces)
{
    for (uint32_t i = 0; i < KIN__MAX_TRACES; i++)
        if (traces->places[i].collector == NULL)
            return &traces->places[i];
    return NULL;
}

static collector_trace *find(kin__traces *traces, const kin_collector *collector)
{
    for (uint32_t i = 0; i < KIN__MAX_TRACES; i++) {
        collector_trace *place = &traces->places[i];
        if (place->collector != NULL && !has_trace(place))
            forget(traces, place);
        if (place->collector == collector)
            return place;
    }
    return NULL;
}

// Returns the trace of a collector of the site, begun if there is none. NULL when as many are traced as can be, the
// game traces it, or calls cannot be followed. `*is_new`: it has just begun.
static collector_trace *traces_want(kin__traces *traces, const kin__site *site, kin_collector *collector, bool *is_new)
{
    collector_trace *place = find(traces, collector);
    *is_new = place == NULL;
    if (place != NULL)
        return place;
    place = find_place(traces);
    if (place == NULL || kin_collector_trace_of(collector) != NULL)
        return NULL;
    follow(traces);
    place->trace.ring = place->ring;
    place->trace.capacity = KIN__TRACED;
    place->trace.count = 0;
    if (!traces->is_following || kin_collector_trace(collector, &place->trace) != KIN_OK)
        return NULL;
    KIN_ASSERT(traces->count < KIN__MAX_TRACES && place->collector == NULL);
    place->collector = collector;
    place->site = site;
    traces->count++;
    return place;
}

// ---- beginning and ending

static kin__traces *traces_make(kin__host *host, kin__bounded_heap *heap)
{
    kin__traces *traces = kin__bounded_zeros(heap, sizeof *traces);
    if (traces == NULL)
        return NULL;
    traces->host = host;
    traces->heap = heap;
    return traces;
}

void kin__traces_release(kin__traces *traces)
{
    if (traces != NULL)
        kin__bounded_release(traces->heap, traces, sizeof *traces);
}

void kin__traces_end(kin__host *host)
{
    kin__traces *traces = host->traces;
    if (traces == NULL || !traces->is_following)
        return;
    for (uint32_t i = 0; i < KIN__MAX_TRACES; i++)
        if (traces->places[i].collector != NULL)
            forget(traces, &traces->places[i]);
    kin__calls_unfollow(host, &traces->hook);
    traces->is_following = false;
}

void kin__traces_expire(kin__host *host, uint64_t now)
{
    if (host->traces != NULL && kin__host_is_silent(host, now))
        kin__traces_end(host);
}

// ---- collectors.why

// collectors.why: which change collected an entity, and what the filter of the system said.

enum { NAME = 96 };

typedef struct why_row {
    kin_collection collection;
    const char *group;
    bool is_waiting; // it is still collected
} why_row;

typedef struct why_task {
    kin__traces *made;
    char name[NAME];   // of the collector; "" if it is given by number
    json_int_t number; // in collectors.list
    bool is_new;
    uint64_t lost;
    uint32_t count;
    why_row *rows; // in the capture
} why_task;

static bool parse(kin__task *task)
{
    why_task *data = task->data;
    const char *name = kin__parameter_text(task, "collector");
    data->number = -1;
    if (kin__parameter_text(task, "entity") != NULL && !kin__parameter_entity(task, "entity", &task->entity))
        return false;
    if (!kin__parameter_integer(task, "number", &data->number))
        return false;
    if ((name == NULL) == (data->number < 0))
        return kin__task_fail(task, KIN__CODE_PARAMETERS, "give the 'collector' by name, or by its 'number'");
    if (name != NULL)
        snprintf(data->name, sizeof data->name, "%s", name);
    data->made = traces_make(task->site->host, &task->service->heap);
    if (data->made == NULL)
        return kin__task_fail_memory(task);
    return kin__task_make_capture(task, (KIN__TRACED + 1) * sizeof(why_row), 0);
}

static void release(kin__task *task)
{
    kin__traces_release(((why_task *)task->data)->made);
}

static const char lister[] = "collectors.list (kin-inspect collectors)";

static kin_collector *find_collector(const kin__task *task)
{
    const why_task *data = task->data;
    kin_collector *found[KIN__MOST_COLLECTORS];
    uint32_t count = kin_context_collectors(task->site->context, found, KIN__MOST_COLLECTORS);
    count = kin__min_32(count, KIN__MOST_COLLECTORS);
    for (uint32_t i = 0; i < count; i++) {
        const char *name = kin_collector_name(found[i]);
        bool is_named = data->number < 0 && name != NULL && strcmp(name, data->name) == 0;
        if (is_named || data->number == i)
            return found[i];
    }
    return NULL;
}

static bool fail_collector(kin__task *task)
{
    const why_task *data = task->data;
    const char *context = task->site->name;
    if (data->number >= 0) {
        kin__task_fail(task, KIN__CODE_PARAMETERS, "%s has no such collector", context);
        return kin__task_point(task, lister);
    }
    kin_collector *found[KIN__MOST_COLLECTORS];
    uint32_t count = kin_context_collectors(task->site->context, found, KIN__MOST_COLLECTORS);
    kin__task_fail(task, KIN__CODE_PARAMETERS, "%s has no collector '%.60s'", context, data->name);
    kin__suggest suggest = kin__suggest_begin(data->name, &task->mistake);
    for (uint32_t i = 0; i < kin__min_32(count, KIN__MOST_COLLECTORS); i++)
        if (kin_collector_name(found[i]) != NULL)
            kin__suggest_offer(&suggest, kin_collector_name(found[i]));
    return kin__task_point(task, lister);
}

static void capture(kin__task *task, const collector_trace *place)
{
    why_task *data = task->data;
    const kin_trace *trace = &place->trace;
    data->lost = kin__oldest_kept(trace->count, KIN__TRACED);
    data->rows = kin__capture_reserve(&task->capture, (size_t)(trace->count - data->lost) * sizeof *data->rows + 1);
    for (uint64_t n = data->lost; data->rows != NULL && n < trace->count; n++) {
        const kin_collection *each = &trace->ring[n % KIN__TRACED];
        bool is_wanted = task->entity == 0 || task->entity == each->entity;
        if (each->context != task->site->context || !is_wanted)
            continue;
        data->rows[data->count++] = (why_row){*each, kin_group_name(each->group),
                                              kin_collector_contains(place->collector, each->context, each->entity)};
    }
}

static bool step(kin__task *task)
{
    why_task *data = task->data;
    kin__host *host = task->site->host;
    if (host->traces == NULL) {
        host->traces = data->made;
        data->made = NULL;
    }
    kin_collector *collector = find_collector(task);
    if (collector == NULL)
        return fail_collector(task);
    const collector_trace *place = traces_want(host->traces, task->site, collector, &data->is_new);
    if (place == NULL)
        kin__task_fail(task, KIN__CODE_LIMIT, "%d collectors are traced at most, and none that the game traces itself",
                       KIN__MAX_TRACES);
    else
        capture(task, place);
    return true;
}

static const char *verdict_of(const why_row *row)
{
    switch (row->collection.verdict) {
    case KIN_VERDICT_PASSED:
        return "passed";
    case KIN_VERDICT_REJECTED:
        return "rejected by the filter";
    case KIN_VERDICT_DEAD:
        return "dead";
    default:
        return row->is_waiting ? "waiting" : "cleared";
    }
}

static void show_row(const kin__task *task, kin__json *json, const why_row *row)
{
    static const char *const changes[] = {"created", "destroyed", "added", "removed", "replaced", "touched", "written"};
    const kin_collection *each = &row->collection;
    kin__json_begin(json, '{');
    kin__json_put_entity(json, "e", each->entity);
    kin__json_put_string(json, "group", row->group);
    kin__json_put_string(json, "event", kin__event_name(each->event));
    if (each->component < task->site->info->component_count)
        kin__json_put_string(json, "component", task->site->info->components[each->component].name);
    kin__json_put_string(json, "change", changes[each->change]);
    kin__json_put_natural(json, "frame", each->frame);
    kin__json_put_natural(json, "step", each->step);
    kin__json_put_string(json, "system", kin__calls_name(task->site->host, each->system));
    kin__json_put_string(json, "role", kin__role_name(each->role));
    kin__json_put_string(json, "verdict", verdict_of(row));
    kin__json_end(json, '}');
}

static void show(const kin__task *task, kin__json *json)
{
    const why_task *data = task->data;
    kin__task_show_frame(task, json);
    kin__json_put_bool(json, "began", data->is_new);
    kin__json_put_natural(json, "lost", data->lost);
    kin__json_begin_member(json, "collections", '[');
    for (uint32_t i = 0; i < data->count; i++)
        show_row(task, json, &data->rows[i]);
    kin__json_end(json, ']');
}

const kin__method kin__method_why = {
    .name = "collectors.why",
    .doc =
        "How a collector has collected its last 256 entities: the change that was first, its system, and whether the "
        "filter of the collector's system let the entity pass. It is traced from the first ask on, until nobody has "
        "asked for ten seconds; 'began' says that it was not traced before.",
    .result = "frame, began, lost, collections of e, group, event, component, change, frame, step, system, role and "
              "verdict",
    .parameters = {KIN__CONTEXT_PARAMETER,
                   {"collector", "string", false, "its name, which is that of its system", 0, 0},
                   {"number", "integer", false, "instead of a name, its place in collectors.list, from 0", 0,
                    KIN__MOST_COLLECTORS - 1},
                   {"entity", "string", false, "of this one alone", 0, 0}},
    .data_size = sizeof(why_task),
    .parse = parse,
    .step = step,
    .show = show,
    .release = release,
};
