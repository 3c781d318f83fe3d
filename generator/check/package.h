// Package: reads and checks a schema. Every verb starts here.
#ifndef KIN_GENERATOR_CHECK_PACKAGE_H
#define KIN_GENERATOR_CHECK_PACKAGE_H

#include "generator/base/base.h"
#include "generator/schema/schema.h"
#include "generator/source/source.h"
#include "read/read.h"

// Returns the package that `root` declares, or NULL after reporting errors. Included files must be in the root's
// folder.
package *package_read(arena *arena, diagnostics *diagnostics, const source *root);

// The same, but also allows included files from `allowed` folders.
package *package_read_from(arena *arena, diagnostics *diagnostics, const source *root, const schema_folders *allowed);

#endif
