// Running: the system that runs now, for any thread.
#ifndef KIN_INSPECT_RUNNING_H
#define KIN_INSPECT_RUNNING_H

#include "site/site.h"

// Notes a system and a role; a system of 0 is none. For the thread of the host.
void kin__running_set(kin__host *host, uint16_t system, kin_role role);

// Returns the name of the system that runs now, or "" when none runs or it is not noted.
const char *kin__running_system(const kin__host *host);

#endif
