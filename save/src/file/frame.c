#include "file/file.h"

#include "base/base.h"

#include <string.h>

enum { PART_HEAD = 8, HASH_SIZE = 16 }; // bytes

static bool wrong(kin__block_reader *reader)
{
    return kin__block_reader_fault(reader, 1307, "it counts more than it has");
}

static bool read_hashes(kin__read_frame *frame, kin__decoder *decoder, kin__heap *heap, kin__block_reader *reader)
{
    frame->hash_count = kin__decode_16(decoder);
    if (frame->hash_count > kin__decoder_left(decoder) / HASH_SIZE)
        return wrong(reader);
    frame->hashes = kin__heap_take(heap, frame->hash_count, sizeof *frame->hashes);
    for (uint32_t i = 0; frame->hashes != NULL && i < frame->hash_count; i++) {
        frame->hashes[i].context = kin__decode_32(decoder);
        frame->hashes[i].component = kin__decode_32(decoder);
        frame->hashes[i].hash = kin__decode_64(decoder);
    }
    return frame->hashes != NULL;
}

static bool read_part(kin__frame_part *part, kin__decoder *decoder)
{
    const unsigned char *kind = kin__decode_bytes(decoder, sizeof part->kind);
    uint32_t size = kin__decode_32(decoder);
    const unsigned char *bytes = kin__decode_bytes(decoder, size);
    if (kind == NULL || bytes == NULL)
        return false;
    memcpy(part->kind, kind, sizeof part->kind);
    part->decoder = (kin__decoder){.at = bytes, .end = bytes + size};
    return true;
}

static bool read_parts(kin__frame_parts *parts, kin__decoder *decoder, kin__heap *heap, kin__block_reader *reader)
{
    parts->count = kin__decode_32(decoder);
    if (decoder->is_short || parts->count > kin__decoder_left(decoder) / PART_HEAD)
        return wrong(reader);
    parts->parts = kin__heap_take(heap, parts->count, sizeof *parts->parts);
    for (uint32_t i = 0; parts->parts != NULL && i < parts->count; i++)
        if (!read_part(&parts->parts[i], decoder))
            return wrong(reader);
    return parts->parts != NULL;
}

bool kin__frame_read(kin__read_frame *frame, kin__block_reader *reader, kin__heap *heap)
{
    KIN_ASSERT(kin__block_reader_is(reader, "FRAM"));
    kin__decoder decoder = kin__decoder_of(reader);
    frame->number = kin__decode_64(&decoder);
    uint64_t delta = kin__decode_64(&decoder);
    memcpy(&frame->delta, &delta, sizeof delta);
    frame->hash = kin__decode_64(&decoder);
    if (decoder.is_short)
        return wrong(reader);
    if (!(frame->delta - frame->delta == 0))
        return kin__block_reader_fault(reader, 1307, "its delta is not a finite number");
    return read_hashes(frame, &decoder, heap, reader) && read_parts(&frame->outside, &decoder, heap, reader) &&
           read_parts(&frame->states, &decoder, heap, reader) && kin__decoder_end(&decoder, reader);
}

uint64_t kin__frame_number(const kin__block_reader *reader)
{
    kin__decoder decoder = kin__decoder_of(reader);
    return kin__decode_64(&decoder);
}
