// Output comparison: what stands on the disk where a file is to go.
#ifndef KIN_GENERATOR_OUTPUT_COMPARE_H
#define KIN_GENERATOR_OUTPUT_COMPARE_H

#include "output.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum output_state {
    OUTPUT_MISSING,
    OUTPUT_EQUAL,
    OUTPUT_DIFFERENT, // made by kin, with other bytes
    OUTPUT_FOREIGN,   // a file without the mark, or none that kin makes: a directory, a symbolic link, a device
    OUTPUT_UNREADABLE
} output_state;

// Whether the first bytes of a file say that kin made it.
typedef bool output_owner(const char *bytes, size_t size);

// Compares with the bytes of `file`. `fault` becomes the errno of OUTPUT_UNREADABLE. Symbolic links are not followed at
// the path itself.
output_state output_compare(const char *path, const output_file *file, output_owner *is_own, int *fault);

#endif
