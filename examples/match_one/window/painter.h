// Painter: draws the scene into a window.
#ifndef MATCH_ONE_PAINTER_H
#define MATCH_ONE_PAINTER_H

#include "layout.h"
#include "tile.h"

#include <SDL.h>

// What it draws with: pictures of tiles in the size of the last cells. All zero at first.
typedef struct painter {
    SDL_Renderer *renderer;
    SDL_Texture *tiles[TILE_COUNT];
    int size;
} painter;

// Draws all of it. False, with SDL's error, when there is no room for the tiles.
bool painter_draw(painter *painter, scene_context *scene, Position cursor);

// Gives the pictures back; the renderer is not the painter's.
void painter_release(painter *painter);

// Where things are now.
layout painter_layout(const painter *painter, scene_context *scene);

#endif
