// Moment: the frame and the system in which something happens.
#ifndef KIN_INSPECT_MOMENT_H
#define KIN_INSPECT_MOMENT_H

#include "site/calls.h"

typedef struct kin__moment {
    uint64_t frame;
    uint32_t step;
    uint16_t system; // a number for kin__calls_name, such as KIN__OUTSIDE or KIN__BY_INSPECTOR
    uint16_t role;   // KIN__NO_ROLE outside of systems
} kin__moment;

// Returns where the host is now: outside of systems unless its calls are followed. For the thread of the host.
kin__moment kin__moment_now(const kin__host *host);

#endif
