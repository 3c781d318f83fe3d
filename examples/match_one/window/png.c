// The format of RFC 2083, with compressed data of RFC 1950 and 1951: one block of fixed codes, whose only repetitions
// are of the previous pixel.
#include "png.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHANNELS = 3, FILTER_UP = 2, LENGTH_COUNT = 29, END_OF_BLOCK = 256, DISTANCE_OF_A_PIXEL = 2 };

// The shortest run of each length code. Only these lengths are written, so the extra bits of a code are always 0.
static const uint16_t lengths[LENGTH_COUNT] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                               31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};

typedef struct bytes {
    uint8_t *data;
    size_t count, capacity;
    uint32_t waiting, waiting_count; // bits that do not fill a byte yet, the lowest first
    bool failed;
} bytes;

static void append(bytes *bytes, uint8_t byte)
{
    if (bytes->count == bytes->capacity) {
        size_t capacity = bytes->capacity == 0 ? 4096 : 2 * bytes->capacity;
        uint8_t *data = realloc(bytes->data, capacity);
        bytes->failed |= data == NULL;
        if (data == NULL)
            return;
        bytes->data = data;
        bytes->capacity = capacity;
    }
    bytes->data[bytes->count++] = byte;
}

static void append_number(bytes *bytes, uint32_t number)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        append(bytes, (uint8_t)(number >> shift));
}

// ---- compressed data

static void append_bits(bytes *bytes, uint32_t bits, uint32_t count)
{
    bytes->waiting |= bits << bytes->waiting_count;
    for (bytes->waiting_count += count; bytes->waiting_count >= 8; bytes->waiting_count -= 8) {
        append(bytes, (uint8_t)bytes->waiting);
        bytes->waiting >>= 8;
    }
}

// Codes begin with their highest bit.
static void append_code(bytes *bytes, uint32_t code, uint32_t count)
{
    while (count-- > 0)
        append_bits(bytes, code >> count & 1, 1);
}

static void append_symbol(bytes *bytes, uint32_t symbol)
{
    if (symbol < 144)
        append_code(bytes, 0x30 + symbol, 8);
    else if (symbol < 256)
        append_code(bytes, 0x190 + symbol - 144, 9);
    else if (symbol < 280)
        append_code(bytes, symbol - 256, 7);
    else
        append_code(bytes, 0xC0 + symbol - 280, 8);
}

// Appends the longest part of a run that one code can express, and returns its length.
static size_t append_run(bytes *bytes, size_t size)
{
    uint32_t code = LENGTH_COUNT - 1;
    while (lengths[code] > size)
        code--;
    append_symbol(bytes, END_OF_BLOCK + 1 + code);
    append_bits(bytes, 0, code < 4 || code == LENGTH_COUNT - 1 ? 0 : (code - 4) / 4);
    append_code(bytes, DISTANCE_OF_A_PIXEL, 5);
    return lengths[code];
}

static void append_all(bytes *bytes, const uint8_t *data, size_t size)
{
    append_bits(bytes, 1 | 1 << 1, 3); // the last block, of fixed codes
    for (size_t i = 0, run = 0; i < size; i += run) {
        for (run = 0; i >= CHANNELS && i + run < size && data[i + run] == data[i + run - CHANNELS];)
            run++;
        if (run >= lengths[0]) {
            run = append_run(bytes, run);
            continue;
        }
        append_symbol(bytes, data[i]);
        run = 1;
    }
    append_symbol(bytes, END_OF_BLOCK);
    append_bits(bytes, 0, 7); // fills the last byte
}

static uint32_t adler(const uint8_t *data, size_t size)
{
    uint32_t low = 1, high = 0;
    for (size_t i = 0; i < size; i++) {
        low = (low + data[i]) % 65521;
        high = (high + low) % 65521;
    }
    return high << 16 | low;
}

// ---- the file

static uint32_t crc(const uint8_t *data, size_t size)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < size; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xEDB88320 : 0);
    }
    return ~crc;
}

// Begins a chunk. end_chunk writes its size.
static size_t begin_chunk(bytes *bytes, const char *type)
{
    append_number(bytes, 0);
    for (; *type != '\0'; type++)
        append(bytes, (uint8_t)*type);
    return bytes->count;
}

static void end_chunk(bytes *bytes, size_t start)
{
    if (bytes->failed)
        return;
    uint32_t size = (uint32_t)(bytes->count - start);
    for (size_t i = 0; i < 4; i++)
        bytes->data[start - 8 + i] = (uint8_t)(size >> (24 - 8 * i));
    append_number(bytes, crc(bytes->data + start - 4, size + 4));
}

// Each row begins with its filter type: the difference to the row above.
static void filter(const picture *picture, uint8_t *rows)
{
    size_t stride = (size_t)picture->width * CHANNELS;
    for (size_t y = 0; y < picture->height; y++) {
        const uint8_t *row = picture->pixels + y * stride;
        *rows++ = FILTER_UP;
        for (size_t i = 0; i < stride; i++)
            *rows++ = (uint8_t)(row[i] - (y == 0 ? 0 : *(row + i - stride)));
    }
}

static void append_pixels(bytes *bytes, const picture *picture)
{
    size_t size = picture->height * ((size_t)picture->width * CHANNELS + 1);
    uint8_t *rows = malloc(size);
    bytes->failed |= rows == NULL;
    if (rows == NULL)
        return;
    filter(picture, rows);
    append(bytes, 0x78);
    append(bytes, 0x01);
    append_all(bytes, rows, size);
    append_number(bytes, adler(rows, size));
    free(rows);
}

static void append_header(bytes *bytes, const picture *picture)
{
    static const uint8_t kind[] = {8, 2, 0, 0, 0}; // eight bits a channel, three channels
    append_number(bytes, picture->width);
    append_number(bytes, picture->height);
    for (size_t i = 0; i < sizeof kind; i++)
        append(bytes, kind[i]);
}

bool png_write(const picture *picture, const char *path)
{
    static const uint8_t signature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    bytes bytes = {0};
    for (size_t i = 0; i < sizeof signature; i++)
        append(&bytes, signature[i]);
    size_t chunk = begin_chunk(&bytes, "IHDR");
    append_header(&bytes, picture);
    end_chunk(&bytes, chunk);
    chunk = begin_chunk(&bytes, "IDAT");
    append_pixels(&bytes, picture);
    end_chunk(&bytes, chunk);
    end_chunk(&bytes, begin_chunk(&bytes, "IEND"));
    FILE *file = bytes.failed ? NULL : fopen(path, "wb");
    bool written = file != NULL && fwrite(bytes.data, 1, bytes.count, file) == bytes.count;
    written = file != NULL && fclose(file) == 0 && written;
    free(bytes.data);
    return written;
}
