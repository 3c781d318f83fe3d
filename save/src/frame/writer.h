// Writer: blocks, one after the other. The payload of a block is kept in memory until it ends, as its size and sum
// precede it.
#ifndef KIN_SRC_WRITER_BLOCK_H
#define KIN_SRC_WRITER_BLOCK_H

#include "frame/output.h"

typedef struct kin__block_writer {
    kin__output *output;
    uint32_t number;      // of the next block
    unsigned char *bytes; // room for the head of a block, then its payload
    size_t size, capacity;
} kin__block_writer;

// Writes the magic bytes.
void kin__block_writer_begin(kin__block_writer *writer, kin__output *output);
void kin__block_writer_end(kin__block_writer *writer);

// Append to the payload. When out of memory, or beyond the limit of a block, they note a fault and append nothing.
void kin__write_bytes(kin__block_writer *writer, const void *bytes, size_t size);
void kin__write_8(kin__block_writer *writer, uint8_t number);
void kin__write_16(kin__block_writer *writer, uint16_t number);
void kin__write_32(kin__block_writer *writer, uint32_t number);
void kin__write_64(kin__block_writer *writer, uint64_t number);
void kin__write_text(kin__block_writer *writer, const char *text);

// Returns the address of `size` new bytes of the payload, for the caller to fill; NULL after a fault.
unsigned char *kin__block_writer_room(kin__block_writer *writer, size_t size);

// Ends the payload and writes the block. `kind` has four letters.
void kin__block_writer_put(kin__block_writer *writer, const char *kind);

#endif
