#include "base/base.h"

#include <kin/generated/rule.h>

#include <string.h>

kin_rule kin__rule_make(kin_rule_kind kind, size_t count, const kin_component_id *ids)
{
    kin_rule rule = {.kind = (uint16_t)kind, .count = count > UINT16_MAX ? UINT16_MAX : (uint16_t)count};
    for (size_t i = 0; i < count && i < KIN_RULE_MAX_IDS; i++)
        rule.ids[i] = ids[i];
    return rule;
}

kin_matcher kin__matcher_make(size_t count, const kin_rule *rules)
{
    kin_matcher matcher = {.count = count > UINT32_MAX ? UINT32_MAX : (uint32_t)count};
    for (size_t i = 0; i < count && i < KIN_MATCHER_MAX_RULES; i++)
        matcher.rules[i] = rules[i];
    return matcher;
}

// The reasons why a rule of each kind with too many ids is refused, and how to express the same without it.
static const char *const too_many_ids[] = {
    [KIN_RULE_ALL] = "a KIN_ALL of its matcher has more than 30 ids, which is the limit; give the others to a second "
                     "KIN_ALL, which means the same",
    [KIN_RULE_ANY] = "a KIN_ANY of its matcher has more than 30 ids, which is the limit, and of two KIN_ANY both must "
                     "hold; use a flag of its own for these components, or several groups",
    [KIN_RULE_NONE] = "a KIN_NONE of its matcher has more than 30 ids, which is the limit; give the others to a second "
                      "KIN_NONE, which means the same",
    [KIN_RULE_ONLY] =
        "a KIN_ONLY of its matcher has more than 30 ids, which is the limit; name them in KIN_ALL, and all "
        "other components in KIN_NONE",
};

// Returns the tag of a context for kin_rule.kind, never 0: 13 bits of FNV-1a, so that two names are equal once in
// 8,191.
static uint16_t tag_of(const char *context)
{
    uint32_t hash = 2166136261u;
    for (; *context != '\0'; context++)
        hash = (hash ^ (unsigned char)*context) * 16777619u;
    return (uint16_t)((hash ^ hash >> 16) % 8191 + 1);
}

kin_rule kin__rule_tag(kin_rule rule, const char *context)
{
    rule.kind = (uint16_t)(rule.kind | tag_of(context) << KIN__KIND_BITS);
    return rule;
}

static uint16_t kind_of(const kin_rule *rule)
{
    return rule->kind & ((1 << KIN__KIND_BITS) - 1);
}

static kin_status check_rule(const kin_rule *rule, const kin_context_info *info, const char **reason)
{
    uint16_t kind = kind_of(rule);
    uint16_t tag = rule->kind >> KIN__KIND_BITS;
    if (kind < KIN_RULE_ALL || kind > KIN_RULE_ONLY) {
        *reason = "a rule of its matcher has an unknown kind; make rules with KIN_ALL, KIN_ANY, KIN_NONE or KIN_ONLY";
        return KIN_ERROR_INVALID;
    }
    if (tag != 0 && tag != tag_of(info->name)) {
        *reason = "a rule of its matcher is of another context; use the macros and ids of this context";
        return KIN_ERROR_INVALID;
    }
    if (rule->count == 0) {
        *reason = "a rule of its matcher names no component; name at least one";
        return KIN_ERROR_INVALID;
    }
    if (rule->count > KIN_RULE_MAX_IDS) {
        *reason = too_many_ids[kind];
        return KIN_ERROR_LIMIT;
    }
    for (uint32_t i = 0; i < rule->count; i++)
        if (rule->ids[i] >= info->component_count) {
            *reason = "its matcher names a component that the context does not have; use the ids of this context";
            return KIN_ERROR_INVALID;
        }
    return KIN_OK;
}

kin_status kin__matcher_check(const kin_matcher *matcher, const kin_context_info *info, const char **reason)
{
    if (matcher->count == 0) {
        *reason = "its matcher has no rule; name at least one";
        return KIN_ERROR_INVALID;
    }
    if (matcher->count > KIN_MATCHER_MAX_RULES) {
        *reason = "its matcher has more than 8 rules, which is the limit; merge rules of the same kind";
        return KIN_ERROR_LIMIT;
    }
    for (uint32_t i = 0; i < matcher->count; i++) {
        kin_status status = check_rule(&matcher->rules[i], info, reason);
        if (status != KIN_OK)
            return status;
    }
    return KIN_OK;
}

// Inserts an id into a sorted list unless the list has it. Returns the new count.
static uint32_t insert_id(kin_component_id *ids, uint32_t count, kin_component_id id)
{
    uint32_t place = count;
    KIN_ASSERT(count <= KIN_MATCHER_MAX_RULES * KIN_RULE_MAX_IDS);
    while (place > 0 && ids[place - 1] >= id)
        place--;
    if (place < count && ids[place] == id)
        return count;
    memmove(ids + place + 1, ids + place, (count - place) * sizeof *ids);
    ids[place] = id;
    return count + 1;
}

