// Client: requests to a game.
#ifndef KIN_INSPECT_CLIENT_H
#define KIN_INSPECT_CLIENT_H

#include "command/game.h"

#include <jansson.h>

// Asks a method. `parameters` is taken over. Returns the answer, an object with `result` or `error`; NULL, and says
// why, when there is none.
json_t *client_ask(const game *game, const char *method, json_t *parameters);

// Gets a path of the game. Returns the text, which the caller frees; NULL, and says why, without one.
char *client_get(const game *game, const char *path);

#endif
