// Encodes numbers that lie at equal distances in memory as little-endian bytes, one after the other.
//
// Each width has its own loop, as numbers are most of the bytes of a hash: copying a column takes less than half a
// nanosecond a byte.
#ifndef KIN_SRC_ENCODE_NUMBER_H
#define KIN_SRC_ENCODE_NUMBER_H

#include "encode/encoder.h"

// Numbers of one width: 1, 2, 4 or 8 bytes.
typedef struct kin__numbers {
    const unsigned char *first;
    size_t stride; // bytes from one number to the next
    size_t width;
} kin__numbers;

// Appends `count` numbers.
void kin__encode_numbers(kin__encoder *encoder, const kin__numbers *numbers, size_t count);

// Appends those of the first 64 numbers whose bit is set.
void kin__encode_numbers_of_word(kin__encoder *encoder, const kin__numbers *numbers, uint64_t bits);

// The same for arrays of `count` numbers each, which begin `distance` bytes apart.
void kin__encode_arrays_of_word(kin__encoder *encoder, const kin__numbers *first, size_t count, size_t distance,
                                uint64_t bits);

#endif
