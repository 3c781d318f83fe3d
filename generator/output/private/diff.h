// Diff: two contents of a file as a unified diff with three lines of context and no times.
//
// Lines are matched by the shortest edit script (Myers) as long as that has at most DIFF_EDIT_LIMIT lines; where two
// contents are further apart, all between what they begin and end with alike is replaced. Time is bounded by the limit
// times the lines, memory by the square of the limit and the lines.
#ifndef KIN_GENERATOR_OUTPUT_DIFF_H
#define KIN_GENERATOR_OUTPUT_DIFF_H

#include "base/text.h"

#include <stddef.h>

enum { DIFF_EDIT_LIMIT = 1000, DIFF_CONTEXT = 3 };

// NULL bytes: there is no such file.
typedef struct diff_side {
    const char *bytes;
    size_t size;
} diff_side;

// Appends nothing when both are the same, nor where one is no file and the other an empty one.
void diff_append(text *output, const char *path, diff_side before, diff_side after);

#endif
