// Completion: `kin completion`, a script by which a shell completes the command line of kin.
//
// The scripts are the templates of templates/completion/ over the verbs and their flags, so that they know all of them.
#ifndef KIN_GENERATOR_VERBS_COMPLETION_H
#define KIN_GENERATOR_VERBS_COMPLETION_H

#include "base/arena.h"
#include "verbs/command.h"

// Prints the script for the shell that the command names. The exit status.
int completion_run(arena *arena, const command *command);

#endif
