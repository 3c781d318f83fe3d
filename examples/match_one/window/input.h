// Input: what the player wants, from the keyboard, the mouse and the window itself.
#ifndef MATCH_ONE_INPUT_H
#define MATCH_ONE_INPUT_H

#include "../player.h"
#include "layout.h"

// Waits for the next command, or, when something on the scene is moving, only until the next frame is due. What is
// neither, like a window that is shown again, is no command, but a reason to draw.
command input_read(const layout *layout, bool is_moving);

#endif
