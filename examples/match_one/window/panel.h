// Panel: draws the score, the mode and the help beside the board.
#ifndef MATCH_ONE_PANEL_H
#define MATCH_ONE_PANEL_H

#include "layout.h"

#include <SDL.h>

void panel_draw(SDL_Renderer *renderer, const layout *layout, const Panel *panel);

#endif
