// Scaffold check: `kin scaffold --check SCHEMA FILE...`, the functions of systems that no file defines.
#ifndef KIN_GENERATOR_VERBS_SCAFFOLD_CHECK_H
#define KIN_GENERATOR_VERBS_SCAFFOLD_CHECK_H

#include "generator/base/base.h"
#include "generator/source/source.h"

#include <stddef.h>

// Prints the signature of each function that `stubs` define and none of the files does. Returns the exit status:
// STATUS_SCHEMA if a function is missing, STATUS_SYSTEM after reporting a file that cannot be read.
int scaffold_check(arena *arena, diagnostics *diagnostics, const char *const *paths, const text *stubs,
                   size_t stub_count);

#endif
