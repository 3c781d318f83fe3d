// Layout: where in the window things are, in pixels. The board is as large as there is room for, with the panel on its
// right; both are in the middle of the window.
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
    int cell;    // how wide and high a cell is
    int columns, rows;
    int dot; // of the font in the panel; the score's are DOTS_OF_SCORE as large
} layout;

enum { DOTS_OF_SCORE = 3 };

// Of a window of this size.
layout layout_of(size window, const Panel *panel);

// The upper left corner of a cell; `height` is in rows above the lowest.
place layout_cell(const layout *layout, int32_t column, float height);

// The cell that is shown there. False when there is none.
bool layout_cell_at(const layout *layout, place at, Position *cell);

#endif
