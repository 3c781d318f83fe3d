// Numbers in memory: reads an integer or floating-point number of any size, which need not be aligned.
#ifndef KIN_SRC_NUMBER_H
#define KIN_SRC_NUMBER_H

#include "base/assertion.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Reads an integer of 1, 2, 4 or 8 bytes and extends its sign.
static inline int64_t kin__read_signed(const void *bytes, size_t size)
{
    int8_t one;
    int16_t two;
    int32_t four;
    int64_t eight;
    switch (size) {
    case sizeof one:
        return *(int8_t *)memcpy(&one, bytes, sizeof one);
    case sizeof two:
        return *(int16_t *)memcpy(&two, bytes, sizeof two);
    case sizeof four:
        return *(int32_t *)memcpy(&four, bytes, sizeof four);
    default:
        KIN_ASSERT(size == sizeof eight);
        return *(int64_t *)memcpy(&eight, bytes, sizeof eight);
    }
}

static inline uint64_t kin__read_unsigned(const void *bytes, size_t size)
{
    uint64_t number = (uint64_t)kin__read_signed(bytes, size);
    return size == sizeof number ? number : number & (((uint64_t)1 << 8 * size) - 1);
}

// Reads a float or a double.
static inline double kin__read_floating(const void *bytes, size_t size)
{
    float narrow;
    double broad;
    if (size == sizeof narrow)
        return (double)*(float *)memcpy(&narrow, bytes, sizeof narrow);
    KIN_ASSERT(size == sizeof broad);
    return *(double *)memcpy(&broad, bytes, sizeof broad);
}

#endif
