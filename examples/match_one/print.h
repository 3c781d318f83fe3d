// Print: the board as letters, for whoever compares games.
#ifndef MATCH_ONE_PRINT_H
#define MATCH_ONE_PRINT_H

#include "match_one/match_one.h"

// R, Y, G, C, B or M for a colour, # for a blocker, a dot for nothing.
char letter_at(game_context *game, int32_t x, int32_t y);

// All of them, the highest row first, with the numbers of rows and columns.
void print_board(game_context *game);

#endif
