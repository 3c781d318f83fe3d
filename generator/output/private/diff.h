// Diff: a unified diff of two contents, with three lines of context and no times.
//
// Lines are matched by the shortest edit script (Myers) of at most DIFF_EDIT_LIMIT edits. If the contents differ more,
// everything between their common first and last lines is replaced. Time is bounded by the limit times the lines,
// memory by the square of the limit plus the lines.
#ifndef KIN_GENERATOR_OUTPUT_DIFF_H
#define KIN_GENERATOR_OUTPUT_DIFF_H

#include "generator/base/base.h"

#include <stddef.h>

enum { DIFF_EDIT_LIMIT = 1000, DIFF_CONTEXT = 3 };

// NULL bytes: the file does not exist.
typedef struct diff_side {
    const char *bytes;
    size_t size;
} diff_side;

// Appends nothing if both are equal, or if one does not exist and the other is empty.
void diff_append(text *output, const char *path, diff_side before, diff_side after);

#endif
