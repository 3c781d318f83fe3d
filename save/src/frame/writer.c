#include "frame/writer.h"

#include "base/base.h"
#include "frame/format.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 4096 };

void kin__block_writer_begin(kin__block_writer *writer, kin__output *output)
{
    *writer = (kin__block_writer){.output = output};
    kin__output_write(output, kin__magic, sizeof kin__magic);
}

void kin__block_writer_end(kin__block_writer *writer)
{
    free(writer->bytes);
}

static bool reserve(kin__block_writer *writer, size_t size)
{
    size_t least = KIN__BLOCK_HEAD + writer->size + size;
    size_t capacity = writer->capacity == 0 ? FIRST_CAPACITY : writer->capacity;
    if (size > KIN__BLOCK_LIMIT - writer->size)
        return kin__fault_note(writer->output->fault, KIN_ERROR_LIMIT,
                               "the values of 512 entities need more than 64 MiB; make them smaller");
    if (least <= writer->capacity)
        return true;
    while (capacity < least)
        capacity *= 2;
    unsigned char *bytes = realloc(writer->bytes, capacity);
    if (bytes == NULL)
        return kin__fault_note(writer->output->fault, KIN_ERROR_NO_MEMORY,
                               "no memory for %zu bytes; free some and try again", capacity);
    writer->bytes = bytes;
    writer->capacity = capacity;
    return true;
}

unsigned char *kin__block_writer_room(kin__block_writer *writer, size_t size)
{
    if (writer->output->fault->status != KIN_OK || !reserve(writer, size))
        return NULL;
    unsigned char *at = writer->bytes + KIN__BLOCK_HEAD + writer->size;
    writer->size += size;
    return at;
}

void kin__write_bytes(kin__block_writer *writer, const void *bytes, size_t size)
{
    unsigned char *to = kin__block_writer_room(writer, size);
    if (to != NULL && size > 0)
        memcpy(to, bytes, size);
}

void kin__write_8(kin__block_writer *writer, uint8_t number)
{
    kin__write_bytes(writer, &number, 1);
}

void kin__write_16(kin__block_writer *writer, uint16_t number)
{
    unsigned char bytes[2];
    kin__little_write_16(bytes, number);
    kin__write_bytes(writer, bytes, sizeof bytes);
}

void kin__write_32(kin__block_writer *writer, uint32_t number)
{
    unsigned char bytes[4];
    kin__little_write_32(bytes, number);
    kin__write_bytes(writer, bytes, sizeof bytes);
}

void kin__write_64(kin__block_writer *writer, uint64_t number)
{
    unsigned char bytes[8];
    kin__little_write_64(bytes, number);
    kin__write_bytes(writer, bytes, sizeof bytes);
}

void kin__write_text(kin__block_writer *writer, const char *text)
{
    size_t size = strlen(text);
    if (size > UINT16_MAX)
        size = UINT16_MAX;
    kin__write_16(writer, (uint16_t)size);
    kin__write_bytes(writer, text, size);
}

void kin__block_writer_put(kin__block_writer *writer, const char *kind)
{
    if (writer->output->fault->status != KIN_OK || !reserve(writer, 0))
        return;
    uint32_t size = (uint32_t)writer->size;
    memcpy(writer->bytes, kind, 4);
    kin__little_write_32(writer->bytes + 4, size);
    kin__little_write_64(writer->bytes + 8,
                         kin__block_sum(kind, size, writer->number, writer->bytes + KIN__BLOCK_HEAD));
    kin__output_write(writer->output, writer->bytes, KIN__BLOCK_HEAD + writer->size);
    writer->number++;
    writer->size = 0;
}
