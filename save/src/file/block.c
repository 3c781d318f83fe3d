#include "file/file.h"

#include "base/base.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t kin__block_sum(const char *kind, uint32_t size, uint32_t number, const void *payload)
{
    unsigned char numbers[8];
    kin__xxh64 hash = kin__xxh64_begin(0);
    kin__little_write_32(numbers, size);
    kin__little_write_32(numbers + 4, number);
    kin__xxh64_add(&hash, kind, 4);
    kin__xxh64_add(&hash, numbers, sizeof numbers);
    kin__xxh64_add(&hash, payload, size);
    return kin__xxh64_end(&hash);
}

// ---- writer

enum { FIRST_WRITER_CAPACITY = 4096 };

void kin__block_writer_begin(kin__block_writer *writer, kin__output *output)
{
    *writer = (kin__block_writer){.output = output};
    kin__output_write(output, kin__magic, sizeof kin__magic);
}

void kin__block_writer_end(kin__block_writer *writer)
{
    free(writer->bytes);
}

// Doubles a capacity, from `from` on, until it has so many bytes.
static bool grow(unsigned char **bytes, size_t *capacity, size_t from, size_t least, kin__fault *fault)
{
    size_t size = from;
    KIN_ASSERT(from > 0 && least > *capacity);
    while (size < least)
        size *= 2;
    unsigned char *grown = realloc(*bytes, size);
    if (grown == NULL)
        return kin__fault_note(fault, KIN_ERROR_NO_MEMORY, "no memory for %zu bytes; free some and try again", size);
    *bytes = grown;
    *capacity = size;
    return true;
}

static bool reserve(kin__block_writer *writer, size_t size)
{
    KIN_ASSERT(writer->size <= KIN__BLOCK_LIMIT);
    size_t least = KIN__BLOCK_HEAD + writer->size + size;
    if (size > KIN__BLOCK_LIMIT - writer->size)
        return kin__fault_note(writer->output->fault, KIN_ERROR_LIMIT,
                               "the values of 512 entities need more than 64 MiB; make them smaller");
    if (least <= writer->capacity)
        return true;
    size_t capacity = kin__max_size(writer->capacity, FIRST_WRITER_CAPACITY);
    return grow(&writer->bytes, &writer->capacity, capacity, least, writer->output->fault);
}

