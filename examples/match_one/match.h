// Match: the whole game, without a screen. schemas/match_one.yaml declares its components and systems. A frame is one
// call of match_one_world_update, which runs these systems in order; the functions of a system are in the file of its
// name.
#ifndef MATCH_ONE_MATCH_H
#define MATCH_ONE_MATCH_H

#include "match_one/match_one.h"

// Creates a game. The same rules give the same game on every machine. Returns NULL when out of memory. Destroy it by
// match_one_world_destroy.
match_one_world *match_create(Rules rules);

// Actions of the player, which the next frame executes.
void match_click(match_one_world *world, int32_t x, int32_t y);
void match_set_burst(match_one_world *world, bool on);
void match_resize(match_one_world *world, int32_t columns, int32_t rows);

#endif
