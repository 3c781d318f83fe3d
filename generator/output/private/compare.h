// Output comparison: the file at an output's path, and whether kin may change it.
#ifndef KIN_GENERATOR_OUTPUT_COMPARE_H
#define KIN_GENERATOR_OUTPUT_COMPARE_H

#include "generator/base/base.h"
#include "output/private/manifest.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum output_state {
    OUTPUT_MISSING,
    OUTPUT_EQUAL,
    OUTPUT_DIFFERENT, // written by kin and unedited, but not the wanted bytes
    OUTPUT_EDITED,    // written by kin, then edited
    OUTPUT_UNKNOWN,   // carries the mark but is not in the manifest
    OUTPUT_FOREIGN,   // a file without the mark, or a directory, a symbolic link or a device
    OUTPUT_UNREADABLE
} output_state;

// The kind of a file at a path. A symbolic link at the path itself is not followed.
typedef enum found_kind { FOUND_NOTHING, FOUND_FILE, FOUND_OTHER, FOUND_FAULT } found_kind;

typedef struct found_file {
    found_kind kind;
    int fault;         // errno, for FOUND_FAULT
    const char *bytes; // for FOUND_FILE, NUL-terminated
    size_t size;       // bytes read, without what git added
} found_file;

// The wanted content of an output; `bytes` is NULL to remove it.
typedef struct wanted_file {
    const char *name; // in the manifest
    const char *bytes;
    size_t size;
} wanted_file;

// Reads a file, and more than the limit of a longer one, which distinguishes it from all relevant contents. If all
// lines end with "\r\n", as in a checkout of git on Windows, the bytes have the '\n' that kin wrote.
found_file output_find(arena *arena, const char *path, size_t limit);

// Returns the limit for output_find: the size of the longest wanted or recorded content.
size_t output_limit(const manifest *recorded, const wanted_file *wanted);

output_state output_compare(const found_file *found, const wanted_file *wanted, const manifest *recorded);

#endif
