// Template set: the templates that a run renders with, those of the program and, in their stead, those of a folder.
//
// A file NAME.mustache of the folder takes the place of the built-in NAME. Other names are for parts of these files
// that they include; one that nothing includes is a mistake, and most likely a misspelling.
#ifndef KIN_GENERATOR_TEMPLATE_SET_H
#define KIN_GENERATOR_TEMPLATE_SET_H

#include "base/arena.h"
#include "diagnostic/source.h"
#include "template/mustache.h"

#include <stddef.h>
#include <stdint.h>

typedef struct template_set {
    mustache_library library;
    const source **sources;  // of the library's templates, index by index: NULL for those of the program
    const char **read_paths; // of those that were read
    size_t read_count;
} template_set;

// Those of the program where `directory` is NULL. The exit status: 0; 1 when a template is wrong; 3 when one cannot be
// read, which has been reported.
int template_set_load(diagnostics *diagnostics, const char *directory, template_set *set);

// Reports what is wrong with a template of the set, at its place.
void template_set_report(diagnostics *diagnostics, const template_set *set, const mustache_error *error);

// The tag that begins there, when its end is on the same line; otherwise what opens it, or nothing.
span template_tag_at(const source *source, size_t line, size_t column);

// Stands for all names and contents.
uint64_t template_set_hash(const template_set *set, uint64_t seed);

#endif
