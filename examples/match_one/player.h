// Player: a game and somebody who plays it, whatever they see it on. Who shows the game turns keys and mouse into commands,
// and draws the scene with the cursor after each frame.
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

// A new game, in place of the one before; match_one_world_destroy ends the last one. False when out of memory.
bool player_begin(player *player, Rules rules);

// What the next frame carries out. After a quit there is none.
void player_act(player *player, command command);

// One frame: as much time as has passed since the last.
void player_update(player *player);

#endif
