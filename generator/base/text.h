// Text: a growing string in an arena, for messages and rendered files. A NUL that `size` does not count always follows.
#ifndef KIN_GENERATOR_BASE_TEXT_H
#define KIN_GENERATOR_BASE_TEXT_H

#include "base/arena.h"

#include <stddef.h>

typedef struct text {
    arena *arena;
    char *bytes;
    size_t size, capacity;
} text;

text text_create(arena *arena);
void text_clear(text *text); // keeps its memory
void text_append(text *text, const char *bytes, size_t size);
void text_append_string(text *text, const char *string);

// Appends bytes escaped for a terminal: each byte of a character that is not printable (utf8.h) becomes `\x1b`, so that
// file names and arguments cannot move the cursor, break lines or hide text. All output for people is escaped, except
// text from the schema's checked names only.
void text_append_escaped(text *text, const char *bytes, size_t size);

// Returns the escaped string.
const char *text_escaped(arena *arena, const char *string);

// Removes the '\r' of each line if all lines end with "\r\n", as git writes text files where users want that. Returns
// the new size.
size_t text_without_returns(char *bytes, size_t size);

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void text_append_format(text *text, const char *format, ...);

#endif
