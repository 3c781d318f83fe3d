// Systems: the rules of the game, a file each. `self` of each is the contexts; what it reacts to stands beside it.
#ifndef MATCH_ONE_SYSTEMS_H
#define MATCH_ONE_SYSTEMS_H

#include "match_one/match_one.h"

// A click takes away the piece under it; in burst mode also those of its colour that hang together with it.
void add_process_system(kin_systems *systems, match_one_contexts *contexts);

// Lays out the board when the game begins, and clears away what lies outside when it gets smaller.
void add_board_system(kin_systems *systems, match_one_contexts *contexts);

// What has nothing below it falls.
void add_fall_system(kin_systems *systems, match_one_contexts *contexts);

// New pieces come from the top.
void add_fill_system(kin_systems *systems, match_one_contexts *contexts);

// Counts what was taken away.
void add_score_system(kin_systems *systems, match_one_contexts *contexts);

#endif
