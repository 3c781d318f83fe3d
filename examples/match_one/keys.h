// Keys: what the player wants, from the keyboard or the mouse.
#ifndef MATCH_ONE_KEYS_H
#define MATCH_ONE_KEYS_H

#include "match_one/match_one.h"

typedef enum action {
    ACTION_NONE,
    ACTION_MOVE, // the cursor, by x and y
    ACTION_TAKE,
    ACTION_POINT, // at the cell x, y, and take
    ACTION_BURST,
    ACTION_RESIZE, // the board, by x and y
    ACTION_RESTART,
    ACTION_QUIT,
} action;

typedef struct command {
    action action;
    int32_t x, y;
} command;

// Waits for the next command, or, when something on the scene is moving, only until the next frame is due.
command keys_read(scene_context *scene, bool is_moving);

#endif
