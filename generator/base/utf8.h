// UTF-8: decodes code points one at a time, and classifies them for output and schemas.
#ifndef KIN_GENERATOR_BASE_UTF8_H
#define KIN_GENERATOR_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UTF8_BROKEN UINT32_MAX // a byte that begins no code point

typedef struct utf8_step {
    uint32_t code_point; // UTF8_BROKEN for an invalid byte
    size_t size;         // bytes of the code point, at least 1
} utf8_step;

// Decodes the first code point; `size` must be at least 1.
utf8_step utf8_next(const char *bytes, size_t size);

// Returns the number of code points, counting each invalid byte as one.
size_t utf8_count(const char *bytes, size_t size);

// Returns the number of bytes at the start that are printable ASCII or line feeds: a fast path for most of a schema.
size_t utf8_plain_size(const char *bytes, size_t size);

// Returns false for control characters, line and paragraph separators, direction marks, byte order marks and
// UTF8_BROKEN, since they hide or move the text around them.
bool utf8_is_printable(uint32_t code_point);

// Returns whether the code point is a direction mark, which makes the text around it appear in another order.
bool utf8_is_directional(uint32_t code_point);

#endif