static kin_rule sorted_rule(const kin_rule *rule)
{
    kin_rule sorted = {.kind = kind_of(rule)};
    for (uint32_t i = 0; i < rule->count; i++)
        sorted.count = (uint16_t)insert_id(sorted.ids, sorted.count, rule->ids[i]);
    return sorted;
}

// Merges the rules of a kind, `all` or `none`, that mean the same as one: their ids become one list, split into rules.
static void append_merged(kin_matcher *normal, const kin_matcher *matcher, kin_rule_kind kind)
{
    kin_component_id ids[KIN_MATCHER_MAX_RULES * KIN_RULE_MAX_IDS + 1];
    uint32_t count = 0;
    for (uint32_t i = 0; i < matcher->count; i++)
        for (uint32_t k = 0; kind_of(&matcher->rules[i]) == kind && k < matcher->rules[i].count; k++)
            count = insert_id(ids, count, matcher->rules[i].ids[k]);
    for (uint32_t start = 0; start < count; start += KIN_RULE_MAX_IDS) {
        uint32_t length = count - start < KIN_RULE_MAX_IDS ? count - start : KIN_RULE_MAX_IDS;
        KIN_ASSERT(normal->count < KIN_MATCHER_MAX_RULES);
        normal->rules[normal->count++] = kin__rule_make(kind, length, ids + start);
    }
}

// Appends the rules of a kind, `any` or `only`, that cannot be merged: sorted, without duplicates.
static void append_separate(kin_matcher *normal, const kin_matcher *matcher, kin_rule_kind kind)
{
    uint32_t first = normal->count;
    for (uint32_t i = 0; i < matcher->count; i++) {
        if (kind_of(&matcher->rules[i]) != kind)
            continue;
        kin_rule rule = sorted_rule(&matcher->rules[i]);
        uint32_t place = normal->count;
        while (place > first && memcmp(&normal->rules[place - 1], &rule, sizeof rule) >= 0)
            place--;
        if (place < normal->count && memcmp(&normal->rules[place], &rule, sizeof rule) == 0)
            continue;
        memmove(normal->rules + place + 1, normal->rules + place, (normal->count - place) * sizeof rule);
        normal->rules[place] = rule;
        normal->count++;
    }
}

kin_matcher kin__matcher_normalise(const kin_matcher *matcher)
{
    kin_matcher normal;
    memset(&normal, 0, sizeof normal);
    append_merged(&normal, matcher, KIN_RULE_ALL);
    append_separate(&normal, matcher, KIN_RULE_ANY);
    append_merged(&normal, matcher, KIN_RULE_NONE);
    append_separate(&normal, matcher, KIN_RULE_ONLY);
    KIN_ASSERT(normal.count > 0 && normal.count <= matcher->count);
    KIN_VALIDATE(kin__matcher_is_normal(&normal));
    return normal;
}

// ---- entities that are switched off

bool kin__matcher_names(const kin_matcher *normal, kin_component_id id)
{
    for (uint32_t i = 0; i < normal->count; i++) {
        const kin_rule *rule = &normal->rules[i];
        for (uint32_t k = 0; k < rule->count; k++)
            if (rule->ids[k] == id)
                return true;
    }
    return false;
}

// Returns the last `none` rule, which has room for another id; or a new rule; NULL if there is room for neither.
static kin_rule *find_room(kin_matcher *normal)
{
    for (uint32_t i = 0; i < normal->count; i++)
        if (normal->rules[i].kind == KIN_RULE_NONE && normal->rules[i].count < KIN_RULE_MAX_IDS)
            return &normal->rules[i];
    if (normal->count == KIN_MATCHER_MAX_RULES)
        return NULL;
    kin_rule *rule = &normal->rules[normal->count++];
    rule->kind = KIN_RULE_NONE;
    return rule;
}

kin_status kin__matcher_leave_out(kin_matcher *normal, const kin_component_id *off, const char **reason)
{
    if (off == NULL || kin__matcher_names(normal, *off) || kin__matcher_is_exact(normal))
        return KIN_OK;
    kin_rule *none = find_room(normal);
    if (none == NULL) {
        *reason =
            "with 'off' of its context its matcher has more than 8 rules, which is the limit; name the flag of 'off' "
            "in a KIN_NONE, or merge rules of the same kind";
        return KIN_ERROR_LIMIT;
    }
    none->ids[none->count++] = *off;
    *normal = kin__matcher_normalise(normal);
    return KIN_OK;
}

// ---- validation

