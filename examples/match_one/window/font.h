// Font: capital letters, digits and a few signs, of 5 by 7 dots.
#ifndef MATCH_ONE_FONT_H
#define MATCH_ONE_FONT_H

#include <stdbool.h>

enum { GLYPH_WIDTH = 5, GLYPH_HEIGHT = 7, GLYPH_ADVANCE = 6 };

// Returns whether a letter has a dot in column x, row y, counted from the upper left. Missing letters have none.
bool font_has_dot(char letter, int x, int y);

#endif
