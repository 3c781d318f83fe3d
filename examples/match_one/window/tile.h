// Tile: the pictures of pieces and cells, drawn from shapes in any size with smooth edges.
#ifndef MATCH_ONE_TILE_H
#define MATCH_ONE_TILE_H

#include "match_one/match_one.h"

// The tile of a piece has the number of its kind; these follow.
enum { TILE_HOLE = KIND_BLOCKER + 1, TILE_CURSOR, TILE_COUNT };

// Writes size * size pixels: red, green, blue and opacity, from the lowest byte.
void tile_paint(int tile, int size, uint32_t *pixels);

#endif
