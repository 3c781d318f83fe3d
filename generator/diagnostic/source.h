// Source: a schema file in memory, and the places in it.
//
// A source never changes once it is there, and lives as long as its arena. `path` is what messages show. Every mark of
// the generator is a byte offset into a source; lines and columns are worked out only when somebody reads them.
//
// Invariants:
//   1. bytes[size] is NUL
//   2. line_starts[0] is 0, or 3 behind a byte order mark; the others stand behind each '\n' in rising order
//   3. a span has start <= end <= source->size
#ifndef KIN_GENERATOR_DIAGNOSTIC_SOURCE_H
#define KIN_GENERATOR_DIAGNOSTIC_SOURCE_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct diagnostics diagnostics;

enum { SOURCE_SIZE_LIMIT = 1024 * 1024 }; // bytes of one schema file

typedef struct source_mark source_mark;

typedef struct source {
    const char *path;
    const char *bytes;
    size_t size;
    bool is_input;        // standard input: the path names no file
    size_t order;         // of loading in this run, from 1; 0 for a source that was never a file
    const char *identity; // of the file, whatever its path; NULL for a source that was never a file
    const size_t *line_starts;
    size_t line_count;
    const source_mark *marks; // for counting columns; NULL where all lines are short
} source;

// The bytes from `start` up to, not including, `end`. All zero is no place.
typedef struct span {
    const source *source;
    size_t start, end;
} span;

// Both count from 1; a column is a code point, and a byte that is not UTF-8 is a column of its own.
typedef struct source_position {
    size_t line, column;
} source_position;

// The file at `path`, or standard input where that is "-" (shown as "<stdin>"). NULL when it cannot be read, which has
// been reported: only regular files (and any standard input) of at most SOURCE_SIZE_LIMIT bytes are read.
const source *source_load(arena *arena, diagnostics *diagnostics, const char *path);

// A file that another one includes. That it cannot be read is a fault at `place`; "-" is a name like any other.
const source *source_load_included(arena *arena, diagnostics *diagnostics, const char *path, span place);

// The identity of the file at `path`; NULL when there is none.
const char *source_identity_of(arena *arena, const char *path);

// A source over a copy of `bytes`.
const source *source_from_bytes(arena *arena, const char *path, const char *bytes, size_t size);

// Where the byte at `offset` (at most `size`) is.
source_position source_position_of(const source *source, size_t offset);

// Less than 0 when `a` begins before `b`, greater when behind it, by order of loading and place. No place comes first.
int span_compare(span a, span b);

// The line (from 1) without its line break.
span source_line(const source *source, size_t line);

#endif
