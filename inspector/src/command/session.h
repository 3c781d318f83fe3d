// Session: a command line, and the game that it is about.
#ifndef KIN_INSPECT_SESSION_H
#define KIN_INSPECT_SESSION_H

#include "command/arguments.h"
#include "command/game.h"

typedef struct session {
    const arguments *arguments;
    game game;
} session;

#endif
