// Format 1 of files. Numbers are little-endian; a text is its length as u16, then UTF-8.
//
//   file    89 4B 49 4E 0D 0A 1A 0A | block | block | …     or one zstd frame of these
//   block   kind[4] size:u32 sum:u64 payload[size]
//
// The sum is the XXH64 of the kind, the size, the number of the block as u32, and the payload.
#ifndef KIN_SRC_FORMAT_H
#define KIN_SRC_FORMAT_H

#include <stddef.h>
#include <stdint.h>

enum {
    KIN__FORMAT = 1,
    KIN__MAGIC_SIZE = 8,
    KIN__BLOCK_HEAD = 16,       // bytes of a block before its payload
    KIN__BLOCK_LIMIT = 1 << 26, // bytes of a payload
    KIN__WINDOW_LOG = 23,       // zstd may look back 8 MiB
    KIN__WHAT_SAVE = 1,
    KIN__WHAT_RECORDING = 2
};

static const unsigned char kin__magic[KIN__MAGIC_SIZE] = {0x89, 'K', 'I', 'N', '\r', '\n', 0x1a, '\n'};

// Returns the sum of a block. `kind` has four letters.
uint64_t kin__block_sum(const char *kind, uint32_t size, uint32_t number, const void *payload);

#endif
