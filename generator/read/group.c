// Reads `groups`: rules over the components of one context, and optional columns.
#include "generator/read/internal.h"

#include "generator/schema/schema.h"

#include <stdlib.h>
#include <string.h>

// ---- optional columns

// Reads `maybe`: the optional columns of a group, or of a system with a group. Checks components that groups and their
// systems name.

// ---- components of groups

const component *find_group_component(reader *reader, const tree_node *node, const char *what, const group *group)
{
    const component_draft *found = dictionary_find(&reader->component_names, node->text);
    const context *context = group->context;
    if (found == NULL && reader_is_elsewhere(reader, "components"))
        return NULL;
    if (found == NULL) {
        diagnostic_error(reader->diagnostics, CODE_UNKNOWN_COMPONENT, node->span, "unknown component '%s' in %s",
                         node->text, what);
        reader_hint(reader, reader_search_components(reader, node->text, context));
        return NULL;
    }
    // A component without contexts had invalid ones, already reported.
    if (context == NULL || found->component.context_count == 0 || component_is_in(&found->component, context))
        return &found->component;
    diagnostic_error(reader->diagnostics, CODE_OTHER_CONTEXT, node->span, "component '%s' is not in context '%s' of %s",
                     node->text, context->name, what);
    diagnostic_note(reader->diagnostics, found->component.span, "'%s' is declared here for context '%s'", node->text,
                    found->component.contexts[0]->name);
    return NULL;
}

void check_group_member(reader *reader, const tree_node *node, const char *list, const component *component)
{
    const char *member = name_to_snake_case(reader->arena, component->name);
    const char *reserved = name_reserved_as(member);
    bool is_own = strcmp(member, "count") == 0 || strcmp(member, "mask") == 0;
    if (is_own)
        reserved = "a built-in member";
    if (reserved == NULL || (component->fields.count == 0 && !is_own))
        return;
    diagnostic_error(reader->diagnostics, CODE_ITERATOR_MEMBER, node->span,
                     "component '%s' cannot be in %s: its iterator member '%s' would be %s", component->name, list,
                     member, reserved);
}

// ---- optional columns

// A list while it is read.
typedef struct maybe_draft {
    reader *reader;
    const group *group;
    const char *what; // "'maybe' of group 'movers'"
    const component **components;
    component_list list;
} maybe_draft;

static bool names(const rule *rule, const component *component)
{
    return schema_lists((component_list){rule->components, rule->count}, component);
}

// Returns why the rule settles whether members have the component; NULL if it does not.
static const char *find_settled(const rule *rule, const component *component)
{
    bool is_named = names(rule, component);
    switch (rule->kind) {
    case RULE_ALL:
        return is_named ? "all members have it, and 'all' gives it a column" : NULL;
    case RULE_ANY:
        return is_named && rule->count == 1 ? "all members have it; name it in 'all' for a column" : NULL;
    case RULE_NONE:
        return is_named ? "no member has it" : NULL;
    case RULE_ONLY:
        return is_named ? "all members have it; name it in 'all' for a column" : "no member has it";
    }
    return NULL;
}

static const char *find_reason(const group *group, const component *component)
{
    if (component->fields.count == 0)
        return "it is a flag, which has no values";
    const char *reason = NULL;
    for (size_t i = 0; i < group->rule_count && reason == NULL; i++)
        reason = find_settled(&group->rules[i], component);
    return reason;
}

// Reports a component that the list has already, or that is an optional column of the system's group.
static bool is_new(const maybe_draft *draft, const tree_node *item, const component *component)
{
    bool is_listed = schema_lists(draft->list, component);
    if (!is_listed && !schema_lists(draft->group->maybe, component))
        return true;
    diagnostic_error(draft->reader->diagnostics, CODE_DUPLICATE_COMPONENT, item->span,
                     is_listed ? "component '%s' is listed twice" : "component '%s' is in 'maybe' of the group too",
                     component->name);
    return false;
}

