// Demo: a game played by chance and printed as text, the same for the same rules on every machine.
#ifndef MATCH_ONE_DEMO_H
#define MATCH_ONE_DEMO_H

#include "match.h"

// False when out of memory, or when the books do not balance.
bool demo_play(Rules rules, uint32_t moves);

#endif
