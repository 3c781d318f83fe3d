// Scene events: the listeners by which the scene is told of the game. They are called at the end of a frame, when all
// rules have run.
#ifndef MATCH_ONE_SCENE_EVENTS_H
#define MATCH_ONE_SCENE_EVENTS_H

#include "match_one/match_one.h"

// Keeps the scene's panel, which is there already: the board's size, the score and the burst mode.
void hear_of_game(match_one_contexts *contexts);

// Keeps the piece's sprite, which is there already: where it falls to, and that it fades.
void hear_of_piece(match_one_contexts *contexts, game_entity piece);

#endif