static void append(maybe_draft *draft, const tree_node *item)
{
    reader *reader = draft->reader;
    if (!reader_expect_text(reader, item, arena_format(reader->arena, "a component in %s", draft->what)))
        return;
    const component *component = find_group_component(reader, item, draft->what, draft->group);
    if (component == NULL || !is_new(draft, item, component))
        return;
    const char *reason = find_reason(draft->group, component);
    if (reason != NULL) {
        diagnostic_error(reader->diagnostics, CODE_MAYBE, item->span, "component '%s' cannot be in %s: %s",
                         component->name, draft->what, reason);
        diagnostic_hint(reader->diagnostics, "remove it from 'maybe'");
        return;
    }
    check_group_member(reader, item, draft->what, component);
    if (draft->list.count < SCHEMA_RULE_COMPONENT_LIMIT)
        draft->components[draft->list.count++] = component;
}

component_list read_maybe(reader *reader, const tree_node *node, const char *what, const group *group)
{
    maybe_draft draft = {.reader = reader, .group = group};
    draft.what = arena_format(reader->arena, "'maybe' of %s", what);
    if (node == NULL || !reader_expect_items(reader, node, draft.what))
        return draft.list;
    draft.components = arena_allocate(reader->arena, SCHEMA_RULE_COMPONENT_LIMIT * sizeof *draft.components);
    draft.list.components = draft.components;
    for (const tree_node *item = node->items; item != NULL; item = item->next)
        append(&draft, item);
    if (node->count > SCHEMA_RULE_COMPONENT_LIMIT)
        diagnostic_error(reader->diagnostics, CODE_TOO_MANY_RULES, node->span,
                         "%s has too many components; at most %d are allowed, found %zu", draft.what,
                         SCHEMA_RULE_COMPONENT_LIMIT, node->count);
    return draft.list;
}

void read_system_maybe(system_scope *scope, system_draft *draft)
{
    const tree_node *key = tree_find_key(draft->node, "maybe");
    if (key == NULL)
        return;
    if (draft->system.group != NULL) {
        draft->system.maybe =
            read_maybe(scope->reader, tree_find(draft->node, "maybe"), draft->what, draft->system.group);
        return;
    }
    if (tree_find_key(draft->node, "group") != NULL || reader_is_misspelled(draft->node, &language_system, "group"))
        return; // already reported
    diagnostic_error(scope->reader->diagnostics, CODE_MAYBE, key->span, "%s has 'maybe' without 'group'", draft->what);
    diagnostic_hint(scope->reader->diagnostics,
                    "add 'group', or remove it; only a system that iterates a group has columns");
}

// ---- groups

// Reads `groups`: rules over the components of one context.

static const struct {
    const char *key;
    rule_kind kind;
} rule_keys[] = {{"all", RULE_ALL}, {"any", RULE_ANY}, {"none", RULE_NONE}, {"only", RULE_ONLY}};

// A group while it is read.
typedef struct group_draft {
    reader *reader;
    group *group;
    const char *what;
    rule *rules;
    size_t rule_count;
    const component **components; // of the rule being read
    bool is_index;                // whether the group holds an index's rules and has no iterator
} group_draft;

static bool has_component(const rule *rule, const component *component)
{
    for (size_t i = 0; i < rule->count; i++)
        if (rule->components[i] == component)
            return true;
    return false;
}

static void append_component(group_draft *draft, const tree_node *node, rule *rule)
{
    diagnostics *diagnostics = draft->reader->diagnostics;
    const char *what = arena_format(draft->reader->arena, "a component of %s", draft->what);
    if (!reader_expect_text(draft->reader, node, what))
        return;
    const component *component = find_group_component(draft->reader, node, draft->what, draft->group);
    if (component == NULL)
        return;
    if (has_component(rule, component)) {
        diagnostic_error(diagnostics, CODE_DUPLICATE_COMPONENT, node->span, "component '%s' is listed twice",
                         component->name);
        return;
    }
    if (rule->kind == RULE_ALL && !draft->is_index)
        check_group_member(draft->reader, node, arena_format(draft->reader->arena, "'all' of %s", draft->what),
                           component);
    if (rule->count < SCHEMA_RULE_COMPONENT_LIMIT)
        draft->components[rule->count++] = component;
}

