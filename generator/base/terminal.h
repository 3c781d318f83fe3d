// Terminal: whether what is printed may be coloured.
#ifndef KIN_GENERATOR_BASE_TERMINAL_H
#define KIN_GENERATOR_BASE_TERMINAL_H

#include <stdbool.h>

// Whether the descriptor is a terminal that knows colours, and nobody asks for none: NO_COLOR is not set, or empty.
bool terminal_has_colours(int descriptor);

#endif
