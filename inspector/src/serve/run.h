// Run: notes which system runs, while viewers are there, so that a game that does not update can say where it is
// (INS-07).
#ifndef KIN_INSPECT_RUN_H
#define KIN_INSPECT_RUN_H

#include "host/host.h"

// Follows the calls of the host while viewers are there. Called before each update.
void kin__run_refresh(kin__service *service, kin__host *host, uint64_t now);

void kin__run_release(kin__service *service, kin__host *host);

#endif
