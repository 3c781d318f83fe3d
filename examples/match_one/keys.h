// Keys: reads the player's commands from the keyboard and the mouse.
#ifndef MATCH_ONE_KEYS_H
#define MATCH_ONE_KEYS_H

#include "player.h"

// Waits for the next command or, while anything in the scene moves, at most until the next frame is due.
command keys_read(scene_context *scene, bool is_moving);

#endif
