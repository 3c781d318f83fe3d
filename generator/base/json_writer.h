// JSON writer: a document that is written as it goes along, into a text.
//
// Maps and lists are indented by two spaces; what is opened with writer_open_line stays on one line with all that it
// holds. Texts may be any bytes: what is not UTF-8 becomes U+FFFD, so that the document is valid whatever is in a path,
// and what cannot be seen is escaped, so that it can be shown in a terminal.
// Keys stand in the order of writing. The caller closes what it opened and writes a key before each value of a map.
#ifndef KIN_GENERATOR_BASE_JSON_WRITER_H
#define KIN_GENERATOR_BASE_JSON_WRITER_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct json_writer {
    text *out;
    size_t depth;
    size_t line_depth; // of what stands on one line; 0: nothing does
    bool has_items;    // what was opened last holds something
    bool has_key;      // the value of a key is due
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
void writer_number(json_writer *writer, const char *digits); // as JSON spells it
void writer_null(json_writer *writer);

// A key with its value.
void writer_set_text(json_writer *writer, const char *key, const char *text);
void writer_set_bool(json_writer *writer, const char *key, bool boolean);
void writer_set_count(json_writer *writer, const char *key, uint64_t count);

// The text in quotes, with all that needs it escaped.
void writer_append_quoted(text *out, const char *bytes, size_t size);

#endif
