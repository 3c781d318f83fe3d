// Advice on blueprints whose entities match a group only while they are spawned: components are added one by one, in
// order of their names, and the group is notified that the entity enters and leaves.
#include "check/advice.h"

static bool is_among(const blueprint_part *parts, size_t count, const component *component)
{
    for (size_t i = 0; i < count; i++)
        if (parts[i].component == component)
            return true;
    return false;
}

static bool holds(const rule *rule, const blueprint_part *parts, size_t count)
{
    size_t common = 0;
    for (size_t i = 0; i < rule->count; i++)
        common += is_among(parts, count, rule->components[i]);
    switch (rule->kind) {
    case RULE_ALL:
        return common == rule->count;
    case RULE_ANY:
        return common > 0;
    case RULE_NONE:
        return common == 0;
    case RULE_ONLY:
        return common == rule->count && common == count;
    }
    return false;
}

// Returns whether an entity with the first `count` components of the blueprint is in the group.
static bool matches(const group *group, const blueprint *blueprint, size_t count)
{
    for (size_t i = 0; i < group->rule_count; i++)
        if (!holds(&group->rules[i], blueprint->parts, count))
            return false;
    return true;
}

// A group that matches entities without components is left out: no blueprint can avoid it.
static void advise(diagnostics *diagnostics, const blueprint *blueprint, const group *group)
{
    if (matches(group, blueprint, 0) || matches(group, blueprint, blueprint->part_count))
        return;
    size_t count = blueprint->part_count - 1;
    while (count > 0 && !matches(group, blueprint, count))
        count--;
    if (count == 0)
        return;
    diagnostic_warning(diagnostics, CODE_PASSING_SPAWN, blueprint->span,
                       "each spawn of '%s' enters %s '%s' and leaves it when '%s' is added", blueprint->name,
                       group->is_of_system ? "the group of system" : "group", group->name,
                       blueprint->parts[count].component->name);
    diagnostic_note(diagnostics, group->span, "'%s' is declared here", group->name);
    diagnostic_hint(diagnostics,
                    "components are added in order of name; add to 'none' of the group a component of the blueprint "
                    "whose name comes before '%s'",
                    blueprint->parts[count - 1].component->name);
}

static void advise_on_groups(diagnostics *diagnostics, const blueprint *blueprint, const group *const *groups,
                             size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (groups[i]->context == blueprint->context)
            advise(diagnostics, blueprint, groups[i]);
}

void advice_on_spawns(diagnostics *diagnostics, const package *package)
{
    for (size_t i = 0; i < package->blueprint_count; i++) {
        advise_on_groups(diagnostics, package->blueprints[i], package->groups, package->group_count);
        advise_on_groups(diagnostics, package->blueprints[i], package->system_groups, package->system_group_count);
    }
}
