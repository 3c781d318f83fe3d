#include "recording/recording.h"

#include <kin/generated/replay.h>

#include <stdlib.h>
#include <string.h>

// Chapters: a host sends its recording as chapters, each a recording by itself, so that one can join at each. Here they
// become one recording: the names of all but the first are left out, and their first moments are keys.
//
//   HEAD META SHAP | moment | FRAM FRAM …   HEAD META SHAP | moment | FRAM FRAM …
//   HEAD META SHAP | moment | FRAM FRAM …                KEYF moment  FRAM FRAM …
//
// Blocks get new numbers, and so new sums. Cost: a copy of all bytes; a moment is kept in memory while it is copied.

typedef enum place { IN_NAMES, IN_MOMENT, IN_FRAMES } place;

// Bytes of blocks, until the head of the key before them can be written.
typedef struct collected {
    unsigned char *bytes;
    size_t size, capacity;
    kin__fault *fault;
} collected;

struct kin__chapters {
    kin__fault fault;
    // what is written
    kin__output output;
    kin__block_writer writer;
    kin__output memory; // of a moment that becomes a key
    collected moment;
    uint32_t key_number; // of the block KEYF
    // what is read
    kin__input input;
    kin__block_reader reader;
    bool is_open, is_first; // the first chapter
    place place;
    const unsigned char *at, *end; // bytes that were not read
};

static bool collect(const void *bytes, size_t size, void *user)
{
    collected *collected = user;
    if (size > collected->capacity - collected->size) {
        size_t capacity = kin__max_size(2 * collected->capacity, collected->size + size);
        unsigned char *grown = realloc(collected->bytes, capacity);
        if (grown == NULL)
            return kin__fault_note(collected->fault, KIN_ERROR_NO_MEMORY, "no memory for %zu bytes; free some",
                                   capacity);
        collected->bytes = grown;
        collected->capacity = capacity;
    }
    memcpy(collected->bytes + collected->size, bytes, size);
    collected->size += size;
    return true;
}

static size_t read_bytes(void *bytes, size_t size, void *user)
{
    kin__chapters *chapters = user;
    size_t left = (size_t)(chapters->end - chapters->at);
    size_t count = kin__min_size(left, size);
    if (count > 0)
        memcpy(bytes, chapters->at, count);
    chapters->at += count;
    return count;
}

// ---- keys

// The blocks of a moment go to memory, with the numbers that follow the head of the key.
static void begin_key(kin__chapters *chapters)
{
    chapters->key_number = chapters->writer.number++;
    chapters->moment.size = 0;
    chapters->writer.output = &chapters->memory;
}

static void end_key(kin__chapters *chapters)
{
    kin__block_writer *writer = &chapters->writer;
    uint32_t next = writer->number;
    writer->output = &chapters->output;
    writer->number = chapters->key_number;
    kin__write_64(writer, chapters->moment.size);
    kin__block_writer_put(writer, "KEYF");
    writer->number = next;
    kin__output_write(&chapters->output, chapters->moment.bytes, chapters->moment.size);
}

// ---- blocks

static void copy(kin__chapters *chapters)
{
    char kind[5] = "";
    memcpy(kind, chapters->reader.kind, 4);
    kin__write_bytes(&chapters->writer, chapters->reader.bytes, chapters->reader.size);
    kin__block_writer_put(&chapters->writer, kind);
}

// The last block of a moment begins with its own number.
static void copy_done(kin__chapters *chapters)
{
    kin__decoder decoder = kin__decoder_of(&chapters->reader);
    if (kin__decode_32(&decoder) != chapters->reader.number) {
        kin__block_reader_fault(&chapters->reader, 1307, "it has another number");
        return;
    }
    kin__write_32(&chapters->writer, chapters->writer.number);
    kin__write_bytes(&chapters->writer, decoder.at, kin__decoder_left(&decoder));
    kin__block_writer_put(&chapters->writer, "DONE");
}

