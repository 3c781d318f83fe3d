// Writer: blocks, one after the other. The payload of one is in memory until its end, as its size and sum come first.
#ifndef KIN_SRC_WRITER_BLOCK_H
#define KIN_SRC_WRITER_BLOCK_H

#include "frame/output.h"

typedef struct kin__writer {
    kin__output *output;
    uint32_t number;      // of the next block
    unsigned char *bytes; // room for the head of a block, then its payload
    size_t size, capacity;
} kin__writer;

// Writes the magic bytes.
void kin__writer_begin(kin__writer *writer, kin__output *output);
void kin__writer_end(kin__writer *writer);

// Append to the payload. Without memory, or behind the limit of a block, they note a fault and append nothing.
void kin__write_bytes(kin__writer *writer, const void *bytes, size_t size);
void kin__write_8(kin__writer *writer, uint8_t number);
void kin__write_16(kin__writer *writer, uint16_t number);
void kin__write_32(kin__writer *writer, uint32_t number);
void kin__write_64(kin__writer *writer, uint64_t number);
void kin__write_text(kin__writer *writer, const char *text);

// Returns the address of `size` bytes of the payload to be filled; NULL when there is a fault.
unsigned char *kin__writer_room(kin__writer *writer, size_t size);

// Ends the payload and writes the block. `kind` has four letters.
void kin__writer_put(kin__writer *writer, const char *kind);

#endif
