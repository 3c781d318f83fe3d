// Repair: makes the sums of a file of blocks right, so that a fuzzer gets behind them.
#ifndef KIN_TESTS_FUZZ_REPAIR_H
#define KIN_TESTS_FUZZ_REPAIR_H

#include "base/base.h"
#include "file/file.h"

#include <string.h>

enum { REPAIR_COUNT = 4, REPAIR_DONE_SIZE = 12 }; // bytes of the payload of DONE: a count, then the hash

// Cuts blocks that are longer than what is left, and makes their sums right, and the number of blocks in DONE, and the
// hash there unless it is NULL.
static inline void repair(unsigned char *bytes, size_t size, const uint64_t *hash)
{
    uint32_t number = 0;
    for (size_t at = KIN__MAGIC_SIZE; at + KIN__BLOCK_HEAD <= size; number++) {
        unsigned char *block = bytes + at, *payload = block + KIN__BLOCK_HEAD;
        size_t left = size - at - KIN__BLOCK_HEAD, length = kin__little_read_32(block + 4);
        if (length > left)
            kin__little_write_32(block + 4, (uint32_t)(length = left));
        if (memcmp(block, "DONE", 4) == 0 && length >= REPAIR_COUNT)
            kin__little_write_32(payload, number);
        if (memcmp(block, "DONE", 4) == 0 && length == REPAIR_DONE_SIZE && hash != NULL)
            kin__little_write_64(payload + REPAIR_COUNT, *hash);
        kin__little_write_64(block + 8, kin__block_sum((char *)block, (uint32_t)length, number, payload));
        at += KIN__BLOCK_HEAD + length;
    }
}

#endif
