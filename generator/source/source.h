// source: source files, messages about them, and the tree of nodes that a file is parsed into
//
// Owns the codes of all messages. Their explanations are in explanations/, in a folder for each family of codes.
#ifndef KIN_GENERATOR_SOURCE_H
#define KIN_GENERATOR_SOURCE_H

#include "generator/base/base.h"
#include "generator/source/codes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

// ---- source
//
// A schema file in memory, and positions in it.
//
// A source never changes after it is loaded, and lives as long as its arena. Messages show `path`. The generator refers
// to positions by byte offset; lines and columns are computed only when a diagnostic is printed.
//
// Invariants:
//   1. bytes[size] is NUL
//   2. line_starts[0] is 0, or 3 after a byte order mark; the others follow each '\n', in ascending order
//   3. a span has start <= end <= source->size

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

// A text that replaces the file at its path, which need not exist: standard input under a name, or an open document of
// an editor. The file is found by each of its paths.
typedef struct source_overlay {
    const char *path;
    const char *bytes;
    size_t size;
    const struct source_overlay *next; // NULL after the last
} source_overlay;

// Loads the file at `path`, or standard input if that is "-" (shown as "<stdin>"). Reads only regular files (and any
// standard input) of at most SOURCE_SIZE_LIMIT bytes. Returns NULL after reporting a file that cannot be read.
const source *source_load(arena *arena, diagnostics *diagnostics, const char *path);

// Loads an included file. Reports a file that cannot be read at `place`; "-" is an ordinary name.
const source *source_load_included(arena *arena, diagnostics *diagnostics, const char *path, span place);

// Reads standard input as the text of the file at `path`. Returns NULL after reporting input that cannot be read.
const source_overlay *source_read_input(arena *arena, diagnostics *diagnostics, const char *path);

// Returns the identity of the file at `path`; NULL if there is none, and no overlay of the run replaces it.
const char *source_identity_of(arena *arena, const diagnostics *diagnostics, const char *path);

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

// ---- diagnostics
//
// Errors, warnings and notes about the input, collected during a run and printed at its end.
//
// An error, a warning or a system error begins a diagnostic; notes, a hint and a fix are added to the newest one.
// Output is safe for a terminal: characters that are not printable are escaped in messages and paths, and
// printed as '?' in source lines, one column each.
//
// System errors are printed first, in order of reporting. The rest follows by file (in order of loading) and place, and
// by order of reporting at the same place, each with its notes. Beyond the limit, errors take precedence over warnings:
//
//   schemas/arena.yaml:14:10: error: unknown type 'flaot' for field 'x' of component 'Position' [K0401]
//      14 |       x: flaot
//         |          ^^^^^ did you mean 'float'?

#if defined(__GNUC__)
#define DIAGNOSTIC_FORMAT(text, first) __attribute__((format(printf, text, first)))
#else
#define DIAGNOSTIC_FORMAT(text, first)
#endif

enum { DIAGNOSTIC_LIMIT = 20 }; // default number of diagnostics to print

// How diagnostics are printed.
typedef struct diagnostic_options {
    size_t limit; // maximum number; 0: all
    bool is_json; // one JSON object a line
    bool is_coloured;
} diagnostic_options;

typedef enum diagnostic_kind {
    DIAGNOSTIC_SYSTEM_ERROR,
    DIAGNOSTIC_ERROR,
    DIAGNOSTIC_WARNING,
    DIAGNOSTIC_REMARK // about the list itself; never in a list
} diagnostic_kind;

typedef struct diagnostic_note_entry {
    span span;
    const char *message;
    struct diagnostic_note_entry *next;
} diagnostic_note_entry;

typedef struct diagnostic {
    diagnostic_kind kind;
    diagnostic_code code;
    size_t number; // in order of reporting
    span span;     // source NULL: no place
    const char *message;
    const char *hint; // printed after the carets; NULL without one
    const char *fix;  // replaces the span; NULL without one
    const char *path; // of the file, without a place; NULL without one
    diagnostic_note_entry *first_note, *last_note;
    struct diagnostic *next;
} diagnostic;

struct diagnostics {
    arena *arena;
    diagnostic *first, *last;
    diagnostic_options options;
    size_t count;  // diagnostics of all kinds in the list
    size_t errors; // including system errors, and errors that are not in the list
    size_t system_errors;
    size_t warnings;
    size_t sources;                 // number of loaded sources, for source.order
    const source_overlay *overlays; // replace files during this run; NULL: none
};

diagnostics diagnostics_create(arena *arena);

// Forgets the warnings if there is no error: the run is about something else than the schema.
void diagnostics_forget_warnings(diagnostics *diagnostics);

DIAGNOSTIC_FORMAT(4, 5)
void diagnostic_error(diagnostics *diagnostics, diagnostic_code code, span span, const char *format, ...);
DIAGNOSTIC_FORMAT(4, 5)
void diagnostic_warning(diagnostics *diagnostics, diagnostic_code code, span span, const char *format, ...);

