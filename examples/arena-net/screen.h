// What a player sees, as characters.
#ifndef SCREEN_H
#define SCREEN_H

#include "square.h"

enum { SCREEN_COLUMNS = 3 * ZONE_COLUMNS, SCREEN_ROWS = 3 * ZONE_ROWS };

typedef struct screen {
    char signs[SCREEN_ROWS][SCREEN_COLUMNS + 1]; // each row is a string
    char state[128];
} screen;

// Draws the zones around the player of a peer: the own player where it is predicted to be, all else blended by the
// clock. Without a session, as the last state has it.
void screen_draw(screen *screen, plaza_world *world, const kin_session *session, uint32_t peer);

// Shows it in the terminal, above a line.
void screen_show(const screen *screen, const char *said);

#endif
