#include "inspector/inspector.h"

#include <stdio.h>
#include <string.h>

// ---- holds

struct kin__hold {
    kin__hook hook;
    kin__service *service;
    kin__host *host;
    bool is_followed;
};

static const uint64_t period = 10 * (uint64_t)1000000, slice = 8 * (uint64_t)1000000;

// ---- waiting

static void serve_held(kin__host *host)
{
    uint64_t began = kin__inspect_now();
    if (kin__host_is_silent(host, began))
        kin__pace_end(host);
    kin__queue_serve(host, began + slice);
    atomic_store_explicit(&host->last_frame, kin__host_frame(host), memory_order_relaxed);
    atomic_store_explicit(&host->last_time, kin__inspect_now(), memory_order_relaxed);
}

static void note_place(kin__host *host, const kin__system_call *call, bool is_after)
{
    KIN_ASSERT(!host->held.is_held);
    kin__held *held = &host->held;
    snprintf(held->system, sizeof held->system, "%.60s", kin__calls_name(host, call->name));
    held->role = call->role;
    held->systems = call->systems;
    held->place = call->place;
    held->step = call->step;
    held->frame = kin__host_frame(host);
    held->is_after = is_after;
    held->is_open = call->is_open;
    if (host->world != NULL && !kin_world_is_open(host->world))
        held->is_open = false;
    held->goes_on = false;
}

static void wait_at(const struct kin__hold *hold, const kin__system_call *call, bool is_after)
{
    kin__service *service = hold->service;
    kin__host *host = hold->host;
    uint64_t began = kin__inspect_now();
    uint64_t pumped = began - period;
    note_place(host, call, is_after);
    kin__running_set(host, call->name, call->role);
    host->held.is_held = true;
    while (!host->held.goes_on) {
        serve_held(host);
        uint64_t now = kin__inspect_now();
        if (service->on_hold != NULL && now - pumped >= period) {
            pumped = now;
            service->on_hold(service->hold_user);
        }
        if (!host->held.goes_on)
            nanosleep(&(struct timespec){.tv_nsec = 2 * 1000 * 1000}, NULL);
    }
    KIN_ASSERT(host->held.is_held);
    kin__running_set(host, KIN__OUTSIDE, call->role);
    kin__calls_interrupt(host);
    host->held.is_held = false;
    host->held.nanoseconds += kin__inspect_now() - began;
}

// ---- calls

// Whether the call is of the turn in which the update was held last: a turn has several calls.
static bool is_same_turn(const kin__host *host, const kin__system_call *call)
{
    const kin__held *held = &host->held;
    if (held->system[0] == '\0')
        return false;
    bool is_same_system = held->systems == call->systems && held->place == call->place;
    bool is_same_step = held->step == call->step && held->frame == kin__host_frame(host);
    return is_same_system && is_same_step;
}

// Of the roles of a system those of its turn count: it draws and cleans up later in the same update.
static bool is_wanted(const kin__host *host, const kin__system_call *call)
{
    bool is_of_turn = call->role >= KIN_ROLE_START && call->role <= KIN_ROLE_UPDATE;
    if (host->pace.hold[0] == '\0' || !is_of_turn)
        return false;
    return strcmp(kin__calls_name(host, call->name), host->pace.hold) == 0;
}

static void enter_hold(void *user, const kin__system_call *call)
{
    const struct kin__hold *hold = user;
    kin__host *host = hold->host;
    if (host->held.is_held || is_same_turn(host, call)) // systems may run for a change that a viewer makes meanwhile
        return;
    bool is_last_step = false;
    if (!call->is_collection && host->pace.system_steps > 0)
        is_last_step = --host->pace.system_steps == 0;
    if (is_last_step || is_wanted(host, call))
        wait_at(hold, call, false);
}

static bool asks_after_systems(const kin__host *host)
{
    return host->until != NULL && kin__until_is_of_systems(host->until);
}

