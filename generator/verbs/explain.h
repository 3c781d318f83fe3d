// Explain: what the codes of diagnostics mean, for `kin explain`.
//
// Each code has a title (source/codes.h) and a text in source/explanations/, which is compiled into the
// program: the fault, the reason, the fix, and an example.
#ifndef KIN_GENERATOR_VERBS_EXPLAIN_H
#define KIN_GENERATOR_VERBS_EXPLAIN_H

#include "verbs/command.h"

// Prints the explanation of the code, or all codes with their titles if none is given. Returns the exit status.
int explain_run(arena *arena, const command *command);

#endif
