// Scaffold: `kin scaffold [-o DIR] SCHEMA`, stub files for systems and functions of indices; `kin scaffold --check
// SCHEMA FILE...` lists the functions that the files do not define.
//
// A file is written once, with empty functions that compile. After that it belongs to the user: an existing file is
// never changed, whatever it or the schema contains.
#ifndef KIN_GENERATOR_VERBS_SCAFFOLD_H
#define KIN_GENERATOR_VERBS_SCAFFOLD_H

#include "generator/base/base.h"
#include "verbs/command.h"

// Returns the exit status.
int scaffold_run(arena *arena, const command *command);

#endif
