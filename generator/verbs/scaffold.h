// Scaffold: `kin scaffold [-o DIR] SCHEMA`, a file for each system with the functions that the game has to write for it.
//
// A file is written once, with functions that do nothing and compile. From then on it is the user's: what is there is
// left as it is, whatever is in it and whatever the schema says by now.
#ifndef KIN_GENERATOR_VERBS_SCAFFOLD_H
#define KIN_GENERATOR_VERBS_SCAFFOLD_H

#include "base/arena.h"
#include "verbs/command.h"

// The exit status.
int scaffold_run(arena *arena, const command *command);

#endif
