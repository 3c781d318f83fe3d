// UTF-8: code points of a run of bytes, one at a time, and which of them may be shown or written in a schema.
#ifndef KIN_GENERATOR_BASE_UTF8_H
#define KIN_GENERATOR_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UTF8_BROKEN UINT32_MAX // stands for one byte that begins no code point

typedef struct utf8_step {
    uint32_t code_point; // or UTF8_BROKEN
    size_t size;         // bytes that it takes, at least 1
} utf8_step;

// The code point that `bytes` begins with; `size` must not be 0.
utf8_step utf8_next(const char *bytes, size_t size);

// Code points and broken bytes in a run.
size_t utf8_count(const char *bytes, size_t size);

// How many bytes at the start of a run are printable ASCII or line feeds: most of a schema, in one step.
size_t utf8_plain_size(const char *bytes, size_t size);

// No control character, line or paragraph separator, mark of the writing direction, byte order mark or broken byte:
// those hide or move the text around them.
bool utf8_is_printable(uint32_t code_point);

// A mark of the writing direction: it shows the text around it in another order than a program reads it in.
bool utf8_is_directional(uint32_t code_point);

#endif
