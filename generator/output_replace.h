// Output replacement: one file's way to the disk, in two steps.
//
//   stage    directories are made, all bytes go into `.NAME.PID.kin` beside the file, and are synced
//   commit   the staged file is renamed to NAME, the directory is synced
//
// Until it is committed nothing has changed at the path itself; a staged file that is discarded leaves nothing.
#ifndef KIN_GENERATOR_OUTPUT_REPLACE_H
#define KIN_GENERATOR_OUTPUT_REPLACE_H

#include "arena.h"

#include <stddef.h>

typedef struct staged_file {
    const char *path;
    const char *directory; // that the path is in
    const char *temporary; // NULL: nothing is staged
} staged_file;

// 0, or the errno of what failed; nothing is staged then. Directories that were made stay.
int output_stage(arena *arena, staged_file *staged, const char *bytes, size_t size);

// 0, or the errno of what failed; it is discarded then.
int output_commit(staged_file *staged);

void output_discard(staged_file *staged);

#endif
