// What is given up: by the schema, and by locks.
#ifndef KIN_GENERATOR_EVOLVE_REMOVED_H
#define KIN_GENERATOR_EVOLVE_REMOVED_H

#include "evolve/private/run.h"

// Fills `removed` with what the schema, or the newer lock, gives up.
void removed_list(run *run);

// Reports entries of `removed` that no save has. Without a lock, adds them to that of the evolution.
void removed_check(run *run);

// Appends to the removals of the package what the lock has given up.
void removed_remember(arena *arena, package *package, const lock *lock);

#endif
