#include "encode/encode_number.h"

#include <kin/platform.h>

#include <string.h>

enum { GROUP = 64 }; // numbers between two checks of the remaining room

typedef struct arrays {
    kin__numbers first;
    size_t count, distance;
} arrays;

// Copies one number. `width` is a constant where this is inlined.
static inline void copy_number(unsigned char *to, const unsigned char *from, size_t width)
{
    uint16_t two;
    uint32_t four;
    uint64_t eight;
    switch (width) {
    case sizeof two:
        memcpy(&two, from, sizeof two);
        kin__little_write_16(to, two);
        break;
    case sizeof four:
        memcpy(&four, from, sizeof four);
        kin__little_write_32(to, four);
        break;
    case sizeof eight:
        memcpy(&eight, from, sizeof eight);
        kin__little_write_64(to, eight);
        break;
    default:
        KIN_ASSERT(width == 1);
        *to = *from;
    }
}

// `width` is a constant, here and below.
static inline void encode_group(kin__encoder *encoder, const kin__numbers *numbers, size_t count, size_t width)
{
    unsigned char *to = kin__encoder_room(encoder, GROUP * width);
    const unsigned char *from = numbers->first;
    size_t stride = numbers->stride;
    KIN_ASSERT(count <= GROUP);
    if (stride == width) // compilers turn this loop into a memcpy
        for (size_t i = 0; i < count; i++)
            copy_number(to + i * width, from + i * width, width);
    else
        for (size_t i = 0; i < count; i++)
            copy_number(to + i * width, from + i * stride, width);
    kin__encoder_advance(encoder, count * width);
}

static inline void encode_bits(kin__encoder *encoder, const kin__numbers *numbers, uint64_t bits, size_t width)
{
    unsigned char *to = kin__encoder_room(encoder, GROUP * width), *begin = to;
    for (; bits != 0; bits &= bits - 1, to += width)
        copy_number(to, numbers->first + kin__lowest_bit(bits) * numbers->stride, width);
    kin__encoder_advance(encoder, (size_t)(to - begin));
}

static inline void encode_array(kin__encoder *encoder, kin__numbers numbers, size_t count, size_t width)
{
    for (; count > GROUP; count -= GROUP, numbers.first += GROUP * numbers.stride)
        encode_group(encoder, &numbers, GROUP, width);
    encode_group(encoder, &numbers, count, width);
}

void kin__encode_numbers(kin__encoder *encoder, const kin__numbers *numbers, size_t count)
{
    switch (numbers->width) {
    case 1:
        encode_array(encoder, *numbers, count, 1);
        break;
    case 2:
        encode_array(encoder, *numbers, count, 2);
        break;
    case 4:
        encode_array(encoder, *numbers, count, 4);
        break;
    default:
        encode_array(encoder, *numbers, count, 8);
    }
}

void kin__encode_numbers_of_word(kin__encoder *encoder, const kin__numbers *numbers, uint64_t bits)
{
    if (bits == UINT64_MAX) {
        kin__encode_numbers(encoder, numbers, GROUP);
        return;
    }
    switch (numbers->width) {
    case 1:
        encode_bits(encoder, numbers, bits, 1);
        break;
    case 2:
        encode_bits(encoder, numbers, bits, 2);
        break;
    case 4:
        encode_bits(encoder, numbers, bits, 4);
        break;
    default:
        encode_bits(encoder, numbers, bits, 8);
    }
}

static inline void encode_arrays(kin__encoder *encoder, const arrays *arrays, uint64_t bits, size_t width)
{
    for (; bits != 0; bits &= bits - 1) {
        kin__numbers numbers = arrays->first;
        numbers.first += kin__lowest_bit(bits) * arrays->distance;
        encode_array(encoder, numbers, arrays->count, width);
    }
}

void kin__encode_arrays_of_word(kin__encoder *encoder, const kin__numbers *first, size_t count, size_t distance,
                                uint64_t bits)
{
    arrays arrays = {*first, count, distance};
    switch (first->width) {
    case 1:
        encode_arrays(encoder, &arrays, bits, 1);
        break;
    case 2:
        encode_arrays(encoder, &arrays, bits, 2);
        break;
    case 4:
        encode_arrays(encoder, &arrays, bits, 4);
        break;
    default:
        encode_arrays(encoder, &arrays, bits, 8);
    }
}
