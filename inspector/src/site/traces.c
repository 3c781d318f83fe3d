#include "site/traces.h"

static const uint64_t kept_for = 10 * (uint64_t)1000000000;

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
static bool has_trace(const kin__collector_trace *place)
{
    kin_collector *found[KIN__MOST_COLLECTORS];
    uint32_t count = kin_context_collectors(place->site->context, found, KIN__MOST_COLLECTORS);
    for (uint32_t i = 0; i < count && i < KIN__MOST_COLLECTORS; i++)
        if (found[i] == place->collector)
            return kin_collector_trace_of(found[i]) == &place->trace;
    return false;
}

static void forget(kin__traces *traces, kin__collector_trace *place)
{
    if (has_trace(place))
        kin_collector_trace(place->collector, NULL);
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

static kin__collector_trace *find_place(kin__traces *traces)
{
    for (uint32_t i = 0; i < KIN__MAX_TRACES; i++)
        if (traces->places[i].collector == NULL)
            return &traces->places[i];
    return NULL;
}

static kin__collector_trace *find(kin__traces *traces, const kin_collector *collector)
{
    for (uint32_t i = 0; i < KIN__MAX_TRACES; i++) {
        kin__collector_trace *place = &traces->places[i];
        if (place->collector != NULL && !has_trace(place))
            forget(traces, place);
        if (place->collector == collector)
            return place;
    }
    return NULL;
}

kin__collector_trace *kin__traces_want(kin__traces *traces, const kin__site *site, kin_collector *collector,
                                       bool *is_new)
{
    kin__collector_trace *place = find(traces, collector);
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
    place->collector = collector;
    place->site = site;
    traces->count++;
    return place;
}

// ---- beginning and ending

kin__traces *kin__traces_make(kin__host *host, kin__bounded_heap *heap)
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
    if (host->traces != NULL && now > atomic_load_explicit(&host->last_request, memory_order_relaxed) + kept_for)
        kin__traces_end(host);
}