static void take_block(kin__chapters *chapters, uint64_t *frames)
{
    const kin__block_reader *reader = &chapters->reader;
    bool is_left_out = chapters->place == IN_NAMES && !chapters->is_first;
    if (kin__block_reader_is(reader, "DONE"))
        copy_done(chapters);
    else if (!is_left_out)
        copy(chapters);
    if (chapters->place == IN_FRAMES)
        *frames += kin__block_reader_is(reader, "FRAM");
    if (chapters->place == IN_NAMES && kin__block_reader_is(reader, "SHAP")) {
        chapters->place = IN_MOMENT;
        if (!chapters->is_first)
            begin_key(chapters);
    } else if (chapters->place == IN_MOMENT && kin__block_reader_is(reader, "DONE")) {
        chapters->place = IN_FRAMES;
        if (!chapters->is_first)
            end_key(chapters);
    }
}

// Reads the next block. False at the end of the bytes, and after a fault.
static bool next(kin__chapters *chapters)
{
    kin__block_reader before = chapters->reader;
    uint64_t offset = chapters->input.offset;
    chapters->input.limit = offset + KIN__MOMENT_LIMIT;
    if (kin__block_reader_next(&chapters->reader, KIN__BLOCK_LIMIT))
        return true;
    bool is_between = chapters->input.has_ended && chapters->input.offset == offset;
    if (!is_between)
        return false;
    chapters->fault = (kin__fault){KIN_OK, ""};
    chapters->reader.number = before.number;
    chapters->reader.has_block = before.has_block;
    return false;
}

// ---- chapters

static void close_chapter(kin__chapters *chapters)
{
    if (!chapters->is_open)
        return;
    kin__block_reader_end(&chapters->reader);
    kin__input_end(&chapters->input);
    chapters->is_open = false;
}

static bool open_chapter(kin__chapters *chapters)
{
    chapters->is_first = chapters->writer.output == NULL;
    if (!chapters->is_first && chapters->place != IN_FRAMES)
        return kin__fault_note(&chapters->fault, KIN_ERROR_CORRUPT, "a chapter ends before its first frame");
    close_chapter(chapters);
    chapters->is_open = true;
    chapters->place = IN_NAMES;
    kin__block_reader_begin(&chapters->reader, &chapters->input);
    if (!kin__input_begin(&chapters->input, (kin_source){read_bytes, NULL, chapters}, KIN__MOMENT_LIMIT,
                          &chapters->fault))
        return false;
    if (chapters->is_first)
        kin__block_writer_begin(&chapters->writer, &chapters->output);
    return true;
}

bool kin__chapters_take(kin__chapters *chapters, bool begins, const void *bytes, size_t size, uint64_t *frames)
{
    chapters->at = bytes;
    chapters->end = chapters->at + size;
    if (chapters->fault.status != KIN_OK || (begins && !open_chapter(chapters)))
        return false;
    if (!chapters->is_open)
        return kin__fault_note(&chapters->fault, KIN_ERROR_CORRUPT, "it does not begin with a chapter");
    while (chapters->fault.status == KIN_OK && next(chapters))
        take_block(chapters, frames);
    if (begins && chapters->place != IN_FRAMES)
        kin__fault_note(&chapters->fault, KIN_ERROR_CORRUPT, "the first state of a chapter is not whole");
    return kin__output_flush(&chapters->output);
}

const char *kin__chapters_fault(const kin__chapters *chapters)
{
    return chapters->fault.status == KIN_OK ? NULL : chapters->fault.text;
}

// ---- beginning and ending

kin__chapters *kin__chapters_create(kin_sink sink, int level)
{
    kin__chapters *chapters = calloc(1, sizeof *chapters);
    if (chapters == NULL)
        return NULL;
    chapters->moment.fault = &chapters->fault;
    chapters->memory = (kin__output){.sink = {collect, &chapters->moment}, .fault = &chapters->fault};
    if (kin__output_begin(&chapters->output, sink, level, &chapters->fault))
        return chapters;
    kin__chapters_destroy(chapters);
    return NULL;
}

bool kin__chapters_destroy(kin__chapters *chapters)
{
    if (chapters == NULL)
        return true;
    close_chapter(chapters);
    bool is_whole = kin__output_end(&chapters->output);
    kin__block_writer_end(&chapters->writer);
    free(chapters->moment.bytes);
    free(chapters);
    return is_whole;
}
