// Pack: `kin pack`, which makes a save from lines of JSON.
#ifndef KIN_GENERATOR_VERBS_PACK_H
#define KIN_GENERATOR_VERBS_PACK_H

#include "generator/base/base.h"
#include "verbs/command.h"

// Returns the exit status.
int pack_run(arena *arena, const command *command);

#endif
