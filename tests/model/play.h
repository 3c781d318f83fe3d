// Playing a game: both worlds take the same turns, and what they log is compared after each.
//
// Each game is played in a process of its own, so that a crash is a difference like any other. When there is one, the
// game is played again with turns left out, until none can be spared, and its end is printed.
#ifndef KIN_TESTS_MODEL_PLAY_H
#define KIN_TESTS_MODEL_PLAY_H

#include "side.h"

typedef struct model_game {
    const model_package *package;
    const model_mix *mix;
    uint64_t seed, operations;
    const bool *left_out; // turns; NULL: none
    uint64_t turns;       // the most that are played; 0: as many as the operations take
    uint32_t last_inner;  // the most operations inside the last turn; 0: as many as it takes
    bool show_always;
    const uint8_t *bytes; // drawn from first, for as many turns as they last; NULL: all is drawn from the seed
    size_t byte_count;
} model_game;

typedef struct model_outcome {
    uint64_t turns, operations; // taken
    bool different;
} model_outcome;

// How much is printed: nothing; the difference, if there is one; all operations too.
typedef enum model_voice { VOICE_QUIET, VOICE_DIFFERENCE, VOICE_ALL } model_voice;

// Plays in this process.
void play_here(const model_game *game, model_voice voice, volatile model_outcome *outcome);

// Plays in another process. A game that crashes or does not end is different.
model_outcome play_apart(const model_game *game, model_voice voice);

// True when the worlds could not be told apart. Otherwise has printed the shortest game that was found.
bool model_play(const model_game *game);

#endif
