#include "site/timing.h"

#include "site/clock.h"

enum { WINDOW = 240 };

static const uint64_t kept = 10 * (uint64_t)1000000000;

typedef struct search {
    const kin_systems *systems;
    bool is_profiled;
} search;

static void look_for_profile(const kin_system_entry *entry, void *user)
{
    search *search = user;
    kin_timing timing;
    for (int role = 0; role < KIN_ROLE_COUNT && !search->is_profiled; role++)
        search->is_profiled = kin_systems_timing_at(search->systems, entry->place, (kin_role)role, &timing);
}

static bool is_profiled(const kin_systems *systems)
{
    search search = {.systems = systems};
    kin_systems_walk(systems, look_for_profile, &search);
    return search.is_profiled;
}

// Also counts structural changes, if there is memory for it.
static void start(const kin__host *host, kin_systems *systems)
{
    if (kin_systems_profile(systems, NULL, WINDOW) == KIN_OK && host->context_count > 0)
        kin_systems_count_changes(systems, host->contexts, host->context_count);
}

void kin__timing_want(kin__host *host)
{
    host->profiled_until = kin__inspect_now() + kept;
    if (host->is_profiled || host->held.is_held)
        return;
    uint32_t count = atomic_load(&host->system_count);
    for (uint32_t i = 0; i < count; i++) {
        host->profiles[i] = !is_profiled(host->systems[i]);
        if (host->profiles[i])
            start(host, host->systems[i]);
    }
    host->is_profiled = true;
    atomic_fetch_add(&host->attention, 1);
}

void kin__timing_stop(kin__host *host)
{
    if (!host->is_profiled)
        return;
    for (uint32_t i = 0; i < KIN__MAX_HOSTS; i++) {
        if (host->profiles[i])
            kin_systems_profile(host->systems[i], NULL, 0);
        host->profiles[i] = false;
    }
    host->is_profiled = false;
    atomic_fetch_sub(&host->attention, 1);
}

void kin__timing_expire(kin__host *host, uint64_t now)
{
    if (host->is_profiled && now > host->profiled_until)
        kin__timing_stop(host);
}
