#include "inspector/inspector.h"

// Returns whether the update is to run, at the pace that a viewer set.
static bool apply_pace(kin__host *host, double *delta, uint64_t now)
{
    if (!host->is_paced)
        return true;
    if (kin__host_is_silent(host, now)) {
        kin__pace_end(host);
        return true;
    }
    if (host->until != NULL && kin__hold_ask_until(host))
        return false;
    bool is_step = host->pace.is_paused && host->pace.system_steps == 0;
    if (is_step && host->pace.steps == 0)
        return false;
    KIN_ASSERT(!is_step || host->pace.steps > 0);
    host->pace.steps -= is_step;
    if (is_step && host->pace.step_delta != 0)
        *delta = host->pace.step_delta;
    else if (host->pace.speed != 0)
        *delta *= host->pace.speed;
    return true;
}

bool kin__serve_attended(kin__service *service, kin__host *host, double *delta)
{
    KIN_ASSERT(delta != NULL && service->budget > 0);
    uint64_t began = kin__inspect_now();
    uint64_t deadline = began + (uint64_t)service->budget * 1000;
    kin__queue_serve(host, deadline);
    kin__snapshots_keep(host, kin__host_is_silent(host, began), service->budget);
    uint64_t now = kin__inspect_now();
    kin__timing_expire(host, now);
    kin__notes_expire(&service->sites, host, now);
    kin__traces_expire(host, now);
    kin__messages_expire(host, now);
    kin__refusals_expire(host, now);
    kin__plots_sample(&service->sites, host, now, deadline);
    bool runs = apply_pace(host, delta, now);
    kin__hold_refresh(service, host);
    kin__run_refresh(service, host, now);
    kin__calls_refresh(host);
    kin__notes_begin_update(&service->sites, host, (uint64_t)service->budget * 1000);
    if (runs)
        kin__timeline_begin_update(host, kin__inspect_now());
    atomic_store_explicit(&host->last_frame, kin__host_frame(host), memory_order_relaxed);
    atomic_store_explicit(&host->last_time, now, memory_order_relaxed);
    uint64_t cost = now - began;
    uint32_t place = atomic_fetch_add_explicit(&service->cost_count, 1, memory_order_relaxed) % KIN__COSTS;
    atomic_store_explicit(&service->costs[place], (uint32_t)kin__min_64(cost, UINT32_MAX), memory_order_relaxed);
    atomic_store_explicit(&service->cost_last, cost, memory_order_relaxed);
    atomic_fetch_add_explicit(&service->cost_sum, now - began, memory_order_relaxed);
    return runs;
}
