// Follow: results that are shown again whenever they change. A stream sends the first one whole, then what differs.
#ifndef KIN_INSPECT_FOLLOW_H
#define KIN_INSPECT_FOLLOW_H

#include "command/session.h"

#include <jansson.h>

// Shows a result. It may change it.
typedef int follow_show(const arguments *arguments, json_t *result, const void *user);

// Shows the result of a method until the game ends, or for ever; of records those that are new. `parameters` is taken
// over. Returns the status of the program: NO_GAME when the game ends.
int follow_run(const session *session, const char *method, json_t *parameters, follow_show *show, const void *user);

#endif
