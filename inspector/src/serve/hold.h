// Hold: stops an update before or after a system. The thread of the game waits there, serves tasks, and calls `on_hold`
// every 10 ms (INS-61).
//
// Tasks that change the game are served where a call is open, and refused elsewhere: what its system is called with
// would not be so any more.
#ifndef KIN_INSPECT_HOLD_H
#define KIN_INSPECT_HOLD_H

#include "host/host.h"

// Follows the calls of the host if an update is to be held, and no longer if not. Called before each update.
void kin__hold_refresh(kin__service *service, kin__host *host);

// Asks what is asked until it holds. Returns whether it does: the host is paused then.
bool kin__hold_ask_until(kin__host *host);

void kin__hold_release(kin__service *service, kin__host *host);

#endif