// Lists of 'any' must all match, so that two shorter ones mean something else.
static void report_long_rule(diagnostics *diagnostics, const tree_node *node, rule_kind kind)
{
    diagnostic_error(diagnostics, CODE_TOO_MANY_RULES, node->span,
                     "rule has too many components; at most %d are allowed, found %zu", SCHEMA_RULE_COMPONENT_LIMIT,
                     node->count);
    if (kind == RULE_ANY)
        diagnostic_hint(
            diagnostics,
            "two lists would both have to match; add a flag to entities with one of these, and name the flag");
    else
        diagnostic_hint(diagnostics, "add a flag to these entities, and name the flag");
}

static void read_rule(group_draft *draft, const tree_node *node, rule_kind kind)
{
    diagnostics *diagnostics = draft->reader->diagnostics;
    rule rule = {.kind = kind, .span = node->span};
    draft->components = arena_allocate(draft->reader->arena, SCHEMA_RULE_COMPONENT_LIMIT * sizeof *rule.components);
    rule.components = draft->components;
    for (const tree_node *item = node->items; item != NULL; item = item->next)
        append_component(draft, item, &rule);
    if (node->count > SCHEMA_RULE_COMPONENT_LIMIT)
        report_long_rule(diagnostics, node, kind);
    if (draft->rule_count == SCHEMA_RULE_LIMIT)
        diagnostic_error(diagnostics, CODE_TOO_MANY_RULES, node->span, "%s has too many rules; at most %d are allowed",
                         draft->what, SCHEMA_RULE_LIMIT);
    if (draft->rule_count < SCHEMA_RULE_LIMIT)
        draft->rules[draft->rule_count++] = rule;
}

// Reads `any: [[A, B], [C, D]]`, where each inner list is a rule.
static void read_lists(group_draft *draft, const tree_node *node)
{
    const char *what = arena_format(draft->reader->arena, "an item of 'any' of %s", draft->what);
    for (const tree_node *item = node->items; item != NULL; item = item->next)
        if (reader_expect_items(draft->reader, item, what))
            read_rule(draft, item, RULE_ANY);
}

static void read_rules(group_draft *draft, const tree_pair *pair)
{
    size_t index = 0;
    while (index < sizeof rule_keys / sizeof rule_keys[0] && strcmp(rule_keys[index].key, pair->key->text) != 0)
        index++;
    if (index == sizeof rule_keys / sizeof rule_keys[0])
        return;
    const char *what = arena_format(draft->reader->arena, "'%s' of %s", pair->key->text, draft->what);
    if (!reader_expect_items(draft->reader, pair->value, what))
        return;
    bool has_lists = rule_keys[index].kind == RULE_ANY && pair->value->items->kind == TREE_SEQUENCE;
    if (has_lists)
        read_lists(draft, pair->value);
    else
        read_rule(draft, pair->value, rule_keys[index].kind);
}

// Reports a component in both `all` and `none`: no entity could match.
static void check_contradictions(group_draft *draft, const rule *all, const rule *none)
{
    for (size_t i = 0; i < none->count; i++) {
        if (!has_component(all, none->components[i]))
            continue;
        diagnostic_error(draft->reader->diagnostics, CODE_CONTRADICTION, none->span,
                         "component '%s' is in both 'all' and 'none' of %s", none->components[i]->name, draft->what);
        diagnostic_note(draft->reader->diagnostics, all->span, "'all' is declared here");
    }
}

