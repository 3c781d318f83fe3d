// Match: the whole game, without a screen. What there is and what happens stands in schemas/match_one.yaml: a frame is
// match_one_world_update, which runs the systems that are declared there, one after the other; the functions of a system
// are in the file of its name.
#ifndef MATCH_ONE_MATCH_H
#define MATCH_ONE_MATCH_H

#include "match_one/match_one.h"

// A new game. The same rules give the same game, on every machine. NULL when out of memory; match_one_world_destroy
// ends it.
match_one_world *match_create(Rules rules);

// What the player does; the next frame carries it out.
void match_click(match_one_world *world, int32_t x, int32_t y);
void match_set_burst(match_one_world *world, bool on);
void match_resize(match_one_world *world, int32_t columns, int32_t rows);

#endif
