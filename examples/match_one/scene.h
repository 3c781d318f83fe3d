// Scene: the picture of the game, updated by generated events and by the systems of the node `scene`. It does not
// depend on a screen: a view draws the tiles of the scene's context and the panel.
#ifndef MATCH_ONE_SCENE_H
#define MATCH_ONE_SCENE_H

#include "match_one/match_one.h"

// Returns whether anything still falls or fades, so that the next frame differs.
bool is_scene_moving(scene_context *scene);

#endif