// Invariants 1 and 4, of one rule.
static bool is_rule_normal(const kin_rule *rule)
{
    static const kin_component_id zeros[KIN_RULE_MAX_IDS];
    if (rule->count == 0 || rule->count > KIN_RULE_MAX_IDS)
        return false;
    for (uint32_t i = 1; i < rule->count; i++)
        if (rule->ids[i - 1] >= rule->ids[i])
            return false;
    return memcmp(rule->ids + rule->count, zeros, (KIN_RULE_MAX_IDS - rule->count) * sizeof *zeros) == 0;
}

// Invariants 2 and 3, of two successive rules.
static bool is_order_normal(const kin_rule *rule, const kin_rule *next)
{
    if (rule->kind != next->kind)
        return rule->kind < next->kind;
    if (rule->kind == KIN_RULE_ANY || rule->kind == KIN_RULE_ONLY)
        return memcmp(rule, next, sizeof *rule) < 0;
    return rule->count == KIN_RULE_MAX_IDS && rule->ids[rule->count - 1] < next->ids[0];
}

bool kin__matcher_is_normal(const kin_matcher *matcher)
{
    static const kin_rule zero;
    if (matcher->count == 0 || matcher->count > KIN_MATCHER_MAX_RULES)
        return false;
    for (uint32_t i = 0; i < KIN_MATCHER_MAX_RULES; i++) {
        const kin_rule *rule = &matcher->rules[i];
        if (i < matcher->count ? !is_rule_normal(rule) : memcmp(rule, &zero, sizeof zero) != 0)
            return false;
        if (i > 0 && i < matcher->count && !is_order_normal(rule - 1, rule))
            return false;
    }
    return true;
}

// ---- queries

// FNV-1a, one step for each kind and id; Fowler, Noll and Vo, 1991.
uint64_t kin__matcher_hash(const kin_matcher *normal)
{
    uint64_t hash = 14695981039346656037u;
    KIN_VALIDATE(kin__matcher_is_normal(normal));
    for (uint32_t i = 0; i < normal->count; i++) {
        const kin_rule *rule = &normal->rules[i];
        hash = (hash ^ rule->kind) * 1099511628211u;
        for (uint32_t k = 0; k < rule->count; k++)
            hash = (hash ^ rule->ids[k]) * 1099511628211u;
    }
    return hash;
}

bool kin__matcher_allows_empty(const kin_matcher *normal)
{
    for (uint32_t i = 0; i < normal->count; i++)
        if (normal->rules[i].kind != KIN_RULE_NONE)
            return false;
    return true;
}

bool kin__matcher_is_exact(const kin_matcher *normal)
{
    KIN_ASSERT(normal->count > 0);
    return normal->rules[normal->count - 1].kind == KIN_RULE_ONLY;
}

static uint32_t count_matched(const kin_rule *rule, const uint64_t *row)
{
    uint32_t matched = 0;
    for (uint32_t i = 0; i < rule->count; i++)
        matched += kin__bits_have(row, rule->ids[i]);
    return matched;
}

// Whether a row that has `matched` of the ids of a rule satisfies it. `only` is tested by the caller.
static bool is_satisfied(const kin_rule *rule, uint32_t matched)
{
    if (rule->kind == KIN_RULE_ANY)
        return matched > 0;
    return matched == (rule->kind == KIN_RULE_NONE ? 0 : rule->count);
}

bool kin__matcher_holds(const kin_matcher *normal, const uint64_t *row, uint32_t row_words)
{
    KIN_ASSERT(normal->count > 0 && row_words > 0);
    for (uint32_t i = 0; i < normal->count; i++) {
        const kin_rule *rule = &normal->rules[i];
        if (!is_satisfied(rule, count_matched(rule, row)))
            return false;
        if (rule->kind == KIN_RULE_ONLY && kin__row_count(row, row_words) != rule->count)
            return false;
    }
    return true;
}

bool kin__matcher_may_hold(const kin_matcher *normal, const uint64_t *row)
{
    KIN_ASSERT(normal->count > 0);
    for (uint32_t i = 0; i < normal->count; i++) {
        const kin_rule *rule = &normal->rules[i];
        if (rule->kind != KIN_RULE_NONE && !is_satisfied(rule, count_matched(rule, row)))
            return false;
    }
    return true;
}

// Matching against the bits of a chunk: 64 slots or all 512 at once.
//
// The storage guarantees that a column has bits only of living entities, and that a missing column is the shared empty
// one, whose bits are 0.

// Completes an `only` rule: clears the slots of `match`, which have all its ids, that have other components too.
static uint64_t clear_larger(const kin_rule *rule, const kin_context *context, uint32_t number, uint32_t word,
                             uint64_t match)
{
    const kin__chunk *chunk = context->chunks[number];
    uint32_t row_words = context->row_words;
    for (uint64_t bits = match; bits != 0; bits &= bits - 1) {
        uint32_t bit = kin__lowest_bit(bits);
        if (kin__row_count(kin__chunk_row(chunk, row_words, word * 64 + bit), row_words) != rule->count)
            match &= ~((uint64_t)1 << bit);
    }
    return match;
}