static void check_all_contradictions(group_draft *draft)
{
    for (size_t i = 0; i < draft->rule_count; i++)
        for (size_t j = 0; j < draft->rule_count; j++)
            if (draft->rules[i].kind == RULE_ALL && draft->rules[j].kind == RULE_NONE)
                check_contradictions(draft, &draft->rules[i], &draft->rules[j]);
}

static void check_rules(group_draft *draft, const tree_node *node)
{
    bool has_rule = false;
    for (size_t i = 0; i < sizeof rule_keys / sizeof rule_keys[0] && !has_rule; i++)
        has_rule =
            tree_find(node, rule_keys[i].key) != NULL || reader_is_misspelled(node, &language_group, rule_keys[i].key);
    if (!has_rule) {
        diagnostic_error(draft->reader->diagnostics, CODE_NO_RULE, draft->group->span, "%s has no rule", draft->what);
        diagnostic_hint(draft->reader->diagnostics, "add 'all', 'any', 'none' or 'only'");
    }
}

// ---- entities that are switched off

// Appends the flag to the rule `none` if there is room. Rules are of the length that was read, so this makes it again.
static bool append_to_none(reader *reader, rule *rules, size_t count, const component *off)
{
    for (size_t i = 0; i < count; i++) {
        rule *none = &rules[i];
        if (none->kind != RULE_NONE || none->count == SCHEMA_RULE_COMPONENT_LIMIT)
            continue;
        const component **components = arena_allocate(reader->arena, (none->count + 1) * sizeof *components);
        memcpy(components, none->components, none->count * sizeof *components);
        components[none->count++] = off;
        none->components = components;
        return true;
    }
    return false;
}

static bool has_only(const rule *rules, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (rules[i].kind == RULE_ONLY)
            return true;
    return false;
}

static rule rule_of_off(reader *reader, const context *context)
{
    const component **off = arena_allocate(reader->arena, sizeof *off);
    *off = context->off;
    return (rule){.kind = RULE_NONE, .span = context->off_span, .components = off, .count = 1};
}

const rule *read_off_rule(reader *reader, const context *context, const rule *rules, size_t *count)
{
    bool excludes_off = context == NULL || context->off == NULL || schema_rules_name(rules, *count, context->off) ||
                        has_only(rules, *count);
    if (excludes_off)
        return rules;
    rule *list = arena_allocate(reader->arena, (*count + 1) * sizeof *list);
    if (*count > 0)
        memcpy(list, rules, *count * sizeof *list);
    if (!append_to_none(reader, list, *count, context->off))
        list[(*count)++] = rule_of_off(reader, context);
    return list;
}

// Leaves out the entities that are switched off.
static void add_off(group_draft *draft)
{
    group *group = draft->group;
    group->rules = read_off_rule(draft->reader, group->context, group->rules, &group->rule_count);
    if (group->rule_count <= SCHEMA_RULE_LIMIT)
        return;
    const context *context = group->context;
    diagnostic_error(draft->reader->diagnostics, CODE_TOO_MANY_RULES, group->span,
                     "%s has too many rules with 'off' of context '%s'; at most %d are allowed", draft->what,
                     context->name, SCHEMA_RULE_LIMIT);
    diagnostic_note(draft->reader->diagnostics, context->off_span, "'off' adds the rule 'none: [%s]'",
                    context->off->name);
    group->rule_count = SCHEMA_RULE_LIMIT;
}

void read_index_rules(reader *reader, const tree_node *node, const char *what, group *group)
{
    rule *rules = arena_allocate(reader->arena, SCHEMA_RULE_LIMIT * sizeof *rules);
    group_draft draft = {.reader = reader, .group = group, .what = what, .rules = rules, .is_index = true};
    group->context = read_context_of(reader, node, (context_owner){what, group->span, &language_group});
    for (const tree_pair *pair = node->pairs; pair != NULL; pair = pair->next)
        if (strcmp(pair->key->text, "all") == 0 || strcmp(pair->key->text, "none") == 0)
            read_rules(&draft, pair);
    check_all_contradictions(&draft);
    group->rules = draft.rules;
    group->rule_count = draft.rule_count;
}

