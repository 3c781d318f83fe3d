// Growing strings, and the code points in them.
#include "generator/base/base.h"

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
    assert(bytes != NULL || size == 0);
    if (size == 0)
        return;
    reserve(text, size);
    memcpy(text->bytes + text->size, bytes, size);
    text->size += size;
    text->bytes[text->size] = '\0';
}

void text_append_string(text *text, const char *string)
{
    assert(string != NULL);
    text_append(text, string, strlen(string));
}

void text_separate(text *text, size_t index, const char *separator)
{
    if (index > 0)
        text_append_string(text, separator);
}

void text_append_item(text *text, const char *separator, const char *item)
{
    text_separate(text, text->size, separator);
    text_append_string(text, item);
}

void text_append_line(text *text, const char *string)
{
    size_t size = text->size;
    text_append_string(text, string);
    for (char *at = text->bytes + size; *at != '\0'; at++)
        if (*at == '\n')
            *at = ' ';
}

void text_append_count(text *text, size_t count, const char *one, const char *many)
{
    const char *noun = many;
    if (count == 1)
        noun = one;
    text_append_format(text, "%zu %s", count, noun);
}

const char *text_if(bool condition, const char *string)
{
    assert(string != NULL);
    if (condition)
        return string;
    return "";
}

const char *text_or_empty(const char *string)
{
    if (string != NULL)
        return string;
    return "";
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
    va_list arguments;
    va_list again;
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

bool text_ends_in(const char *string, const char *ending)
{
    size_t size = strlen(string);
    size_t end = strlen(ending);
    return size > end && strcmp(string + size - end, ending) == 0;
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

// ---- code points

// The lead bytes of sequences of 1 to 4 bytes, and the bits of the code point that they hold.
static const struct {
    unsigned char first, last, mask;
} leads[] = {{0x00, 0x7F, 0x7F}, {0xC2, 0xDF, 0x1F}, {0xE0, 0xEF, 0x0F}, {0xF0, 0xF4, 0x07}};

// Returns 0 if no sequence begins with the byte.
static size_t sequence_size(unsigned char lead)
{
    for (size_t i = 0; i < sizeof leads / sizeof leads[0]; i++)
        if (lead >= leads[i].first && lead <= leads[i].last)
            return i + 1;
    return 0;
}

// Returns whether the code point is overlong, a surrogate, or above the last code point.
static bool is_forbidden(uint32_t code_point, size_t size)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    return code_point < least[size] || (code_point >= 0xD800 && code_point < 0xE000) || code_point > 0x10FFFF;
}

utf8_step utf8_next(const char *bytes, size_t size)
{
    const utf8_step broken = {.code_point = UTF8_BROKEN, .size = 1};
    assert(size > 0);
    unsigned char lead = (unsigned char)bytes[0];
    if (lead <= leads[0].last)
        return (utf8_step){.code_point = lead, .size = 1};
    size_t needed = sequence_size(lead);
    if (needed == 0 || needed > size)
        return broken;
    uint32_t code_point = lead & leads[needed - 1].mask;
    for (size_t i = 1; i < needed; i++) {
        if (!utf8_continues(bytes[i]))
            return broken;
        code_point = code_point << 6 | ((unsigned char)bytes[i] & 0x3Fu);
    }
    if (is_forbidden(code_point, needed))
        return broken;
    return (utf8_step){.code_point = code_point, .size = needed};
}

bool utf8_continues(char byte)
{
    return ((unsigned char)byte & 0xC0u) == 0x80;
}

size_t utf8_count(const char *bytes, size_t size)
{
    size_t count = 0;
    for (size_t at = 0; at < size; count++)
        at += utf8_next(bytes + at, size - at).size;
    return count;
}

typedef struct range {
    uint32_t first, last;
} range;

static bool is_in(uint32_t code_point, const range *ranges, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (code_point >= ranges[i].first && code_point <= ranges[i].last)
            return true;
    return false;
}

bool utf8_is_directional(uint32_t code_point)
{
    static const range marks[] = {{0x061C, 0x061C}, {0x200E, 0x200F}, {0x202A, 0x202E}, {0x2066, 0x2069}};
    return is_in(code_point, marks, sizeof marks / sizeof *marks);
}

size_t utf8_plain_size(const char *bytes, size_t size)
{
    size_t plain = 0;
    while (plain < size && ((bytes[plain] >= ' ' && bytes[plain] <= '~') || bytes[plain] == '\n'))
        plain++;
    return plain;
}

bool utf8_is_printable(uint32_t code_point)
{
    static const range hidden[] = {
        {0x00, 0x1F}, {0x7F, 0x9F}, {0x2028, 0x2029}, {0xFEFF, 0xFEFF}, {0xFFFE, 0xFFFF}, {UTF8_BROKEN, UTF8_BROKEN},
    };
    return !utf8_is_directional(code_point) && !is_in(code_point, hidden, sizeof hidden / sizeof *hidden);
}

// ---- bytes

bool byte_is_upper(char byte)
{
    return byte >= 'A' && byte <= 'Z';
}

bool byte_is_lower(char byte)
{
    return byte >= 'a' && byte <= 'z';
}

bool byte_is_letter(char byte)
{
    return byte_is_upper(byte) || byte_is_lower(byte);
}

bool byte_is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

bool byte_is_word(char byte)
{
    return byte_is_letter(byte) || byte_is_digit(byte) || byte == '_';
}

bool byte_is_blank(char byte)
{
    return byte == ' ' || byte == '\t';
}

bool byte_is_space(char byte)
{
    return byte != '\0' && strchr(" \t\r\n", byte) != NULL;
}

char byte_to_lower(char byte)
{
    if (byte_is_upper(byte))
        return (char)(byte - 'A' + 'a');
    return byte;
}

char byte_to_upper(char byte)
{
    if (byte_is_lower(byte))
        return (char)(byte - 'a' + 'A');
    return byte;
}
