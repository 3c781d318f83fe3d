// Print: prints the board as letters, so that games can be compared.
#ifndef MATCH_ONE_PRINT_H
#define MATCH_ONE_PRINT_H

#include "match_one/match_one.h"

// Returns R, Y, G, C, B or M for a colour, # for a blocker, a dot for a free cell.
char letter_at(game_context *game, int32_t x, int32_t y);

// Prints all cells, the highest row first, with the numbers of rows and columns.
void print_board(game_context *game);

#endif
