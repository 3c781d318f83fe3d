// Window: the interactive game in a window.
#ifndef MATCH_ONE_WINDOW_H
#define MATCH_ONE_WINDOW_H

#include "../player.h"

typedef struct window window;

// Returns NULL, after a message on stderr, if no window can be opened.
window *window_open(void);
void window_close(window *window);

// Plays until the player quits. Returns false, after a message on stderr, on an error.
bool window_play(window *window, player *player);

// Writes a picture of the game to a PNG file. Returns false, after a message on stderr, on an error.
bool window_save(window *window, player *player, const char *path);

#endif
