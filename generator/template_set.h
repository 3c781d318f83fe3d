// Template set: the templates that a run renders with, those of the program and, in their stead, those of a folder.
//
// A file NAME.mustache of the folder takes the place of the built-in NAME. Other names are for parts of these files
// that they include; one that nothing includes is a mistake, and most likely a misspelling.
#ifndef KIN_GENERATOR_TEMPLATE_SET_H
#define KIN_GENERATOR_TEMPLATE_SET_H

#include "arena.h"
#include "mustache.h"
#include "text.h"

#include <stddef.h>
#include <stdint.h>

typedef struct template_set {
    mustache_library library;
    const char **paths;      // of the library's templates, index by index: NULL for those of the program
    const char **read_paths; // of those that were read
    size_t read_count;
} template_set;

// Those of the program where `directory` is NULL. The exit status: 0; 1 when a template is wrong; 3 when one cannot be
// read. `faults` says what is.
int template_set_load(arena *arena, const char *directory, template_set *set, text *faults);

// What a message calls a template: where it stands, or that it is the program's own.
const char *template_set_place(arena *arena, const template_set *set, const char *name);

// Stands for all names and contents.
uint64_t template_set_hash(const template_set *set, uint64_t seed);

#endif
