// Source: a schema file in memory, and positions in it.
//
// A source never changes after it is loaded, and lives as long as its arena. Messages show `path`. The generator refers
// to positions by byte offset; lines and columns are computed only when a diagnostic is printed.
//
// Invariants:
//   1. bytes[size] is NUL
//   2. line_starts[0] is 0, or 3 after a byte order mark; the others follow each '\n', in ascending order
//   3. a span has start <= end <= source->size
#ifndef KIN_GENERATOR_DIAGNOSTIC_SOURCE_H
#define KIN_GENERATOR_DIAGNOSTIC_SOURCE_H

#include "generator/base/base.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct diagnostics diagnostics;

enum { SOURCE_SIZE_LIMIT = 1024 * 1024 }; // bytes of one schema file

typedef struct source_mark source_mark;

typedef struct source {
    const char *path;
    const char *bytes;
    size_t size;
    bool is_input;        // standard input; the path is not a file
    size_t order;         // order of loading in this run, from 1; 0 for a source that was never a file
    const char *identity; // identifies the file independently of its path; NULL for a source that was never a file
    const size_t *line_starts;
    size_t line_count;
    size_t lines_before;      // of a source that is one line of a longer file; otherwise 0
    const source_mark *marks; // for counting columns; NULL if all lines are short
} source;

// The bytes from `start` up to, not including, `end`. All zero: no place.
typedef struct span {
    const source *source;
    size_t start, end;
} span;

// Both count from 1. A column is a code point, or a byte that is not UTF-8.
typedef struct source_position {
    size_t line, column;
} source_position;

// Loads the file at `path`, or standard input if that is "-" (shown as "<stdin>"). Reads only regular files (and any
// standard input) of at most SOURCE_SIZE_LIMIT bytes. Returns NULL after reporting a file that cannot be read.
const source *source_load(arena *arena, diagnostics *diagnostics, const char *path);

// Loads an included file. Reports a file that cannot be read at `place`; "-" is an ordinary name.
const source *source_load_included(arena *arena, diagnostics *diagnostics, const char *path, span place);

// Returns the identity of the file at `path`; NULL if there is none.
const char *source_identity_of(arena *arena, const char *path);

// Returns the size of the path's folder with its slash; 0 if it has none.
int source_folder_size(const char *path);

// Returns whether the path leaves the folder of `root` at any point. It compares text, and reads no symbolic links.
bool source_leaves_folder(const source *root, const char *path);

// Creates a source from a copy of `bytes`.
const source *source_from_bytes(arena *arena, const char *path, const char *bytes, size_t size);

// Creates a source from a copy of one line of a file that is read line by line. They are in order of their numbers.
const source *source_from_line(arena *arena, const char *path, const char *bytes, size_t size, size_t lines_before);

// Returns the position of the byte at `offset` (at most `size`).
source_position source_position_of(const source *source, size_t offset);

// Returns less than 0 if `a` begins before `b`, greater if after it, by order of loading and offset. No place comes
// first.
int span_compare(span a, span b);

// Returns the line (from 1) without its line break.
span source_line(const source *source, size_t line);

#endif
