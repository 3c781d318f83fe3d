// Screen: an X server with a virtual screen, for the tests of windows, with control of its mouse and keys.
#ifndef KIN_TESTS_SCREEN_H
#define KIN_TESTS_SCREEN_H

#include "generator/base/base.h"

#include <stdbool.h>
#include <stdint.h>

enum { SCREEN_WIDTH = 1200, SCREEN_HEIGHT = 900 };

// The place of a window.
typedef struct screen_window {
    int x, y, width, height;
} screen_window;

// Returns the name of a needed program that is not installed; NULL if all are.
const char *screen_missing(void);

// Starts and stops the server, which chooses a free display. Programs find it by the variable DISPLAY.
void screen_open(void);
void screen_close(void);

// Runs xdotool with `arguments`, in the syntax of a shell.
const char *screen_do(arena *arena, const char *arguments);

screen_window screen_find(arena *arena, const char *title);

// Reads the screen until it stops changing and is not empty; fails the test if it does not. Returns how many changes it
// has seen.
int screen_wait_for_rest(void);

// Returns a pixel as it was read last, as 0xRRGGBB.
uint32_t screen_pixel(int x, int y);

#endif
