// Bits: sets of small numbers as arrays of 64-bit words; number n is bit n % 64 of word n / 64.
//
// Code that is inlined into every accessor or runs for every entity writes its shifts out instead: with these functions
// gcc 12 needs an instruction more for each.
#ifndef KIN_SRC_BITS_H
#define KIN_SRC_BITS_H

#include <kin/platform.h>

// The word that has only the bit of `number`.
static inline uint64_t kin__bit_of(uint32_t number)
{
    return (uint64_t)1 << (number % 64);
}

static inline bool kin__bits_have(const uint64_t *words, uint32_t number)
{
    return (words[number / 64] >> (number % 64) & 1) != 0;
}

static inline void kin__bits_add(uint64_t *words, uint32_t number)
{
    words[number / 64] |= kin__bit_of(number);
}

static inline void kin__bits_remove(uint64_t *words, uint32_t number)
{
    words[number / 64] &= ~kin__bit_of(number);
}

static inline void kin__bits_flip(uint64_t *words, uint32_t number)
{
    words[number / 64] ^= kin__bit_of(number);
}

static inline void kin__bits_write(uint64_t *words, uint32_t number, bool on)
{
    words[number / 64] = (words[number / 64] & ~kin__bit_of(number)) | (uint64_t)on << (number % 64);
}

// Returns the number of bits that are set.
static inline uint32_t kin__bits_count(const uint64_t *words, uint32_t word_count)
{
    uint32_t count = 0;
    for (uint32_t word = 0; word < word_count; word++)
        count += kin__count_bits(words[word]);
    return count;
}

// Returns the number of bits that are set in the 8 words of a chunk. Adds the words up in parallel, which compilers
// vectorise: the instruction that counts bits is not on every machine that they compile for.
static inline uint32_t kin__count_chunk_bits(const uint64_t words[8])
{
    const uint64_t ones = UINT64_C(0x5555555555555555), pairs = UINT64_C(0x3333333333333333);
    const uint64_t nibbles = UINT64_C(0x0F0F0F0F0F0F0F0F), bytes = UINT64_C(0x00FF00FF00FF00FF);
    uint64_t sum = 0; // of 8 bytes, at most 64 each
    for (uint32_t i = 0; i < 8; i++) {
        uint64_t bits = words[i] - (words[i] >> 1 & ones);
        bits = (bits & pairs) + (bits >> 2 & pairs);
        sum += (bits + (bits >> 4)) & nibbles;
    }
    sum = (sum & bytes) + (sum >> 8 & bytes);
    return (uint32_t)(sum * UINT64_C(0x0001000100010001) >> 48);
}

#endif
