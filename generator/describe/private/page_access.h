// The part of kin doc that says which systems read, write and change what.
#ifndef KIN_GENERATOR_DESCRIBE_PAGE_ACCESS_H
#define KIN_GENERATOR_DESCRIBE_PAGE_ACCESS_H

#include "generator/render/render.h"
#include "generator/schema/schema.h"

// Returns a list of maps for components that systems use: name, read, written, changed (systems as code).
value *page_accesses(arena *arena, const package *package);

// Returns a list of maps for what parallel systems do besides: what ("spawns `Spark`"), systems.
value *page_uses(arena *arena, const package *package);

#endif
