// Matchers in normal form: equal matchers have equal bytes, so that one group serves all of them.
//
//   all(A, B), all(A), any(C, D), none(E)   →   all(A, B), any(C, D), none(E)
//
// Invariants of a normal matcher, checked by kin__matcher_is_normal():
//   1. it has 1 to 8 rules of 1 to 30 ids; the ids of a rule ascend, each once
//   2. the rules are in the order all, any, none, only; any and only rules of a kind ascend, each once
//   3. the ids of the `all` rules ascend across rules, and as few rules as possible hold them; likewise `none`
//   4. unused ids and rules are zero
//
// A normal matcher is compared with a row (one entity) or with the bits of a chunk (64 or 512 entities at once).
#ifndef KIN_SRC_MATCHER_H
#define KIN_SRC_MATCHER_H

#include "base/assertion.h"

#include <kin/generated/storage.h>

// Returns KIN_OK, KIN_ERROR_LIMIT or KIN_ERROR_INVALID; `*reason` then says what is wrong and how to fix it.
kin_status kin__matcher_check(const kin_matcher *matcher, const kin_context_info *info, const char **reason);

// Returns the normal form of a matcher that was checked.
kin_matcher kin__matcher_normalise(const kin_matcher *matcher);

bool kin__matcher_is_normal(const kin_matcher *matcher);

uint64_t kin__matcher_hash(const kin_matcher *normal);

// Returns how many components a row has.
static inline uint32_t kin__row_count(const uint64_t *row, uint32_t row_words)
{
    uint32_t count = 0;
    KIN_ASSERT(row_words > 0);
    for (uint32_t i = 0; i < row_words; i++)
        count += kin__count_bits(row[i]);
    return count;
}

// Runs the statement after it for each component of a row, by id. `break` ends only the current word.
#define EACH_OF_ROW(id, row, row_words)                                                                                \
    for (uint32_t id##_word = 0; id##_word < (row_words); id##_word++)                                                 \
        for (uint64_t id##_bits = (row)[id##_word]; id##_bits != 0; id##_bits &= id##_bits - 1)                        \
            for (uint32_t id = id##_word * 64 + kin__lowest_bit(id##_bits), id##_once = 1; id##_once != 0;             \
                 id##_once = 0)

// Returns whether an entity with these components matches.
bool kin__matcher_holds(const kin_matcher *normal, const uint64_t *row, uint32_t row_words);

// Returns whether an entity with these components matches, or could after losing some of them: all rules hold but for
// components that it has in excess.
bool kin__matcher_may_hold(const kin_matcher *normal, const uint64_t *row);

// Returns whether entities without components match: all rules are `none` rules.
bool kin__matcher_allows_empty(const kin_matcher *normal);

// Returns whether the matcher has an `only` rule, so that every component matters to it.
bool kin__matcher_is_exact(const kin_matcher *normal);

// Writes which slots of the chunk match now, one bit each.
void kin__matcher_chunk(const kin_matcher *normal, uint32_t row_words, kin__chunk *chunk,
                        uint64_t match[KIN__CHUNK_WORDS]);

// Returns whether all slots of the chunk match. A fast test: false for matchers with other rules than `all` and `none`.
bool kin__matcher_is_full(const kin_matcher *normal, uint32_t row_words, const kin__chunk *chunk);

// Returns which of 64 slots of the chunk match now.
uint64_t kin__matcher_word(const kin_matcher *normal, uint32_t row_words, kin__chunk *chunk, uint32_t word);

#endif
