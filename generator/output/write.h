// Output writing: writes the bytes of one file to the disk.
//
// A file that replaces another is written in two steps:
//
//   stage    all bytes are written to `.NAME.kin-new` beside the file, and synced
//   commit   the staged file is renamed to NAME
//
// A link is followed, and the file at its end is replaced and keeps its rights. A pipe or a device is written to when
// it is staged. Until the commit nothing changes at the path itself; a discarded staged file leaves nothing. Names of
// that form belong to kin: a file that a killed run left under one is removed.
//
// A new file for the user is created at its path, and never replaces anything, including a link.
#ifndef KIN_GENERATOR_OUTPUT_WRITE_H
#define KIN_GENERATOR_OUTPUT_WRITE_H

#include "generator/base/base.h"
#include "path/target.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct staged_file {
    const char *path;      // at the end of its links
    const char *temporary; // path while staged
    const kin__target *target;
    int fault; // errno, if the path cannot be written; reported by output_stage
    bool is_staged;
} staged_file;

// `path` must name a file.
staged_file staged_file_create(arena *arena, const char *path);

// Returns whether a name in a folder is that of a staged file.
bool staged_file_is(const char *name);

// Each returns 0, or the errno, after which nothing is staged.
int output_stage(staged_file *staged, const char *bytes, size_t size);
int output_commit(staged_file *staged);

void output_discard(staged_file *staged);

// Returns whether the path exists.
bool output_exists(const char *path);

// Creates a file. Returns 0, or the errno after removing the partial file. EEXIST: the path exists.
int output_write_new(const char *path, const char *bytes, size_t size);

#endif
