// Client: requests to a game.
#ifndef KIN_INSPECT_CLIENT_H
#define KIN_INSPECT_CLIENT_H

#include "command/game.h"

#include <jansson.h>

// Asks a method. `parameters` is taken over. Returns the answer, an object with `result` or `error`; NULL, and says
// why, when there is none, such as that the game has ended.
json_t *client_ask(const game *game, const char *method, json_t *parameters);

// Takes an event, whose `result` or `error` it may change. Returns false to end the stream.
typedef bool client_take(json_t *event, void *user);

// Asks a method again and again, and gives each event to `take`. `parameters` is taken over. Returns a request that was
// refused, an object with `error`, which the caller releases; otherwise NULL, when `take` or the game has ended it, or
// it never began. Of the last two it says why.
json_t *client_stream(const game *game, const char *method, json_t *parameters, client_take *take, void *user);

// Gets a path of the game. Returns the text, which the caller frees; NULL, and says why, without one.
char *client_get(const game *game, const char *path);

#endif
