// Keys: what the player wants, from the keyboard or the mouse.
#ifndef MATCH_ONE_KEYS_H
#define MATCH_ONE_KEYS_H

#include "player.h"

// Waits for the next command, or, when something on the scene is moving, only until the next frame is due.
command keys_read(scene_context *scene, bool is_moving);

#endif
