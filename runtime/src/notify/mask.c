#include "notify/mask.h"

#include <string.h>

// One part of a mask while it is made.
typedef struct part {
    uint64_t *compared, *expected;
    bool never; // no row passes: two requirements exclude each other
} part;

// Requires that a row has the component, or that it lacks it.
static void require(part *part, uint32_t id, bool present)
{
    uint64_t *compared = &part->compared[id / 64], *expected = &part->expected[id / 64];
    if ((*compared & kin__bit_of(id)) != 0 && ((*expected & kin__bit_of(id)) != 0) != present)
        part->never = true;
    *compared |= kin__bit_of(id);
    if (present)
        *expected |= kin__bit_of(id);
}

// Makes a part that no row passes: it expects a bit that it does not compare.
static void finish_part(part *part, uint32_t row_words)
{
    if (!part->never)
        return;
    memset(part->compared, 0, row_words * sizeof(uint64_t));
    part->expected[0] = 1;
}

static bool names(const kin_rule *rule, uint32_t id)
{
    for (uint32_t i = 0; i < rule->count; i++)
        if (rule->ids[i] == id)
            return true;
    return false;
}

static void require_rule(part *part, const kin_rule *rule, uint32_t id)
{
    for (uint32_t i = 0; i < rule->count; i++)
        if (rule->ids[i] != id)
            require(part, rule->ids[i], rule->kind == KIN_RULE_ALL);
}

// The occurrences of a component in the rules of a matcher.
typedef struct roles {
    bool in_all, in_none;
    bool has_other_choice;    // an `any` rule of several components does not name it
    uint32_t any_count;       // `any` rules that name it
    const kin_rule *last_any; // the last `any` rule that names it
} roles;

static roles find_roles(const kin_matcher *normal, uint32_t id)
{
    roles roles = {.in_all = false};
    for (uint32_t i = 0; i < normal->count; i++) {
        const kin_rule *rule = &normal->rules[i];
        bool named = names(rule, id);
        roles.in_all = roles.in_all || (named && rule->kind == KIN_RULE_ALL);
        roles.in_none = roles.in_none || (named && rule->kind == KIN_RULE_NONE);
        if (rule->kind != KIN_RULE_ANY)
            continue;
        roles.has_other_choice = roles.has_other_choice || (!named && rule->count > 1);
        roles.any_count += named;
        if (named)
            roles.last_any = rule;
    }
    return roles;
}

// Requires the components of `all`, `none` and `any` rules, where an `any` rule names a single one. Both parts begin
// so.
static void require_rules(part *part, const kin_matcher *normal, uint32_t id)
{
    for (uint32_t i = 0; i < normal->count; i++) {
        const kin_rule *rule = &normal->rules[i];
        if (rule->kind == KIN_RULE_ANY && rule->count == 1 && rule->ids[0] != id)
            require(part, rule->ids[0], true);
        else if (rule->kind != KIN_RULE_ANY)
            require_rule(part, rule, id);
    }
}

// Makes both parts for a matcher without an `only` rule. Returns the kind.
static uint64_t make_open(part *crossed, part *member, const kin_matcher *normal, uint32_t id)
{
    roles roles = find_roles(normal, id);
    require_rules(crossed, normal, id);
    require_rules(member, normal, id);
    crossed->never = crossed->never || (roles.in_all && roles.in_none);
    member->never = member->never || roles.in_none;
    bool is_lone_any = roles.any_count == 1 && !roles.in_all && !roles.in_none;
    for (uint32_t i = 0; is_lone_any && i < roles.last_any->count; i++)
        if (roles.last_any->ids[i] != id)
            require(crossed, roles.last_any->ids[i], false);
    bool undecided = roles.any_count > 0 && !roles.in_all && !is_lone_any;
    uint64_t enters = roles.in_none ? 0 : KIN__MASK_ENTERS;
    return enters | (roles.has_other_choice || undecided ? KIN__MASK_INEXACT : 0);
}

// A matcher with an `only` rule matches one row at most: that of the rule, if the other rules match it.
static uint64_t make_exact(part *crossed, part *member, const kin_matcher *normal, uint32_t id, uint32_t row_words)
{
    const kin_rule *only = &normal->rules[normal->count - 1];
    KIN_ASSERT(only->kind == KIN_RULE_ONLY && id / 64 < row_words);
    for (uint32_t i = 0; i < only->count; i++)
        require(member, only->ids[i], true);
    crossed->never = member->never = !kin__matcher_holds(normal, member->expected, row_words);
    memset(member->compared, 0xFF, row_words * sizeof(uint64_t));
    memcpy(crossed->expected, member->expected, row_words * sizeof(uint64_t));
    memcpy(crossed->compared, member->compared, row_words * sizeof(uint64_t));
    crossed->compared[id / 64] &= ~kin__bit_of(id);
    crossed->expected[id / 64] &= ~kin__bit_of(id);
    return names(only, id) ? KIN__MASK_ENTERS : 0;
}

void kin__mask_make(uint64_t *mask, const kin_matcher *normal, uint32_t id, uint32_t row_words)
{
    KIN_ASSERT(row_words > 0);
    memset(mask, 0, kin__mask_words(row_words) * sizeof *mask);
    part crossed = {mask + 1, mask + 1 + row_words, false};
    part member = {mask + 1 + 2 * row_words, mask + 1 + 3 * row_words, false};
    mask[0] = kin__matcher_is_exact(normal) ? make_exact(&crossed, &member, normal, id, row_words)
                                            : make_open(&crossed, &member, normal, id);
    finish_part(&crossed, row_words);
    finish_part(&member, row_words);
}

bool kin__mask_is_valid(const uint64_t *mask, const kin_matcher *normal, uint32_t id, uint64_t *row, uint32_t row_words)
{
    uint64_t *word = &row[id / 64], kept = *word;
    *word = kept | kin__bit_of(id);
    bool matches_with = kin__matcher_holds(normal, row, row_words);
    bool member = kin__mask_passes(mask, KIN__MASK_MEMBER, row, row_words);
    bool crossed = kin__mask_passes(mask, KIN__MASK_CROSSED, row, row_words);
    *word = kept & ~kin__bit_of(id);
    bool matches_without = kin__matcher_holds(normal, row, row_words);
    bool ignores_own_bit = crossed == kin__mask_passes(mask, KIN__MASK_CROSSED, row, row_words);
    *word = kept;
    if ((mask[0] & KIN__MASK_INEXACT) != 0)
        return ignores_own_bit && (member || !matches_with) && (crossed || matches_with == matches_without);
    return ignores_own_bit && member == matches_with && crossed == (matches_with != matches_without) &&
           (!crossed || matches_with == ((mask[0] & KIN__MASK_ENTERS) != 0));
}

bool kin__mask_passes_wide(const uint64_t *mask, kin__mask_part part, const uint64_t *row, uint32_t row_words)
{
    KIN_ASSERT(row_words > 0);
    const uint64_t *compared = mask + 1 + (size_t)part * 2 * row_words, *expected = compared + row_words;
    for (uint32_t word = 0; word < row_words; word++)
        if ((row[word] & compared[word]) != expected[word])
            return false;
    return true;
}
