// Init: `kin init`, a small project that builds and runs at once.
//
// The files are rendered from templates/init/. All are written or none: an existing file stops the run before the first
// one is written, and if a file cannot be written, those before it are removed. An existing .gitignore is kept.
#ifndef KIN_GENERATOR_VERBS_INIT_H
#define KIN_GENERATOR_VERBS_INIT_H

#include "generator/base/base.h"
#include "verbs/command.h"

// Prints the created files or the errors. Returns the exit status.
int init_run(arena *arena, const command *command);

// Returns the package name for a folder: its name in snake_case, with "my_" before it if that is not a valid package
// name, or "my_game" if neither is.
const char *init_package_name(arena *arena, const char *folder);

#endif
