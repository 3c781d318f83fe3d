#include "encode/number.h"

#include <kin/platform.h>

#include <string.h>

enum { GROUP = 64 }; // numbers between two looks at the room that is left

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
    for (size_t i = 0; i < count; i++, from += stride)
        copy_number(to + i * width, from, width);
    kin__encoder_advance(encoder, count * width);
}

static inline void encode_bits(kin__encoder *encoder, const kin__numbers *numbers, uint64_t bits, size_t width)
{
    unsigned char *to = kin__encoder_room(encoder, GROUP * width), *begin = to;
    for (; bits != 0; bits &= bits - 1, to += width)
        copy_number(to, numbers->first + kin__lowest_bit(bits) * numbers->stride, width);
    kin__encoder_advance(encoder, (size_t)(to - begin));
}

static void encode_some(kin__encoder *encoder, const kin__numbers *numbers, size_t count)
{
    switch (numbers->width) {
    case 1:
        encode_group(encoder, numbers, count, 1);
        break;
    case 2:
        encode_group(encoder, numbers, count, 2);
        break;
    case 4:
        encode_group(encoder, numbers, count, 4);
        break;
    default:
        encode_group(encoder, numbers, count, 8);
    }
}

void kin__encode_numbers(kin__encoder *encoder, const kin__numbers *numbers, size_t count)
{
    kin__numbers left = *numbers;
    for (; count > GROUP; count -= GROUP, left.first += GROUP * left.stride)
        encode_some(encoder, &left, GROUP);
    encode_some(encoder, &left, count);
}

void kin__encode_numbers_of_word(kin__encoder *encoder, const kin__numbers *numbers, uint64_t bits)
{
    if (bits == UINT64_MAX) {
        encode_some(encoder, numbers, GROUP);
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
