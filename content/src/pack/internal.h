// What the writer and the reader of packs share.
#ifndef KIN_SRC_CONTENT_PACK_INTERNAL_H
#define KIN_SRC_CONTENT_PACK_INTERNAL_H

#include "base/base.h"

#include <stdint.h>

enum {
    KIN__PACK_BLOCK_HEAD = 16,      // bytes of a block before its payload
    KIN__PACK_BLOCK_LIMIT = 1 << 26 // bytes of a payload
};

static const unsigned char kin__pack_magic[8] = {0x89, 'K', 'I', 'N', '\r', '\n', 0x1a, '\n'};

// Returns the sum of a block, as that of blocks of saves.
static inline uint64_t kin__pack_block_sum(const char *kind, uint32_t size, uint32_t number, const void *payload)
{
    unsigned char numbers[8];
    kin__xxh64 hash = kin__xxh64_begin(0);
    kin__little_write_32(numbers, size);
    kin__little_write_32(numbers + 4, number);
    kin__xxh64_add(&hash, kind, 4);
    kin__xxh64_add(&hash, numbers, sizeof numbers);
    if (size > 0)
        kin__xxh64_add(&hash, payload, size);
    return kin__xxh64_end(&hash);
}

#endif
