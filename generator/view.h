// View: what the templates see of a package. All decisions about the generated C are made here: names, types, values,
// which lists there are; the templates only put them in place.
//
// Keys of a map say what they hold: `type`, `context`, `component`, `group` are C names with the package's prefix
// where they need it, `name_text`, `doc_text`, `unit_text` are C literals or NULL, `doc` is a list of comment lines.
// Each map sets every key that its template reads, so that nothing is taken from the map around it by mistake.
#ifndef KIN_GENERATOR_VIEW_H
#define KIN_GENERATOR_VIEW_H

#include "arena.h"
#include "schema.h"
#include "value.h"

#include <stddef.h>

typedef struct view_file {
    const char *path; // below the output directory
    const char *template_name;
    const value *data;
} view_file;

typedef struct view {
    view_file *files;
    size_t count;
} view;

// The files of a package, in a fixed order.
view view_create(arena *arena, const package *package);

#endif
