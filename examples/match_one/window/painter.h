// Painter: draws the scene into a window.
#ifndef MATCH_ONE_PAINTER_H
#define MATCH_ONE_PAINTER_H

#include "layout.h"
#include "tile.h"

#include <SDL.h>

// The renderer and the pictures of tiles, in the last size of cells. Zero-initialized.
typedef struct painter {
    SDL_Renderer *renderer;
    SDL_Texture *tiles[TILE_COUNT];
    int size;
} painter;

// Draws the scene. Returns false, with SDL's error set, if the tiles cannot be created.
bool painter_draw(painter *painter, scene_context *scene, Position cursor);

// Destroys the pictures; the painter does not own the renderer.
void painter_release(painter *painter);

// Returns the current layout.
layout painter_layout(const painter *painter, scene_context *scene);

#endif
