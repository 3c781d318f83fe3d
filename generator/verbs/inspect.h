// Inspect: `kin inspect …`, which runs kin-inspect from beside kin. It is a program of its own, so that kin needs no
// library for it.
#ifndef KIN_VERBS_INSPECT_H
#define KIN_VERBS_INSPECT_H

#include <stdbool.h>

// Returns whether the command line is one for kin-inspect.
bool inspect_is_asked(int count, char **arguments);

// Runs kin-inspect with the arguments that follow `inspect`. Returns a status only if that fails.
int inspect_run(char **arguments);

#endif
