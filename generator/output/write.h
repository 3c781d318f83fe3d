// Output writing: how the bytes of one file come to the disk.
//
// A file that takes the place of another is written in two steps:
//
//   stage    all bytes go into `.NAME.kin-new` beside the file, and are synced
//   commit   the staged file is renamed to NAME
//
// Until it is committed nothing has changed at the path itself; a staged file that is discarded leaves nothing. Names
// that begin and end like this belong to kin: what a killed run left under one is removed.
//
// A new file is the user's from the beginning: it is written at its path, and never over anything, a link included.
#ifndef KIN_GENERATOR_OUTPUT_WRITE_H
#define KIN_GENERATOR_OUTPUT_WRITE_H

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

// Whether something has that path already.
bool output_is_there(const char *path);

// 0, or the errno of what failed; nothing of the file is left then. EEXIST: something is there.
int output_write_new(const char *path, const char *bytes, size_t size);

#endif
