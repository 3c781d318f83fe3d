#include "frame/format.h"

#include "base/base.h"

uint64_t kin__block_sum(const char *kind, uint32_t size, uint32_t number, const void *payload)
{
    unsigned char numbers[8];
    kin__xxh64 hash = kin__xxh64_begin(0);
    kin__little_write_32(numbers, size);
    kin__little_write_32(numbers + 4, number);
    kin__xxh64_add(&hash, kind, 4);
    kin__xxh64_add(&hash, numbers, sizeof numbers);
    kin__xxh64_add(&hash, payload, size);
    return kin__xxh64_end(&hash);
}
