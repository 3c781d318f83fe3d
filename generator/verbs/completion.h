// Completion: `kin completion`, a script by which a shell completes the command line of kin.
//
// The scripts are rendered from templates/completion/ with the tables of verbs and flags.
#ifndef KIN_GENERATOR_VERBS_COMPLETION_H
#define KIN_GENERATOR_VERBS_COMPLETION_H

#include "generator/base/base.h"
#include "verbs/command.h"

// Prints the script for the shell of the command. Returns the exit status.
int completion_run(arena *arena, const command *command);

#endif
