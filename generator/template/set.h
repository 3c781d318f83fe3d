// Template set: the templates of a run: the built-in ones, replaced by those of a folder.
//
// A file NAME.mustache in the folder replaces the built-in NAME. Files with other names can be partials of these files;
// one that no file includes is an error, most likely a misspelled name.
#ifndef KIN_GENERATOR_TEMPLATE_SET_H
#define KIN_GENERATOR_TEMPLATE_SET_H

#include "generator/base/base.h"
#include "generator/source/source.h"
#include "template/mustache.h"

#include <stddef.h>
#include <stdint.h>

typedef struct template_set {
    mustache_library library;
    const source **sources;  // by template: its file, or NULL if it is built in
    const char **read_paths; // of the files that were read
    size_t read_count;
} template_set;

// Loads the built-in templates, and those of `directory` unless it is NULL. Returns 0; 1 if a template is invalid; 3 if
// one cannot be read. Errors are reported.
int template_set_load(diagnostics *diagnostics, const char *directory, template_set *set);

// Reports an error of a template in the set, at its place.
void template_set_report(diagnostics *diagnostics, const template_set *set, const mustache_error *error);

// Returns the span of the tag at that place: only its opening delimiter if the tag continues on the next line, empty if
// there is no tag.
span template_tag_at(const source *source, size_t line, size_t column);

// Returns a hash of all names and contents.
uint64_t template_set_hash(const template_set *set, uint64_t seed);

#endif
