// View: draws the scene in the middle of the terminal, the board on the left and the panel on the right. A cell is two
// lines high, so falling tiles move by half cells.
#ifndef MATCH_ONE_VIEW_H
#define MATCH_ONE_VIEW_H

#include "terminal.h"

void view_draw(const terminal *terminal, scene_context *scene, Position cursor);

// Finds the cell shown at a place of the terminal. Returns false if there is none.
bool view_cell_at(scene_context *scene, int line, int column, Position *cell);

#endif
