// Screen: an X server without a screen, for the tests of what is shown in a window, and a hand on its mouse and keys.
#ifndef KIN_TESTS_SCREEN_H
#define KIN_TESTS_SCREEN_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

enum { SCREEN_WIDTH = 1200, SCREEN_HEIGHT = 900 };

// Where a window is.
typedef struct screen_window {
    int x, y, width, height;
} screen_window;

// Of the programs that it takes, the first that is not here; NULL when nothing is missing.
const char *screen_missing(void);

// Begins and ends the server, which takes a display of its own. Programs find it by the environment.
void screen_open(void);
void screen_close(void);

// Does something with xdotool, which is told by `arguments`, in words that a shell would read.
const char *screen_do(arena *arena, const char *arguments);

screen_window screen_find(arena *arena, const char *title);

// Looks at the screen until it stays as it is, and is not empty. The test fails when it does not come to rest. How often
// it was seen to change.
int screen_wait_for_rest(void);

// Of what was seen last: red, green and blue from the highest byte of three to the lowest.
uint32_t screen_pixel(int x, int y);

#endif
