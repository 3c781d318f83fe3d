// Player: a game with its cursor, independent of the screen. The terminal or window turns keys and the mouse into
// commands and draws the scene and the cursor after each frame.
#ifndef MATCH_ONE_PLAYER_H
#define MATCH_ONE_PLAYER_H

#include "match_one/match_one.h"

typedef enum action {
    ACTION_NONE,
    ACTION_MOVE,  // the cursor, by x and y
    ACTION_TAKE,  // what is under the cursor
    ACTION_AIM,   // the cursor at the cell x, y
    ACTION_POINT, // the same, and take
    ACTION_BURST,
    ACTION_RESIZE, // the board, by x and y
    ACTION_RESTART,
    ACTION_QUIT,
} action;

typedef struct command {
    action action;
    int32_t x, y;
} command;

typedef struct player {
    match_one_world *world;
    Position cursor;
    uint64_t seed; // of the next game
    double time;   // of the last frame, in seconds
    bool quits;
} player;

// Replaces the game by a new one. The caller destroys the last game by match_one_world_destroy. Returns false when out
// of memory.
bool player_begin(player *player, Rules rules);

// Applies a command, which takes effect in the next frame. After a quit there is no next frame.
void player_act(player *player, command command);

// Runs a frame for the time that passed since the last one.
void player_update(player *player);

#endif
