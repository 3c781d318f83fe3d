// Play: the interactive game in a terminal.
#ifndef MATCH_ONE_PLAY_H
#define MATCH_ONE_PLAY_H

#include "match_one/match_one.h"

// Plays until the player quits. Returns false, after a message on stderr, if the terminal cannot show the game.
bool play(Rules rules);

#endif
