// Match: the whole game, without a screen. Its data are contexts, its rules are systems, and this puts them together.
//
// A frame runs the systems in this order: process, board, fall, fill, score, those of the view, events, cleanup. Whoever
// shows the game adds systems of its own to `view` before the first match_start.
#ifndef MATCH_ONE_MATCH_H
#define MATCH_ONE_MATCH_H

#include "match_one/match_one.h"

typedef struct match {
    match_one_contexts *contexts;
    kin_systems *systems;
    kin_systems *view; // a collection within `systems`
} match;

// NULL when out of memory.
match *match_create(void);
void match_destroy(match *match);

// Begins a new game, also in the middle of another one. The same rules give the same game, on every machine.
void match_start(match *match, Rules rules);

// One turn of all systems.
void match_frame(match *match, double seconds);

// What the player does; the next frame carries it out.
void match_click(match *match, int32_t x, int32_t y);
void match_set_burst(match *match, bool on);
void match_resize(match *match, int32_t columns, int32_t rows);

#endif
