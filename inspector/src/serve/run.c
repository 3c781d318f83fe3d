#include "serve/run.h"

#include "host/host.h"
#include "serve/serve.h"

struct kin__run {
    kin__hook hook;
    kin__host *host;
    bool is_followed;
};

static void enter(void *user, const kin__system_call *call)
{
    const struct kin__run *run = user;
    kin__running_set(run->host, call->name, call->role);
}

static void leave(void *user, const kin__system_call *call)
{
    const struct kin__run *run = user;
    kin__running_set(run->host, KIN__OUTSIDE, call->role);
}

static struct kin__run *create(kin__service *service, kin__host *host)
{
    struct kin__run *run = kin__bounded_zeros(&service->heap, sizeof *run);
    if (run == NULL)
        return NULL;
    run->host = host;
    run->hook = (kin__hook){enter, leave, run, false};
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
