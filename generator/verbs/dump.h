// Dump: `kin dump`, which prints a save as lines of JSON.
#ifndef KIN_GENERATOR_VERBS_DUMP_H
#define KIN_GENERATOR_VERBS_DUMP_H

#include "generator/base/base.h"
#include "verbs/command.h"

// Returns the exit status.
int dump_run(arena *arena, const command *command);

#endif
