// Layout: the places of the board and the panel in the window, in pixels. The board is as large as possible, with the
// panel on its right; both are centred.
#ifndef MATCH_ONE_LAYOUT_H
#define MATCH_ONE_LAYOUT_H

#include "match_one/match_one.h"

typedef struct place {
    int x, y;
} place;

typedef struct size {
    int width, height;
} size;

typedef struct layout {
    place board; // its upper left corner
    place panel;
    place score; // of the first digit
    int cell;    // the width and height of a cell
    int columns, rows;
    int dot; // the size of a dot of the panel's font; the score's dots are DOTS_OF_SCORE times as large
} layout;

enum { DOTS_OF_SCORE = 3 };

// Returns the layout of a window of this size.
layout layout_of(size window, const Panel *panel);

// Returns the upper left corner of a cell; `height` is in rows above the lowest.
place layout_cell(const layout *layout, int32_t column, float height);

// Finds the cell shown at a place of the window. Returns false if there is none.
bool layout_cell_at(const layout *layout, place at, Position *cell);

#endif