rule read_index_components(reader *reader, const tree_node *node, const char *what, const context *context)
{
    group group = {.context = context};
    rule rule = {.kind = RULE_ALL, .span = node->span};
    group_draft draft = {.reader = reader, .group = &group, .what = what, .rules = &rule, .is_index = true};
    if (reader_expect_items(reader, node, arena_format(reader->arena, "'of' of %s", what)))
        read_rule(&draft, node, RULE_ALL);
    return rule;
}

void read_question_rules(reader *reader, const tree_node *node, const char *what, const context *context,
                         question *question)
{
    group group = {.context = context};
    rule *rules = arena_allocate(reader->arena, SCHEMA_RULE_LIMIT * sizeof *rules);
    group_draft draft = {.reader = reader, .group = &group, .what = what, .rules = rules, .is_index = true};
    for (const tree_pair *pair = node->pairs; pair != NULL; pair = pair->next)
        read_rules(&draft, pair);
    check_all_contradictions(&draft);
    question->rules = draft.rules;
    question->rule_count = draft.rule_count;
}

static void read_group(reader *reader, const tree_node *node, const char *what, group *group)
{
    rule *rules = arena_allocate(reader->arena, SCHEMA_RULE_LIMIT * sizeof *rules);
    group_draft draft = {.reader = reader, .group = group, .what = what, .rules = rules};
    if (!reader_expect_mapping(reader, node, what))
        return;
    reader_read_keys(reader, node, &language_group, what, group);
    group->context = read_context_of(reader, node, (context_owner){what, group->span, &language_group});
    for (const tree_pair *rule = node->pairs; rule != NULL; rule = rule->next)
        read_rules(&draft, rule);
    check_rules(&draft, node);
    group->rules = draft.rules;
    group->rule_count = draft.rule_count;
    add_off(&draft);
    group->maybe = read_maybe(reader, tree_find(node, "maybe"), what, group);
    read_questions(reader, node, what, group);
}

const group *read_system_group(system_scope *scope, const system_draft *draft, const tree_node *node)
{
    arena *arena = scope->reader->arena;
    group *group = arena_allocate(arena, sizeof *group);
    group->name = draft->system.name;
    group->span = tree_find_key(draft->node, "group")->span;
    group->is_of_system = true;
    const char *what = arena_format(arena, "the group of %s", draft->what);
    read_group(scope->reader, node, what, group);
    if (node->kind == TREE_MAPPING)
        read_group_order(scope->reader, node, what, group);
    return group;
}

static int compare(const void *a, const void *b)
{
    const group *left = *(const group *const *)a;
    const group *right = *(const group *const *)b;
    return strcmp(left->name, right->name);
}

void read_groups(reader *reader)
{
    entry_list entries = reader_entries(reader, "groups");
    dictionary names = dictionary_create(reader->arena);
    const group **groups = arena_allocate(reader->arena, (entries.count + 1) * sizeof *groups);
    size_t count = 0;
    for (size_t i = 0; i < entries.count; i++) {
        const tree_pair *pair = entries.pairs[i];
        if (!reader_check_name(reader, pair->key, CASE_SNAKE, "a group"))
            continue;
        group *group = arena_allocate(reader->arena, sizeof *group);
        const struct group *earlier = dictionary_add(&names, pair->key->text, group);
        if (earlier != NULL) {
            reader_report_duplicate(reader, pair->key, "group", earlier->span);
            continue;
        }
        group->name = pair->key->text;
        group->span = pair->key->span;
        read_group(reader, pair->value, arena_format(reader->arena, "group '%s'", group->name), group);
        groups[count++] = group;
    }
    qsort(groups, count, sizeof *groups, compare);
    reader->package->groups = groups;
    reader->package->group_count = count;
}
