// Schema reader: reads a schema file and the files that it includes into the model of schema/schema.h.
//
// Every error is reported with its place and a fix, not only the first. Invalid elements are left out of the model so
// that later checks do not report them again. Unknown keys are errors.
#ifndef KIN_GENERATOR_READ_H
#define KIN_GENERATOR_READ_H

#include "generator/base/base.h"
#include "generator/schema/schema.h"
#include "generator/source/source.h"

#include <stddef.h>

// Folders, besides the root schema's own, from which files may be included.
typedef struct schema_folders {
    const char **paths;
    size_t count;
} schema_folders;

// Returns the valid parts of the package; its `name` is NULL if the schema has no valid one. The package is complete
// only if no error was reported. check/package.h checks it as a whole.
package *schema_read(arena *arena, diagnostics *diagnostics, const source *root, const schema_folders *allowed);

#endif
