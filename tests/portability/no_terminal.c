// Match-One without a terminal, for machines without ncurses: only the demo.
#include "play.h"

#include <stdio.h>

bool play(Rules rules)
{
    (void)rules;
    fputs("match_one: there is no terminal here, only --demo\n", stderr);
    return false;
}
