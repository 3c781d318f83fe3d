// Decoding: the numbers and texts of a payload. After the end of the payload, numbers are 0, and `is_short` is set.
#ifndef KIN_SRC_DECODE_H
#define KIN_SRC_DECODE_H

#include "base/base.h"
#include "frame/reader.h"

typedef struct kin__decoder {
    const unsigned char *at, *end;
    bool is_short; // the payload ended too early
} kin__decoder;

// Returns a decoder of the block that was read last, valid until the next block is read.
static inline kin__decoder kin__decoder_of(const kin__block_reader *reader)
{
    return (kin__decoder){reader->bytes, reader->size == 0 ? reader->bytes : reader->bytes + reader->size, false};
}

static inline size_t kin__decoder_left(const kin__decoder *decoder)
{
    return (size_t)(decoder->end - decoder->at);
}

// Returns the next `size` bytes; NULL if fewer are left.
const unsigned char *kin__decode_bytes(kin__decoder *decoder, size_t size);

uint8_t kin__decode_8(kin__decoder *decoder);
uint16_t kin__decode_16(kin__decoder *decoder);
uint32_t kin__decode_32(kin__decoder *decoder);
uint64_t kin__decode_64(kin__decoder *decoder);

// Returns the letters of a text, without a NUL, and sets `*size` to their number.
const char *kin__decode_text(kin__decoder *decoder, size_t *size);

// Whether the block was decoded exactly to its end. Notes a fault if not.
bool kin__decoder_end(kin__decoder *decoder, kin__block_reader *reader);

// Whether the bytes are UTF-8 without NUL and control characters.
bool kin__is_name(const char *letters, size_t size);

#endif
