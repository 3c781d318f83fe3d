// Output path: paths of outputs, their parent folders, and syncing both to the disk.
#ifndef KIN_GENERATOR_OUTPUT_PATH_H
#define KIN_GENERATOR_OUTPUT_PATH_H

#include "generator/base/base.h"

#include <stdbool.h>

// Returns the path of a file in the directory.
const char *output_path(arena *arena, const char *directory, const char *path);

// Return a path as seen from a folder, and a path that is relative to a folder as seen from the working directory. Both
// go by the names alone: no link is followed.
const char *output_relative(arena *arena, const char *folder, const char *path);
const char *output_resolved(arena *arena, const char *folder, const char *relative);

// Creates every directory before the path's last '/'. If one fails, earlier ones stay. Returns 0 or the errno.
int output_make_parents(arena *arena, const char *path);

// Return the directory that contains a file, and whether two paths lead to the same directory.
const char *output_parent(arena *arena, const char *path);
bool output_is_same_folder(const char *a, const char *b);

// Syncs a folder, or the folder of a file, to the disk. Return 0 or the errno.
int output_sync(int descriptor);
int output_sync_parent(arena *arena, const char *path);

#endif
