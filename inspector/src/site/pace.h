// Pace: the time that viewers give a host. For its thread.
#ifndef KIN_INSPECT_PACE_H
#define KIN_INSPECT_PACE_H

#include "site/until.h"

// Sets the pace, which may be that of the game.
void kin__pace_set(kin__host *host, const kin__pace *pace);

// Sets what is asked until it holds, and destroys what was asked before. NULL: nothing.
void kin__pace_set_until(kin__host *host, kin__until *until, kin__until_state state);

// Gives the game its time back.
void kin__pace_end(kin__host *host);

#endif
