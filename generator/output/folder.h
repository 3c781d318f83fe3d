// Output folder: where the outputs of a package stand, held by one run at a time.
#ifndef KIN_GENERATOR_OUTPUT_FOLDER_H
#define KIN_GENERATOR_OUTPUT_FOLDER_H

#include "base/arena.h"

#include <stdbool.h>

typedef struct output_folder {
    const char *path;
    int descriptor; // open, and locked until it is closed; negative: not open
} output_folder;

// Makes every directory that the path names before its last '/'. Those that were made stay when a later one fails.
int output_make_parents(arena *arena, const char *path);

// The directory that a file stands in, and whether two paths lead to one directory.
const char *output_parent(arena *arena, const char *path);
bool output_is_same_folder(const char *a, const char *b);

// Makes it where it is missing, opens it and waits until no other run has it. 0, or the errno of what failed; it is
// not open then.
int output_folder_open(arena *arena, output_folder *folder, const char *path);
void output_folder_close(output_folder *folder);

// Removes what runs that were killed left in it. 0, or the errno with the path in question.
int output_folder_clean(arena *arena, const output_folder *folder, const char **path);

// Makes what was done in a folder, or in that of a file, outlive a loss of power. 0, or the errno.
int output_sync(int descriptor);
int output_sync_parent(arena *arena, const char *path);

#endif
