// Play: the game for people, in a terminal.
#ifndef MATCH_ONE_PLAY_H
#define MATCH_ONE_PLAY_H

#include "match_one/match_one.h"

// Until the player has had enough. False, with a sentence on stderr, when it cannot be played here.
bool play(Rules rules);

#endif
