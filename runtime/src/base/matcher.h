// Matchers, normalised: ids sorted and single, every id of the `all` rules in as few rules as hold them, then the
// `any` rules, the `none` ids like the `all` ids, the `only` rules; equal rules once, rules of a kind in the order of
// their ids; what is not used is zero. So equal matchers are equal bytes.
//
// A normal matcher can be asked about a row (one entity) or about the bits of a chunk (64 entities at a time).
#ifndef KIN_SRC_MATCHER_H
#define KIN_SRC_MATCHER_H

#include <kin/generated/storage.h>

// KIN_OK, KIN_ERROR_LIMIT or KIN_ERROR_INVALID; `*reason` then says what is wrong with it.
kin_status kin__matcher_check(const kin_matcher *matcher, uint32_t component_count, const char **reason);

// The normal form of a matcher that was checked.
kin_matcher kin__matcher_normalise(const kin_matcher *matcher);

uint64_t kin__matcher_hash(const kin_matcher *normal);

// How many components a row has.
static inline uint32_t kin__row_count(const uint64_t *row, uint32_t row_words)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < row_words; i++)
        count += kin__count_bits(row[i]);
    return count;
}

// What stands behind this runs for each component of a row, by id.
#define EACH_OF_ROW(id, row, row_words)                                                                                \
    for (uint32_t id##_word = 0; id##_word < (row_words); id##_word++)                                                 \
        for (uint64_t id##_bits = (row)[id##_word]; id##_bits != 0; id##_bits &= id##_bits - 1)                        \
            for (uint32_t id = id##_word * 64 + kin__lowest_bit(id##_bits), id##_once = 1; id##_once != 0;             \
                 id##_once = 0)

// Whether an entity with these components matches.
bool kin__matcher_holds(const kin_matcher *normal, const uint64_t *row, uint32_t row_words);

// Whether the matcher can hold for an entity without components, and whether each component matters to it.
bool kin__matcher_allows_nothing(const kin_matcher *normal);
bool kin__matcher_is_exact(const kin_matcher *normal);

// Which slots of the chunk match now, one bit each.
void kin__matcher_chunk(const kin_matcher *normal, uint32_t row_words, kin__chunk *chunk,
                        uint64_t match[KIN__CHUNK_WORDS]);

// Whether that is all of them: quickly answered, and no for rules that take longer to ask about.
bool kin__matcher_is_full(const kin_matcher *normal, uint32_t row_words, const kin__chunk *chunk);

// The same for one word of a chunk.
uint64_t kin__matcher_word(const kin_matcher *normal, uint32_t row_words, kin__chunk *chunk, uint32_t word);

#endif
