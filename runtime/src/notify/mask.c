#include "notify/mask.h"

#include <string.h>

// One part of a mask in the making.
typedef struct part {
    uint64_t *care, *want;
    bool never; // two demands exclude each other
} part;

static uint64_t bit_of(uint32_t id)
{
    return kin__bit_of(id);
}

static void demand(part *part, uint32_t id, bool present)
{
    uint64_t *care = &part->care[id / 64], *want = &part->want[id / 64];
    if ((*care & bit_of(id)) != 0 && ((*want & bit_of(id)) != 0) != present)
        part->never = true;
    *care |= bit_of(id);
    if (present)
        *want |= bit_of(id);
}

// A part that lets nothing through: it wants what it does not look at.
static void finish(part *part, uint32_t row_words)
{
    if (!part->never)
        return;
    memset(part->care, 0, row_words * sizeof(uint64_t));
    part->want[0] = 1;
}

static bool names(const kin_rule *rule, uint32_t id)
{
    for (uint32_t i = 0; i < rule->count; i++)
        if (rule->ids[i] == id)
            return true;
    return false;
}

static void demand_rule(part *part, const kin_rule *rule, uint32_t id)
{
    for (uint32_t i = 0; i < rule->count; i++)
        if (rule->ids[i] != id)
            demand(part, rule->ids[i], rule->kind == KIN_RULE_ALL);
}

// How the rules of a matcher name the component.
typedef struct roles {
    bool in_all, in_none;
    bool elsewhere;           // an `any` rule without it leaves a choice
    uint32_t any_count;       // of `any` rules with it
    const kin_rule *last_any; // of those
} roles;

static roles roles_of(const kin_matcher *normal, uint32_t id)
{
    roles roles = {.in_all = false};
    for (uint32_t i = 0; i < normal->count; i++) {
        const kin_rule *rule = &normal->rules[i];
        bool named = names(rule, id);
        roles.in_all = roles.in_all || (named && rule->kind == KIN_RULE_ALL);
        roles.in_none = roles.in_none || (named && rule->kind == KIN_RULE_NONE);
        if (rule->kind != KIN_RULE_ANY)
            continue;
        roles.elsewhere = roles.elsewhere || (!named && rule->count > 1);
        roles.any_count += named;
        if (named)
            roles.last_any = rule;
    }
    return roles;
}

// What both parts ask: the components of the `all` and `none` rules, and those of `any` rules that leave no choice.
static void demand_rules(part *part, const kin_matcher *normal, uint32_t id)
{
    for (uint32_t i = 0; i < normal->count; i++) {
        const kin_rule *rule = &normal->rules[i];
        if (rule->kind == KIN_RULE_ANY && rule->count == 1 && rule->ids[0] != id)
            demand(part, rule->ids[0], true);
        else if (rule->kind != KIN_RULE_ANY)
            demand_rule(part, rule, id);
    }
}

static uint64_t make_open(part *crossed, part *held, const kin_matcher *normal, uint32_t id)
{
    roles roles = roles_of(normal, id);
    demand_rules(crossed, normal, id);
    demand_rules(held, normal, id);
    crossed->never = crossed->never || (roles.in_all && roles.in_none);
    held->never = held->never || roles.in_none;
    bool decides = roles.any_count == 1 && !roles.in_all && !roles.in_none;
    for (uint32_t i = 0; decides && i < roles.last_any->count; i++)
        if (roles.last_any->ids[i] != id)
            demand(crossed, roles.last_any->ids[i], false);
    bool unclear = roles.any_count > 0 && !roles.in_all && !decides;
    uint64_t comes = roles.in_none ? 0 : KIN__MASK_COMES, look = roles.elsewhere || unclear ? KIN__MASK_LOOK : 0;
    return comes | look;
}

// With an `only` rule there is one row that can match: the rest of the matcher is asked about it here.
static uint64_t make_exact(part *crossed, part *held, const kin_matcher *normal, uint32_t id, uint32_t row_words)
{
    const kin_rule *only = &normal->rules[normal->count - 1];
    for (uint32_t i = 0; i < only->count; i++)
        demand(held, only->ids[i], true);
    crossed->never = held->never = !kin__matcher_holds(normal, held->want, row_words);
    memset(held->care, 0xFF, row_words * sizeof(uint64_t));
    memcpy(crossed->want, held->want, row_words * sizeof(uint64_t));
    memcpy(crossed->care, held->care, row_words * sizeof(uint64_t));
    crossed->care[id / 64] &= ~bit_of(id);
    crossed->want[id / 64] &= ~bit_of(id);
    return names(only, id) ? KIN__MASK_COMES : 0;
}

void kin__mask_make(uint64_t *mask, const kin_matcher *normal, uint32_t id, uint32_t row_words)
{
    memset(mask, 0, kin__mask_words(row_words) * sizeof *mask);
    part crossed = {mask + 1, mask + 1 + row_words, false};
    part held = {mask + 1 + 2 * row_words, mask + 1 + 3 * row_words, false};
    mask[0] = kin__matcher_is_exact(normal) ? make_exact(&crossed, &held, normal, id, row_words)
                                            : make_open(&crossed, &held, normal, id);
    finish(&crossed, row_words);
    finish(&held, row_words);
}

bool kin__mask_is_valid(const uint64_t *mask, const kin_matcher *normal, uint32_t id, uint64_t *row, uint32_t row_words)
{
    uint64_t *word = &row[id / 64], kept = *word;
    *word = kept | bit_of(id);
    bool with = kin__matcher_holds(normal, row, row_words);
    bool held = kin__mask_passes(mask, KIN__MASK_MEMBER, row, row_words);
    bool crossed = kin__mask_passes(mask, KIN__MASK_CROSSED, row, row_words);
    *word = kept & ~bit_of(id);
    bool without = kin__matcher_holds(normal, row, row_words);
    bool same = crossed == kin__mask_passes(mask, KIN__MASK_CROSSED, row, row_words);
    *word = kept;
    if ((mask[0] & KIN__MASK_LOOK) != 0)
        return same && (held || !with) && (crossed || with == without);
    return same && held == with && crossed == (with != without) &&
           (!crossed || with == ((mask[0] & KIN__MASK_COMES) != 0));
}

bool kin__mask_passes_wide(const uint64_t *mask, kin__mask_part part, const uint64_t *row, uint32_t row_words)
{
    const uint64_t *care = mask + 1 + (size_t)part * 2 * row_words, *want = care + row_words;
    for (uint32_t word = 0; word < row_words; word++)
        if ((row[word] & care[word]) != want[word])
            return false;
    return true;
}
