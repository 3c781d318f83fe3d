// Demo: a game of random moves, printed as text. The same rules print the same text on every machine.
#ifndef MATCH_ONE_DEMO_H
#define MATCH_ONE_DEMO_H

#include "match.h"

// Plays a game. Returns false when out of memory, or if the score or the pieces are inconsistent at the end.
bool demo_play(Rules rules, uint32_t moves);

#endif
