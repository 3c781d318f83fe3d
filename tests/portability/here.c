// Plays the games of tests/model in this process: the same as tests/model/shrink.c, where there is no other process. A
// difference is printed and not made shorter.

#include "model/play.h"

// Of each game: in emulators each takes long.
enum { OPERATIONS = 2000 };

bool model_play(const model_game *game)
{
    model_game shorter = *game;
    if (shorter.operations > OPERATIONS)
        shorter.operations = OPERATIONS;
    model_outcome outcome = {0};
    play_here(&shorter, VOICE_DIFFERENCE, &outcome);
    return !outcome.different;
}
