// Removed paths: those of the schema, and those of locks.
#ifndef KIN_GENERATOR_EVOLVE_REMOVED_H
#define KIN_GENERATOR_EVOLVE_REMOVED_H

#include "evolve/private/run.h"

// Fills `removed` with the removed paths of the schema, or of the newer lock.
void removed_list(run *run);

// Reports entries of `removed` that no save has. Without a lock, adds them to the lock of the evolution.
void removed_check(run *run);

// Appends the removed paths of the lock to the removals of the package.
void removed_remember(arena *arena, package *package, const lock *lock);

#endif
