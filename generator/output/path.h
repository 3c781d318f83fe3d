// Output path: where outputs stand, the folders that lead there, and how to make both outlive a loss of power.
#ifndef KIN_GENERATOR_OUTPUT_PATH_H
#define KIN_GENERATOR_OUTPUT_PATH_H

#include "base/arena.h"

#include <stdbool.h>

// The path of a file of that name in the directory.
const char *output_path(arena *arena, const char *directory, const char *path);

// Makes every directory that the path names before its last '/'. Those that were made stay when a later one fails.
int output_make_parents(arena *arena, const char *path);

// The directory that a file stands in, and whether two paths lead to one directory.
const char *output_parent(arena *arena, const char *path);
bool output_is_same_folder(const char *a, const char *b);

// Makes what was done in a folder, or in that of a file, outlive a loss of power. 0, or the errno.
int output_sync(int descriptor);
int output_sync_parent(arena *arena, const char *path);

#endif