uint64_t kin__matcher_word(const kin_matcher *normal, const kin_context *context, uint32_t number, uint32_t word)
{
    uint64_t match = context->chunks[number]->alive[word];
    KIN_ASSERT(word < KIN__CHUNK_WORDS && normal->count > 0);
    for (uint32_t i = 0; i < normal->count && match != 0; i++) {
        const kin_rule *rule = &normal->rules[i];
        uint64_t any = 0;
        uint64_t all = ~(uint64_t)0;
        for (uint32_t k = 0; k < rule->count; k++) {
            uint64_t has = kin__chunk_column(context, number, rule->ids[k])->has[word];
            any |= has;
            all &= has;
        }
        if (rule->kind == KIN_RULE_ANY)
            match &= any;
        else
            match &= rule->kind == KIN_RULE_NONE ? ~any : all;
        if (rule->kind == KIN_RULE_ONLY)
            match = clear_larger(rule, context, number, word, match);
    }
    return match;
}

// Loops over the eight words of a column, which compilers vectorise.
static void keep_all(const kin_rule *rule, const kin_context *context, uint32_t number, uint64_t *restrict match)
{
    for (uint32_t k = 0; k < rule->count; k++) {
        const uint64_t *has = kin__chunk_column(context, number, rule->ids[k])->has;
        for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++)
            match[word] &= has[word];
    }
}

static void drop_all(const kin_rule *rule, const kin_context *context, uint32_t number, uint64_t *restrict match)
{
    for (uint32_t k = 0; k < rule->count; k++) {
        const uint64_t *has = kin__chunk_column(context, number, rule->ids[k])->has;
        for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++)
            match[word] &= ~has[word];
    }
}

static void keep_any(const kin_rule *rule, const kin_context *context, uint32_t number, uint64_t *restrict match)
{
    uint64_t any[KIN__CHUNK_WORDS] = {0};
    for (uint32_t k = 0; k < rule->count; k++) {
        const uint64_t *has = kin__chunk_column(context, number, rule->ids[k])->has;
        for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++)
            any[word] |= has[word];
    }
    for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++)
        match[word] &= any[word];
}

static void keep_only(const kin_rule *rule, const kin_context *context, uint32_t number, uint64_t *restrict match)
{
    keep_all(rule, context, number, match);
    for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++)
        match[word] = clear_larger(rule, context, number, word, match[word]);
}

// A slot that has a component is alive, so an `all` rule need not look at the `alive` bits.
void kin__matcher_chunk(const kin_matcher *normal, const kin_context *context, uint32_t number,
                        uint64_t match[KIN__CHUNK_WORDS])
{
    const kin_rule *first = &normal->rules[0];
    KIN_ASSERT(normal->count > 0 && first->count > 0);
    const uint64_t *begin = first->kind == KIN_RULE_ALL ? kin__chunk_column(context, number, first->ids[0])->has
                                                        : context->chunks[number]->alive;
    memcpy(match, begin, KIN__CHUNK_WORDS * sizeof *match);
    for (uint32_t i = 0; i < normal->count; i++) {
        const kin_rule *rule = &normal->rules[i];
        switch ((kin_rule_kind)rule->kind) {
        case KIN_RULE_ALL:
            keep_all(rule, context, number, match);
            break;
        case KIN_RULE_ANY:
            keep_any(rule, context, number, match);
            break;
        case KIN_RULE_NONE:
            drop_all(rule, context, number, match);
            break;
        case KIN_RULE_ONLY:
            keep_only(rule, context, number, match);
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

static bool is_full(const kin_rule *rule, const kin_context *context, uint32_t number)
{
    for (uint32_t i = 0; i < rule->count; i++) {
        const uint64_t *has = kin__chunk_column(context, number, rule->ids[i])->has;
        if (rule->kind == KIN_RULE_ALL ? in_all(has) != ~(uint64_t)0 : in_any(has) != 0)
            return false;
    }
    return true;
}

bool kin__matcher_is_full(const kin_matcher *normal, const kin_context *context, uint32_t number)
{
    KIN_ASSERT(normal->count > 0);
    if (normal->rules[0].kind != KIN_RULE_ALL)
        return false;
    for (uint32_t i = 0; i < normal->count; i++) {
        const kin_rule *rule = &normal->rules[i];
        if ((rule->kind != KIN_RULE_ALL && rule->kind != KIN_RULE_NONE) || !is_full(rule, context, number))
            return false;
    }
    return true;
}
