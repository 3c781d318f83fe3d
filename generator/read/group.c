// Reads `groups`: rules over the components of one context.
#include "generator/schema/schema.h"
#include "read/private/reader.h"
#include "read/private/system.h"

#include <stdlib.h>
#include <string.h>

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

static void read_group(reader *reader, const tree_node *node, const char *what, group *group)
{
    rule *rules = arena_allocate(reader->arena, SCHEMA_RULE_LIMIT * sizeof *rules);
    group_draft draft = {.reader = reader, .group = group, .what = what, .rules = rules};
    if (!reader_expect_mapping(reader, node, what))
        return;
    reader_check_keys(reader, node, &language_group, what);
    group->doc = reader_find_text(reader, node, "doc", what);
    group->context = read_context_of(reader, node, (context_owner){what, group->span, &language_group});
    for (const tree_pair *rule = node->pairs; rule != NULL; rule = rule->next)
        read_rules(&draft, rule);
    check_rules(&draft, node);
    group->rules = draft.rules;
    group->rule_count = draft.rule_count;
    group->maybe = read_maybe(reader, tree_find(node, "maybe"), what, group);
}

const group *read_system_group(system_scope *scope, const system_draft *draft, const tree_node *node)
{
    arena *arena = scope->reader->arena;
    group *group = arena_allocate(arena, sizeof *group);
    group->name = draft->system.name;
    group->span = tree_find_key(draft->node, "group")->span;
    group->is_of_system = true;
    read_group(scope->reader, node, arena_format(arena, "the group of %s", draft->what), group);
    return group;
}

static int compare(const void *a, const void *b)
{
    const group *left = *(const group *const *)a, *right = *(const group *const *)b;
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
