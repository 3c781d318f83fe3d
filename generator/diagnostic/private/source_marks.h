// Source marks: how many characters stand before every so many bytes of a source with long lines, so that columns need
// not be counted from the beginning of a line each time.
#ifndef KIN_GENERATOR_DIAGNOSTIC_SOURCE_MARKS_H
#define KIN_GENERATOR_DIAGNOSTIC_SOURCE_MARKS_H

#include "diagnostic/source.h"

// The first character at or behind a multiple of the distance, and how many begin before it.
struct source_mark {
    size_t offset, count;
};

// NULL where all lines are short.
const source_mark *source_make_marks(arena *arena, const source *source);

#endif
