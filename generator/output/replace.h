// Output replacement: one file's way to the disk, in two steps.
//
//   stage    all bytes go into `.NAME.kin-new` beside the file, and are synced
//   commit   the staged file is renamed to NAME
//
// Until it is committed nothing has changed at the path itself; a staged file that is discarded leaves nothing. Names
// that begin and end like this belong to kin: what a killed run left under one is removed.
#ifndef KIN_GENERATOR_OUTPUT_REPLACE_H
#define KIN_GENERATOR_OUTPUT_REPLACE_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct staged_file {
    const char *path;
    const char *temporary; // where it is staged
    bool is_staged;
} staged_file;

// `path` must be a file's.
staged_file staged_file_create(arena *arena, const char *path);

// Whether a name in a folder is that of a staged file.
bool staged_file_is(const char *name);

// Each: 0, or the errno of what failed. Nothing is staged after that.
int output_stage(staged_file *staged, const char *bytes, size_t size);
int output_commit(staged_file *staged);

void output_discard(staged_file *staged);

// Writes all of it, however often that takes: 0, or the error.
int output_write_all(int descriptor, const char *bytes, size_t size);

#endif
