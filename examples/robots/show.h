// Robots and tools as text.
#ifndef ROBOTS_SHOW_H
#define ROBOTS_SHOW_H

#include <robots/robots.h>

// Prints all robots with their parts and the tools that these hold, then the tools on the floor.
void show(game_context *game);

#endif
