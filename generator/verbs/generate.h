// Generate: `kin generate`, from a schema to its outputs.
#ifndef KIN_GENERATOR_VERBS_GENERATE_H
#define KIN_GENERATOR_VERBS_GENERATE_H

#include "generator/base/base.h"
#include "verbs/command.h"

// Prints the report and the errors. Returns the exit status.
int generate_run(arena *arena, const command *command);

#endif
