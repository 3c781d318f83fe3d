// Reader: blocks, one after the other. The size that a block claims is allocated only as its bytes arrive.
#ifndef KIN_SRC_READER_BLOCK_H
#define KIN_SRC_READER_BLOCK_H

#include "frame/input.h"

typedef struct kin__block_reader {
    kin__input *input;
    bool has_block;       // a block was read
    uint32_t number;      // of the block that was read last
    char kind[4];         // of that block
    uint64_t offset;      // at which it begins
    unsigned char *bytes; // its payload
    size_t size, capacity;
} kin__block_reader;

void kin__block_reader_begin(kin__block_reader *reader, kin__input *input);
void kin__block_reader_end(kin__block_reader *reader);

// Reads the next block, whose payload has up to `limit` bytes. False, with a fault noted, if it fails.
bool kin__block_reader_next(kin__block_reader *reader, size_t limit);

// Whether the block that was read last is of this kind.
bool kin__block_reader_is(const kin__block_reader *reader, const char *kind);

// Notes that the block is invalid, with its number and place. Returns false.
bool kin__block_reader_fault(kin__block_reader *reader, int code, const char *format, ...) KIN__LIKE_PRINTF(3, 4);

#endif
