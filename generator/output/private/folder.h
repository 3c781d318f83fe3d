// Output folder: where the outputs of a package stand, held by one run at a time.
#ifndef KIN_GENERATOR_OUTPUT_FOLDER_H
#define KIN_GENERATOR_OUTPUT_FOLDER_H

#include "base/arena.h"

#include <stdbool.h>

typedef struct output_folder {
    const char *path;
    int descriptor; // open, and locked until it is closed; negative: not open
} output_folder;

// Makes it where it is missing, opens it and waits until no other run has it. 0, or the errno of what failed; it is
// not open then.
int output_folder_open(arena *arena, output_folder *folder, const char *path);
void output_folder_close(output_folder *folder);

// Removes what runs that were killed left in it. 0, or the errno with the path in question.
int output_folder_clean(arena *arena, const output_folder *folder, const char **path);

#endif
