// View: the values that templates show of a package. All decisions about the generated C are made here: names, types,
// values and lists. Templates only place them.
//
// Keys describe their values: `type`, `context`, `component`, `group` are C names, with the package's prefix where they
// need it; `name_text`, `doc_text`, `unit_text` are C literals or NULL; `doc` is a list of comment lines. Each map sets
// every key that its template reads, so that no lookup falls through to the enclosing map.
#ifndef KIN_GENERATOR_VIEW_H
#define KIN_GENERATOR_VIEW_H

#include "generator/base/base.h"
#include "generator/schema/schema.h"
#include "template/value.h"

#include <stddef.h>
#include <stdint.h>

// A layout that files must agree on to be compiled together: that of the types that all contexts share, of a context or
// of the world. One header of the package defines its stamp; the files that depend on the layout compare it with the
// stamp that they were generated for.
typedef struct view_layout {
    const value *data;  // the values that are hashed
    const char *macro;  // the name of the stamp in C
    const char *header; // defines the macro
    const char *stamp;  // as C code; NULL before view_stamp
} view_layout;

typedef struct view_file {
    const char *path; // relative to the output folder
    const char *template_name;
    value *data;
    view_layout *layout; // whose stamp the file contains
} view_file;

typedef struct view {
    view_file *files;
    size_t count;
    view_layout *layouts; // of the shared types, then of each context, then of the world
} view;

// Returns the files of a package, in a fixed order.
view view_create(arena *arena, const package *package);

// Sets the stamp of each layout, a hash of the layout and `seed`, in the layout and in every file that contains it.
// Returns a hash of all inputs of the files.
//
// Docs, default values, values of blueprints and the schedule are not layout, since no file depends on those in another
// file: changing one only rewrites the files that show it; other files and their object files stay.
uint64_t view_stamp(arena *arena, view *view, uint64_t seed);

#endif
