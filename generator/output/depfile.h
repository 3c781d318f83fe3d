// Depfile: the dependencies of a package's outputs, in the syntax of Make.
//
//   generated/arena/arena.h generated/arena/arena_types.h: schemas/arena.yaml schemas/shared/math.yaml
//
//   schemas/shared/math.yaml:
//
// Every output depends on every file that was read, schemas and templates; standard input is not a file. All but the
// root schema are also targets without prerequisites, so that a missing file makes the outputs out of date instead of
// stopping make.
//
// Depfiles have no mark, since other programs than make read them and know no comments: kin recognizes its own by the
// first output, which is called NAME/NAME.h.
#ifndef KIN_GENERATOR_OUTPUT_DEPFILE_H
#define KIN_GENERATOR_OUTPUT_DEPFILE_H

#include "generator/base/base.h"
#include "generator/source/source.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct depfile {
    const char *const *outputs;
    size_t output_count;
    const source *const *sources; // the root first
    size_t source_count;
    const char *const *templates; // read from files
    size_t template_count;
} depfile;

// Appends the depfile to `content`. Returns false after reporting a path that Make cannot express.
bool depfile_append(text *content, const depfile *depfile, diagnostics *diagnostics);

// Returns whether a file that begins with these bytes is empty or a depfile of kin.
bool depfile_is_own(const char *bytes, size_t size);

#endif
