// Package: from the source of a schema to a package that is read and checked. All verbs begin here.
#ifndef KIN_GENERATOR_CHECK_PACKAGE_H
#define KIN_GENERATOR_CHECK_PACKAGE_H

#include "base/arena.h"
#include "diagnostic/diagnostic.h"
#include "diagnostic/source.h"
#include "model/schema.h"
#include "read/read.h"

// The package that `root` declares; NULL when anything is wrong with it, all of which has been reported. It includes no
// files outside of its own folder.
package *package_read(arena *arena, diagnostics *diagnostics, const source *root);

// The same, where files of the allowed folders may be included too.
package *package_read_from(arena *arena, diagnostics *diagnostics, const source *root, const schema_folders *allowed);

#endif
