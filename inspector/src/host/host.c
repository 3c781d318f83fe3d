#include "host/host.h"

#include <stdio.h>
#include <string.h>

// ---- hosts and sites

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
    KIN_ASSERT(count <= KIN__MAX_HOSTS);
    if (count == KIN__MAX_HOSTS)
        return NULL;
    kin__host *host = &sites->hosts[count];
    KIN_ASSERT(host->first == NULL && atomic_load(&host->system_count) == 0);
    host->inspector = inspector;
    host->world = world;
    host->info = kin_world_info_of(world);
    const char *name = "game";
    if (host->info != NULL)
        name = host->info->name;
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
    uint32_t count = atomic_load(&sites->site_count);
    uint32_t number = 0;
    KIN_ASSERT(host->info == kin_world_info_of(world));
    KIN_ASSERT(atomic_load(&host->has_ended) && !host->is_paced);
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
    KIN_ASSERT(count <= KIN__MAX_SITES);
    if (count == KIN__MAX_SITES)
        return false;
    kin__site *site = &sites->sites[count];
    KIN_ASSERT(site->context == NULL && host->context_count < KIN__MAX_SITES);
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
    if (host->world == NULL)
        return host->frames;
    return kin_world_tick(host->world).frame;
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

// ---- viewers

bool kin__viewer_name_is_valid(const char *name)
{
    size_t size = strlen(name);
    for (size_t i = 0; i < size; i++)
        if (name[i] < ' ' || name[i] > '~' || strchr("\"\\", name[i]) != NULL)
            return false;
    return size > 0 && size < KIN__VIEWER_NAME;
}

// Returns the viewer of a name, or NULL. A place without a viewer is named "".
static kin__viewer *find(kin__viewers *viewers, const char *name)
{
    if (name[0] == '\0')
        return NULL;
    for (uint32_t i = 0; i < KIN__MAX_VIEWERS; i++)
        if (strcmp(viewers->all[i].name, name) == 0)
            return &viewers->all[i];
    return NULL;
}

void kin__viewers_note(kin__viewers *viewers, const char *name, uint64_t now)
{
    if (name[0] == '\0')
        return;
    pthread_mutex_lock(&viewers->lock);
    kin__viewer *viewer = find(viewers, name);
    if (viewer == NULL) { // takes the place of the one that was silent for longest
        viewer = &viewers->all[0];
        for (uint32_t i = 1; i < KIN__MAX_VIEWERS; i++)
            if (viewers->all[i].seen < viewer->seen)
                viewer = &viewers->all[i];
        snprintf(viewer->name, sizeof viewer->name, "%s", name);
    }
    viewer->seen = now;
    pthread_mutex_unlock(&viewers->lock);
}

void kin__viewers_forget(kin__viewers *viewers, const char *name)
{
    pthread_mutex_lock(&viewers->lock);
    kin__viewer *viewer = find(viewers, name);
    if (viewer != NULL)
        *viewer = (kin__viewer){0};
    pthread_mutex_unlock(&viewers->lock);
}

uint64_t kin__viewers_seen(kin__viewers *viewers, const char *name)
{
    pthread_mutex_lock(&viewers->lock);
    const kin__viewer *viewer = find(viewers, name);
    uint64_t seen = 0;
    if (viewer != NULL)
        seen = viewer->seen;
    pthread_mutex_unlock(&viewers->lock);
    return seen;
}

uint32_t kin__viewers_count(kin__viewers *viewers, uint64_t now)
{
    uint32_t count = 0;
    pthread_mutex_lock(&viewers->lock);
    for (uint32_t i = 0; i < KIN__MAX_VIEWERS; i++)
        count += viewers->all[i].name[0] != '\0' && now < viewers->all[i].seen + kin__silence;
    pthread_mutex_unlock(&viewers->lock);
    return count;
}

// ---- requests of viewers

void kin__hosts_note_request(kin__service *service, const char *viewer)
{
    uint64_t now = kin__inspect_now();
    kin__viewers_note(&service->sites.viewers, viewer, now);
    uint32_t count = atomic_load(&service->sites.host_count);
    for (uint32_t i = 0; i < count; i++)
        atomic_store_explicit(&service->sites.hosts[i].last_request, now, memory_order_relaxed);
}

bool kin__host_is_silent(const kin__host *host, uint64_t now)
{
    return now > atomic_load_explicit(&host->last_request, memory_order_relaxed) + kin__silence;
}

// ---- moments

kin__moment kin__moment_now(const kin__host *host)
{
    const kin__system_call *call = kin__calls_now(host);
    kin__moment moment = {.frame = kin__host_frame(host), .role = KIN__NO_ROLE};
    if (host->is_edited)
        moment.system = KIN__BY_INSPECTOR;
    else if (call != NULL)
        moment = (kin__moment){moment.frame, call->step, call->name, (uint16_t)call->role};
    return moment;
}
