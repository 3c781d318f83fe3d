// Font: capital letters, digits and a few signs, of 5 by 7 dots.
#ifndef MATCH_ONE_FONT_H
#define MATCH_ONE_FONT_H

#include <stdbool.h>

enum { GLYPH_WIDTH = 5, GLYPH_HEIGHT = 7, GLYPH_ADVANCE = 6 };

// Whether there is a dot, x to the right and y below the upper left one. What the font does not have is blank.
bool font_has_dot(char letter, int x, int y);

#endif
