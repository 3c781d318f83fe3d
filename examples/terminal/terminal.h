// The terminal of games that show characters: another screen, and keys. It needs nothing but the escape sequences that
// all of them know.
#ifndef TERMINAL_H
#define TERMINAL_H

#include <stdbool.h>

enum { KEY_NONE, KEY_UP = 256, KEY_DOWN, KEY_LEFT, KEY_RIGHT, KEY_END };

// Shows another screen, without a cursor. False if this is no terminal.
bool terminal_open(void);
void terminal_close(void);

// Returns the seconds since some time.
double terminal_seconds(void);

// Waits for a key until a time. KEY_NONE: none came; KEY_END: the input has ended, or a signal asks to end.
int terminal_read(double until);

#endif
