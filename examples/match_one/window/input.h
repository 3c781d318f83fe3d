// Input: reads the player's commands from the keyboard, the mouse and the window.
#ifndef MATCH_ONE_INPUT_H
#define MATCH_ONE_INPUT_H

#include "../player.h"
#include "layout.h"

// Waits for the next command or, while anything in the scene moves, at most until the next frame is due. Other events,
// such as a window that is shown again, return an empty command: the caller then draws the window again.
command input_read(const layout *layout, bool is_moving);

#endif
