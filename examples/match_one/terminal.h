// Terminal: opens the terminal by ncurses and restores it at the end. When the program is interrupted, terminated or
// stopped, ncurses' own signal handlers restore it.
#ifndef MATCH_ONE_TERMINAL_H
#define MATCH_ONE_TERMINAL_H

#include "look.h"

typedef struct terminal terminal;

// Returns NULL, after a message on stderr, if there is no terminal or it cannot show the game.
terminal *terminal_open(void);
void terminal_close(terminal *terminal);

// Returns the characters to draw with on this terminal.
const look *terminal_look(const terminal *terminal);

// Return ncurses attributes: of a piece, with or without the cursor on it, of the board's background, of the cursor.
int terminal_kind(const terminal *terminal, Kind kind, bool is_chosen);
int terminal_board(const terminal *terminal);
int terminal_cursor(const terminal *terminal);

#endif