static void leave_hold(void *user, const kin__system_call *call)
{
    const struct kin__hold *hold = user;
    kin__host *host = hold->host;
    if (host->held.is_held || call->is_collection)
        return;
    if (!asks_after_systems(host))
        return;
    if (kin__hold_ask_until(host))
        wait_at(hold, call, true);
}

bool kin__hold_ask_until(kin__host *host)
{
    KIN_ASSERT(host->until != NULL);
    kin__pace pace = host->pace;
    kin__until_answer answer = kin__until_ask(host);
    if (answer == KIN__UNTIL_TOO_LONG)
        kin__pace_set_until(host, NULL, KIN__UNTIL_REFUSED);
    if (answer != KIN__UNTIL_YES)
        return false;
    pace.is_paused = true;
    pace.steps = 0;
    kin__pace_set(host, &pace);
    kin__pace_set_until(host, NULL, KIN__UNTIL_MET);
    return true;
}

// ---- following

static struct kin__hold *find_or_create(kin__service *service, kin__host *host)
{
    if (host->hold == NULL)
        host->hold = kin__bounded_zeros(&service->heap, sizeof *host->hold);
    if (host->hold != NULL && host->hold->host == NULL) {
        host->hold->host = host;
        host->hold->service = service;
        host->hold->hook = (kin__hook){enter_hold, leave_hold, host->hold, true};
    }
    return host->hold;
}

void kin__hold_refresh(kin__service *service, kin__host *host)
{
    bool holds = host->pace.hold[0] != '\0' || host->pace.system_steps > 0;
    bool is_wanted = holds || asks_after_systems(host);
    struct kin__hold *hold = host->hold;
    if (is_wanted)
        hold = find_or_create(service, host);
    if (hold == NULL || is_wanted == hold->is_followed)
        return;
    if (is_wanted)
        hold->is_followed = kin__calls_follow(host, &service->heap, &hold->hook);
    else
        kin__calls_unfollow(host, &hold->hook);
    hold->is_followed = hold->is_followed && is_wanted;
}

void kin__hold_release(kin__service *service, kin__host *host)
{
    kin__bounded_release(&service->heap, host->hold, sizeof *host->hold);
    host->hold = NULL;
    kin__until_destroy(host->until);
    host->until = NULL;
}

// ---- what runs

struct kin__run {
    kin__hook hook;
    kin__host *host;
    bool is_followed;
};

static void enter_run(void *user, const kin__system_call *call)
{
    const struct kin__run *run = user;
    kin__running_set(run->host, call->name, call->role);
}

static void leave_run(void *user, const kin__system_call *call)
{
    const struct kin__run *run = user;
    kin__running_set(run->host, KIN__OUTSIDE, call->role);
}

static struct kin__run *create(kin__service *service, kin__host *host)
{
    KIN_ASSERT(host->run == NULL);
    struct kin__run *run = kin__bounded_zeros(&service->heap, sizeof *run);
    if (run == NULL)
        return NULL;
    run->host = host;
    run->hook = (kin__hook){enter_run, leave_run, run, false};
    return run;
}

void kin__run_refresh(kin__service *service, kin__host *host, uint64_t now)
{
    bool is_wanted = !kin__host_is_silent(host, now) && atomic_load(&host->system_count) > 0;
    if (is_wanted && host->run == NULL)
        host->run = create(service, host);
    struct kin__run *run = host->run;
    atomic_store_explicit(&host->running_since, now, memory_order_relaxed);
    if (run == NULL || run->is_followed == is_wanted)
        return;
    if (is_wanted)
        run->is_followed = kin__calls_follow(host, &service->heap, &run->hook);
    else
        kin__calls_unfollow(host, &run->hook);
    run->is_followed = run->is_followed && is_wanted;
}

void kin__run_release(kin__service *service, kin__host *host)
{
    kin__bounded_release(&service->heap, host->run, sizeof *host->run);
    host->run = NULL;
}
