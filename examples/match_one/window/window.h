// Window: the game for people, in a window.
#ifndef MATCH_ONE_WINDOW_H
#define MATCH_ONE_WINDOW_H

#include "../player.h"

typedef struct window window;

// NULL, with a sentence on stderr, when there is nowhere to show it.
window *window_open(void);
void window_close(window *window);

// Until the player has had enough. False, with a sentence on stderr, when it cannot go on.
bool window_play(window *window, player *player);

// Writes what is to be seen of the game now to a file, as PNG. False, with a sentence on stderr, when it cannot.
bool window_save(window *window, player *player, const char *path);

#endif
