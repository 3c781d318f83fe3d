// Schema reader: a schema file, and those that it includes, to the model of model/schema.h.
//
// Every fault is reported, not only the first, each at its place and with a fix. A faulty element is left out of the
// model, so that later checks do not report it again. Keys that this version does not have yet are refused.
#ifndef KIN_GENERATOR_READ_H
#define KIN_GENERATOR_READ_H

#include "base/arena.h"
#include "diagnostic/diagnostic.h"
#include "diagnostic/source.h"
#include "model/schema.h"

#include <stddef.h>

// Folders outside of the root's own from which files may be included.
typedef struct schema_folders {
    const char **paths;
    size_t count;
} schema_folders;

// What is right of the package that `root` declares; its name is NULL where the schema gives none that can be used. All
// that is wrong has been reported: the package is complete only where nothing was. check/package.h checks it as a whole.
package *schema_read(arena *arena, diagnostics *diagnostics, const source *root, const schema_folders *allowed);

#endif
