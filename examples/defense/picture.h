// The field as characters with colours, drawn by the system Show.
#ifndef PICTURE_H
#define PICTURE_H

#include "level.h"

enum { DIM = 8, MARK = 16 }; // added to a colour from 0 to 7

typedef struct picture {
    char signs[ROWS][COLUMNS + 1]; // each row is a string
    uint8_t colours[ROWS][COLUMNS];
} picture;

// Writes how the game stands, in one line.
void picture_write_state(game_context *game, char *text, size_t size);

// Shows a picture with a cursor in the terminal, and lines of text below it.
void picture_show(const picture *picture, Position cursor, const char *state, const char *help, const char *said);

#endif
