// JSON writer: appends a JSON document to a text, piece by piece.
//
// Maps and lists are indented by two spaces; one opened with writer_open_line stays on one line with its contents.
// Strings may be any bytes: invalid UTF-8 becomes U+FFFD, so that the document is valid whatever a path contains, and
// characters that are not printable are escaped, so that a terminal can show it. Keys keep the order of writing. The
// caller closes what it opened and writes a key before each value of a map.
//
// Invariants, asserted:
//   1. depth is the number of open maps and lists; a document ends at 0
//   2. a key is only written in an open map, and its value follows
#ifndef KIN_GENERATOR_BASE_JSON_WRITER_H
#define KIN_GENERATOR_BASE_JSON_WRITER_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct json_writer {
    text *out;
    size_t depth;
    size_t line_depth; // of the outermost item on the current line; 0 if there is none
    bool has_items;    // the innermost map or list is not empty
    bool has_key;      // a key was written and its value is missing
} json_writer;

json_writer writer_begin(text *out);
void writer_end(json_writer *writer); // writes the line break after the document

// The bracket is '{' or '[', and '}' or ']'.
void writer_open(json_writer *writer, char bracket);
void writer_open_line(json_writer *writer, char bracket);
void writer_close(json_writer *writer, char bracket);

void writer_key(json_writer *writer, const char *key);
void writer_text(json_writer *writer, const char *text); // NULL: null
void writer_bool(json_writer *writer, bool boolean);
void writer_count(json_writer *writer, uint64_t count);
void writer_number(json_writer *writer, const char *digits); // `digits` in JSON syntax
void writer_null(json_writer *writer);

// Each writes a key and its value.
void writer_set_text(json_writer *writer, const char *key, const char *text);
void writer_set_bool(json_writer *writer, const char *key, bool boolean);
void writer_set_count(json_writer *writer, const char *key, uint64_t count);

// Appends the string in quotes, escaped.
void writer_append_quoted(text *out, const char *bytes, size_t size);

#endif
