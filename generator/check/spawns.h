// Spawns: blueprints whose entities exclude each other, so that no call can ever spawn them.
#ifndef KIN_GENERATOR_CHECK_SPAWNS_H
#define KIN_GENERATOR_CHECK_SPAWNS_H

#include "generator/schema/schema.h"
#include "generator/source/source.h"

// Reports two entities of one blueprint that have one unique component, or equal keys in a primary index. A spawn gives
// the keys of children no other values. Keys from functions are unknown here. Expects a package without errors.
void spawns_check(arena *arena, diagnostics *diagnostics, const package *package);

#endif
