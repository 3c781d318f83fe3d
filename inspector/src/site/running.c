#include "site/running.h"

#include "site/calls.h"

void kin__running_set(kin__host *host, uint16_t system, kin_role role)
{
    uint32_t running = system == KIN__OUTSIDE ? 0 : (uint32_t)role << 16 | system;
    atomic_store_explicit(&host->running, running, memory_order_release); // with the names of its calls
}

const char *kin__running_system(const kin__host *host)
{
    uint32_t running = atomic_load_explicit(&host->running, memory_order_acquire);
    return running == 0 ? "" : kin__calls_name(host, (uint16_t)running);
}
