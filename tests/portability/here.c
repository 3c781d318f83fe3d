// Plays the games of tests/model in this process: replaces tests/model/game/shrink.c on machines without other
// processes. A difference is printed, without a search for a shorter game.

#include "model/game/play.h"

// The operations of each game: few, because emulators are slow.
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
