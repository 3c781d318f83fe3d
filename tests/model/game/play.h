// Playing a game: both worlds take the same turns, and their logs are compared after each.
//
// Each game is played in a process of its own, so that a crash is a difference like any other. If the worlds differ,
// the game is played again with turns left out, until each one left is needed, and its end is printed.
#ifndef KIN_TESTS_MODEL_PLAY_H
#define KIN_TESTS_MODEL_PLAY_H

#include "side.h"

typedef struct model_game {
    const model_package *package;
    const model_mix *mix;
    uint64_t seed, operations;
    uint32_t moment_percent; // the share of operations that concern snapshots
    const char *suite;       // that plays it
    const bool *left_out;    // turns to leave out; NULL: none
    uint64_t turns;          // the maximum of turns; 0: as many as the operations need
    uint32_t last_inner;     // the maximum of operations inside the last turn; 0: no limit
    bool show_always;
    const uint8_t *bytes; // the first source of random choices; NULL or used up: the seed
    size_t byte_count;
} model_game;

typedef struct model_outcome {
    uint64_t turns, operations; // performed
    bool different;
} model_outcome;

// The amount of output: nothing; a difference, if there is one; also all operations.
typedef enum model_voice { VOICE_QUIET, VOICE_DIFFERENCE, VOICE_ALL } model_voice;

// Plays in this process.
void play_here(const model_game *game, model_voice voice, volatile model_outcome *outcome);

// Plays in another process. A game that crashes or does not end counts as different.
model_outcome play_apart(const model_game *game, model_voice voice);

// True if the worlds did not differ. Otherwise it has printed the shortest failing game that was found.
bool model_play(const model_game *game);

#endif
