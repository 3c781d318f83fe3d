// Breaking: `kin breaking`, which tells what saves of one version of a package lose in another.
#ifndef KIN_GENERATOR_VERBS_BREAKING_H
#define KIN_GENERATOR_VERBS_BREAKING_H

#include "generator/base/base.h"
#include "verbs/command.h"

// Prints every loss, and a summary. Returns the exit status.
int breaking_run(arena *arena, const command *command);

#endif
