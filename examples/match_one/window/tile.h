// Tile: the pictures of pieces and cells. They are made of shapes, in any size, with smooth edges.
#ifndef MATCH_ONE_TILE_H
#define MATCH_ONE_TILE_H

#include "match_one/match_one.h"

// Those of pieces have the numbers of their kinds.
enum { TILE_HOLE = KIND_BLOCKER + 1, TILE_CURSOR, TILE_COUNT };

// Writes size * size pixels: from the lowest byte red, green, blue and how opaque it is.
void tile_paint(int tile, int size, uint32_t *pixels);

#endif
