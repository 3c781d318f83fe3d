#include "serve/serve.h"

#include "site/calls.h"
#include "site/clock.h"
#include "site/notes.h"
#include "site/plots.h"
#include "site/timing.h"
#include "site/traces.h"
#include "task/queue.h"

static const uint64_t silence = 10 * (uint64_t)1000000000;

void kin__serve_note_request(kin__service *service)
{
    uint64_t now = kin__inspect_now();
    uint32_t count = atomic_load(&service->sites.host_count);
    for (uint32_t i = 0; i < count; i++)
        atomic_store_explicit(&service->sites.hosts[i].last_request, now, memory_order_relaxed);
}

// Returns whether the update is to run, at the pace that a viewer set.
static bool apply_pace(kin__host *host, double *delta, uint64_t now)
{
    if (!host->is_paced)
        return true;
    if (now > atomic_load_explicit(&host->last_request, memory_order_relaxed) + silence) {
        host->is_paced = false;
        host->pace = (kin__pace){0};
        atomic_fetch_sub(&host->attention, 1);
        return true;
    }
    if (host->pace.is_paused && host->pace.steps == 0)
        return false;
    if (host->pace.is_paused) {
        host->pace.steps--;
        if (host->pace.step_delta != 0)
            *delta = host->pace.step_delta;
    }
    if (host->pace.speed != 0)
        *delta *= host->pace.speed;
    return true;
}

bool kin__serve_attended(kin__service *service, kin__host *host, double *delta)
{
    uint64_t began = kin__inspect_now();
    kin__slice slice = {.deadline = began + (uint64_t)service->budget * 1000};
    kin__queue_serve(host, &slice);
    uint64_t now = kin__inspect_now();
    kin__timing_expire(host, now);
    kin__notes_expire(&service->sites, host, now);
    kin__traces_expire(host, now);
    kin__plots_sample(&service->sites, host, now, slice.deadline);
    kin__calls_refresh(host);
    bool runs = apply_pace(host, delta, now);
    atomic_store_explicit(&host->last_frame, kin__host_frame(host), memory_order_relaxed);
    atomic_store_explicit(&host->last_time, now, memory_order_relaxed);
    atomic_store_explicit(&service->cost_last, now - began, memory_order_relaxed);
    atomic_fetch_add_explicit(&service->cost_sum, now - began, memory_order_relaxed);
    return runs;
}
