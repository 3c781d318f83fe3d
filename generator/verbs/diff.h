// Diff: `kin diff`, which lists what differs between two saves.
#ifndef KIN_GENERATOR_VERBS_DIFF_H
#define KIN_GENERATOR_VERBS_DIFF_H

#include "generator/base/base.h"
#include "verbs/command.h"

// Returns the exit status.
int diff_run(arena *arena, const command *command);

#endif
