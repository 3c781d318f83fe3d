// View: what the templates see of a package. All decisions about the generated C are made here: names, types, values,
// which lists there are; the templates only put them in place.
//
// Keys of a map say what they hold: `type`, `context`, `component`, `group` are C names with the package's prefix
// where they need it, `name_text`, `doc_text`, `unit_text` are C literals or NULL, `doc` is a list of comment lines.
// Each map sets every key that its template reads, so that nothing is taken from the map around it by mistake.
#ifndef KIN_GENERATOR_VIEW_H
#define KIN_GENERATOR_VIEW_H

#include "base/arena.h"
#include "model/schema.h"
#include "template/value.h"

#include <stddef.h>
#include <stdint.h>

typedef struct view_file {
    const char *path; // in the package's folder
    const char *template_name;
    value *data;
} view_file;

typedef struct view {
    view_file *files;
    size_t count;
    const char *stamp; // as it stands in C; NULL until it has been made
} view;

// The files of a package, in a fixed order.
view view_create(arena *arena, const package *package);

// Gives the view and every file its `stamp`, by which a compiler finds out that two files of a package are not of one set: a number
// that stands for all that the templates see of the package, but its docs and units, and for `seed`.
//
// Docs are left out since nothing in one file depends on those in another: to change one changes the files that show
// it, and leaves the others, and what was compiled from them, alone. What is returned stands for the docs too, and so
// for all that the files are made from.
uint64_t view_stamp(arena *arena, view *view, uint64_t seed);

#endif
