// Output comparison: what stands on the disk where a file is to go, and whether kin may change it.
#ifndef KIN_GENERATOR_OUTPUT_COMPARE_H
#define KIN_GENERATOR_OUTPUT_COMPARE_H

#include "base/arena.h"
#include "output/private/manifest.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum output_state {
    OUTPUT_MISSING,
    OUTPUT_EQUAL,
    OUTPUT_DIFFERENT, // as kin wrote it, with other bytes than wanted, or not wanted
    OUTPUT_EDITED,    // kin wrote it, but not these bytes
    OUTPUT_UNKNOWN,   // carries the mark, but the manifest does not name it
    OUTPUT_FOREIGN,   // a file without the mark, or none that kin makes: a directory, a symbolic link, a device
    OUTPUT_UNREADABLE
} output_state;

// What was found at a path. Symbolic links are not followed at the path itself.
typedef enum found_kind { FOUND_NOTHING, FOUND_FILE, FOUND_OTHER, FOUND_FAULT } found_kind;

typedef struct found_file {
    found_kind kind;
    int fault;         // errno of FOUND_FAULT
    const char *bytes; // of FOUND_FILE, and a NUL after them
    size_t size;       // of the bytes that were read, at most one more than the limit
} found_file;

// What kin wants at a place: the bytes NULL for nothing.
typedef struct wanted_file {
    const char *name; // in the manifest
    const char *bytes;
    size_t size;
} wanted_file;

// Reads a file, at most one byte over the limit, which tells a longer one from all that is of interest.
found_file output_find(arena *arena, const char *path, size_t limit);

// The limit for output_find: no content that is wanted or recorded is longer.
size_t output_limit(const manifest *recorded, const wanted_file *wanted);

output_state output_compare(const found_file *found, const wanted_file *wanted, const manifest *recorded);

#endif
