#include "frame/reader.h"

#include "base/base.h"
#include "frame/format.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 64 * 1024, TEXT_SIZE = 256 };

void kin__block_reader_begin(kin__block_reader *reader, kin__input *input)
{
    *reader = (kin__block_reader){.input = input, .offset = KIN__MAGIC_SIZE};
}

void kin__block_reader_end(kin__block_reader *reader)
{
    free(reader->bytes);
}

bool kin__block_reader_is(const kin__block_reader *reader, const char *kind)
{
    return memcmp(reader->kind, kind, 4) == 0;
}

// Replaces bytes of damaged files that should not be printed.
static void show_kind(char *text, const char *kind)
{
    for (int i = 0; i < 4; i++)
        text[i] = (char)(kind[i] >= 'A' && kind[i] <= 'Z' ? kind[i] : '?');
    text[4] = '\0';
}

bool kin__block_reader_fault(kin__block_reader *reader, int code, const char *format, ...)
{
    char text[TEXT_SIZE], kind[5];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    show_kind(kind, reader->kind);
    return kin__fault_note(reader->input->fault, KIN_ERROR_CORRUPT,
                           "block %" PRIu32 " (%s) at byte %" PRIu64 ": %s [K%d]", reader->number, kind, reader->offset,
                           text, code);
}

static bool grow(kin__block_reader *reader, size_t least)
{
    size_t capacity = reader->capacity == 0 ? FIRST_CAPACITY : reader->capacity;
    if (least <= reader->capacity)
        return true;
    while (capacity < least)
        capacity *= 2;
    unsigned char *bytes = realloc(reader->bytes, capacity);
    if (bytes == NULL)
        return kin__fault_note(reader->input->fault, KIN_ERROR_NO_MEMORY,
                               "no memory for %zu bytes; free some and try again", capacity);
    reader->bytes = bytes;
    reader->capacity = capacity;
    return true;
}

// Reads the payload in parts, and allocates more memory only after reading a part.
static bool read_payload(kin__block_reader *reader, size_t size)
{
    reader->size = 0;
    while (reader->size < size) {
        size_t room = reader->capacity - reader->size, part = size - reader->size < room ? size - reader->size : room;
        if (room == 0) {
            if (!grow(reader, reader->size + 1))
                return false;
            continue;
        }
        size_t count = kin__input_read(reader->input, reader->bytes + reader->size, part);
        reader->size += count;
        if (count < part)
            return kin__block_reader_fault(reader, 1302, "it ends after %zu of %zu bytes", reader->size, size);
    }
    return true;
}

bool kin__block_reader_next(kin__block_reader *reader, size_t limit)
{
    unsigned char head[KIN__BLOCK_HEAD] = {0};
    reader->number += reader->has_block;
    reader->has_block = true;
    reader->offset = reader->input->offset;
    size_t count = kin__input_read(reader->input, head, sizeof head);
    uint32_t size = kin__little_read_32(head + 4);
    memcpy(reader->kind, head, 4);
    if (count < sizeof head)
        return kin__fault_note(reader->input->fault, KIN_ERROR_CORRUPT,
                               "it ends too early, before block %" PRIu32 " at byte %" PRIu64 " [K1302]",
                               reader->number, reader->offset);
    if (size > limit)
        return kin__block_reader_fault(
            reader, 1307, "its size is %" PRIu32 " bytes, and blocks of its kind have %zu at most", size, limit);
    if (!read_payload(reader, size))
        return false;
    if (kin__block_sum(reader->kind, size, reader->number, reader->bytes) != kin__little_read_64(head + 8))
        return kin__block_reader_fault(reader, 1303, "its checksum does not match");
    return true;
}
