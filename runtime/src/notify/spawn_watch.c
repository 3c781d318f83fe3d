#include "notify/spawn_watch.h"

#include "store/store.h"

// Returns how many ids of the rule are among the first `count` parts. Both are in ascending order.
static uint32_t count_common(const kin_rule *rule, const kin__part *parts, uint32_t count)
{
    uint32_t common = 0, i = 0, k = 0;
    while (i < rule->count && k < count) {
        common += rule->ids[i] == parts[k].id;
        bool is_next = rule->ids[i] <= parts[k].id;
        k += rule->ids[i] >= parts[k].id;
        i += is_next;
    }
    return common;
}

static bool holds(const kin_rule *rule, const kin__part *parts, uint32_t count)
{
    uint32_t common = count_common(rule, parts, count);
    switch ((kin_rule_kind)rule->kind) {
    case KIN_RULE_ALL:
        return common == rule->count;
    case KIN_RULE_ANY:
        return common > 0;
    case KIN_RULE_NONE:
        return common == 0;
    case KIN_RULE_ONLY:
        return common == rule->count && count == rule->count;
    }
    return true;
}

static bool matches(const kin_matcher *normal, const kin__part *parts, uint32_t count)
{
    for (uint32_t i = 0; i < normal->count; i++)
        if (!holds(&normal->rules[i], parts, count))
            return false;
    return true;
}

bool kin__spawn_passes(const kin__blueprint *blueprint, const kin_matcher *normal)
{
    KIN_ASSERT(normal->count > 0);
    for (uint32_t count = 0; count <= blueprint->part_count; count++)
        if (matches(normal, blueprint->parts, count))
            return true;
    return false;
}

static void watch(kin__blueprint *blueprint, bool on)
{
    KIN_ASSERT(on || blueprint->watchers > 0);
    blueprint->watchers += on ? 1u : (uint32_t)-1;
}

void kin__spawn_watch(kin_context *context, const kin_matcher *normal, bool on)
{
    for (uint32_t i = 0; i < context->core->blueprint_count; i++)
        if (kin__spawn_passes(&context->blueprints[i], normal))
            watch(&context->blueprints[i], on);
}

void kin__spawn_watch_all(kin_context *context, bool on)
{
    for (uint32_t i = 0; i < context->core->blueprint_count; i++)
        watch(&context->blueprints[i], on);
}
