// Pieces: creates them and finds free cells for them.
#ifndef MATCH_ONE_PIECES_H
#define MATCH_ONE_PIECES_H

#include "match_one/match_one.h"

// Creates a piece of a random colour, which can fall and be taken.
game_entity create_piece(match_one_contexts *contexts, Position at);

// Creates a blocker, which never moves. Nothing falls past it.
game_entity create_blocker(match_one_contexts *contexts, Position at);

// Returns a random number below `end` from the generator of this game.
uint32_t chance(match_one_contexts *contexts, uint32_t end);

// Returns the cell in which a piece lands that falls from this cell or from just above the board.
Position landing(game_context *game, Position from);

#endif
