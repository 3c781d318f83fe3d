#include "base/base.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

kin__writer kin__writer_begin(char *text, size_t size)
{
    KIN_ASSERT(text != NULL || size == 0);
    if (size > 0)
        text[0] = '\0';
    return (kin__writer){.text = text, .size = size};
}

void kin__writer_append(kin__writer *writer, const char *text)
{
    size_t length = strlen(text);
    if (writer->length + 1 < writer->size) {
        size_t free = writer->size - writer->length - 1;
        size_t fits = length < free ? length : free;
        memcpy(writer->text + writer->length, text, fits);
        writer->text[writer->length + fits] = '\0';
    }
    writer->length += length;
}

// Returns the length of the UTF-8 character that begins with a byte; 0 if none does.
static size_t length_of(unsigned char lead)
{
    if (lead < 0x80)
        return 1;
    if (lead < 0xC0 || lead >= 0xF8)
        return 0;
    if (lead < 0xE0)
        return 2;
    return lead < 0xF0 ? 3 : 4;
}

// Returns the length of the UTF-8 character at the start of `size` bytes, and its code point; 0 if it is not valid.
static size_t decode(const unsigned char *bytes, size_t size, uint32_t *code_point)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char lead = bytes[0];
    KIN_ASSERT(size > 0);
    size_t length = length_of(lead);
    if (length == 0 || length > size)
        return 0;
    uint32_t point = length == 1 ? lead : lead & (0x7Fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((bytes[i] & 0xC0u) != 0x80)
            return 0;
        point = point << 6 | (bytes[i] & 0x3Fu);
    }
    *code_point = point;
    bool is_surrogate = point >= 0xD800 && point < 0xE000;
    bool is_in_range = point >= least[length] && point <= 0x10FFFF;
    return is_in_range && !is_surrogate ? length : 0;
}

bool kin__is_text(const unsigned char *bytes, size_t size)
{
    uint32_t code_point = 0;
    for (size_t at = 0; at < size;) {
        size_t length = decode(bytes + at, size - at, &code_point);
        if (length == 0 || code_point == 0)
            return false;
        at += length;
    }
    return true;
}

// Returns false for control characters, and for characters that hide or reorder others. Schemas allow the same ones.
static bool is_printable(uint32_t code_point)
{
    static const struct {
        uint32_t first, last;
    } hidden[] = {{0x00, 0x1F},     {0x7F, 0x9F},     {0x061C, 0x061C}, {0x200E, 0x200F},
                  {0x2028, 0x202E}, {0x2066, 0x2069}, {0xFEFF, 0xFEFF}, {0xFFFE, 0xFFFF}};
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
        if (code_point >= hidden[i].first && code_point <= hidden[i].last)
            return false;
    return true;
}

const char *kin__escape(char escaped[KIN__ESCAPED_SIZE], const char *string, size_t size)
{
    const unsigned char *bytes = (const unsigned char *)string;
    char *end = escaped;
    size_t at = 0;
    while (at < size) {
        uint32_t code_point = 0;
        size_t length = decode(bytes + at, size - at, &code_point);
        size_t step = length == 0 ? 1 : length;
        if (size > KIN__ESCAPE_LIMIT && at + step > KIN__ESCAPE_LIMIT)
            break;
        bool is_unchanged = length > 0 && is_printable(code_point);
        for (; step > 0; step--, at++)
            end += snprintf(end, sizeof "\\xff", is_unchanged ? "%c" : "\\x%02x", bytes[at]);
    }
    KIN_ASSERT((size_t)(end - escaped) + sizeof "..." <= KIN__ESCAPED_SIZE);
    snprintf(end, sizeof "...", "%s", at < size ? "..." : "");
    return escaped;
}
