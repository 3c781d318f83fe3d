// Advice on groups that no entity can match: one rule requires what another forbids.
#include "check/advice.h"

static const char *const rule_names[] = {
    [RULE_ALL] = "all",
    [RULE_ANY] = "any",
    [RULE_NONE] = "none",
    [RULE_ONLY] = "only",
};

static bool has_component(const rule *rule, const component *component)
{
    for (size_t i = 0; i < rule->count; i++)
        if (rule->components[i] == component)
            return true;
    return false;
}

// Returns the first rule that excludes entities with the component; NULL if there is none.
static const rule *forbidding_rule(const group *group, const component *component)
{
    for (size_t i = 0; i < group->rule_count; i++) {
        const rule *rule = &group->rules[i];
        bool is_in = has_component(rule, component);
        if ((rule->kind == RULE_NONE && is_in) || (rule->kind == RULE_ONLY && !is_in))
            return rule;
    }
    return NULL;
}

static const rule *forbidding_of_all(const group *group, const rule *any)
{
    const rule *forbidding = NULL;
    for (size_t i = 0; i < any->count; i++) {
        forbidding = forbidding_rule(group, any->components[i]);
        if (forbidding == NULL)
            return NULL;
    }
    return forbidding;
}

static void report(diagnostics *diagnostics, const group *group, const rule *asking, const rule *forbidding)
{
    diagnostic_warning(diagnostics, CODE_NOTHING_MATCHES, asking->span,
                       "no entity can match %s '%s': '%s' contradicts '%s'",
                       group->is_of_system ? "the group of system" : "group", group->name, rule_names[asking->kind],
                       rule_names[forbidding->kind]);
    diagnostic_note(diagnostics, forbidding->span, "'%s' is declared here", rule_names[forbidding->kind]);
}

// `all` and `only` require each of their components, `any` one of them.
static bool advise_on_rule(diagnostics *diagnostics, const group *group, const rule *rule)
{
    if (rule->kind == RULE_NONE)
        return false;
    if (rule->kind == RULE_ANY) {
        const struct rule *forbidding = forbidding_of_all(group, rule);
        if (forbidding == NULL)
            return false;
        report(diagnostics, group, rule, forbidding);
        diagnostic_hint(diagnostics, "one of these is required, but all are forbidden");
        return true;
    }
    for (size_t i = 0; i < rule->count; i++) {
        const struct rule *forbidding = forbidding_rule(group, rule->components[i]);
        if (forbidding == NULL)
            continue;
        report(diagnostics, group, rule, forbidding);
        diagnostic_hint(diagnostics, "'%s' is both required and forbidden", rule->components[i]->name);
        return true;
    }
    return false;
}

static void advise_on_group(diagnostics *diagnostics, const group *group)
{
    bool is_reported = false;
    for (size_t i = 0; i < group->rule_count && !is_reported; i++)
        is_reported = advise_on_rule(diagnostics, group, &group->rules[i]);
}

void advice_on_groups(diagnostics *diagnostics, const package *package)
{
    for (size_t i = 0; i < package->group_count; i++)
        advise_on_group(diagnostics, package->groups[i]);
    for (size_t i = 0; i < package->system_group_count; i++)
        advise_on_group(diagnostics, package->system_groups[i]);
}
