// Text: a growing run of bytes in an arena, for messages and rendered files. Always ends in a NUL that `size` does
// not count.
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

// Appends bytes as a terminal may show them. Each byte of a character that is not printable (utf8.h) becomes `\x1b`, so
// that no name of a file and no argument moves the cursor, begins a line or hides the text around it. All that people
// read goes through it, except what is made of checked schema text alone.
void text_append_escaped(text *text, const char *bytes, size_t size);

// The same of a string, in an arena.
const char *text_escaped(arena *arena, const char *string);

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void text_append_format(text *text, const char *format, ...);

#endif
