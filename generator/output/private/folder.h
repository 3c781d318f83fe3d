// Output folder: the folder of a package's outputs, locked by one run at a time.
#ifndef KIN_GENERATOR_OUTPUT_FOLDER_H
#define KIN_GENERATOR_OUTPUT_FOLDER_H

#include "generator/base/base.h"

#include <stdbool.h>

typedef struct output_folder {
    const char *path;
    int descriptor; // open and locked until closed; negative if not open
} output_folder;

// Creates the folder if missing, opens it and waits for its lock. Returns 0, or the errno, with the folder not open.
int output_folder_open(arena *arena, output_folder *folder, const char *path);
void output_folder_close(output_folder *folder);

// Removes files that killed runs left in the folder. Returns 0, or the errno with the path of the file.
int output_folder_clean(arena *arena, const output_folder *folder, const char **path);

#endif
