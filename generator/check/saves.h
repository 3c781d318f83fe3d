// Saves: under which names they have what a schema declares, as far as the schema alone shows it.
#ifndef KIN_GENERATOR_CHECK_SAVES_H
#define KIN_GENERATOR_CHECK_SAVES_H

#include "generator/schema/schema.h"
#include "generator/source/source.h"

// Reports things that saves could not tell apart, and entries of `removed` that name what is there. Sets the identities
// of these entries.
void saves_check(arena *arena, diagnostics *diagnostics, package *package);

// Returns the path of a thing with the names that saves have, for one with names of the schema or of saves. Names
// behind one that the schema does not know stay as they are. Sets `is_there` to whether the schema declares the thing.
const char *saves_identity(arena *arena, const package *package, const char *path, bool *is_there);

#endif
