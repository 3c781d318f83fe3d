// Match-One without a terminal, where there is no ncurses: the demo alone.
#include "play.h"

#include <stdio.h>

bool play(Rules rules)
{
    (void)rules;
    fputs("match_one: there is no terminal here, only --demo\n", stderr);
    return false;
}
