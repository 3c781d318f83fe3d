// Pieces: how they are made, and where there is room for them.
#ifndef MATCH_ONE_PIECES_H
#define MATCH_ONE_PIECES_H

#include "match_one/match_one.h"

// Of a colour by chance: it falls, and can be taken.
game_entity create_piece(match_one_contexts *contexts, Position at);

// Stays where it is for ever. Nothing falls past it.
game_entity create_blocker(match_one_contexts *contexts, Position at);

// A number below `end`, by the chance of this game.
uint32_t chance(match_one_contexts *contexts, uint32_t end);

// Where a piece comes to lie that is let go in this cell, or just above the board.
Position landing(game_context *game, Position from);

#endif
