#include "site/site.h"

#include "site/calls.h"
#include "site/clock.h"

#include <stdio.h>
#include <string.h>

kin__host *kin__sites_find_host(kin__sites *sites, const char *name)
{
    uint32_t count = atomic_load(&sites->host_count);
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(sites->hosts[i].name, name) == 0)
            return &sites->hosts[i];
    return NULL;
}

kin__host *kin__sites_add_host(kin__sites *sites, struct kin_inspector *inspector, kin_world *world)
{
    uint32_t count = atomic_load(&sites->host_count);
    if (count == KIN__MAX_HOSTS)
        return NULL;
    kin__host *host = &sites->hosts[count];
    host->inspector = inspector;
    host->world = world;
    host->info = kin_world_info_of(world);
    const char *name = host->info != NULL ? host->info->name : "game";
    snprintf(host->name, sizeof host->name, "%.50s", name);
    for (uint32_t n = 2; kin__sites_find_host(sites, host->name) != NULL; n++)
        snprintf(host->name, sizeof host->name, "%.50s#%u", name, (unsigned)n);
    host->end = &host->first;
    if (world != NULL) {
        host->systems[0] = kin_world_systems(world);
        atomic_store(&host->system_count, 1);
    }
    pthread_mutex_init(&host->lock, NULL);
    atomic_store(&sites->host_count, count + 1);
    return host;
}

kin__host *kin__sites_find_ended(kin__sites *sites, const kin_world_info *info)
{
    uint32_t count = atomic_load(&sites->host_count);
    for (uint32_t i = 0; i < count; i++)
        if (sites->hosts[i].info == info && atomic_load(&sites->hosts[i].has_ended))
            return &sites->hosts[i];
    return NULL;
}

void kin__sites_revive(kin__sites *sites, kin__host *host, kin_world *world)
{
    uint32_t count = atomic_load(&sites->site_count), number = 0;
    for (uint32_t i = 0; i < count; i++)
        if (sites->sites[i].host == host) {
            host->contexts[number] = sites->sites[i].context = kin_world_context(world, number);
            number++;
        }
    host->systems[0] = kin_world_systems(world);
    host->world = world;
    host->is_timed = false;
    atomic_store(&host->running, 0);
    atomic_store(&host->last_time, 0);
    atomic_store(&host->has_ended, false);
}

void kin__host_release(kin__host *host)
{
    kin__calls_release(host);
    pthread_mutex_destroy(&host->lock);
}

const kin__site *kin__sites_find(const kin__sites *sites, const char *name)
{
    uint32_t count = atomic_load(&sites->site_count);
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(sites->sites[i].name, name) == 0)
            return &sites->sites[i];
    return NULL;
}

bool kin__sites_add(kin__sites *sites, kin__host *host, kin_context *context)
{
    uint32_t count = atomic_load(&sites->site_count);
    if (count == KIN__MAX_SITES)
        return false;
    kin__site *site = &sites->sites[count];
    site->context = context;
    site->info = kin_context_info_of(context);
    site->host = host;
    host->contexts[host->context_count++] = context;
    snprintf(site->name, sizeof site->name, "%.50s", site->info->name);
    for (uint32_t n = 2; kin__sites_find(sites, site->name) != NULL; n++)
        snprintf(site->name, sizeof site->name, "%.50s#%u", site->info->name, (unsigned)n);
    atomic_store(&sites->site_count, count + 1);
    return true;
}

kin_status kin__host_set_probe(const kin__host *host, kin_world *world)
{
    kin_probe probe = host->probe;
    if (probe.begin == NULL)
        return KIN_OK;
    if (!host->is_timed)
        probe.end = NULL;
    if (host->messages == NULL)
        probe.published = NULL;
    return kin_world_set_probe(world, &probe);
}

uint64_t kin__host_frame(const kin__host *host)
{
    return host->world == NULL ? host->frames : kin_world_tick(host->world).frame;
}

uint64_t kin__host_time(const kin__host *host)
{
    return kin__inspect_now() - host->held.nanoseconds;
}

kin_counts kin__host_counts(const kin__host *host)
{
    kin_counts sum = {0};
    for (uint32_t i = 0; i < host->context_count; i++) {
        kin_counts counts = kin_context_counts(host->contexts[i]);
        sum.created += counts.created;
        sum.destroyed += counts.destroyed;
        sum.changed += counts.changed;
    }
    return sum;
}
