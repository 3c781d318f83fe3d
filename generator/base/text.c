#include "base/text.h"

#include "utf8.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { FIRST_CAPACITY = 256 };

text text_create(arena *arena)
{
    return (text){.arena = arena, .bytes = arena_allocate(arena, FIRST_CAPACITY), .capacity = FIRST_CAPACITY};
}

void text_clear(text *text)
{
    text->size = 0;
    text->bytes[0] = '\0';
}

// Reserves room for `more` bytes and the NUL after them.
static void reserve(text *text, size_t more)
{
    size_t capacity = text->capacity;
    assert(text->size < capacity);
    while (capacity - text->size <= more)
        capacity *= 2;
    if (capacity == text->capacity)
        return;
    char *bytes = arena_allocate(text->arena, capacity);
    memcpy(bytes, text->bytes, text->size);
    text->bytes = bytes;
    text->capacity = capacity;
}

void text_append(text *text, const char *bytes, size_t size)
{
    if (size == 0)
        return;
    reserve(text, size);
    memcpy(text->bytes + text->size, bytes, size);
    text->size += size;
    text->bytes[text->size] = '\0';
}

void text_append_string(text *text, const char *string)
{
    text_append(text, string, strlen(string));
}

void text_append_escaped(text *text, const char *bytes, size_t size)
{
    for (size_t at = 0; at < size;) {
        utf8_step step = utf8_next(bytes + at, size - at);
        if (utf8_is_printable(step.code_point))
            text_append(text, bytes + at, step.size);
        for (size_t i = 0; !utf8_is_printable(step.code_point) && i < step.size; i++)
            text_append_format(text, "\\x%02x", (unsigned char)bytes[at + i]);
        at += step.size;
    }
}

const char *text_escaped(arena *arena, const char *string)
{
    text escaped = text_create(arena);
    text_append_escaped(&escaped, string, strlen(string));
    return escaped.bytes;
}

void text_append_format(text *text, const char *format, ...)
{
    assert(format != NULL);
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    assert(length >= 0);
    va_end(arguments);
    reserve(text, (size_t)length);
    vsnprintf(text->bytes + text->size, (size_t)length + 1, format, again);
    va_end(again);
    text->size += (size_t)length;
}

size_t text_without_returns(char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (bytes[i] == '\n' && (i == 0 || bytes[i - 1] != '\r'))
            return size;
    size_t kept = 0;
    for (size_t i = 0; i < size; i++) {
        bool is_return = bytes[i] == '\r' && i + 1 < size && bytes[i + 1] == '\n';
        if (!is_return)
            bytes[kept++] = bytes[i];
    }
    return kept;
}
