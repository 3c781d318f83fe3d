// Timing: profiles the systems of a host while somebody looks at their times.
//
// Systems that the game profiles itself are left alone, and their times are shown. All functions are for the thread of
// the host, outside of a run of its systems.
#ifndef KIN_INSPECT_TIMING_H
#define KIN_INSPECT_TIMING_H

#include "site/site.h"

// Starts, or goes on for ten seconds more.
void kin__timing_want(kin__host *host);

// Stops when nobody has looked for ten seconds.
void kin__timing_expire(kin__host *host, uint64_t now);

// Stops at once.
void kin__timing_stop(kin__host *host);

#endif
