// Scene events: the listeners that update the scene. They are called at the end of a frame, after the rules.
#ifndef MATCH_ONE_SCENE_EVENTS_H
#define MATCH_ONE_SCENE_EVENTS_H

#include "match_one/match_one.h"

// Adds listeners that update the panel: the board's size, the score and the burst mode. The panel must exist.
void listen_to_game(match_one_contexts *contexts);

// Adds listeners that let the sprite of the piece fall and fade. The sprite must exist.
void listen_to_piece(match_one_contexts *contexts, game_entity piece);

#endif
