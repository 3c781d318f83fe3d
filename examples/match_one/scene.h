// Scene: what is shown of the game, kept up by generated events and by the systems of the node `scene`. It knows no
// screen either: whoever draws it goes over the tiles of the scene's context and reads its panel.
#ifndef MATCH_ONE_SCENE_H
#define MATCH_ONE_SCENE_H

#include "match_one/match_one.h"

// Whether anything is still falling or fading, so that the next frame will look different.
bool is_scene_moving(scene_context *scene);

#endif
