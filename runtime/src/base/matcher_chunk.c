// Matching against the bits of a chunk: 64 slots or all 512 at once.
//
// The storage guarantees that a column has bits only of living entities, and that a missing column is the shared empty
// one, whose bits are 0.

#include "base/matcher.h"

#include <string.h>

// Completes an `only` rule: clears the slots of `match`, which have all its ids, that have other components too.
static uint64_t clear_larger(const kin_rule *rule, uint32_t row_words, kin__chunk *chunk, uint32_t word, uint64_t match)
{
    for (uint64_t bits = match; bits != 0; bits &= bits - 1) {
        uint32_t bit = kin__lowest_bit(bits);
        if (kin__row_count(kin__chunk_row(chunk, row_words, word * 64 + bit), row_words) != rule->count)
            match &= ~((uint64_t)1 << bit);
    }
    return match;
}

uint64_t kin__matcher_word(const kin_matcher *normal, uint32_t row_words, kin__chunk *chunk, uint32_t word)
{
    kin__column *const *columns = kin__chunk_columns(chunk, row_words);
    uint64_t match = chunk->alive[word];
    KIN_ASSERT(word < KIN__CHUNK_WORDS && normal->count > 0);
    for (uint32_t i = 0; i < normal->count && match != 0; i++) {
        const kin_rule *rule = &normal->rules[i];
        uint64_t any = 0, all = ~(uint64_t)0;
        for (uint32_t k = 0; k < rule->count; k++) {
            uint64_t has = columns[rule->ids[k]]->has[word];
            any |= has;
            all &= has;
        }
        match &= rule->kind == KIN_RULE_ANY ? any : rule->kind == KIN_RULE_NONE ? ~any : all;
        if (rule->kind == KIN_RULE_ONLY)
            match = clear_larger(rule, row_words, chunk, word, match);
    }
    return match;
}

// Loops over the eight words of a column, which compilers vectorise.
static void keep_all(const kin_rule *rule, kin__column *const *columns, uint64_t *restrict match)
{
    for (uint32_t k = 0; k < rule->count; k++) {
        const uint64_t *has = columns[rule->ids[k]]->has;
        for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++)
            match[word] &= has[word];
    }
}

static void drop_all(const kin_rule *rule, kin__column *const *columns, uint64_t *restrict match)
{
    for (uint32_t k = 0; k < rule->count; k++) {
        const uint64_t *has = columns[rule->ids[k]]->has;
        for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++)
            match[word] &= ~has[word];
    }
}

static void keep_any(const kin_rule *rule, kin__column *const *columns, uint64_t *restrict match)
{
    uint64_t any[KIN__CHUNK_WORDS] = {0};
    for (uint32_t k = 0; k < rule->count; k++) {
        const uint64_t *has = columns[rule->ids[k]]->has;
        for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++)
            any[word] |= has[word];
    }
    for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++)
        match[word] &= any[word];
}

static void keep_only(const kin_rule *rule, uint32_t row_words, kin__chunk *chunk, uint64_t *restrict match)
{
    keep_all(rule, kin__chunk_columns(chunk, row_words), match);
    for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++)
        match[word] = clear_larger(rule, row_words, chunk, word, match[word]);
}

// A slot that has a component is alive, so an `all` rule need not look at the `alive` bits.
void kin__matcher_chunk(const kin_matcher *normal, uint32_t row_words, kin__chunk *chunk,
                        uint64_t match[KIN__CHUNK_WORDS])
{
    kin__column *const *columns = kin__chunk_columns(chunk, row_words);
    const kin_rule *first = &normal->rules[0];
    KIN_ASSERT(normal->count > 0 && first->count > 0);
    memcpy(match, first->kind == KIN_RULE_ALL ? columns[first->ids[0]]->has : chunk->alive, sizeof chunk->alive);
    for (uint32_t i = 0; i < normal->count; i++) {
        const kin_rule *rule = &normal->rules[i];
        switch ((kin_rule_kind)rule->kind) {
        case KIN_RULE_ALL:
            keep_all(rule, columns, match);
            break;
        case KIN_RULE_ANY:
            keep_any(rule, columns, match);
            break;
        case KIN_RULE_NONE:
            drop_all(rule, columns, match);
            break;
        case KIN_RULE_ONLY:
            keep_only(rule, row_words, chunk, match);
            break;
        }
    }
}

static uint64_t in_all(const uint64_t word[KIN__CHUNK_WORDS])
{
    return word[0] & word[1] & word[2] & word[3] & word[4] & word[5] & word[6] & word[7];
}

static uint64_t in_any(const uint64_t word[KIN__CHUNK_WORDS])
{
    return word[0] | word[1] | word[2] | word[3] | word[4] | word[5] | word[6] | word[7];
}

static bool is_full(const kin_rule *rule, kin__column *const *columns)
{
    for (uint32_t i = 0; i < rule->count; i++) {
        const uint64_t *has = columns[rule->ids[i]]->has;
        if (rule->kind == KIN_RULE_ALL ? in_all(has) != ~(uint64_t)0 : in_any(has) != 0)
            return false;
    }
    return true;
}

bool kin__matcher_is_full(const kin_matcher *normal, uint32_t row_words, const kin__chunk *chunk)
{
    KIN_ASSERT(normal->count > 0);
    if (normal->rules[0].kind != KIN_RULE_ALL)
        return false;
    kin__column *const *columns = kin__chunk_columns(chunk, row_words);
    for (uint32_t i = 0; i < normal->count; i++) {
        const kin_rule *rule = &normal->rules[i];
        if ((rule->kind != KIN_RULE_ALL && rule->kind != KIN_RULE_NONE) || !is_full(rule, columns))
            return false;
    }
    return true;
}
