// Game: games that run, found by the files that their inspectors wrote.
#ifndef KIN_INSPECT_GAME_H
#define KIN_INSPECT_GAME_H

#include "command/arguments.h"

#include <stddef.h>

enum { MOST_GAMES = 64 };

typedef struct game {
    long pid; // 0: not known
    char name[64];
    char url[256]; // without the token
    char token[129];
    bool is_read_only;
} game;

// Finds the games of this user that run. Files of others are passed over, those of processes that have ended removed.
size_t games_find(game *games, size_t capacity);

// Says that no game was found, or why none can be.
void games_say_none(void);

// Chooses the game of the command line, or the only one. Returns false, and says why, when there is none.
bool game_choose(const arguments *arguments, game *chosen);

#endif