// Reports a failure of the system (a file cannot be read or written): no place, exit status 3.
DIAGNOSTIC_FORMAT(3, 4)
void diagnostic_system_error(diagnostics *diagnostics, diagnostic_code code, const char *format, ...);

// Counts an error without keeping it, for errors beyond the printed limit in the same file.
void diagnostic_count_error(diagnostics *diagnostics);

// Added to the newest diagnostic, which must exist. A hint replaces an earlier hint.
DIAGNOSTIC_FORMAT(3, 4) void diagnostic_note(diagnostics *diagnostics, span span, const char *format, ...);
DIAGNOSTIC_FORMAT(2, 3) void diagnostic_hint(diagnostics *diagnostics, const char *format, ...);

// Adds the hint "did you mean" or "write" to the newest diagnostic, with `replacement` as fix for the span.
void diagnostic_meant(diagnostics *diagnostics, const char *replacement);
void diagnostic_replace(diagnostics *diagnostics, const char *replacement);

// Sets the file of the newest diagnostic, which has no place in it: a system error, or an error in a file of bytes.
void diagnostic_about(diagnostics *diagnostics, const char *path);

// Returns the code as text: K and four digits.
const char *diagnostic_code_text(arena *arena, diagnostic_code code);

size_t diagnostics_error_count(const diagnostics *diagnostics); // including system errors
size_t diagnostics_warning_count(const diagnostics *diagnostics);

// Returns 0 without errors, 1 for errors in the schema, 3 for system errors, also if there are both.
int diagnostics_exit_status(const diagnostics *diagnostics);

// Returns all diagnostics in the order of output; there are `count`.
const diagnostic **diagnostics_sorted(const diagnostics *diagnostics);

// Appends all diagnostics according to the options.
void diagnostics_append(text *out, const diagnostics *diagnostics);

// Prints all diagnostics according to the options. Returns 0, or EOF on failure.
int diagnostics_print(const diagnostics *diagnostics, FILE *file);

// Appends the same diagnostics as one list of JSON objects; the caller has written its key.
void diagnostics_append_list(json_writer *writer, const diagnostics *diagnostics);

// ---- tree
//
// A YAML document as nodes with spans, in the strict subset that schemas use.
//
// One document, UTF-8, a mapping at the root, at most TREE_DEPTH_LIMIT deep, indented with spaces; no anchors, aliases,
// merge keys, tags, directives (except %YAML 1.1 and 1.2), no collections as keys, no duplicate keys, no scalar longer
// than TREE_TEXT_LIMIT. Each violation is reported at its place. All scalars are strings: their spelling does not
// determine a type.
//
// Invariants of a tree that tree_parse returned:
//
//   1. the root is a mapping
//   2. the keys of a mapping are distinct scalars, whether quoted or not
//   3. scalars are UTF-8 without control characters except '\t' and '\n', followed by a NUL that `size` does not count
//   4. a node is TREE_BROKEN if an error in it has been reported already: readers skip it silently

enum {
    TREE_DEPTH_LIMIT = 64,
    TREE_TEXT_LIMIT = 64 * 1024 // bytes of a scalar, including keys
};

typedef enum tree_kind { TREE_SCALAR, TREE_SEQUENCE, TREE_MAPPING, TREE_BROKEN } tree_kind;

typedef struct tree_node tree_node;

// A key of a mapping, and its value.
typedef struct tree_pair {
    const tree_node *key;
    const tree_node *value;
    struct tree_pair *next;
} tree_pair;

struct tree_node {
    tree_kind kind;
    span span;
    const char *text; // TREE_SCALAR
    size_t size;
    bool is_plain;                // TREE_SCALAR: neither quoted nor a block
    size_t count;                 // pairs or items in the file, including refused ones
    const tree_pair *pairs;       // TREE_MAPPING: the first, in order of the file
    const tree_node *items;       // TREE_SEQUENCE: the first
    const struct tree_node *next; // next item of its sequence
};

// Parses a source. The arena owns the tree. If the source is not such a document, reports why and returns NULL; other
// errors are reported too, and leave TREE_BROKEN nodes.
const tree_node *tree_parse(arena *arena, diagnostics *diagnostics, const source *source);

// Returns the value of a key, and the key itself; NULL if the mapping does not have it.
const tree_node *tree_find(const tree_node *mapping, const char *key);
const tree_node *tree_find_key(const tree_node *mapping, const char *key);

// Returns the place of a part of the scalar; that of the whole node if its spelling differs from its value.
span tree_part(const tree_node *scalar, size_t offset, size_t size);

// Returns whether the value is missing, as after the colon of `a:`.
bool tree_is_empty(const tree_node *node);

// Returns whether the node is a scalar that is not empty.
bool tree_is_text(const tree_node *node);

#endif
