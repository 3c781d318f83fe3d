#include "inspector/inspector.h"

// ---- the end of a host

static void end_host(kin__host *host)
{
    const kin__sites *sites = &host->inspector->service.sites;
    kin__queue_end(host);
    kin__timing_stop(host);
    kin__timeline_stop(host);
    kin__messages_stop(host);
    kin__refusals_stop(host);
    kin__notes_end(sites, host);
    kin__traces_end(host);
    kin__plots_end(sites, host);
    kin__snapshots_end(host);
    kin__calls_stop(host);
}

void kin__probe_remove(kin__host *host)
{
    KIN_ASSERT(host->inspector != NULL);
    end_host(host);
    for (uint32_t i = 0; i < host->context_count && host->world == NULL; i++)
        kin_context_watch_errors(host->contexts[i], NULL, NULL);
    if (host->world != NULL)
        kin_world_set_probe(host->world, NULL);
    host->world = NULL;
}

// ---- what the world calls

// While there is something to do the end of updates is noted, too, for their length.
static bool begin(void *user, double *delta)
{
    kin__host *host = user;
    if (atomic_load_explicit(&host->attention, memory_order_relaxed) == 0 && !host->is_timed)
        return true;
    KIN_ASSERT(host->world != NULL); // 1
    bool runs = kin__serve_attended(&host->inspector->service, host, delta);
    bool is_timed = atomic_load_explicit(&host->attention, memory_order_relaxed) > 0;
    bool was_timed = host->is_timed;
    host->is_timed = is_timed;
    if (is_timed != was_timed)
        kin__host_set_probe(host, host->world);
    host->update_began = kin__inspect_now();
    return runs;
}

static void end(void *user)
{
    kin__host *host = user;
    host->update_last = kin__inspect_now() - host->update_began;
    host->update_sum += host->update_last;
    host->update_count++;
}

static void ended(void *user)
{
    kin__host *host = user;
    kin_inspector *inspector = host->inspector;
    KIN_ASSERT(host->world != NULL); // 1
    host->probe = (kin_probe){0};
    end_host(host);
    host->world = NULL;
    if (inspector->ends_with_world && host == &inspector->service.sites.hosts[0])
        kin_inspector_destroy(inspector);
}

static void published(void *user, uint32_t message, const void *value)
{
    kin__messages_note(user, message, value);
}

static void refused(void *user, const kin_error *error)
{
    kin__refusals_note(user, error);
}

kin_status kin__probe_set(kin__host *host, kin_inspector *inspector, kin_world *world)
{
    KIN_ASSERT(host->world == NULL);
    host->inspector = inspector;
    host->is_timed = false;
    host->probe = (kin_probe){
        .begin = begin, .end = end, .ended = ended, .published = published, .refused = refused, .user = host};
    kin_status status = kin__host_set_probe(host, world);
    if (status != KIN_OK)
        host->probe = (kin_probe){0};
    return status;
}

void kin__probe_watch(kin__host *host, kin_context *context)
{
    KIN_ASSERT(host->world == NULL);
    kin_context_watch_errors(context, refused, host);
}
