// Look: the characters of a cell of the board, two lines of six: a tile between the corners of the cursor.
#ifndef MATCH_ONE_LOOK_H
#define MATCH_ONE_LOOK_H

#include "match_one/match_one.h"

enum { CELL_WIDTH = 6, CELL_HEIGHT = 2, TILE_INDENT = 1, KIND_COUNT = KIND_BLOCKER + 1 };

typedef struct look {
    const char *tiles[KIND_COUNT][CELL_HEIGHT]; // each kind has a shape, so that colours are not needed
    const char *fading[CELL_HEIGHT];
    const char *cursor[CELL_HEIGHT];
} look;

extern const look look_blocks;  // in UTF-8
extern const look look_letters; // in ASCII

#endif
