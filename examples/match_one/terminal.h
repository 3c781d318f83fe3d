// Terminal: takes hold of it by ncurses, and gives it back as it was: at the end, and by ncurses' own handlers also when
// the program is interrupted, terminated or stopped for a while.
#ifndef MATCH_ONE_TERMINAL_H
#define MATCH_ONE_TERMINAL_H

#include "look.h"

typedef struct terminal terminal;

// NULL, with a sentence on stderr, when there is none or it cannot show the game.
terminal *terminal_open(void);
void terminal_close(terminal *terminal);

// What pieces look like on it.
const look *terminal_look(const terminal *terminal);

// The attributes to write with: for a piece, there where the cursor is or not, for the board behind, and the cursor.
int terminal_kind(const terminal *terminal, Kind kind, bool is_chosen);
int terminal_board(const terminal *terminal);
int terminal_cursor(const terminal *terminal);

#endif
