// Serve: what happens before an update.
//
// With nothing to do it is one load (INS-05). Otherwise tasks are done for at most the budget.
#ifndef KIN_INSPECT_SERVE_H
#define KIN_INSPECT_SERVE_H

#include "host/host.h"

// Does what is to do, and returns whether the update is to run. May set another delta.
bool kin__serve_attended(kin__service *service, kin__host *host, double *delta);

static inline bool kin__serve(kin__service *service, kin__host *host, double *delta)
{
    if (atomic_load_explicit(&host->attention, memory_order_relaxed) == 0)
        return true;
    return kin__serve_attended(service, host, delta);
}

#endif
