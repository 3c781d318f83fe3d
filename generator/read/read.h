// Schema reader: a schema file, and those that it includes, to the model of model/schema.h.
//
// Every fault is reported, not only the first, each at its place with what to write instead; what is wrong is left out
// of the model that the later checks see, so that one fault is told once. Keys of the language that this version does
// not have yet are refused where they stand.
#ifndef KIN_GENERATOR_READ_H
#define KIN_GENERATOR_READ_H

#include "base/arena.h"
#include "diagnostic/diagnostic.h"
#include "diagnostic/source.h"
#include "model/schema.h"

#include <stddef.h>

// The package that `root` declares; NULL when anything is wrong with it, all of which has been reported.
package *schema_read(arena *arena, diagnostics *diagnostics, const source *root);

// Folders outside of the root's own from which files may be included.
typedef struct schema_folders {
    const char **paths;
    size_t count;
} schema_folders;

package *schema_read_from(arena *arena, diagnostics *diagnostics, const source *root, const schema_folders *allowed);

#endif
