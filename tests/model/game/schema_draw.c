// Matchers drawn at random, appended to those of a package's list: up to a rule of `all` and one of `none`, and some of
// `any` and `only`. In this form equal matchers differ only in the order of rules (MAT-02, MAT-03).

#include "schema.h"

#include <string.h>

static uint32_t draw(uint64_t *random, uint32_t end)
{
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*random >> 33) % end;
}

static uint32_t draw_parts(uint64_t *random, uint32_t among)
{
    uint32_t parts = 0;
    for (uint32_t left = 1 + draw(random, 4) * draw(random, 2); left > 0 || parts == 0; left -= left > 0)
        parts |= model_bit((int32_t)draw(random, MODEL_PARTS)) & among;
    return parts;
}

static bool has_rule(const model_matcher *matcher, model_rule rule)
{
    for (uint32_t i = 0; i < matcher->count; i++)
        if (matcher->rules[i].kind == rule.kind && matcher->rules[i].parts == rule.parts)
            return true;
    return false;
}

static model_matcher draw_matcher(uint64_t *random, uint32_t among)
{
    model_matcher matcher = {0};
    bool single[KIN_RULE_ONLY + 1] = {false};
    for (uint32_t left = 1 + draw(random, 4) * draw(random, 2); left > 0; left--) {
        kin_rule_kind kind = draw(random, 12) == 0 ? KIN_RULE_ONLY : (kin_rule_kind)(KIN_RULE_ALL + draw(random, 3));
        model_rule rule = {kind, draw_parts(random, among)};
        bool once = kind == KIN_RULE_ALL || kind == KIN_RULE_NONE;
        if ((once && single[kind]) || has_rule(&matcher, rule))
            continue;
        single[kind] = true;
        matcher.rules[matcher.count++] = rule;
    }
    return matcher;
}

// Matchers of the list may have several rules of `all` and `none`: the parts of each kind are merged.
static model_matcher join(const model_matcher *matcher)
{
    model_matcher joined = {.count = 2, .rules = {{KIN_RULE_ALL, 0}, {KIN_RULE_NONE, 0}}};
    for (uint32_t i = 0; i < matcher->count; i++) {
        model_rule rule = matcher->rules[i];
        if (rule.kind == KIN_RULE_ALL || rule.kind == KIN_RULE_NONE)
            joined.rules[rule.kind == KIN_RULE_NONE].parts |= rule.parts;
        else if (!has_rule(&joined, rule))
            joined.rules[joined.count++] = rule;
    }
    return joined;
}

// Returns whether the matchers have one group.
static bool are_equal(const model_package *package, model_matcher first, model_matcher second)
{
    model_leave_out(package, &first);
    model_leave_out(package, &second);
    model_matcher left = join(&first), right = join(&second);
    bool equal = left.count == right.count;
    for (uint32_t i = 0; i < left.count && equal; i++)
        equal = has_rule(&right, left.rules[i]);
    return equal;
}

static bool is_known(const model_package *package, const model_matcher *wanted)
{
    for (uint32_t i = 0; i < package->matcher_count; i++)
        if (are_equal(package, package->matchers[i], *wanted))
            return true;
    return false;
}

model_package model_draw_matchers(const model_package *package, uint64_t seed, model_matcher *matchers)
{
    model_package drawn = *package;
    uint64_t random = seed * UINT64_C(0x9E3779B97F4A7C15) + 1;
    drawn.matchers = matchers;
    memcpy(matchers, package->matchers, package->matcher_count * sizeof *matchers);
    for (int tries = 0; tries < 200 && drawn.matcher_count < MODEL_MATCHER_LIMIT; tries++) {
        matchers[drawn.matcher_count] = draw_matcher(&random, package->parts);
        drawn.matcher_count += !is_known(&drawn, &matchers[drawn.matcher_count]);
    }
    return drawn;
}
