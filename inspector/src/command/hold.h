// Hold: pauses that a person reads in. A game goes on when no viewer has asked for anything for ten seconds, so these
// commands keep asking.
#ifndef KIN_INSPECT_HOLD_H
#define KIN_INSPECT_HOLD_H

#include "command/session.h"

#include <jansson.h>

// Asks time.pause, time.hold or time.until, and shows the answer. `parameters` is taken over. Returns the status of the
// program.
//
// Of time.until waits until it holds, and shows the entities that match then; with --no-wait it does not. With --wait
// stays until it is interrupted, and then resumes the game, or until another command has resumed it.
int hold_run(const session *session, const char *method, json_t *parameters);

#endif
