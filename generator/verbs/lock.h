// Lock: `kin lock`, which writes down what saves may have from now on.
//
// The lock is written as a whole or not at all. It is only ever extended: a run that would lose something fails.
#ifndef KIN_GENERATOR_VERBS_LOCK_H
#define KIN_GENERATOR_VERBS_LOCK_H

#include "generator/base/base.h"
#include "verbs/command.h"

// Prints a summary or the errors. Returns the exit status.
int lock_run(arena *arena, const command *command);

#endif