unsigned char *kin__block_writer_room(kin__block_writer *writer, size_t size)
{
    if (writer->output->fault->status != KIN_OK || !reserve(writer, size))
        return NULL;
    unsigned char *at = writer->bytes + KIN__BLOCK_HEAD + writer->size;
    writer->size += size;
    KIN_ASSERT(KIN__BLOCK_HEAD + writer->size <= writer->capacity);
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
    KIN_ASSERT(strlen(kind) == 4);
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

// ---- reader

enum { FIRST_READER_CAPACITY = 64 * 1024, TEXT_SIZE = 256 };

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
        text[i] = kind[i];
    for (int i = 0; i < 4; i++)
        if (text[i] < 'A' || text[i] > 'Z')
            text[i] = '?';
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

// Reads the payload in parts, and allocates more memory only after reading a part.
static bool read_payload(kin__block_reader *reader, size_t size)
{
    reader->size = 0;
    while (reader->size < size) {
        size_t room = reader->capacity - reader->size;
        size_t part = kin__min_size(size - reader->size, room);
        if (room == 0) {
            size_t capacity = kin__max_size(reader->capacity, FIRST_READER_CAPACITY);
            if (!grow(&reader->bytes, &reader->capacity, capacity, reader->size + 1, reader->input->fault))
                return false;
            continue;
        }
        size_t count = kin__input_read(reader->input, reader->bytes + reader->size, part);
        KIN_ASSERT(count <= part);
        reader->size += count;
        if (count < part)
            return kin__block_reader_fault(reader, 1302, "it ends after %zu of %zu bytes", reader->size, size);
    }
    return true;
}

bool kin__block_reader_next(kin__block_reader *reader, size_t limit)
{
    unsigned char head[KIN__BLOCK_HEAD] = {0};
    KIN_ASSERT(limit <= KIN__BLOCK_LIMIT);
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

// ---- decoding

const unsigned char *kin__decode_bytes(kin__decoder *decoder, size_t size)
{
    const unsigned char *at = decoder->at;
    KIN_ASSERT(decoder->at <= decoder->end);
    if (size > kin__decoder_left(decoder)) {
        decoder->is_short = true;
        return NULL;
    }
    if (size > 0) // `at` is NULL in an empty block
        decoder->at += size;
    return at;
}

uint8_t kin__decode_8(kin__decoder *decoder)
{
    const unsigned char *bytes = kin__decode_bytes(decoder, 1);
    if (bytes == NULL)
        return 0;
    return *bytes;
}

uint16_t kin__decode_16(kin__decoder *decoder)
{
    const unsigned char *bytes = kin__decode_bytes(decoder, 2);
    if (bytes == NULL)
        return 0;
    return (uint16_t)(bytes[0] | bytes[1] << 8);
}

uint32_t kin__decode_32(kin__decoder *decoder)
{
    const unsigned char *bytes = kin__decode_bytes(decoder, 4);
    if (bytes == NULL)
        return 0;
    return kin__little_read_32(bytes);
}

uint64_t kin__decode_64(kin__decoder *decoder)
{
    const unsigned char *bytes = kin__decode_bytes(decoder, 8);
    if (bytes == NULL)
        return 0;
    return kin__little_read_64(bytes);
}

const char *kin__decode_text(kin__decoder *decoder, size_t *size)
{
    *size = kin__decode_16(decoder);
    const unsigned char *bytes = kin__decode_bytes(decoder, *size);
    if (bytes == NULL)
        *size = 0;
    return (const char *)bytes;
}

bool kin__decoder_end(kin__decoder *decoder, kin__block_reader *reader)
{
    if (decoder->is_short)
        return kin__block_reader_fault(reader, 1307, "its counts exceed its size");
    if (decoder->at != decoder->end)
        return kin__block_reader_fault(reader, 1307, "%zu bytes follow its content", kin__decoder_left(decoder));
    return true;
}

// Returns how many bytes a character of UTF-8 has that begins with this byte.
static size_t size_of_character(unsigned char first)
{
    if (first < 0x80)
        return 1;
    if (first < 0xe0)
        return 2;
    if (first < 0xf0)
        return 3;
    return 4;
}

// Whether the first two bytes are of a character that is longer than needed, half of a surrogate pair, or above 10FFFF.
static bool is_out_of_range(unsigned char first, unsigned char second)
{
    switch (first) {
    case 0xe0: // longer than needed
        return second < 0xa0;
    case 0xf0:
        return second < 0x90;
    case 0xed: // half of a surrogate pair
        return second > 0x9f;
    case 0xf4: // above 10FFFF
        return second > 0x8f;
    default:
        return false;
    }
}

// Returns the size of the character at `at`; 0 if it is invalid. Overlong forms and surrogates are invalid.
static size_t character(const unsigned char *at, size_t left)
{
    KIN_ASSERT(left > 0);
    if (at[0] < 0x80)
        return at[0] >= ' ' && at[0] != 0x7f;
    size_t size = size_of_character(at[0]);
    bool can_begin = at[0] >= 0xc2 && at[0] <= 0xf4;
    if (!can_begin || size > left)
        return 0;
    for (size_t i = 1; i < size; i++)
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    if (is_out_of_range(at[0], at[1]))
        return 0;
    return size;
}

bool kin__is_name(const char *letters, size_t size)
{
    const unsigned char *at = (const unsigned char *)letters;
    while (size > 0) {
        size_t length = character(at, size);
        if (length == 0)
            return false;
        at += length;
        size -= length;
    }
    return true;
}

// ---- head

enum { HEAD_LIMIT = 16 + 2 * (2 + UINT16_MAX) }; // bytes of the block

void kin__head_write(kin__block_writer *writer, const kin__head *head, const kin_write_options *options)
{
    kin__write_16(writer, KIN__FORMAT);
    kin__write_16(writer, head->is_recording ? KIN__WHAT_RECORDING : KIN__WHAT_SAVE);
    kin__write_32(writer, head->version);
    kin__write_64(writer, head->frame);
    kin__write_text(writer, head->package);
    kin__write_text(writer, "kin " KIN_VERSION);
    kin__block_writer_put(writer, "HEAD");
    if (options != NULL && options->meta_size > 0) {
        kin__write_bytes(writer, options->meta, options->meta_size);
        kin__block_writer_put(writer, "META");
    }
}

bool kin__head_read(kin__block_reader *reader, kin__head *head)
{
    size_t size;
    KIN_ASSERT(!reader->has_block);
    if (!kin__block_reader_next(reader, HEAD_LIMIT))
        return false;
    if (!kin__block_reader_is(reader, "HEAD"))
        return kin__block_reader_fault(reader, 1309, "the first block is not the head");
    kin__decoder decoder = kin__decoder_of(reader);
    uint16_t format = kin__decode_16(&decoder);
    uint16_t what = kin__decode_16(&decoder);
    if (!decoder.is_short && format > KIN__FORMAT)
        return kin__fault_note(reader->input->fault, KIN_ERROR_SHAPE,
                               "it has format %" PRIu16
                               ", and this version of Kin reads format %d; use a newer version [K1304]",
                               format, KIN__FORMAT);
    head->version = kin__decode_32(&decoder);
    head->frame = kin__decode_64(&decoder);
    head->package = kin__decode_text(&decoder, &head->package_size);
    const char *program = kin__decode_text(&decoder, &size);
    head->is_recording = what == KIN__WHAT_RECORDING;
    if (!kin__decoder_end(&decoder, reader))
        return false;
    bool is_known = what == KIN__WHAT_SAVE || what == KIN__WHAT_RECORDING;
    if (format != KIN__FORMAT || !is_known)
        return kin__block_reader_fault(reader, 1307, "format %d has no files of kind %d", format, what);
    if (!kin__is_name(head->package, head->package_size) || !kin__is_name(program, size))
        return kin__block_reader_fault(reader, 1307, "a name is not UTF-8");
    return true;
}

static void fill_info(kin_file_info *info, const kin__head *head)
{
    size_t size = kin__min_size(head->package_size, sizeof info->package - 1);
    *info = (kin_file_info){.version = head->version, .format = KIN__FORMAT, .frame = head->frame};
    info->is_recording = head->is_recording;
    if (size > 0)
        memcpy(info->package, head->package, size);
}

static bool look(kin__block_reader *reader, kin_file_info *info, void *meta, size_t capacity)
{
    kin__head head;
    kin_file_info found;
    if (!kin__head_read(reader, &head))
        return false;
    fill_info(&found, &head);
    if (!kin__block_reader_next(reader, KIN__BLOCK_LIMIT))
        return false;
    if (kin__block_reader_is(reader, "META")) {
        if (reader->size > KIN_META_SIZE)
            return kin__block_reader_fault(reader, 1307, "it has too many bytes");
        found.meta_size = reader->size;
        size_t size = kin__min_size(found.meta_size, capacity);
        if (size > 0)
            memcpy(meta, reader->bytes, size);
    }
    *info = found;
    return true;
}

kin_status kin_file_look(kin_source source, kin_file_info *info, void *meta, size_t capacity)
{
    kin__fault fault = {KIN_OK, ""};
    kin__input input;
    kin__block_reader reader;
    bool has_room = meta != NULL || capacity == 0;
    bool is_asked = source.read != NULL && info != NULL;
    if (!is_asked || !has_room)
        return KIN_ERROR_INVALID;
    kin__block_reader_begin(&reader, &input);
    if (kin__input_begin(&input, source, UINT64_MAX, &fault))
        look(&reader, info, meta, capacity);
    kin__block_reader_end(&reader);
    kin__input_end(&input);
    return fault.status;
}
