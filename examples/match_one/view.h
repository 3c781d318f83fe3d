// View: draws the scene, the board on the left and its panel on the right, in the middle of the terminal. As a cell is
// two lines high, what falls is seen to move by half cells.
#ifndef MATCH_ONE_VIEW_H
#define MATCH_ONE_VIEW_H

#include "terminal.h"

void view_draw(const terminal *terminal, scene_context *scene, Position cursor);

// The cell that is shown there. False when there is none.
bool view_cell_at(scene_context *scene, int line, int column, Position *cell);

#endif
