#include "method/host.h"

#include "query/query.h"

static bool find_only(kin__task *task, bool has_systems)
{
    kin__sites *sites = &task->service->sites;
    uint32_t count = atomic_load(&sites->host_count);
    for (uint32_t i = 0; i < count; i++) {
        kin__host *host = &sites->hosts[i];
        if (has_systems && atomic_load(&host->system_count) == 0)
            continue;
        if (task->host != NULL)
            return kin__task_fail(task, KIN__CODE_PARAMETERS, "'world' is missing: there are several");
        task->host = host;
    }
    if (task->host != NULL)
        return true;
    return kin__task_fail(task, KIN__CODE_PARAMETERS,
                          has_systems ? "the game has given no systems: kin_inspector_add(inspector, context, systems)"
                                      : "no world or context was added to the inspector");
}

bool kin__parameter_host(kin__task *task, bool has_systems)
{
    kin__sites *sites = &task->service->sites;
    const char *name = kin__parameter_text(task, "world");
    if (name == NULL)
        return find_only(task, has_systems);
    task->host = kin__sites_find_host(sites, name);
    if (task->host != NULL)
        return true;
    kin__task_fail(task, KIN__CODE_PARAMETERS, "there is no world '%.60s'", name);
    kin__suggest suggest = kin__suggest_begin(name, &task->mistake);
    uint32_t count = atomic_load(&sites->host_count);
    for (uint32_t i = 0; i < count; i++)
        kin__suggest_offer(&suggest, sites->hosts[i].name);
    return false;
}

void kin__timing_prepare(const kin__task *task, kin__timing **timing)
{
    if (atomic_load(&task->host->system_count) > 0 && !atomic_load(&task->host->is_timing))
        *timing = kin__timing_create(&task->service->heap);
}
