#include "frame/format.h"
#include "play/apply.h"
#include "play/made.h"
#include "read/column.h"
#include "read/kept.h"
#include "read/links.h"
#include "read/slots.h"

#include <string.h>

// A moment on its way to a snapshot.
typedef struct moment {
    kin__recording *recording;
    kin__heap heap;
    kin__reading *readings; // by number of the context in the file
    kin__frame_parts nodes; // blocks SYST
    uint32_t capacity;      // of `nodes`
} moment;

static bool is(const moment *moment, const char *kind)
{
    return kin__block_reader_is(&moment->recording->reader, kind);
}

// ---- blocks

static bool add_node(moment *moment)
{
    const kin__block_reader *reader = &moment->recording->reader;
    kin__frame_parts *nodes = &moment->nodes;
    if (nodes->count == moment->capacity) {
        uint32_t capacity = moment->capacity == 0 ? 16 : 2 * moment->capacity;
        kin__frame_part *larger = kin__heap_take(&moment->heap, capacity, sizeof *larger);
        if (larger == NULL)
            return false;
        if (nodes->count > 0)
            memcpy(larger, nodes->parts, nodes->count * sizeof *larger);
        nodes->parts = larger;
        moment->capacity = capacity;
    }
    unsigned char *bytes = kin__heap_take(&moment->heap, reader->size, 1);
    if (bytes == NULL)
        return false;
    if (reader->size > 0)
        memcpy(bytes, reader->bytes, reader->size);
    nodes->parts[nodes->count++] =
        (kin__frame_part){{'S', 'Y', 'S', 'T'}, {.at = bytes, .end = bytes + reader->size}};
    return true;
}

static bool read_block(moment *moment)
{
    kin__block_reader *reader = &moment->recording->reader;
    kin__decoder decoder = kin__decoder_of(reader);
    if (is(moment, "SYST"))
        return add_node(moment);
    uint32_t number = kin__decode_32(&decoder);
    if (number >= moment->recording->schema.context_count)
        return kin__block_reader_fault(reader, 1307, "there is no context with its number");
    kin__reading *reading = &moment->readings[number];
    reading->blocks = *reader;
    if (is(moment, "CTXT"))
        return reading->part == NULL ? kin__context_block_read(reading, &decoder)
                                     : kin__block_reader_fault(reader, 1308, "it is there twice");
    uint32_t chunk = kin__decode_32(&decoder);
    if (reading->part == NULL || chunk >= reading->part->chunk_count)
        return kin__block_reader_fault(reader, 1307, "it is of a chunk that there is not");
    if (is(moment, "SLOT"))
        return kin__slots_read(reading, &decoder, chunk);
    if (is(moment, "COLM"))
        return kin__column_read(reading, &decoder, chunk);
    if (is(moment, "KEEP"))
        return kin__kept_read(reading, &decoder, chunk);
    if (is(moment, "LINK"))
        return kin__links_read(reading, &decoder, chunk);
    return kin__block_reader_fault(reader, 1309, "it must not stand here");
}

static bool read_blocks(moment *moment)
{
    kin__recording *recording = moment->recording;
    recording->input.limit = recording->input.offset + KIN__MOMENT_LIMIT;
    while (kin__block_reader_next(&recording->reader, KIN__BLOCK_LIMIT)) {
        if (is(moment, "DONE"))
            return true;
        if (!read_block(moment))
            return false;
    }
    return false;
}

// ---- all together

static bool begin(moment *moment)
{
    uint32_t count = moment->recording->schema.context_count;
    moment->readings = kin__heap_take(&moment->heap, count, sizeof *moment->readings);
    for (uint32_t i = 0; moment->readings != NULL && i < count; i++)
        moment->readings[i] = kin__recording_reading(moment->recording, i);
    for (uint32_t i = 0; moment->readings != NULL && i < count; i++)
        if (!kin__recording_values(&moment->readings[i]))
            return false;
    return moment->readings != NULL;
}

static bool finish(moment *moment, kin__made_moment *made)
{
    if (!kin__made_begin(made, &moment->nodes))
        return false;
    for (uint32_t i = 0; i < moment->recording->schema.context_count; i++) {
        if (moment->readings[i].part == NULL)
            return kin__block_reader_fault(&moment->recording->reader, 1309, "a context is missing");
        if (!kin__made_add(made, &moment->readings[i]))
            return false;
    }
    return true;
}

bool kin__recording_read_moment(kin__recording *recording, kin_snapshot *snapshot)
{
    moment moment = {.recording = recording,
                     .heap = {.memory = &recording->memory, .fault = &recording->fault}};
    kin__made_moment made = kin__made_moment_of(recording, snapshot);
    bool is_read = begin(&moment) && read_blocks(&moment) && finish(&moment, &made) && kin__made_put(&made);
    for (uint32_t i = 0; moment.readings != NULL && i < recording->schema.context_count; i++) {
        kin__part_release(moment.readings[i].part);
        kin__heap_release(&moment.readings[i].value_heap);
        kin__heap_release(&moment.readings[i].heap);
    }
    kin__made_release(&made);
    kin__heap_release(&moment.heap);
    return is_read;
}
