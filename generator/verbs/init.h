// Init: `kin init`, a small project that builds and runs at once.
//
// Its files are the templates of templates/init/. All are written or none: what is there already stops the run before
// the first one, and when one of them cannot be written those before it are removed. A .gitignore that is there
// already is left as it is.
#ifndef KIN_GENERATOR_VERBS_INIT_H
#define KIN_GENERATOR_VERBS_INIT_H

#include "base/arena.h"
#include "verbs/command.h"

// Writes what there is to tell to the standard streams. The exit status.
int init_run(arena *arena, const command *command);

// The package of a folder with that name: the name in snake_case, "my_" before it where it cannot be the name of the
// package as it is; "my_game" where nothing of it can.
const char *init_package_name(arena *arena, const char *folder);

#endif
