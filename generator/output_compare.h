// Output comparison: what stands on the disk where a file is to go.
#ifndef KIN_GENERATOR_OUTPUT_COMPARE_H
#define KIN_GENERATOR_OUTPUT_COMPARE_H

#include "arena.h"

#include <stddef.h>

typedef enum output_state {
    OUTPUT_MISSING,
    OUTPUT_EQUAL,
    OUTPUT_DIFFERENT, // made by kin, with other bytes
    OUTPUT_FOREIGN,   // a file without the mark, or none that kin makes: a directory, a symbolic link, a device
    OUTPUT_UNREADABLE
} output_state;

// `fault` becomes the errno of OUTPUT_UNREADABLE. Symbolic links are not followed at the path itself.
output_state output_compare(const char *path, const char *bytes, size_t size, int *fault);

#endif
